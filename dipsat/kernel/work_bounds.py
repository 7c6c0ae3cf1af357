"""Limits on the work for a board by compiled equations, which cannot be interrupted. Rules that
would take forever are left to dipsat's Python, which refuses them by its own, exact count.

A step is the evaluation of one part of an expression, as in `dipsat.equations.grounding`. The
number of units that support a move, or attack a province, is not known beforehand. It counts as
eight here, which few boards exceed.
"""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

from dipsat.kernel.expression_text import is_single
from dipsat.kernel.numbers import DeclinedError
from dipsat.rules import AllOf, Domains, Expression, Fact, Profile, RoughSizes, parts_by_domains

MOST_STEPS = 8_000_000
"""Steps of all equations of a board, each evaluated once: some milliseconds. Shipped rules take up
to 5,800,000 on the largest board of their map (`colonial`, 64 units), the standard rules 74,000."""
MOST_CONDITION = 100_000
"""Steps of one condition on orders. Those of shipped rules take a few hundred."""
MOST_SWEEPS = 300
"""Sweeps over one board: a second or two, under the longest equations. Under shipped rules, boards
with decision cycles take up to 90 sweeps, others two."""

_MEMBERS = 8


class _BoardSizes(RoughSizes):
    def _size(self, domain: Expression) -> int:
        if not isinstance(domain, Fact):
            return self._all(domain)
        return 1 if is_single(domain) else min(_MEMBERS, self._all(domain))


def check_work(profile: Profile, units: int, provinces: int) -> None:
    """Raise `DeclinedError` for rules that take too many steps on a board with `units` units, on a
    map with `provinces` provinces."""
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
