"""How much work a board may be for compiled equations, which cannot be interrupted: rules that
would take for ever are left to dipsat's Python, which refuses them by its own, exact count.

A step is the evaluation of one part of an expression, as in `dipsat.equations.grounding`. How many
units support a move, or attack a province, is not known before; here it counts as eight, which few
boards exceed.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from dipsat.equations import MAX_STEPS
from dipsat.kernel.numbers import DeclinedError
from dipsat.kernel.set_text import is_single
from dipsat.rules import (
    CONVOY,
    MOVE,
    SUPPORT,
    AllOf,
    Choice,
    Compare,
    Domains,
    Expression,
    Fact,
    Profile,
    Quantifier,
    RoughSizes,
    asks_for_places,
    children,
    parts_by_domains,
)

MOST_STEPS = 8_000_000
"""Steps of all equations of a board, each evaluated once: some milliseconds. Shipped rules take
5,800,000 on the largest board of their map (`colonial`, 64 units), the standard ones 74,000."""
MOST_CONDITION = 100_000
"""Steps of one condition on orders. Those of shipped rules take some hundred."""
MOST_SWEEPS = 300
"""Sweeps over one board: a second or two, under the longest equations. Boards with decision cycles
take up to 90 under all shipped rules, others two."""

_MEMBERS = 8


def _largest(units: int, provinces: int) -> Any:
    """Sizes of sets on a board with so many units and any orders."""
    return SimpleNamespace(domain=lambda kind: range(provinces if kind == "Province" else units))


class _BoardSizes(RoughSizes):
    def _size(self, domain: Expression) -> int:
        if not isinstance(domain, Fact):
            return self._all(domain)
        return 1 if is_single(domain) else min(_MEMBERS, self._all(domain))


class _LeastSizes(RoughSizes):
    """On a board where all units hold."""

    def _all(self, domain: Expression) -> int:
        kind = domain.of if isinstance(domain, AllOf) else domain.type.item
        return 0 if kind in (MOVE, SUPPORT, CONVOY) else super()._all(domain)

    def _size(self, domain: Expression) -> int:
        return min(1, self._all(domain)) if isinstance(domain, Fact) else self._all(domain)


class KernelWork:
    """The work that a profile is, on maps with so many provinces, for boards with at most so many
    units. Raises `DeclinedError` if a board with one unit is too much."""

    def __init__(self, profile: Profile, units: int, provinces: int) -> None:
        self.profile = profile
        self.units = units
        self.provinces = provinces
        if self.most_units == 0:
            raise DeclinedError("the equations would take too many steps on one board")
        for formula in profile.legal.values():
            parts = parts_by_domains(formula.expression)
            if self._sizes(self.most_units).steps(parts) > MOST_CONDITION:
                raise DeclinedError("a condition on orders would take too many steps")

    def _sizes(self, units: int) -> _BoardSizes:
        return _BoardSizes(_largest(units, self.provinces))

    def steps(self, units: int) -> int:
        """The steps of all equations on a board with so many units."""
        return self._sizes(units).steps(self._parts)

    @cached_property
    def _parts(self) -> Counter[Domains]:
        """The parts of all equations and results, by the sets over which they are evaluated."""
        found = Counter[Domains]()
        for decision in self.profile.decisions.values():
            indices = tuple(AllOf(one.type) for one in decision.indices)
            found += parts_by_domains(decision.equation, indices)
        for result in self.profile.results.values():
            found += parts_by_domains(result.expression)
        return found

    @cached_property
    def most_units(self) -> int:
        """The most units of a board that is not left to Python."""
        least, most = 0, self.units  # as many are possible, and one more is not
        while least < most:
            middle = (least + most + 1) // 2
            if self.steps(middle) <= MOST_STEPS and not self._is_refused(middle):
                least = middle
            else:
                most = middle - 1
        return least

    def _is_refused(self, units: int) -> bool:
        """Whether dipsat's Python refuses every board with this many units, whatever the orders."""
        in_play = self.provinces if asks_for_places(self.profile) else units
        sizes = _LeastSizes(_largest(units, in_play))
        return sizes.steps(self._parts) > MAX_STEPS


MOST_READINGS = 32  # five levels that double; shipped rules have one, and seven take gcc seconds


def check_readings(node: Expression) -> None:
    """Raise `DeclinedError` for an expression whose source and evaluation would grow too much.
    Either reading of a choice needs both of an open condition, and so on; each level doubles."""
    if _readings(node, {}) > MOST_READINGS:
        raise DeclinedError("conditions or equalities are nested too deep in an equation")


def _readings(node: Expression, known: dict[int, int]) -> int:
    """`known` is by identity: equal parts are often the same object."""
    found = known.get(id(node))
    if found is None:
        twice = [id(part) for part in _read_twice(node)]
        found = max(
            (_readings(part, known) * (1 + (id(part) in twice)) for part in children(node)),
            default=1,
        )
        known[id(node)] = found
    return found


def _read_twice(node: Expression) -> tuple[Expression, ...]:
    """The parts of which either reading needs both."""
    match node:
        case Choice(condition=condition) if condition.has_decision:
            return (condition,)
        case Compare(op="==" | "!=") if node.has_decision:
            return (node.left, node.right)
        case Quantifier(op="sum", condition=condition) if (
            condition is not None and condition.has_decision
        ):
            return (condition,)
    return ()
