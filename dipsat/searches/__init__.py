"""Questions about all orders of open units."""

from dipsat.searches.achieve import Achieve as Achieve
from dipsat.searches.ask import SearchResult as SearchResult, search as search
from dipsat.searches.differ import Differ as Differ
from dipsat.searches.guarantee import Guarantee as Guarantee
from dipsat.searches.paradox import Paradox as Paradox
from dipsat.searches.question import Question as Question

QUESTIONS: tuple[type[Question], ...] = (Paradox, Differ, Achieve, Guarantee)
"""The kinds of questions. Whatever asks, lists or describes questions takes them from here."""
