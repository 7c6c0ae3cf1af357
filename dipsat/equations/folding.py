"""One walk over terms serves every reading of them: an algebra gives the result of each operation.

`Dual` turns any algebra into one of partial information, with the least and the greatest value of
every term (DATC 3.0 5.E). Over integers these are bounds; over the literals of a SAT solver, they
are the dual-rail encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from dipsat.equations.reachability import reach
from dipsat.equations.term import (
    Conjunction,
    Disjunction,
    Greater,
    IfElse,
    Key,
    Negation,
    Ranges,
    Reach,
    Sum,
    Term,
    Unequal,
    Unknown,
)

V = TypeVar("V")
Folded: TypeAlias = dict[int, tuple[V, Term]]
"""The values of terms, by identity. The terms are kept so that their identities stay valid."""


class Algebra(Protocol[V]):
    """The results of the operations of terms, as values of one type."""

    def constant(self, value: bool | int) -> V:
        """A truth value or a number."""

    def unknown(self, term: Unknown) -> V:
        """A decision."""

    def negation(self, part: V) -> V:
        """Not the part."""

    def all_of(self, parts: Sequence[V]) -> V:
        """Every part holds."""

    def any_of(self, parts: Sequence[V]) -> V:
        """Some part holds."""

    def greater(self, left: V, right: V) -> V:
        """The left part is greater than the right one."""

    def unequal(self, left: V, right: V) -> V:
        """The parts differ."""

    def sum(self, constant: int, added: Sequence[V], taken: Sequence[V]) -> V:
        """The constant plus the added parts, minus the taken ones."""

    def choice(self, condition: V, then: V, otherwise: V) -> V:
        """`then` if the condition holds, else `otherwise`."""

    def reach(self, term: Reach, conditions: Sequence[V]) -> V:
        """A chain leads over the nodes of `term` whose condition holds."""


class Ordered(Algebra[V], Protocol[V]):
    """An algebra with the two additional operations that partial information needs. `surely` says
    whether a condition is known to hold, `maybe` whether it is not known to fail."""

    def worse(self, surely: V, maybe: V, then: V, otherwise: V) -> V:
        """The least value of a choice between branches with these least values."""

    def better(self, surely: V, maybe: V, then: V, otherwise: V) -> V:
        """The greatest value of a choice between branches with these greatest values."""


def fold(term: Term, algebra: Algebra[V], known: Folded[V] | None = None) -> V:
    """The value of a term in an algebra. If `known` is given, it keeps what has been read, so an
    object that occurs in several terms is read once."""
    read = _FOLDS.get(type(term))
    if read is None:
        assert isinstance(term, int)
        return algebra.constant(term)
    if known is None:
        value: V = read(term, algebra, None)
        return value
    found = known.get(id(term))
    if found is None:
        found = known[id(term)] = read(term, algebra, known), term
    return found[0]


def _choice(term: IfElse, algebra: Algebra[V], known: Folded[V] | None) -> V:
    then, otherwise = fold(term.then, algebra, known), fold(term.otherwise, algebra, known)
    return algebra.choice(fold(term.condition, algebra, known), then, otherwise)


def _sum(term: Sum, algebra: Algebra[V], known: Folded[V] | None) -> V:
    added = _each(term.added, algebra, known)
    return algebra.sum(term.constant, added, _each(term.taken, algebra, known))


def _each(parts: Sequence[Term], algebra: Algebra[V], known: Folded[V] | None) -> list[V]:
    return [fold(part, algebra, known) for part in parts]


def _sides(term: Greater | Unequal, algebra: Algebra[V], known: Folded[V] | None) -> tuple[V, V]:
    return fold(term.left, algebra, known), fold(term.right, algebra, known)


_FOLDS: Mapping[type, Callable[[Any, Algebra[Any], Folded[Any] | None], Any]] = {
    Unknown: lambda term, algebra, _: algebra.unknown(term),
    Negation: lambda term, algebra, known: algebra.negation(fold(term.part, algebra, known)),
    Conjunction: lambda term, algebra, known: algebra.all_of(_each(term.parts, algebra, known)),
    Disjunction: lambda term, algebra, known: algebra.any_of(_each(term.parts, algebra, known)),
    Greater: lambda term, algebra, known: algebra.greater(*_sides(term, algebra, known)),
    Unequal: lambda term, algebra, known: algebra.unequal(*_sides(term, algebra, known)),
    Sum: _sum,
    IfElse: _choice,
    Reach: lambda term, algebra, known: algebra.reach(term, _each(term.conditions, algebra, known)),
}
"""How each kind of term is folded. This is a look-up: matching the classes one after another would
take up a third of the whole time."""


class Dual(Generic[V]):
    """The algebra of partial information over another: its values are pairs of the least and the
    greatest value. `rails` gives a decision's pair."""

    def __init__(self, base: Ordered[V], rails: Callable[[Key], tuple[V, V]]) -> None:
        self.base = base
        self.rails = rails

    def unknown(self, term: Unknown) -> tuple[V, V]:
        """The pair of a decision."""
        return self.rails(term.key)

    def constant(self, value: bool | int) -> tuple[V, V]:
        """A number is known."""
        known = self.base.constant(value)
        return known, known

    def negation(self, part: tuple[V, V]) -> tuple[V, V]:
        """Least and greatest swap places."""
        return self.base.negation(part[1]), self.base.negation(part[0])

    def all_of(self, parts: Sequence[tuple[V, V]]) -> tuple[V, V]:
        """Every part holds."""
        return self._both(self.base.all_of, parts)

    def any_of(self, parts: Sequence[tuple[V, V]]) -> tuple[V, V]:
        """Some part holds."""
        return self._both(self.base.any_of, parts)

    def _both(self, join: Callable[[Sequence[V]], V], parts: Sequence[tuple[V, V]]) -> tuple[V, V]:
        """The least and the greatest value of a junction; one value twice if all parts are known,
        as the guards of orders are."""
        lows, highs = _rails(parts)
        low = join(lows)
        return low, (low if lows == highs else join(highs))

    def greater(self, left: tuple[V, V], right: tuple[V, V]) -> tuple[V, V]:
        """It surely holds if the least of the left exceeds the greatest of the right."""
        greater = self.base.greater
        return greater(left[0], right[1]), greater(left[1], right[0])

    def unequal(self, left: tuple[V, V], right: tuple[V, V]) -> tuple[V, V]:
        """One part is greater than the other."""
        return self.any_of([self.greater(left, right), self.greater(right, left)])

    def sum(
        self, constant: int, added: Sequence[tuple[V, V]], taken: Sequence[tuple[V, V]]
    ) -> tuple[V, V]:
        """The least sum adds the least values and subtracts the greatest."""
        (plus_low, plus_high), (minus_low, minus_high) = _rails(added), _rails(taken)
        low = self.base.sum(constant, plus_low, minus_high)
        if plus_low == plus_high and minus_low == minus_high:
            return low, low
        return low, self.base.sum(constant, plus_high, minus_low)

    def choice(
        self, condition: tuple[V, V], then: tuple[V, V], otherwise: tuple[V, V]
    ) -> tuple[V, V]:
        """One branch if the condition is known, else the worse and the better of the two."""
        worse = self.base.worse(*condition, then[0], otherwise[0])
        return worse, self.base.better(*condition, then[1], otherwise[1])

    def reach(self, term: Reach, conditions: Sequence[tuple[V, V]]) -> tuple[V, V]:
        """Over the nodes that surely hold, and over those that may."""
        return self._both(lambda rails: self.base.reach(term, rails), conditions)


