"""Terms as pairs of literals, their least and their greatest value (the dual-rail encoding).

This gives the gates of `Dual(Levels(gates, ...))`, one by one, in the same order, in less than half
the time: a truth is a pair of literals, not of numbers, and where both rails of all parts are the
same, as they are for guards of orders, the second rail is not made again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any as AnyTerm, TypeAlias

from dipsat.terms.cnf import FALSE, TRUE, Gates
from dipsat.terms.levels import Levels, Number, between, is_much_wider
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
)

Rails: TypeAlias = tuple[Number[int], Number[int]]
"""The least and the greatest value of a term; the same number twice if it is known."""
Truths: TypeAlias = tuple[int, int]
"""The literals that a truth is known to hold, and that it is not known to fail."""


class RailTerms:
    """Makes the gates of terms. `of` gives the rails of a decision or a guard, which are kept;
    `spend` is called at every sum and comparison, and may raise an error to stop."""

    def __init__(
        self,
        gates: Gates,
        levels: Levels[int],
        of: Callable[[Key], Rails],
        spend: Callable[[], None],
    ) -> None:
        self._gates, self._levels, self._of, self._spend = gates, levels, of, spend
        self._truths: dict[Key, Truths] = {}

    def rails(self, term: Term) -> Rails:
        """The least and the greatest value of a term."""
        return _RAILS.get(type(term), RailTerms._of_truth)(self, term)

    def truth(self, term: Term) -> Truths:
        """The same for a truth value."""
        return _TRUTHS[type(term)](self, term)

    # --- truths -----------------------------------------------------------------------------------

    def _known_truth(self, term: bool | int) -> Truths:
        return (TRUE, TRUE) if term else (FALSE, FALSE)

    def _unknown_truth(self, term: Unknown) -> Truths:
        found = self._truths.get(term.key)
        if found is None:
            found = self._truths[term.key] = self._first_levels(self._of(term.key))
        return found

    def _first_levels(self, rails: Rails) -> Truths:
        at_least = self._levels.at_least
        return at_least(rails[0], 1), at_least(rails[1], 1)

    def _negation(self, term: Negation) -> Truths:
        low, high = self.truth(term.part)
        return -high, -low

    def _all(self, term: All) -> Truths:
        found = [_TRUTHS[type(part)](self, part) for part in term.parts]
        lows, highs = [low for low, _ in found], [high for _, high in found]
        low = self._gates.all_of(lows)
        return low, (low if lows == highs else self._gates.all_of(highs))

    def _any(self, term: Any) -> Truths:
        found = [_TRUTHS[type(part)](self, part) for part in term.parts]
        lows, highs = [-low for low, _ in found], [-high for _, high in found]
        low = -self._gates.all_of(lows)
        return low, (low if lows == highs else -self._gates.all_of(highs))

    def _greater(self, term: Greater) -> Truths:
        return self._exceeds(self.rails(term.left), self.rails(term.right))

    def _unequal(self, term: Unequal) -> Truths:
        left, right = self.rails(term.left), self.rails(term.right)
        (low, high), (less, more) = self._exceeds(left, right), self._exceeds(right, left)
        return self._gates.either(low, less), self._gates.either(high, more)

    def _exceeds(self, left: Rails, right: Rails) -> Truths:
        self._spend()
        return self._is_greater(left[0], right[1]), self._is_greater(left[1], right[0])

    def _is_greater(self, left: Number[int], right: Number[int]) -> int:
        (low, ups), (base, downs) = left, right
        both, ways = self._gates.both, []
        for k in between((low, low + len(ups)), (base, base + len(downs))):
            reached = TRUE if k <= low else ups[k - low - 1]
            ways.append(-both(reached, TRUE if k > base + len(downs) else -downs[k - base - 1]))
        return -self._gates.all_of(ways)

    def _chosen_truth(self, term: IfElse) -> Truths:
        return self._first_levels(self._choice(term))

    def _sum_as_truth(self, term: Sum) -> Truths:
        return self._first_levels(self._sum(term))

    def _reach(self, term: Reach) -> Truths:
        found = [self.truth(part) for part in term.conditions]
        low = self._chain(term, [low for low, _ in found])
        if all(low == high for low, high in found):
            return low, low
        return low, self._chain(term, [high for _, high in found])

    def _chain(self, term: Reach, conditions: Sequence[int]) -> int:
        self._spend()
        nodes = [Number(0, (one,)) for one in conditions]
        return self._levels.reach(term, nodes).levels[0]

    # --- numbers ----------------------------------------------------------------------------------

    def _of_truth(self, term: Term) -> Rails:
        low, high = self.truth(term)
        least = Number(0, (low,))
        return least, (least if low == high else Number(0, (high,)))

    def _constant(self, term: bool | int) -> Rails:
        known = Number[int](int(term))
        return known, known

    def _unknown(self, term: Unknown) -> Rails:
        return self._of(term.key)

    def _choice(self, term: IfElse) -> Rails:
        then, otherwise = self.rails(term.then), self.rails(term.otherwise)
        surely, maybe = self.truth(term.condition)
        return (
            self._each(then[0], otherwise[0], surely, -maybe, True),
            self._each(then[1], otherwise[1], maybe, -surely, False),
        )

    def _each(
        self, one: Number[int], other: Number[int], is_one: int, is_other: int, is_least: bool
    ) -> Number[int]:
        """A choice, level by level. The least value is at least k, too, if that of both branches
        is; without this, propagation would lose a bound that both branches have."""
        gates, at_least = self._gates, self._levels.at_least
        low, high = min(one[0], other[0]), max(one.high, other.high)
        found = []
        for k in range(low + 1, high + 1):
            this, that = at_least(one, k), at_least(other, k)
            if that == FALSE:
                found.append(gates.both(is_one, this))
                continue
            ways = [-gates.both(is_one, this), -gates.both(is_other, that)]
            if is_least:
                ways.append(-gates.both(this, that))
            found.append(-gates.all_of(ways))
        return Number(low, tuple(found))

    def _sum(self, term: Sum) -> Rails:
        self._spend()
        added = [self.rails(part) for part in term.added]
        taken = [self.rails(part) for part in term.taken]
        negative = self._levels.negative
        lows = [*(low for low, _ in added), *(negative(high) for _, high in taken)]
        highs = [*(high for _, high in added), *(negative(low) for low, _ in taken)]
        least = self._total(term.constant, lows)
        return least, (least if lows == highs else self._total(term.constant, highs))

    def _total(self, constant: int, numbers: list[Number[int]]) -> Number[int]:
        """The sum, added up in pairs."""
        while len(numbers) > 1:
            last = numbers[-1:] if len(numbers) % 2 else []
            pairs = zip(numbers[::2], numbers[1::2], strict=False)
            numbers = [*(self._plus(one, other) for one, other in pairs), *last]
        low, levels = numbers[0]
        return Number(low + constant, levels)

    def _plus(self, one: Number[int], other: Number[int]) -> Number[int]:
        """The sum of two numbers: it is more than n if, for some j, one is at least j above its
        least value, and the other reaches the rest."""
        low = one[0] + other[0]
        if not one[1] or not other[1]:
            return Number(low, one[1] or other[1])
        if is_much_wider(len(one[1]), len(other[1])):
            one, other = other, one
        mine, theirs = (TRUE, *one[1]), (TRUE, *other[1])
        gates, most = self._gates, len(theirs) - 1
        both, levels = gates.both, []
        for k in range(1, len(mine) + most):
            ways = [
                -both(mine[j], theirs[k - j]) for j in range(max(0, k - most), min(k, len(mine)))
            ]
            levels.append(-gates.all_of([*ways, *(-literal for literal in mine[k:])]))
        return Number(low, tuple(levels))


_TRUTHS: dict[type, Callable[[RailTerms, AnyTerm], Truths]] = {
    bool: RailTerms._known_truth,
    int: RailTerms._known_truth,
    Unknown: RailTerms._unknown_truth,
    Negation: RailTerms._negation,
    All: RailTerms._all,
    Any: RailTerms._any,
    Greater: RailTerms._greater,
    Unequal: RailTerms._unequal,
    IfElse: RailTerms._chosen_truth,
    Reach: RailTerms._reach,
    Sum: RailTerms._sum_as_truth,
}
_RAILS: dict[type, Callable[[RailTerms, AnyTerm], Rails]] = {
    bool: RailTerms._constant,
    int: RailTerms._constant,
    Unknown: RailTerms._unknown,
    IfElse: RailTerms._choice,
    Sum: RailTerms._sum,
}
