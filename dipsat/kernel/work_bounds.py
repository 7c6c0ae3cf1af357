"""How much work a board may be for compiled equations, which cannot be interrupted: rules that
would take for ever are left to dipsat's Python, which refuses them by its own, exact count.

A step is the evaluation of one part of an expression, as in `dipsat.equations.grounding`. How many
units support a move, or attack a province, is not known before; here it counts as eight, which few
boards exceed.
"""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

from dipsat.kernel.expression_text import is_single
from dipsat.kernel.numbers import DeclinedError
from dipsat.rules import AllOf, Domains, Expression, Fact, Profile, RoughSizes, parts_by_domains

MOST_STEPS = 8_000_000
"""Steps of all equations of a board, each evaluated once: some milliseconds. Shipped rules take
5,800,000 on the largest board of their map (`colonial`, 64 units), the standard ones 74,000."""
MOST_CONDITION = 100_000
"""Steps of one condition on orders. Those of shipped rules take some hundred."""
MOST_SWEEPS = 300
"""Sweeps over one board: a second or two, under the longest equations. Boards with decision cycles
take up to 90 under all shipped rules, others two."""

_MEMBERS = 8


class _BoardSizes(RoughSizes):
    def _size(self, domain: Expression) -> int:
        if not isinstance(domain, Fact):
            return self._all(domain)
        return 1 if is_single(domain) else min(_MEMBERS, self._all(domain))


def check_work(profile: Profile, units: int, provinces: int) -> None:
    """Raise `DeclinedError` for rules that take too many steps on a board with so many units, on a
    map with so many provinces."""
    found = Counter[Domains]()
    for decision in profile.decisions.values():
        indices = tuple(AllOf(one.type) for one in decision.indices)
        found += parts_by_domains(decision.equation, indices)
    for result in profile.results.values():
        found += parts_by_domains(result.expression)
    counted: Any = SimpleNamespace(
        domain=lambda kind: range(provinces if kind == "Province" else units)
    )
    sizes = _BoardSizes(counted)
    if sizes.steps(found) > MOST_STEPS:
        raise DeclinedError("the equations would take too many steps on one board")
    for formula in profile.legal.values():
        if sizes.steps(parts_by_domains(formula.expression)) > MOST_CONDITION:
            raise DeclinedError("a condition on orders would take too many steps")