def _rails(parts: Sequence[tuple[V, V]]) -> tuple[list[V], list[V]]:
    return [low for low, _ in parts], [high for _, high in parts]


@dataclass(frozen=True, slots=True)
class Integers:
    """The algebra of values: each term's value follows from the decisions' values, given by
    `value`."""

    value: Callable[[Key], int]

    def unknown(self, term: Unknown) -> int:
        """The value of a decision."""
        return self.value(term.key)

    def constant(self, value: bool | int) -> int:
        """The number; truth values are 0 and 1."""
        return int(value)

    def negation(self, part: int) -> int:
        """0 becomes 1, and 1 becomes 0."""
        return 1 - part

    def all_of(self, parts: Sequence[int]) -> int:
        """The least of truth values."""
        return min(parts)

    def any_of(self, parts: Sequence[int]) -> int:
        """The greatest of truth values."""
        return max(parts)

    def greater(self, left: int, right: int) -> int:
        """As a truth value."""
        return int(left > right)

    def unequal(self, left: int, right: int) -> int:
        """As a truth value."""
        return int(left != right)

    def sum(self, constant: int, added: Sequence[int], taken: Sequence[int]) -> int:
        """The total."""
        return constant + sum(added) - sum(taken)

    def choice(self, condition: int, then: int, otherwise: int) -> int:
        """One of the two."""
        return then if condition else otherwise

    def worse(self, surely: int, maybe: int, then: int, otherwise: int) -> int:
        """The lesser value if the condition is not known."""
        return min(then, otherwise) if surely != maybe else self.choice(surely, then, otherwise)

    def better(self, surely: int, maybe: int, then: int, otherwise: int) -> int:
        """The greater value if the condition is not known."""
        return max(then, otherwise) if surely != maybe else self.choice(surely, then, otherwise)

    def reach(self, term: Reach, conditions: Sequence[int]) -> int:
        """Whether there is a chain."""
        borders = [list(around) for around in term.borders]
        nodes = [bool(condition) for condition in conditions]
        return int(reach(list(nodes), list(term.starts), list(term.ends), borders) is True)


def evaluate(term: Term, value: Callable[[Key], int]) -> int:
    """The term's value when every decision has the given value (truth values as 0 and 1)."""
    return fold(term, Integers(value))


def interval(term: Term, bounds: Ranges) -> tuple[int, int]:
    """The least and the greatest value that a term can have under the given bounds."""
    return fold(term, intervals(bounds))


def intervals(bounds: Ranges) -> Dual[int]:
    """The algebra of the least and the greatest value under the given bounds."""
    return Dual(Integers(no_value), bounds)


def no_value(key: Key) -> int:
    """The values of decisions where only bounds are asked for."""
    raise AssertionError(f"{key} has bounds, and no value")
