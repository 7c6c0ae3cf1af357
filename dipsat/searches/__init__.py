"""Questions about all orders of open units."""

from dipsat.searches.answer import SearchResult
from dipsat.searches.ask import search
from dipsat.searches.question import Achieve, Differ, Guarantee, Paradox, Question

__all__ = ["Achieve", "Differ", "Guarantee", "Paradox", "Question", "SearchResult", "search"]
