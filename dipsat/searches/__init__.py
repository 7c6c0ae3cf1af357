"""Questions about all orders, or all positions of an enemy, such as whether a line holds."""

from dipsat.searches.ask import Achieve, Differ, Guarantee, Paradox, Question, SearchResult, search
from dipsat.searches.hold import HoldResult, HoldWitness, hold_line
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
