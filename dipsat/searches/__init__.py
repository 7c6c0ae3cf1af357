"""Questions about all orders, or all positions of an enemy, such as whether a line holds."""

from dipsat.searches.answer import Achieve, Differ, Guarantee, Paradox, Question, SearchResult
from dipsat.searches.ask import search
from dipsat.searches.hold import hold_line
from dipsat.searches.hold_result import HoldResult, HoldWitness
from dipsat.searches.line import LineEnemy, StalemateLine
from dipsat.searches.line_file import parse_line, read_line

__all__ = [
    "Achieve",
    "Differ",
    "Guarantee",
    "HoldResult",
    "HoldWitness",
    "LineEnemy",
    "Paradox",
    "Question",
    "SearchResult",
    "StalemateLine",
    "hold_line",
    "parse_line",
    "read_line",
    "search",
]
