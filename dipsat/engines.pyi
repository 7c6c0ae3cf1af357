from dipsat.base import SOLVER as SOLVER
from dipsat.equations import Mismatch as Mismatch, Phase as Phase
from dipsat.game import (
    ConvoyFacts as ConvoyFacts,
    DeclaredFacts as DeclaredFacts,
    MoveFacts as MoveFacts,
    ProvinceFacts as ProvinceFacts,
    SupportFacts as SupportFacts,
    UnitFacts as UnitFacts,
)
from dipsat.outcomes import (
    BackupRule as BackupRule,
    Call as Call,
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
    Return as Return,
    Rule as Rule,
    Step as Step,
    Support as Support,
    Table as Table,
    Trace as Trace,
    TracedEngine as TracedEngine,
    Verdicts as Verdicts,
    find_engine as find_engine,
)
from dipsat.studies import (
    ENGINES as ENGINES,
    TRACED as TRACED,
    CarriedOut as CarriedOut,
    Dislodged as Dislodged,
    carry_out as carry_out,
    order_text as order_text,
    read_order_set as read_order_set,
    to_text as to_text,
    transform as transform,
)

__all__: list[str]
