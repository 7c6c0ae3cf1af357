"""dipsat: the Diplomacy adjudicator that proves its answers.

>>> import dipsat
>>> position = dipsat.Position.from_units({"ENGLAND": ["F NTH", "A LON"], "FRANCE": ["F BEL"]})
>>> outcome = dipsat.adjudicate(position, {"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]})
>>> outcome.order("A LON").verdict
'fails'
"""

from typing import TYPE_CHECKING, Any

from dipsat.board.load import load_map, map_names
from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.explanations.explain import Explanation, explain
from dipsat.explanations.responsible import Responsible
from dipsat.explanations.smallest_change import SmallestChange
from dipsat.explanations.tree import ExplanationNode
from dipsat.game.position import Position, Unit
from dipsat.orders.reader import OrderReader, reader_for
from dipsat.orders.writer import write_order
from dipsat.profiles.load import load_profile, profile_names, variant_names
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.comparison import Comparison, compare
from dipsat.proof.outcome import OrderOutcome, Outcome
from dipsat.proof.prove import Proof, SubgraphProof, prove
from dipsat.proof.subgraphs import Subgraph

if TYPE_CHECKING:
    from dipsat.crosschecks.judge import Judge
    from dipsat.crosschecks.report import CrosscheckReport
    from dipsat.crosschecks.run import crosscheck
    from dipsat.crosschecks.sources import DatcCases, RandomBoards
    from dipsat.play.game import Game, load_games
    from dipsat.play.turn import Turn
    from dipsat.searches.ask import Achieve, Differ, Guarantee, Paradox, SearchResult, search
    from dipsat.searches.hold import HoldResult, hold_line
    from dipsat.stresstests.report import StressReport
    from dipsat.stresstests.run import stress

__version__ = "0.1.0"

__all__ = [
    "Achieve",
    "Comparison",
    "CrosscheckReport",
    "DatcCases",
    "Differ",
    "DipsatError",
    "Explanation",
    "ExplanationNode",
    "Game",
    "Guarantee",
    "HoldResult",
    "Judge",
    "Map",
    "OrderOutcome",
    "OrderReader",
    "Outcome",
    "Paradox",
    "Position",
    "Profile",
    "Proof",
    "RandomBoards",
    "Responsible",
    "SearchResult",
    "SmallestChange",
    "StressReport",
    "Subgraph",
    "SubgraphProof",
    "Turn",
    "Unit",
    "adjudicate",
    "compare",
    "crosscheck",
    "explain",
    "hold_line",
    "load_games",
    "load_map",
    "load_profile",
    "map_names",
    "profile_names",
    "prove",
    "reader_for",
    "search",
    "stress",
    "variant_names",
    "write_order",
]

_LATER = {
    "Achieve": "searches.ask",
    "CrosscheckReport": "crosschecks.report",
    "DatcCases": "crosschecks.sources",
    "Differ": "searches.ask",
    "Game": "play.game",
    "Guarantee": "searches.ask",
    "HoldResult": "searches.hold",
    "Judge": "crosschecks.judge",
    "Paradox": "searches.ask",
    "RandomBoards": "crosschecks.sources",
    "SearchResult": "searches.ask",
    "StressReport": "stresstests.report",
    "Turn": "play.turn",
    "crosscheck": "crosschecks.run",
    "hold_line": "searches.hold",
    "load_games": "play.game",
    "search": "searches.ask",
    "stress": "stresstests.run",
}
"""Names from modules that who adjudicates one phase need not load."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'dipsat' has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f"dipsat.{_LATER[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
