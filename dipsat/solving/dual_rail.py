"""Three-valued resolutions of an equation system as clauses, for known and for open orders.

Every decision and every term has two rails, its least and its greatest value. They satisfy the
equations if each decision's rails equal the rails of its equation. The fixpoint at which
propagation ends is such an assignment, and so is every resolution, with equal rails. The values
that a cycle rule sets lie between the rails of that fixpoint. So if no assignment allows an event,
no orders bring it about, regardless of their decision cycles and of the rules that settle these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import TypeAlias

from dipsat.base import check_time
from dipsat.equations import ORDER, Dual, Equations, Folded, Key, Levels, Number, Ranges, Term, fold

# --- cnf ------------------------------------------------------------------------------------------

# Boolean circuits as clauses: clauses define every gate, and equal gates are made once.
#
# Literals are as in DIMACS: a number for a variable, its negative for the negation.


TRUE = 1
"""The literal that always holds."""
FALSE = -1
Clause: TypeAlias = tuple[int, ...]
"""Literals; at least one of them holds."""


class Clauses:
    """Clauses, stored by length. Hundreds of thousands are made, nearly all of two or three
    literals. Two long lists take less time than objects, and give the garbage collector, which
    starts after a number of new objects, nothing to look at."""

    __slots__ = ("longer", "threes", "twos")

    def __init__(self) -> None:
        self.twos: list[int] = []
        self.threes: list[int] = []
        self.longer: list[Clause] = []
        """The clauses of any other length."""

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
        """The clauses made since the last call."""
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
        """Require that if a variable holds, at least one of these different literals holds."""
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
        """The literal that holds if both of these do; most gates have two literals."""
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


# --- dual rail ------------------------------------------------------------------------------------


Rails: TypeAlias = tuple[Number[int], Number[int]]
"""The least and the greatest value of a term; the same number twice if it is known."""
_GROUP = 40  # decisions whose equations share a switch


class RailSystem:
    """Equations (decision -> right-hand side, whether it is a truth value) over rails.

    `bounds` gives the least and the greatest value of a decision, `guard` the literal of an order's
    guard. Decisions in `free` have no equation and may have any value. `spend` is called before the
    clauses of each equation are made, and may raise an error to stop.
    """

    def __init__(
        self,
        gates: Gates,
        equations: Equations,
        bounds: Ranges,
        guard: Callable[[Key], int],
        spend: Callable[[int], None] = lambda _: check_time(),
        free: Iterable[Key] = (),
    ) -> None:
        self.gates = gates
        self._bounds = bounds
        self._guard = guard
        self._spend = spend
        self.levels = Levels(gates, self._least)
        self._dual = Dual(self.levels, self.of)
        self._folded: Folded[Rails] = {}
        self._rails = {key: self._new(key) for key in (*equations, *free)}
        self._in_force: dict[Key, int] = {}
        self._exceptions: dict[Key, tuple[int, ...]] = {}
        for key, (term, _) in equations.items():
            spend(0)
            self._in_force[key] = gates.variable()
            self._equate(self._rails[key], self._read(term), -self._in_force[key])
        keys = list(equations)
        self._groups = [tuple(keys[at : at + _GROUP]) for at in range(0, len(keys), _GROUP)]
        self._switches = [self._switch(group) for group in self._groups]

    @property
    def assumptions(self) -> tuple[int, ...]:
        """The literals that every question must assume: equations, except for settled decisions."""
        return tuple(self._switches)

    def of(self, key: Key) -> Rails:
        """The rails of a decision or of a guard."""
        if key[0] != ORDER:
            self._spend(0)
            return self._rails[key]
        guard = self.levels.truth(self._guard(key))
        return guard, guard

    def _least(self, key: Key) -> Number[int]:
        return self.of(key)[0]

    def is_known(self, key: Key) -> int:
        """The literal that holds if the rails of the decision are equal."""
        least, most = self._rails[key]
        either = self.gates.either
        return self.gates.all_of(
            [either(low, -high) for low, high in zip(least.levels, most.levels, strict=True)]
        )

    def equals(self, key: Key, value: int) -> int:
        """The literal that holds if both rails of the decision, or the guard, have this value."""
        (least, most), at_least = self.of(key), self.levels.at_least
        return self.gates.all_of((at_least(least, value), -at_least(most, value + 1)))

    def surely(self, truth: Term) -> int:
        """The literal that holds if `truth` is known to be true."""
        return self.levels.at_least(self._read(truth)[0], 1)

    def possibly(self, truth: Term) -> int:
        """The literal that holds if `truth` is not known to be false."""
        return self.levels.at_least(self._read(truth)[1], 1)

    def _read(self, term: Term) -> Rails:
        """The rails of a term. Equations often share a part as one object."""
        return fold(term, self._dual, self._folded)

    def settle(self, when: int, values: Mapping[Key, int]) -> None:
        """If the literal `when` holds, replace the equations of these decisions by values."""
        for key, value in values.items():
            self.gates.require(-when, self.equals(key, value))
            self._exceptions[key] = (*self._exceptions.get(key, ()), when)
        for at, group in enumerate(self._groups):
            if not values.keys().isdisjoint(group):
                self._switches[at] = self._switch(group)

    def _switch(self, group: Iterable[Key]) -> int:
        """A new variable that puts the equations of these decisions in force unless something has
        settled them. Clauses are permanent, so every new exception needs a new variable."""
        switch = self.gates.variable()
        for key in group:
            self.gates.require(-switch, self._in_force[key], *self._exceptions.get(key, ()))
        return switch

    def _new(self, key: Key) -> Rails:
        low, high = self._bounds(key)
        least, most = self.gates.number(low, high), self.gates.number(low, high)
        for small, large in zip(least.levels, most.levels, strict=True):
            self.gates.imply(small, (large,))
        return least, most

    def _equate(self, one: Rails, other: Rails, unless: int) -> None:
        at_least = self.levels.at_least
        for left, right in zip(one, other, strict=True):
            if left[0] == right[0] and len(left[1]) == len(right[1]):  # nearly always
                for mine, theirs in zip(left[1], right[1], strict=True):
                    self.gates.same(mine, theirs, unless)
                continue
            for k in range(min(left.low, right.low) + 1, max(left.high, right.high) + 1):
                self.gates.same(at_least(left, k), at_least(right, k), unless)
