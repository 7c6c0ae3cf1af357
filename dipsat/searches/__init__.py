"""Questions about all orders of open units."""

from dipsat.searches.answer import Achieve, Differ, Guarantee, Paradox, Question, SearchResult
from dipsat.searches.ask import search

__all__ = ["Achieve", "Differ", "Guarantee", "Paradox", "Question", "SearchResult", "search"]
