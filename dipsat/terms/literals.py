"""How large terms are as propositional logic (`dipsat.terms.levels`), before they are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dipsat.terms.fold import Dual, Folded, Integers, fold, no_value
from dipsat.terms.levels import between, is_much_wider
from dipsat.terms.term import Range, Ranges, Reach, Term


def literals_in_each(terms: Iterable[Term], bounds: Ranges) -> Iterator[int]:
    """How many literals writing each term takes, at most: a number takes one for each value, and
    the sum of two numbers one for each pair of values. What is one object in several terms is
    counted once."""
    sizes, known = Sizes(bounds), Folded[Range]()
    for term in terms:
        before = sizes.literals
        fold(term, sizes, known)
        yield sizes.literals - before


class Sizes(Dual[int]):
    """The algebra of intervals, which counts the literals of the terms that it reads."""

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
    """The literals of the sum of two numbers with so many levels."""
    one, other = widths
    if not one or not other:
        return 0
    return (one + other) * ((other if is_much_wider(one, other) else one) + 1)
