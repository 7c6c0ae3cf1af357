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
from dipsat.game.position import Position, Unit
from dipsat.orders.reader import OrderReader, reader_for
from dipsat.orders.writer import write_order
from dipsat.profiles.load import load_profile, profile_names, variant_names
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.change import SmallestChange
from dipsat.proof.comparison import Comparison, compare
from dipsat.proof.explain import Explanation, explain
from dipsat.proof.outcome import OrderOutcome, Outcome
from dipsat.proof.prove import Proof, SubgraphProof, prove
from dipsat.proof.responsible import Responsible
from dipsat.proof.subgraphs import Subgraph
from dipsat.proof.tree import ExplanationNode

if TYPE_CHECKING:
    from dipsat.agreement.judge import Judge
    from dipsat.agreement.report import CrosscheckReport
    from dipsat.agreement.run import crosscheck
    from dipsat.agreement.sources import DatcCases, RandomBoards
    from dipsat.play.files import load_games
    from dipsat.play.game import Game, Turn
    from dipsat.questions.ask import Achieve, Differ, Guarantee, Paradox, SearchResult, search
    from dipsat.questions.hold import HoldResult, hold_line
    from dipsat.trials.report import StressReport
    from dipsat.trials.run import stress

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
    "Achieve": "questions.ask",
    "CrosscheckReport": "agreement.report",
    "DatcCases": "agreement.sources",
    "Differ": "questions.ask",
    "Game": "play.game",
    "Guarantee": "questions.ask",
    "HoldResult": "questions.hold",
    "Judge": "agreement.judge",
    "Paradox": "questions.ask",
    "RandomBoards": "agreement.sources",
    "SearchResult": "questions.ask",
    "StressReport": "trials.report",
    "Turn": "play.game",
    "crosscheck": "agreement.run",
    "hold_line": "questions.hold",
    "load_games": "play.files",
    "search": "questions.ask",
    "stress": "trials.run",
}
"""Names from modules that who adjudicates one phase need not load."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'dipsat' has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f"dipsat.{_LATER[name]}"), name)
    return value
