"""How large a question to a solver may be: the values of its numbers, and its literals."""

from __future__ import annotations

from dipsat.equations.ground import Grounder
from dipsat.errors import NumberRangeError
from dipsat.terms.literals import literals_in_each
from dipsat.terms.term import Equations, Key, Ranges

_MAX_RANGE = 200  # of a number decision that Z3 searches; a strength has a few values

MAX_LITERALS = 200_000
"""Literals of all equations in a question to Z3: half a second's writing. A full board of the
standard map has 2,500 at most under shipped rules, where numbers have a few values."""


STEPS_OF_LITERAL = 2
"""What writing a literal takes, about two microseconds, in steps of a solver."""


def check_range(grounder: Grounder, key: Key, low: int, high: int) -> None:
    """Raise `NumberRangeError` for a decision that could have too many values to search."""
    if high - low > _MAX_RANGE:
        problem = f"could be anything from {low} to {high}; too many values to search"
        raise NumberRangeError(grounder.profile.name, grounder.name(key), problem)


def check_size(grounder: Grounder, equations: Equations, bounds: Ranges, each: bool = False) -> int:
    """The literals of all equations together. Raises `NumberRangeError` if that would be too long
    for Z3, as it is if the numbers that the equations add up have too many values.

    With `each`, the same for each equation by itself: with open orders, a board has many times the
    equations, and the time that a search may take limits them all.
    """
    counts = [*literals_in_each((term for term, _ in equations.values()), bounds)]
    total = max(counts, default=0) if each else sum(counts)
    if total > MAX_LITERALS:
        sizes = dict(zip(equations, counts, strict=True))
        largest = max(sizes, key=sizes.__getitem__)
        problem = (
            f"is too long for the solver, or its numbers have too many values: it would take "
            f"{sizes[largest]:,} of {total:,} literals, and there may be at most {MAX_LITERALS:,}"
        )
        raise NumberRangeError(grounder.profile.name, grounder.name(largest), problem)
    return total
