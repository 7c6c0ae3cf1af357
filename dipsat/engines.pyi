__all__: list[str]
from dipsat.equations.phase import Mismatch as Mismatch, Phase as Phase
from dipsat.game.facts import (
    ConvoyFacts as ConvoyFacts,
    DeclaredFacts as DeclaredFacts,
    MoveFacts as MoveFacts,
    ProvinceFacts as ProvinceFacts,
    SupportFacts as SupportFacts,
    UnitFacts as UnitFacts,
)
from dipsat.outcomes.engine import (
    BackupRule as BackupRule,
    Convoy as Convoy,
    Engine as Engine,
    EngineReason as EngineReason,
    EquationVerdicts as EquationVerdicts,
    Hold as Hold,
    Move as Move,
    Order as Order,
    OrderedUnit as OrderedUnit,
    OrderSet as OrderSet,
    ReasonedVerdicts as ReasonedVerdicts,
    Support as Support,
    TracedEngine as TracedEngine,
    Verdicts as Verdicts,
    find_engine as find_engine,
)
from dipsat.outcomes.trace import (
    Call as Call,
    Return as Return,
    Rule as Rule,
    Step as Step,
    Table as Table,
    Trace as Trace,
)
from dipsat.studies.dip_eval import transform as transform
from dipsat.studies.engine_names import ENGINES as ENGINES, SOLVER as SOLVER, TRACED as TRACED
from dipsat.studies.order_sets import (
    CarriedOut as CarriedOut,
    Dislodged as Dislodged,
    carry_out as carry_out,
    order_text as order_text,
    read_order_set as read_order_set,
    to_text as to_text,
)
