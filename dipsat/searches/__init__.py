"""Questions about all orders, or all positions of an enemy, such as whether a line holds."""

from dipsat.searches.ask import Achieve, Differ, Guarantee, Paradox, Question, SearchResult, search
from dipsat.searches.hold import HoldResult, Witness, hold_line
from dipsat.searches.line import Enemy, StalemateLine
from dipsat.searches.line_file import parse_line, read_line

__all__ = [
    "Achieve",
    "Differ",
    "Enemy",
    "Guarantee",
    "HoldResult",
    "Paradox",
    "Question",
    "SearchResult",
    "StalemateLine",
    "Witness",
    "hold_line",
    "parse_line",
    "read_line",
    "search",
]
