"""Three-valued resolutions of an equation system as clauses, for known and for open orders.

Every decision and every term has two rails, its least and its greatest value. They satisfy the
equations if each decision's rails equal the rails of its equation. The fixpoint at which
propagation ends is such an assignment, and so is every resolution, with equal rails. What a cycle
rule sets lies between the rails of that fixpoint. So if no assignment allows something, no orders
bring it about, whatever decision cycles they make and whatever rules settle those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from dipsat.equations.open_facts import ORDER
from dipsat.limits import check_time
from dipsat.solving.resolve import Equations
from dipsat.terms.cnf import Gates
from dipsat.terms.fold import Dual, Folded, fold
from dipsat.terms.levels import Levels, Number
from dipsat.terms.smtlib import Bounds
from dipsat.terms.term import Key, Term

Rails: TypeAlias = tuple[Number[int], Number[int]]
"""The least and the greatest value of a term; the same number twice if it is known."""
_GROUP = 40  # decisions whose equations are switched together


class RailSystem:
    """Equations (decision -> right-hand side, whether a truth value) over rails.

    `bounds` gives the least and the greatest value of a decision, `guard` the literal of an order's
    guard. Decisions in `free` have no equation and may have any value. `spend` is called before the
    clauses of each equation are made, and may raise an error to stop.
    """

    def __init__(
        self,
        gates: Gates,
        equations: Equations,
        bounds: Bounds,
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
        """What every question must assume: the equations, except for settled decisions."""
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
        """The literal that says that the rails of the decision are equal."""
        least, most = self._rails[key]
        either = self.gates.either
        return self.gates.all_of(
            [either(low, -high) for low, high in zip(least.levels, most.levels, strict=True)]
        )

    def equals(self, key: Key, value: int) -> int:
        """The literal that says that both rails of the decision, or the guard, have this value."""
        (least, most), at_least = self.of(key), self.levels.at_least
        return self.gates.all_of((at_least(least, value), -at_least(most, value + 1)))

    def surely(self, truth: Term) -> int:
        """The literal that says that this is known to be true."""
        return self.levels.at_least(self._read(truth)[0], 1)

    def possibly(self, truth: Term) -> int:
        """The literal that says that this is not known to be false."""
        return self.levels.at_least(self._read(truth)[1], 1)

    def _read(self, term: Term) -> Rails:
        """The rails of a term. Parts of equations are often one object."""
        return fold(term, self._dual, self._folded)

    def settle(self, when: int, values: Mapping[Key, int]) -> None:
        """Where the literal `when` holds, replace the equations of these decisions by values."""
        for key, value in values.items():
            self.gates.require(-when, self.equals(key, value))
            self._exceptions[key] = (*self._exceptions.get(key, ()), when)
        for at, group in enumerate(self._groups):
            if not values.keys().isdisjoint(group):
                self._switches[at] = self._switch(group)

    def _switch(self, group: Iterable[Key]) -> int:
        """A new variable that puts the equations of these decisions in force where nothing has
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
            if left[0] == right[0] and len(left[1]) == len(right[1]):  # as of nearly all
                for mine, theirs in zip(left[1], right[1], strict=True):
                    self.gates.same(mine, theirs, unless)
                continue
            for k in range(min(left.low, right.low) + 1, max(left.high, right.high) + 1):
                self.gates.same(at_least(left, k), at_least(right, k), unless)
