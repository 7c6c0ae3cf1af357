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
_Threat: TypeAlias = tuple[int, list[int]]
"""A number, and for it and each one after it the literal that it is blocked."""
_Rival: TypeAlias = tuple[Sequence[Term], Term]


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
        # Parts of equations are often one object. Identities are keys only of terms that are kept.
        self._read: dict[int, Truths] = {}
        self._totals: dict[int, Rails] = {}
        self._threats: dict[tuple[int, ...], tuple[_Threat, _Threat]] = {}
        self._kept: list[Term] = []

    def rails(self, term: Term) -> Rails:
        """The least and the greatest value of a term."""
        found = self._totals.get(id(term))
        if found is None:
            found = _RAILS.get(type(term), RailTerms._of_truth)(self, term)
            self._totals[id(term)] = found
            self._kept.append(term)
        return found

    def truth(self, term: Term) -> Truths:
        """The same for a truth value."""
        found = self._read.get(id(term))
        if found is None:
            found = self._read[id(term)] = _TRUTHS[type(term)](self, term)
            self._kept.append(term)
        return found

    # --- truths -----------------------------------------------------------------------------------

    def _known_truth(self, term: bool | int) -> Truths:
        return (TRUE, TRUE) if term else (FALSE, FALSE)

    def _unknown_truth(self, term: Unknown) -> Truths:
        found = self._truths.get(term.key)
        if found is None:
            found = self._truths[term.key] = self._first_levels(self._of(term.key))
        return found

    def _first_levels(self, rails: Rails) -> Truths:
        (low, least), (same, most) = rails
        if low == same == 0 and least and most:
            return least[0], most[0]
        at_least = self._levels.at_least
        return at_least(rails[0], 1), at_least(rails[1], 1)

    def _negation(self, term: Negation) -> Truths:
        low, high = self.truth(term.part)
        return -high, -low

    def _all(self, term: All) -> Truths:
        read, truth = self._read, self.truth
        alone, races = _races(term.parts)
        found = [read.get(id(part)) or truth(part) for part in alone]
        lows, highs = [low for low, _ in found], [high for _, high in found]
        for left, rivals in races:
            least, most = self._race(left, rivals)
            lows += least
            highs += most
        low = self._gates.all_of(lows)
        return low, (low if lows == highs else self._gates.all_of(highs))

    def _any(self, term: Any) -> Truths:
        read, truth = self._read, self.truth
        found = [read.get(id(part)) or truth(part) for part in term.parts]
        lows, highs = [-low for low, _ in found], [-high for _, high in found]
        low = -self._gates.all_of(lows)
        return low, (low if lows == highs else -self._gates.all_of(highs))

    # A move must be stronger than each of its rivals that are issued. Each rival that reaches k
    # blocks k, whoever it is compared with; the move must be more than k wherever one blocks.

    def _race(self, left: Unknown, rivals: Sequence[_Rival]) -> tuple[list[int], list[int]]:
        """The least and the greatest values of `left > right or one of the others` for all."""
        self._spend()
        threats = [self._threat(others, right) for others, right in rivals]
        least, most = self._of(left.key)
        return (
            self._exceeds_all(least, [most for _, most in threats]),
            self._exceeds_all(most, [least for least, _ in threats]),
        )

    def _threat(self, others: Sequence[Term], right: Term) -> tuple[_Threat, _Threat]:
        """The literals that a rival surely blocks each number, and that it may."""
        key = (id(right), *map(id, others))
        known = self._threats.get(key)
        if known is not None:
            return known
        found = [self.truth(one) for one in others]
        maybe = self._gates.all_of([-low for low, _ in found])
        surely = self._gates.all_of([-high for _, high in found])
        (least, fewer), (most, more) = self.rails(right)
        both = self._gates.both
        known = self._threats[key] = (
            (least, [surely, *(both(surely, one) for one in fewer)]),
            (most, [maybe, *(both(maybe, one) for one in more)]),
        )
        self._kept += (*others, right)
        return known

    def _exceeds_all(self, left: Number[int], threats: Sequence[_Threat]) -> list[int]:
        low, levels = left
        high = low + len(levels)
        free: dict[int, list[int]] = {}
        for first, blocks in threats:
            last = max(first, min(first + len(blocks) - 1, high))
            for k in range(max(first, low), last + 1):
                free.setdefault(k, []).append(-blocks[k - first])
        gates, at_least = self._gates, self._levels.at_least
        return [gates.either(at_least(left, k + 1), gates.all_of(free[k])) for k in sorted(free)]

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
        if one[0] == other[0] and not other[1]:  # counted only under a condition
            return Number(one[0], tuple([gates.both(is_one, level) for level in one[1]]))
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


def _races(parts: Sequence[Term]) -> tuple[Sequence[Term], list[tuple[Unknown, list[_Rival]]]]:
    """The parts that say `left > right or one of these`, by the number on the left if several have
    it; and the other parts."""
    found: dict[Key, tuple[Unknown, list[_Rival], list[Term]]] = {}
    for part in parts:
        last = part.parts[-1] if type(part) is Any else None
        if type(last) is Greater and type(last.left) is Unknown:
            assert isinstance(part, Any)
            _, rivals, same = found.setdefault(last.left.key, (last.left, [], []))
            rivals.append((part.parts[:-1], last.right))
            same.append(part)
    races = [race for race in found.values() if len(race[1]) > 1]
    if not races:
        return parts, []
    racing = {id(part) for _, _, same in races for part in same}
    alone = [part for part in parts if id(part) not in racing]
    return alone, [(left, rivals) for left, rivals, _ in races]


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
