"""Questions about all orders, and about all positions of an enemy, such as whether a line holds."""

from dipsat.questions.ask import (
    Achieve,
    Differ,
    Guarantee,
    Paradox,
    Question,
    SearchResult,
    search,
)
from dipsat.questions.hold import HoldResult, Witness, hold_line
from dipsat.questions.line import Enemy, Line
from dipsat.questions.line_file import parse_line, read_line

__all__ = [
    "Achieve",
    "Differ",
    "Enemy",
    "Guarantee",
    "HoldResult",
    "Line",
    "Paradox",
    "Question",
    "SearchResult",
    "Witness",
    "hold_line",
    "parse_line",
    "read_line",
    "search",
]
