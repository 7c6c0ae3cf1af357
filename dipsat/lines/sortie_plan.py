"""Plans whose units make sorties: those that go out do so in every phase, and come back when they
got in; the others stay."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from dipsat.board.map import Map
from dipsat.board.province import UnitKind, province_of
from dipsat.game.position import Unit, unit_of
from dipsat.lines.line import StalemateLine
from dipsat.lines.plan import PlanState, holding
from dipsat.orders.order import Move, Order, SupportHold

Sorties = Mapping[str, str]
"""Own province -> the location, or the province, that its unit goes to."""


def with_sorties(line: StalemateLine, sorties: Sorties) -> StalemateLine:
    """The line as a plan, given own provinces and where their units go: in each state, some of
    these units are out and come back, and the others go there."""
    if not sorties:
        return line
    outposts = frozenset(map(province_of, sorties.values()))
    return replace(line, plan=tuple(_states(line, sorties)), outposts=outposts)


def without_sorties(line: StalemateLine) -> tuple[StalemateLine, Sorties] | None:
    """The line that a plan makes from one whose units stay, and the locations that its sorties go
    to; None if it is no such plan."""
    home = next((one for one in line.plan if one.by_province.keys() <= line.closed), None)
    if home is None:
        return None
    stays = replace(
        line,
        units=home.units,
        supports={one: aim for aim, those in home.holders.items() for one in those},
        region=line.closed - home.by_province.keys(),
        plan=(),
        outposts=frozenset(),
    )
    sorties = dict(sorted(home.goals.items()))
    if line.closed & set(home.moves.values()) or set(line.plan) != {*_states(stays, sorties)}:
        return None
    return stays, sorties


def round_trips(board: Map, kind: UnitKind, location: str) -> Mapping[str, str]:
    """Each other province to which a unit can go and from where it can come back to its location ->
    the first location there from which it can."""
    reached = sorted(board.reach(kind, location), reverse=True)
    back = (at for at in reached if location in board.reach(kind, at))
    return {province_of(at): at for at in back if province_of(at) != province_of(location)}


def _states(line: StalemateLine, sorties: Sorties) -> Iterator[PlanState]:
    ways = sorted(sorties)
    for number in range(len(ways) + 1):
        for out in combinations(ways, number):
            yield _state(line, sorties, out)


def _state(line: StalemateLine, sorties: Sorties, out: Container[str]) -> PlanState:
    orders: dict[Unit, Order] = {}
    for unit in line.units:
        aim = line.supports.get(unit.province)
        if unit.province not in sorties:
            helped = None if aim is None else line.by_province[aim]
            orders[unit] = holding(unit) if helped is None else SupportHold(unit.name, helped.name)
            continue
        goal = sorties[unit.province]
        trips = round_trips(line.map, unit.kind, unit.location)
        reached = sorted(line.map.reach(unit.kind, unit.location))
        there = trips.get(goal) or next(at for at in reached if goal in (at, province_of(at)))
        if unit.province in out:
            away = unit_of(line.power, unit.kind, there)
            orders[away] = Move(away.name, unit.location)
        else:
            orders[unit] = Move(unit.name, there)
    units = sorted(orders, key=lambda unit: unit.province)
    return PlanState(tuple(units), tuple(orders[unit] for unit in units))
