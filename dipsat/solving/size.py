"""The size limits of a question to a solver: the values of its numbers, and its literals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dipsat.equations import (
    Dual,
    Equations,
    Folded,
    Grounder,
    Integers,
    Key,
    Range,
    Ranges,
    Reach,
    Term,
    between,
    fold,
    is_much_wider,
    no_value,
)
from dipsat.errors import NumberRangeError

_MAX_RANGE = 200  # of a number decision in a search by Z3; a strength has a few values

MAX_LITERALS = 200_000
"""Literals of all equations in a question to Z3, which take half a second to write. A full board of
the standard map has at most 2,500 under shipped rules, where numbers have a few values."""


STEPS_OF_LITERAL = 2
"""The cost of writing a literal, about two microseconds, in a solver's steps."""


def check_range(grounder: Grounder, key: Key, low: int, high: int) -> None:
    """Raise `NumberRangeError` for a decision that could have too many values to search."""
    if high - low > _MAX_RANGE:
        problem = f"could be anything from {low} to {high}; too many values to search"
        raise NumberRangeError(grounder.profile.name, grounder.name(key), problem)


def check_size(grounder: Grounder, equations: Equations, bounds: Ranges, each: bool = False) -> int:
    """The number of literals of all equations together. Raises `NumberRangeError` if there are too
    many for Z3, as when the numbers that the equations add up have too many values.

    With `each`, the limit and the number are for the largest equation. With open orders, a board
    has many times the equations, and the time limit of the search covers them all.
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


def literals_in_each(terms: Iterable[Term], bounds: Ranges) -> Iterator[int]:
    """The most literals that writing each term can take: one for each value of a number, and one
    for each pair of values in the sum of two numbers. An object shared by several terms is counted
    once."""
    sizes, known = Sizes(bounds), Folded[Range]()
    for term in terms:
        before = sizes.literals
        fold(term, sizes, known)
        yield sizes.literals - before


class Sizes(Dual[int]):
    """The algebra of intervals, extended to count the literals of the terms that it reads."""

    def __init__(self, bounds: Ranges) -> None:
        super().__init__(Integers(no_value), bounds)
        self.literals = 0

    def all_of(self, parts: Sequence[Range]) -> Range:
        """A literal for each part."""
        self.literals += len(parts)
        return super().all_of(parts)

    def any_of(self, parts: Sequence[Range]) -> Range:
        """A literal for each part."""
        self.literals += len(parts)
        return super().any_of(parts)

    def greater(self, left: Range, right: Range) -> Range:
        """Two literals for each number that one may reach and the other may miss."""
        self.literals += 2 * len(between(left, right))
        return super().greater(left, right)

    def choice(self, condition: Range, then: Range, otherwise: Range) -> Range:
        """Three literals for each level."""
        self.literals += 3 * (max(then[1], otherwise[1]) - min(then[0], otherwise[0]))
        return super().choice(condition, then, otherwise)

    def sum(self, constant: int, added: Sequence[Range], taken: Sequence[Range]) -> Range:
        """The literals of adding up in pairs."""
        widths = [high - low for low, high in (*added, *taken)]
        while len(widths) > 1:
            pairs = list(zip(widths[::2], widths[1::2], strict=False))
            self.literals += sum(map(_of_pair, pairs))
            widths = [sum(pair) for pair in pairs] + widths[2 * len(pairs) :]
        return super().sum(constant, added, taken)

    def reach(self, term: Reach, conditions: Sequence[Range]) -> Range:
        """A literal for each node and border in each step."""
        self.literals += len(conditions) * (len(conditions) + sum(map(len, term.borders)))
        return super().reach(term, conditions)


def _of_pair(widths: Range) -> int:
    """The literals of the sum of two numbers with this many levels."""
    one, other = widths
    if not one or not other:
        return 0
    return (one + other) * ((other if is_much_wider(one, other) else one) + 1)
