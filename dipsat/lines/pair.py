"""Two lines that hold at the same time: what counts for both together, and which is the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from dipsat.board.province import UnitKind
from dipsat.lines.placement import PlacementModel
from dipsat.lines.terms import Terms


def are_alike(first: Terms, second: Terms) -> bool:
    """Whether the same is required of both lines, so that they could be exchanged."""
    return replace(second, map=first.map) == first


def require_of_both(models: Sequence[PlacementModel]) -> None:
    """Limit the units of two lines together, and name either of two equal sides the first."""
    first, second = models
    terms, problem = first.terms, first.problem
    if terms.units is not None:
        problem.at_most(terms.units, [held for one in models for held in one.held.values()])
    for kind, most in ((UnitKind.ARMY, terms.armies), (UnitKind.FLEET, terms.fleets)):
        if most is not None:
            problem.at_most(most, [unit for one in models for unit in _of_kind(one, kind)])
    if are_alike(terms, second.terms):
        _tell_apart(first, second)


def _of_kind(model: PlacementModel, kind: UnitKind) -> Iterable[int]:
    return (unit for place, unit in model.own.items() if place.kind is kind)


def _tell_apart(first: PlacementModel, second: PlacementModel) -> None:
    """Of all centres that are held, the first line holds the first. So each pair is found in one
    order only, and the solver need not refute the other."""
    before = list[int]()
    for centre in sorted(first.terms.map.centers):
        first.problem.require(second.outside[centre], *before)
        before.append(-first.outside[centre])
