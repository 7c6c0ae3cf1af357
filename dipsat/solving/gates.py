"""Boolean circuits as clauses: every gate is defined by clauses and made once.

Literals are as in DIMACS: a number for a variable, its negative for the negation. Number terms are
written as the literals "is at least k", so that bounds propagate.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

TRUE = 1
"""The literal that always holds."""
FALSE = -1


@dataclass(frozen=True, slots=True)
class Number:
    """A number from `low` to `low + len(levels)`: `levels[n]` says that it is more than `low + n`.

    A truth value is a number from 0 to 1.
    """

    low: int
    levels: tuple[int, ...] = ()

    @property
    def high(self) -> int:
        """The greatest value that it can have."""
        return self.low + len(self.levels)

    def at_least(self, k: int) -> int:
        """The literal that says so."""
        if k <= self.low:
            return TRUE
        return FALSE if k > self.high else self.levels[k - self.low - 1]


class Gates:
    """Makes gates. `clauses` are those made so far; `take` gives them to a solver."""

    def __init__(self) -> None:
        self.variables = TRUE
        self.clauses: list[list[int]] = [[TRUE]]
        self._made: dict[tuple[int, ...], int] = {}

    def take(self) -> list[list[int]]:
        """The clauses made since the last time."""
        taken, self.clauses = self.clauses, []
        return taken

    def variable(self) -> int:
        """A new variable."""
        self.variables += 1
        return self.variables

    def require(self, *literals: int) -> None:
        """At least one of these literals holds."""
        if TRUE not in literals:
            self.clauses.append([one for one in dict.fromkeys(literals) if one != FALSE])

    def all_of(self, literals: Iterable[int]) -> int:
        """The literal of: every one holds."""
        parts = set(literals)
        parts.discard(TRUE)
        if FALSE in parts or any(-part in parts for part in parts):
            return FALSE
        if not parts:
            return TRUE
        if len(parts) == 1:
            return parts.pop()
        key = tuple(sorted(parts))
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self.variable()
            for part in key:
                self.clauses.append([-made, part])
            self.clauses.append([made, *(-part for part in key)])
        return made

    def any_of(self, literals: Iterable[int]) -> int:
        """The literal of: some one holds."""
        return -self.all_of(-one for one in literals)

    def choose(self, condition: int, then: int, otherwise: int) -> int:
        """`then` if the condition holds, else `otherwise`."""
        ways = [self.all_of((condition, then)), self.all_of((-condition, otherwise))]
        return self.any_of([*ways, self.all_of((then, otherwise))])

    def same(self, one: int, other: int, unless: int = FALSE) -> None:
        """Both literals have the same value, or `unless` holds."""
        self.require(unless, -one, other)
        self.require(unless, one, -other)

    def at_most_one(self, literals: list[int]) -> None:
        """At most one of these literals holds: a ladder."""
        before = FALSE
        for at, literal in enumerate(literals):
            self.require(-before, -literal)
            if at + 1 < len(literals):
                step = self.variable()
                self.require(-literal, step)
                self.require(-before, step)
                before = step

    def number(self, low: int, high: int) -> Number:
        """A new number with any value from `low` to `high`."""
        levels = tuple(self.variable() for _ in range(high - low))
        for more, less in zip(levels[1:], levels, strict=False):
            self.require(-more, less)
        return Number(low, levels)

    def negative(self, number: Number) -> Number:
        """Minus the number."""
        return Number(-number.high, tuple(-level for level in reversed(number.levels)))

    def sum(self, numbers: list[Number], constant: int = 0) -> Number:
        """The sum, added up in pairs."""
        if not numbers:
            return Number(constant)
        while len(numbers) > 1:
            pairs = zip(numbers[::2], [*numbers[1::2], Number(0)], strict=False)
            numbers = [self._add(one, other) for one, other in pairs]
        return Number(numbers[0].low + constant, numbers[0].levels)

    def _add(self, one: Number, other: Number) -> Number:
        low, high = one.low + other.low, one.high + other.high
        return Number(
            low, tuple(self._sum_at_least(one, other, k) for k in range(low + 1, high + 1))
        )

    def _sum_at_least(self, one: Number, other: Number, k: int) -> int:
        return self.any_of(
            self.all_of((one.at_least(j), other.at_least(k - j)))
            for j in range(one.low, one.high + 1)
        )

    def greater(self, left: Number, right: Number) -> int:
        """The literal of `left > right`: some k is reached by the left and not by the right one."""
        steps = range(right.low + 1, left.high + 1)
        return self.any_of(self.all_of((left.at_least(k), -right.at_least(k))) for k in steps)
