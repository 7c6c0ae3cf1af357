"""How large a term is as propositional logic (`dipsat.terms.levels`), before it is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dipsat.terms.fold import Dual, Integers, fold
from dipsat.terms.levels import Range, between, is_much_wider
from dipsat.terms.term import Key, Reach, Term, Unknown


def literals_in(term: Term, bounds: Callable[[Key], Range]) -> int:
    """How many literals writing a term takes, at most: a number takes one for each value, and the
    sum of two numbers one for each pair of values."""
    if isinstance(term, int | Unknown):  # as half of all equations of a phase
        return 0
    size = _Size(bounds)
    fold(term, size)
    return size.literals


class _Size(Dual[int]):
    """The ranges of terms, and the count of literals on the way."""

    def __init__(self, bounds: Callable[[Key], Range]) -> None:
        super().__init__(Integers(lambda key: bounds(key)[0]), bounds)
        self.literals = 0

    def all_of(self, parts: Sequence[Range]) -> Range:
        self.literals += len(parts)
        return super().all_of(parts)

    def any_of(self, parts: Sequence[Range]) -> Range:
        self.literals += len(parts)
        return super().any_of(parts)

    def greater(self, left: Range, right: Range) -> Range:
        self.literals += 2 * len(between(left, right))
        return super().greater(left, right)

    def choice(self, condition: Range, then: Range, otherwise: Range) -> Range:
        self.literals += 3 * (max(then[1], otherwise[1]) - min(then[0], otherwise[0]))
        return super().choice(condition, then, otherwise)

    def sum(self, constant: int, added: Sequence[Range], taken: Sequence[Range]) -> Range:
        widths = [high - low for low, high in (*added, *taken)]
        while len(widths) > 1:
            pairs = list(zip(widths[::2], widths[1::2], strict=False))
            self.literals += sum(map(_of_pair, pairs))
            widths = [sum(pair) for pair in pairs] + widths[2 * len(pairs) :]
        return super().sum(constant, added, taken)

    def reach(self, term: Reach, conditions: Sequence[Range]) -> Range:
        self.literals += len(conditions) * (len(conditions) + sum(map(len, term.borders)))
        return super().reach(term, conditions)


def _of_pair(widths: Range) -> int:
    """The literals of the sum of two numbers with so many levels."""
    one, other = widths
    if not one or not other:
        return 0
    return (one + other) * ((other if is_much_wider(one, other) else one) + 1)
