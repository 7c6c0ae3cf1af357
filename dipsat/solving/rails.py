"""Three-valued resolutions of an equation system as clauses, for known and for open orders.

Every decision has two rails, its least and its greatest value, and so has every term. They fulfil
the equations if each decision's rails are what its equation is at least and at most. The fixpoint
at which propagation ends is such an assignment, and every resolution is one, with equal rails. What
a cycle rule sets lies between the rails of that fixpoint, so whatever no assignment allows, no
orders bring about, whatever decision cycles they make and whatever rule settles those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dipsat.equations.open_facts import ORDER
from dipsat.equations.terms import (
    All,
    Any,
    Greater,
    IfElse,
    Key,
    Negation,
    Reach,
    Sum,
    Term,
    Unknown,
)
from dipsat.solving.gates import FALSE, Gates, Number
from dipsat.solving.system import System

_GROUP = 40  # decisions whose equations are switched together


@dataclass(frozen=True, slots=True)
class Rails:
    """What a term is at least and at most; the same number twice where it is known."""

    least: Number
    most: Number


class RailSystem:
    """The equations of a system over rails.

    `guard` gives the literal of an order's guard; `check` is called now and then while the clauses
    are made, and may raise what ends that.
    """

    def __init__(
        self,
        gates: Gates,
        system: System,
        guard: Callable[[Key], int],
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self.gates = gates
        self.system = system
        self._guard = guard
        self._rails = {key: self._new(key) for key in system.equations}
        self._in_force: dict[Key, int] = {}
        self._exceptions: dict[Key, tuple[int, ...]] = {}
        for number, (key, (term, _)) in enumerate(system.equations.items()):
            if number % _GROUP == 0:
                check()
            self._in_force[key] = gates.variable()
            self._equate(self._rails[key], self.rails(term), -self._in_force[key])
        keys = list(system.equations)
        self._groups = [tuple(keys[at : at + _GROUP]) for at in range(0, len(keys), _GROUP)]
        self._switches = [self._switch(group) for group in self._groups]

    @property
    def assumptions(self) -> tuple[int, ...]:
        """What every question has to assume: the equations, but for what has been settled."""
        return tuple(self._switches)

    def of(self, key: Key) -> Rails:
        """The rails of a decision or of a guard."""
        if key[0] != ORDER:
            return self._rails[key]
        guard = Number(0, (self._guard(key),))
        return Rails(guard, guard)

    def is_known(self, key: Key) -> int:
        """The literal of: the rails of the decision are equal."""
        rails = self._rails[key]
        return self.gates.all_of(
            self.gates.any_of((low, -high))
            for low, high in zip(rails.least.levels, rails.most.levels, strict=True)
        )

    def equals(self, key: Key, value: int) -> int:
        """The literal of: both rails of the decision, or the guard, have this value."""
        rails = self.of(key)
        return self.gates.all_of((rails.least.at_least(value), -rails.most.at_least(value + 1)))

    def surely(self, truth: Term) -> int:
        """The literal of: this is known to be true."""
        return self.rails(truth).least.at_least(1)

    def possibly(self, truth: Term) -> int:
        """The literal of: this is not known to be false."""
        return self.rails(truth).most.at_least(1)

    def settle(self, when: int, values: Mapping[Key, int]) -> None:
        """Where the literal `when` holds, these decisions have these values, and that replaces
        their equations."""
        for key, value in values.items():
            self.gates.require(-when, self.equals(key, value))
            self._exceptions[key] = (*self._exceptions.get(key, ()), when)
        for at, group in enumerate(self._groups):
            if not values.keys().isdisjoint(group):
                self._switches[at] = self._switch(group)

    def _switch(self, group: Iterable[Key]) -> int:
        """A new variable that puts the equations of these decisions in force where nothing has
        settled them. Clauses stay for good, so whoever wants an exception needs a new one."""
        switch = self.gates.variable()
        for key in group:
            self.gates.require(-switch, self._in_force[key], *self._exceptions.get(key, ()))
        return switch

    def _new(self, key: Key) -> Rails:
        low, high = self.system.bounds(key)
        least, most = self.gates.number(low, high), self.gates.number(low, high)
        for small, large in zip(least.levels, most.levels, strict=True):
            self.gates.require(-small, large)
        return Rails(least, most)

    def _equate(self, one: Rails, other: Rails, unless: int) -> None:
        for left, right in ((one.least, other.least), (one.most, other.most)):
            for k in range(min(left.low, right.low) + 1, max(left.high, right.high) + 1):
                self.gates.same(left.at_least(k), right.at_least(k), unless)

    # --- the rails of a term ----------------------------------------------------------------------

    def rails(self, term: Term) -> Rails:
        """What a term is at least and at most."""
        gates = self.gates
        match term:
            case int():
                return _known(Number(int(term)))
            case Unknown(key=key):
                return self.of(key)
            case Negation(part=part):
                inner = self.rails(part)
                return _truth(-inner.most.at_least(1), -inner.least.at_least(1))
            case All(parts=parts):
                low, high = self._truths(parts)
                return _truth(gates.all_of(low), gates.all_of(high))
            case Any(parts=parts):
                low, high = self._truths(parts)
                return _truth(gates.any_of(low), gates.any_of(high))
            case Greater(left=left, right=right):
                one, other = self.rails(left), self.rails(right)
                return _truth(
                    gates.greater(one.least, other.most), gates.greater(one.most, other.least)
                )
            case Sum():
                return self._sum(term)
            case IfElse():
                return self._choice(term)
            case Reach():
                low, high = self._truths(term.conditions)
                return _truth(self._reach(term, low), self._reach(term, high))

    def _truths(self, parts: Iterable[Term]) -> tuple[list[int], list[int]]:
        found = [self.rails(part) for part in parts]
        return [one.least.at_least(1) for one in found], [one.most.at_least(1) for one in found]

    def _sum(self, term: Sum) -> Rails:
        gates = self.gates
        plus = [self.rails(part) for part in term.added]
        minus = [self.rails(part) for part in term.taken]
        least = [one.least for one in plus] + [gates.negative(one.most) for one in minus]
        most = [one.most for one in plus] + [gates.negative(one.least) for one in minus]
        return Rails(gates.sum(least, term.constant), gates.sum(most, term.constant))

    def _choice(self, term: IfElse) -> Rails:
        """A branch if the condition is known, else the worse of the two."""
        gates, condition = self.gates, self.rails(term.condition)
        surely, maybe = condition.least.at_least(1), condition.most.at_least(1)
        then, other = self.rails(term.then), self.rails(term.otherwise)
        low = min(then.least.low, other.least.low)
        high = max(then.most.high, other.most.high)
        least, most = [], []
        for k in range(low + 1, high + 1):
            one, two = then.least.at_least(k), other.least.at_least(k)
            ways = ((surely, one), (-maybe, two), (one, two))
            least.append(gates.any_of(gates.all_of(way) for way in ways))
            one, two = then.most.at_least(k), other.most.at_least(k)
            most.append(gates.any_of(gates.all_of(way) for way in ((maybe, one), (-surely, two))))
        return Rails(Number(low, tuple(least)), Number(low, tuple(most)))

    def _reach(self, term: Reach, conditions: Sequence[int]) -> int:
        """Reachability in steps, so that no node can hold itself up."""
        gates, nodes = self.gates, range(len(conditions))
        reached = [conditions[n] if n in term.starts else FALSE for n in nodes]
        for _ in nodes[1:]:
            onward = [gates.any_of(reached[b] for b in term.borders[n]) for n in nodes]
            reached = [
                gates.any_of((reached[n], gates.all_of((conditions[n], onward[n])))) for n in nodes
            ]
        return gates.any_of(reached[n] for n in term.ends)


def _known(number: Number) -> Rails:
    return Rails(number, number)


def _truth(least: int, most: int) -> Rails:
    return Rails(Number(0, (least,)), Number(0, (most,)))
