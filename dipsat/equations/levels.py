"""Terms in propositional logic: a number is the truths "it is at least k".

The writers of SMT-LIB text (`dipsat.equations.smtlib`) and of clauses (`dipsat.solving.dual_rail`)
share this encoding. Bounds propagate through numbers in this form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from dipsat.equations.term import Key, Range, Reach, Unknown

B = TypeVar("B")
_WIDE = 64  # levels of a number; numbers of shipped rules have fewer


class Logic(Protocol[B]):
    """Propositional logic over truths of some type; constants are folded."""

    true: B
    false: B

    def negation(self, part: B) -> B:
        """Not the part."""

    def all_of(self, parts: Iterable[B]) -> B:
        """Every part holds."""

    def any_of(self, parts: Iterable[B]) -> B:
        """Some part holds."""

    def choose(self, condition: B, then: B, otherwise: B) -> B:
        """`then` if the condition holds, else `otherwise`."""

    def share(self, truth: B) -> B:
        """The same truth, in a form that may be used several times."""

    def reuse(self, truth: B, times: int) -> B:
        """The same truth, in a form that may be used this many times without growing large."""


class Number(NamedTuple, Generic[B]):  # every part of a term becomes one
    """A number from `low` to `low + len(levels)`: `levels[n]` says that it is more than `low + n`.

    A truth value is a number from 0 to 1.
    """

    low: int
    levels: tuple[B, ...] = ()

    @property
    def high(self) -> int:
        """The greatest value that it can have."""
        return self.low + len(self.levels)


def is_much_wider(one: int, other: int) -> bool:
    """Whether the two numbers of a sum should be swapped: for each of its values, a sum goes
    through all values of the first number."""
    return one > _WIDE and one > other


def between(left: Range, right: Range) -> range:
    """The numbers that the left number can reach and the right one can miss. One of those that the
    left surely reaches is enough, as is one of those that the right surely misses; at most `_WIDE`
    of each are kept."""
    first = max(right[0] + 1, left[0] - _WIDE)
    return range(first, min(left[1], right[1] + _WIDE) + 1)


class Levels(Generic[B]):
    """The algebra of numbers in a logic; `number` gives the number of a decision."""

    def __init__(self, logic: Logic[B], number: Callable[[Key], Number[B]]) -> None:
        self.logic = logic
        self.number = number

    def unknown(self, term: Unknown) -> Number[B]:
        """The number of a decision."""
        return self.number(term.key)

    def at_least(self, number: Number[B], k: int) -> B:
        """The truth that the number is at least k."""
        low, levels = number
        if k <= low:
            return self.logic.true
        return self.logic.false if k > low + len(levels) else levels[k - low - 1]

    def constant(self, value: bool | int) -> Number[B]:
        """A known number."""
        return Number(int(value))

    def truth(self, truth: B) -> Number[B]:
        """A truth as a number."""
        return Number(0, (truth,))

    def negation(self, part: Number[B]) -> Number[B]:
        """Not the part."""
        return self.truth(self.logic.negation(self.at_least(part, 1)))

    def all_of(self, parts: Sequence[Number[B]]) -> Number[B]:
        """Every part holds."""
        return self.truth(self.logic.all_of([self.at_least(part, 1) for part in parts]))

    def any_of(self, parts: Sequence[Number[B]]) -> Number[B]:
        """Some part holds."""
        return self.truth(self.logic.any_of([self.at_least(part, 1) for part in parts]))

    def greater(self, left: Number[B], right: Number[B]) -> Number[B]:
        """For some k, the left number is at least k and the right one is not."""
        logic = self.logic
        return self.truth(
            logic.any_of(
                logic.all_of((self.at_least(left, k), logic.negation(self.at_least(right, k))))
                for k in between((left.low, left.high), (right.low, right.high))
            )
        )

    def unequal(self, left: Number[B], right: Number[B]) -> Number[B]:
        """One number is greater than the other."""
        one, other = self._reuse(left, 2), self._reuse(right, 2)
        return self.any_of([self.greater(one, other), self.greater(other, one)])

    def _reuse(self, number: Number[B], times: int) -> Number[B]:
        """The number, in a form in which each level may be used this many times."""
        return Number(number.low, tuple(self.logic.reuse(level, times) for level in number.levels))

    def sum(
        self, constant: int, added: Sequence[Number[B]], taken: Sequence[Number[B]]
    ) -> Number[B]:
        """The sum, added up in pairs."""
        numbers = [*added, *map(self.negative, taken)]
        if not numbers:
            return Number(constant)
        while len(numbers) > 1:
            last = numbers[-1:] if len(numbers) % 2 else []
            pairs = zip(numbers[::2], numbers[1::2], strict=False)
            numbers = [*(self._add(one, other) for one, other in pairs), *last]
        return Number(numbers[0].low + constant, numbers[0].levels)

    def negative(self, number: Number[B]) -> Number[B]:
        """Minus the number."""
        levels = tuple(self.logic.negation(level) for level in reversed(number.levels))
        return Number(-number.high, levels)

    def _add(self, one: Number[B], other: Number[B]) -> Number[B]:
        if not one.levels or not other.levels:
            return Number(one.low + other.low, one.levels or other.levels)
        if is_much_wider(len(one.levels), len(other.levels)):
            one, other = other, one
        low, high = one.low + other.low, one.high + other.high
        one, other = self._reuse(one, len(other.levels)), self._reuse(other, len(one.levels))
        return Number(
            low, tuple(self._sum_at_least(one, other, k) for k in range(low + 1, high + 1))
        )

    def _sum_at_least(self, one: Number[B], other: Number[B], k: int) -> B:
        """For some j, one is at least j and the other at least k - j."""
        logic = self.logic
        return logic.share(
            logic.any_of(
                logic.all_of((self.at_least(one, j), self.at_least(other, k - j)))
                for j in range(one.low, one.high + 1)
            )
        )

    def choice(self, condition: Number[B], then: Number[B], otherwise: Number[B]) -> Number[B]:
        """One of the two, level by level."""
        uses = max(then.high, otherwise.high) - min(then.low, otherwise.low)
        holds = self.logic.reuse(self.at_least(condition, 1), uses)
        return self._each(then, otherwise, lambda one, two: self.logic.choose(holds, one, two))

    def worse(
        self, surely: Number[B], maybe: Number[B], then: Number[B], otherwise: Number[B]
    ) -> Number[B]:
        """It is at least k if the branch taken is, or if both branches are. Without the latter,
        propagation would lose a bound that both branches share."""
        logic = self.logic
        is_then, is_other = self.at_least(surely, 1), logic.negation(self.at_least(maybe, 1))
        return self._each(
            then,
            otherwise,
            lambda one, two: logic.any_of(
                logic.all_of(way) for way in ((is_then, one), (is_other, two), (one, two))
            ),
        )

    def better(
        self, surely: Number[B], maybe: Number[B], then: Number[B], otherwise: Number[B]
    ) -> Number[B]:
        """It is at least k if a branch that may be taken is at least k."""
        logic = self.logic
        may_then, may_other = self.at_least(maybe, 1), logic.negation(self.at_least(surely, 1))
        return self._each(
            then,
            otherwise,
            lambda one, two: logic.any_of(
                logic.all_of(way) for way in ((may_then, one), (may_other, two))
            ),
        )

    def _each(self, one: Number[B], other: Number[B], level: Callable[[B, B], B]) -> Number[B]:
        """The number that is at least k if `level` says so, given whether each of two others is."""
        low, high = min(one.low, other.low), max(one.high, other.high)
        return Number(
            low,
            tuple(
                level(self.at_least(one, k), self.at_least(other, k))
                for k in range(low + 1, high + 1)
            ),
        )

    def reach(self, term: Reach, conditions: Sequence[Number[B]]) -> Number[B]:
        """Reachability step by step, so that no node can support itself."""
        logic, nodes = self.logic, range(len(conditions))
        uses = len(conditions)
        holds = [self.logic.reuse(self.at_least(part, 1), uses) for part in conditions]
        reached = [holds[n] if n in term.starts else logic.false for n in nodes]
        for _ in nodes[1:]:
            onward = [logic.any_of(reached[b] for b in term.borders[n]) for n in nodes]
            reached = [
                logic.share(logic.any_of((reached[n], logic.all_of((holds[n], onward[n])))))
                for n in nodes
            ]
        return self.truth(logic.any_of(reached[n] for n in term.ends))
