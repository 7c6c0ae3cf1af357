"""Boolean circuits as clauses: clauses define every gate, and equal gates are made once.

Literals are as in DIMACS: a number for a variable, its negative for the negation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import TypeAlias

from dipsat.terms.levels import Number

TRUE = 1
"""The literal that always holds."""
FALSE = -1
Clause: TypeAlias = tuple[int, ...]
"""Literals; at least one of them holds."""


class Clauses:
    """Clauses in the order of their length. Hundreds of thousands are made, nearly all of two or
    three literals. In two long lists, they are made sooner than as objects, and the garbage
    collector, which begins after so many new objects, has nothing to look at."""

    __slots__ = ("longer", "threes", "twos")

    def __init__(self) -> None:
        self.twos: list[int] = []
        self.threes: list[int] = []
        self.longer: list[Clause] = []
        """Those of any other length."""

    def __len__(self) -> int:
        return len(self.twos) // 2 + len(self.threes) // 3 + len(self.longer)

    def __iter__(self) -> Iterator[Clause]:
        twos, threes = iter(self.twos), iter(self.threes)
        yield from self.longer
        yield from zip(twos, twos, strict=True)
        yield from zip(threes, threes, threes, strict=True)

    def add(self, clause: Clause) -> None:
        """Add a clause of any length."""
        if len(clause) == 2:
            self.twos += clause
        elif len(clause) == 3:
            self.threes += clause
        else:
            self.longer.append(clause)


class Gates:
    """Makes gates. `clauses` holds the clauses made since the last `take`."""

    true, false = TRUE, FALSE

    def __init__(self) -> None:
        self.variables = TRUE
        self.clauses = Clauses()
        self.clauses.add((TRUE,))
        self._made: dict[Clause, int] = {}

    def take(self) -> Clauses:
        """The clauses made since the last time."""
        taken, self.clauses = self.clauses, Clauses()
        return taken

    def variable(self) -> int:
        """A new variable."""
        self.variables += 1
        return self.variables

    def require(self, *literals: int) -> None:
        """Require at least one of these literals."""
        if TRUE in literals:
            return
        if FALSE in literals:
            literals = tuple(one for one in literals if one != FALSE)
        if len(set(literals)) < len(literals):
            literals = tuple(dict.fromkeys(literals))
        self.clauses.add(literals)

    def imply(self, one: int, others: Sequence[int]) -> None:
        """Require that where a variable holds, at least one of these different literals does."""
        if TRUE not in others:
            self.clauses.add((-one, *others))

    def negation(self, literal: int) -> int:
        """The opposite literal."""
        return -literal

    def share(self, literal: int) -> int:
        """The literal itself: every gate has a variable already."""
        return literal

    def reuse(self, literal: int, times: int) -> int:
        """The literal itself, as in `share`."""
        return literal

    def both(self, one: int, other: int) -> int:
        """The literal that holds if both of these do; most gates are of two literals."""
        if one in (TRUE, other):
            return other
        if other == TRUE:
            return one
        if one == FALSE or other == FALSE or one == -other:
            return FALSE
        key = (one, other) if one < other else (other, one)
        made = self._made.get(key)
        if made is None:
            made = self.variables = self._made[key] = self.variables + 1
            one, other = key
            clauses = self.clauses
            clauses.twos += (-made, one, -made, other)
            clauses.threes += (made, -one, -other)
        return made

    def either(self, one: int, other: int) -> int:
        """The literal that holds if at least one of these does."""
        return -self.both(-one, -other)

    def all_of(self, literals: Iterable[int]) -> int:
        """The literal that holds if every one of these does."""
        parts = set(literals)
        if len(parts) == 2:
            return self.both(*parts)
        parts.discard(TRUE)
        if FALSE in parts:
            return FALSE
        if len(parts) < 2:
            return parts.pop() if parts else TRUE
        key = tuple(sorted(parts))
        made = self._made.get(key)
        if made is None:
            opposite = [-part for part in key]
            if not parts.isdisjoint(opposite):
                return FALSE
            made = self.variables = self._made[key] = self.variables + 1
            clauses = self.clauses
            clauses.twos += chain.from_iterable(zip(repeat(-made), key))
            clauses.add((made, *opposite))
        return made

    def any_of(self, literals: Iterable[int]) -> int:
        """The literal that holds if at least one of these does."""
        return -self.all_of([-one for one in literals])

    def choose(self, condition: int, then: int, otherwise: int) -> int:
        """`then` if the condition holds, else `otherwise`."""
        ways = [self.both(condition, then), self.both(-condition, otherwise)]
        return self.any_of([*ways, self.both(then, otherwise)])

    def same(self, one: int, other: int, unless: int = FALSE) -> None:
        """Require that both literals have the same value, or that `unless` holds."""
        if TRUE in (one, -one, other, -other, unless) or unless in (one, -one, other, -other):
            self.require(unless, -one, other)
            self.require(unless, one, -other)
        elif one == -other:
            self.clauses.twos += (unless, other, unless, one)
        else:
            self.clauses.threes += (unless, -one, other, unless, one, -other)

    def at_most_one(self, literals: list[int]) -> None:
        """Require at most one of these literals, by a ladder encoding."""
        before = FALSE
        for at, literal in enumerate(literals):
            self.require(-before, -literal)
            if at + 1 < len(literals):
                step = self.variable()
                self.require(-literal, step)
                self.require(-before, step)
                before = step

    def number(self, low: int, high: int) -> Number[int]:
        """A new number with any value from `low` to `high`."""
        first = self.variables + 1
        self.variables += high - low
        for less in range(first, self.variables):
            self.clauses.twos += (-1 - less, less)
        return Number(low, tuple(range(first, self.variables + 1)))
