"""Published adjudication algorithms behind one interface, as independent judges."""

from typing import TYPE_CHECKING

from dipsat import lazy

if TYPE_CHECKING:  # what type checkers and editors see
    __all__: list[str]
    from dipsat.engines.carrying_out import CarriedOut as CarriedOut
    from dipsat.engines.carrying_out import Dislodged as Dislodged
    from dipsat.engines.carrying_out import carry_out as carry_out
    from dipsat.engines.dip_eval import transform as transform
    from dipsat.engines.engine import ENGINES as ENGINES
    from dipsat.engines.engine import SOLVER as SOLVER
    from dipsat.engines.engine import TRACED as TRACED
    from dipsat.engines.engine import BackupRule as BackupRule
    from dipsat.engines.engine import Engine as Engine
    from dipsat.engines.engine import EngineReason as EngineReason
    from dipsat.engines.engine import EquationVerdicts as EquationVerdicts
    from dipsat.engines.engine import ReasonedVerdicts as ReasonedVerdicts
    from dipsat.engines.engine import TracedEngine as TracedEngine
    from dipsat.engines.engine import Verdicts as Verdicts
    from dipsat.engines.engine import engine as _find_engine
    from dipsat.engines.order_set import Convoy as Convoy
    from dipsat.engines.order_set import Hold as Hold
    from dipsat.engines.order_set import Move as Move
    from dipsat.engines.order_set import Order as Order
    from dipsat.engines.order_set import OrderedUnit as OrderedUnit
    from dipsat.engines.order_set import OrderSet as OrderSet
    from dipsat.engines.order_set import Support as Support
    from dipsat.engines.order_set_text import order_text as order_text
    from dipsat.engines.order_set_text import read_order_set as read_order_set
    from dipsat.engines.order_set_text import to_text as to_text
    from dipsat.engines.trace import Call as Call
    from dipsat.engines.trace import Return as Return
    from dipsat.engines.trace import Rule as Rule
    from dipsat.engines.trace import Step as Step
    from dipsat.engines.trace import Table as Table
    from dipsat.engines.trace import Trace as Trace
    from dipsat.equations.phase import Mismatch as Mismatch
    from dipsat.equations.phase import Phase as Phase
    from dipsat.game.facts import ConvoyFacts as ConvoyFacts
    from dipsat.game.facts import MoveFacts as MoveFacts
    from dipsat.game.facts import ProvinceFacts as ProvinceFacts
    from dipsat.game.facts import SupportFacts as SupportFacts
    from dipsat.game.facts import UnitFacts as UnitFacts

    find_engine = _find_engine
else:
    __getattr__, __dir__, __all__ = lazy.public(
        __name__,
        {
            "engines.carrying_out": "CarriedOut Dislodged carry_out",
            "engines.dip_eval": "transform",
            "engines.engine": (
                "BackupRule ENGINES Engine EngineReason EquationVerdicts ReasonedVerdicts SOLVER "
                "TRACED TracedEngine Verdicts find_engine=engine"
            ),
            "engines.order_set": "Convoy Hold Move Order OrderSet OrderedUnit Support",
            "engines.order_set_text": "order_text read_order_set to_text",
            "engines.trace": "Call Return Rule Step Table Trace",
            "equations.phase": "Mismatch Phase",
            "game.facts": "ConvoyFacts MoveFacts ProvinceFacts SupportFacts UnitFacts",
        },
    )
