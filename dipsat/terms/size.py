"""How large a term is as propositional logic (`dipsat.terms.levels`), before it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any as AnyTerm

from dipsat.terms.levels import Range, between, is_much_wider
from dipsat.terms.term import (
    All,
    Any,
    Greater,
    IfElse,
    Key,
    Negation,
    Reach,
    Sum,
    Term,
    Unequal,
    Unknown,
    reach,
)


def literals_in(term: Term, bounds: Callable[[Key], Range]) -> int:
    """How many literals writing a term takes, at most: a number takes one for each value, and the
    sum of two numbers one for each pair of values."""
    return next(literals_in_each((term,), bounds))


def literals_in_each(
    terms: Iterable[Term], bounds: Callable[[Key], Range], check: Callable[[], None] | None = None
) -> Iterator[int]:
    """The same for several terms; what is one object in several of them is measured once. `check`
    is called before each term and each of its sets, and may raise an error to stop."""
    size = _Size(bounds, check or _unlimited)
    for term in terms:
        size.check()
        size.literals = 0
        if not isinstance(term, int | Unknown):  # as half of all equations of a phase are
            size.range(term)
        yield size.literals


def quick_interval(term: Term, bounds: Callable[[Key], Range]) -> Range:
    """The same as `dipsat.terms.fold.interval`, in less than half the time for a long term."""
    return _Size(bounds, _unlimited).range(term)


def _unlimited() -> None:
    pass


class _Size:
    """The ranges of terms, as `Dual(Integers(...))` finds them, and the count of literals on the
    way. Open orders have terms with hundreds of parts, for which the algebras take too long."""

    def __init__(self, bounds: Callable[[Key], Range], check: Callable[[], None]) -> None:
        self.bounds = bounds
        self.check = check
        self.literals = 0
        # Identities are keys only of terms that are kept, with their range and literals.
        self._known: dict[int, tuple[Range, int, Term]] = {}

    def range(self, term: Term) -> Range:
        """The least and the greatest value of a term."""
        if isinstance(term, Unknown):
            return self.bounds(term.key)
        known = self._known.get(id(term))
        if known is not None:
            self.literals += known[1]
            return known[0]
        before = self.literals
        found = _READINGS[type(term)](self, term)
        self._known[id(term)] = found, self.literals - before, term
        return found

    def _each(self, parts: Sequence[Term]) -> tuple[list[int], list[int]]:
        """The least and the greatest values of parts."""
        self.check()
        bounds = self.bounds
        found = [bounds(p.key) if type(p) is Unknown else self.range(p) for p in parts]
        return [low for low, _ in found], [high for _, high in found]

    def _constant(self, term: int) -> Range:
        return int(term), int(term)

    def _unknown(self, term: Unknown) -> Range:
        return self.bounds(term.key)

    def _negation(self, term: Negation) -> Range:
        low, high = self.range(term.part)
        return 1 - high, 1 - low

    def _all(self, term: All) -> Range:
        self.literals += len(term.parts)
        lows, highs = self._each(term.parts)
        return min(lows), min(highs)

    def _any(self, term: Any) -> Range:
        self.literals += len(term.parts)
        lows, highs = self._each(term.parts)
        return max(lows), max(highs)

    def _greater(self, term: Greater) -> Range:
        return self._exceeds(self.range(term.left), self.range(term.right))

    def _unequal(self, term: Unequal) -> Range:
        left, right = self.range(term.left), self.range(term.right)
        (low, high), (less, more) = self._exceeds(left, right), self._exceeds(right, left)
        self.literals += 2
        return max(low, less), max(high, more)

    def _exceeds(self, left: Range, right: Range) -> Range:
        self.literals += 2 * len(between(left, right))
        return int(left[0] > right[1]), int(left[1] > right[0])

    def _choice(self, term: IfElse) -> Range:
        then, otherwise = self.range(term.then), self.range(term.otherwise)
        low, high = min(then[0], otherwise[0]), max(then[1], otherwise[1])
        self.literals += 3 * (high - low)
        surely, maybe = self.range(term.condition)
        if surely == maybe:
            return then if surely else otherwise
        return low, high

    def _sum(self, term: Sum) -> Range:
        (lows, highs), (less, more) = self._each(term.added), self._each(term.taken)
        widths = [high - low for low, high in zip((*lows, *less), (*highs, *more), strict=True)]
        while len(widths) > 1:
            pairs = list(zip(widths[::2], widths[1::2], strict=False))
            self.literals += sum(map(_of_pair, pairs))
            widths = [sum(pair) for pair in pairs] + widths[2 * len(pairs) :]
        low, high = sum(lows) - sum(more), sum(highs) - sum(less)
        return term.constant + low, term.constant + high

    def _reach(self, term: Reach) -> Range:
        self.literals += len(term.conditions) * (len(term.conditions) + sum(map(len, term.borders)))
        lows, highs = self._each(term.conditions)
        return _leads(term, lows), _leads(term, highs)


def _leads(term: Reach, conditions: Sequence[int]) -> int:
    nodes = [bool(condition) for condition in conditions]
    borders = [list(around) for around in term.borders]
    return int(reach(list(nodes), list(term.starts), list(term.ends), borders) is True)


_READINGS: Mapping[type, Callable[[_Size, AnyTerm], Range]] = {
    bool: _Size._constant,
    int: _Size._constant,
    Unknown: _Size._unknown,
    Negation: _Size._negation,
    All: _Size._all,
    Any: _Size._any,
    Greater: _Size._greater,
    Unequal: _Size._unequal,
    IfElse: _Size._choice,
    Sum: _Size._sum,
    Reach: _Size._reach,
}


def _of_pair(widths: Range) -> int:
    """The literals of the sum of two numbers with so many levels."""
    one, other = widths
    if not one or not other:
        return 0
    return (one + other) * ((other if is_much_wider(one, other) else one) + 1)
