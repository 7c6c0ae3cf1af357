"""Questions about all orders of open units."""

from dipsat.searches.achieve import Achieve
from dipsat.searches.answer import SearchResult
from dipsat.searches.ask import search
from dipsat.searches.differ import Differ
from dipsat.searches.guarantee import Guarantee
from dipsat.searches.paradox import Paradox
from dipsat.searches.question import Question

QUESTIONS: tuple[type[Question], ...] = (Paradox, Differ, Achieve, Guarantee)
"""The kinds of questions. Whatever asks, lists or describes questions takes them from here."""

__all__ = [
    "QUESTIONS",
    "Achieve",
    "Differ",
    "Guarantee",
    "Paradox",
    "Question",
    "SearchResult",
    "search",
]
