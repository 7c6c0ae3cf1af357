"""The line that a solution states."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from dipsat.board.map import reachable
from dipsat.board.province import UnitKind
from dipsat.game.position import unit_of
from dipsat.lines.certificate import defence_of, enemies_beside
from dipsat.lines.line import StalemateLine, enemies_outside
from dipsat.lines.placement import PlacementModel
from dipsat.profiles.profile import Profile

_DERIVED = "every province that the enemy cannot reach"


def line_of(model: PlacementModel, true: Container[int], rules: Profile) -> StalemateLine:
    """The line of a solution, given the unknowns that are true in it."""
    terms = model.terms
    units = [
        unit_of(terms.power, place.kind, place.location)
        for place, unit in model.own.items()
        if unit in true
    ]
    line = StalemateLine(
        terms.map,
        rules,
        terms.power,
        tuple(sorted(units, key=lambda unit: unit.province)),
        {one: aim for (one, aim), given in model.supports.items() if given in true},
        frozenset(),
        frozenset(province for province, inside in model.region.items() if inside in true),
        terms.enemy,
        _DERIVED,
    )
    line = replace(line, region=_with_pockets(line, terms.outside))
    no_fleets = _without_fleets(line, terms.fleet_sources) | terms.enemy.fleets_not_in
    line = replace(line, enemy=replace(terms.enemy, fleets_not_in=no_fleets))
    return replace(line, supports=_needed(line, terms.supports.keys()))


def _needed(line: StalemateLine, kept: Container[str]) -> Mapping[str, str]:
    """The supports without those that a unit can do without; those of the units `kept` stay."""
    beside = enemies_beside(line)
    for supporter, aim in sorted(line.supports.items()):
        if supporter not in kept:
            supports = {one: other for one, other in line.supports.items() if one != supporter}
            without = replace(line, supports=supports)
            if defence_of(without, aim, beside).holds(line.enemy.units):
                line = without
    return line.supports


def _with_pockets(line: StalemateLine, outside: frozenset[str]) -> frozenset[str]:
    """The region with all provinces without a centre that no enemy can reach if none is there."""
    board, own = line.map, frozenset(line.by_province)
    rest = board.provinces.keys() - line.region - own
    pockets = rest - outside - set(board.centers)
    while True:
        entered = {
            target
            for unit in enemies_outside(board, own | line.region | pockets, line.enemy)
            for target in board.reach_provinces(unit.kind, unit.location)
        }
        if not pockets & entered:
            return line.region | pockets if pockets < rest else line.region
        pockets -= entered


def _without_fleets(line: StalemateLine, sources: frozenset[str] | None) -> frozenset[str]:
    """The outside provinces that no enemy fleet can come to from one of the sources."""
    if sources is None:
        return frozenset()
    board, ways = line.map, dict[str, set[str]]()
    for unit in line.enemies:
        if unit.kind is UnitKind.FLEET:
            reached = board.reach_provinces(unit.kind, unit.location)
            ways.setdefault(unit.province, set()).update(reached)
    sailed = reachable(sources & ways.keys(), lambda province: ways[province] & ways.keys())
    return frozenset(ways.keys() - sailed)
