"""Distances for civil disorder (DATC 4.D.8), and which units are disbanded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeAlias

from dipsat.board.map import Map
from dipsat.board.province import UnitKind, province_of
from dipsat.game.conditions import convoy_waters, convoying_fleets
from dipsat.game.position import Position, Unit
from dipsat.game.settings import Settings

_FAR = 10_000  # more than any distance on a board
Step: TypeAlias = Callable[[str], Iterable[str]]
"""From a place to those that are one move away."""


def civil_disorder(
    position: Position,
    power: str,
    disbanded: Collection[Unit],
    number: int,
    settings: Settings,
) -> tuple[Unit, ...]:
    """The `number` units of `power` that are disbanded for want of orders, besides `disbanded`.

    The farthest go first; then fleets before armies, then by the province's English name. All
    distances are those before any of the units is gone.
    """
    if number <= 0:
        return ()
    board = position.map
    if settings.civil_disorder == "owned":
        goals: Collection[str] = position.centers.get(power, ())
    else:
        goals = board.powers[power].home if power in board.powers else ()
    army_step = _army_step(position, power, settings)
    as_fleets = settings.civil_disorder not in ("owned", "home")

    def distance(unit: Unit) -> int:
        if as_fleets and unit.kind is UnitKind.FLEET:
            return _distance(unit.location, goals, lambda place: board.fleet.get(place, ()))
        return _distance(unit.province, goals, army_step)

    left = [unit for unit in position.units if unit.power == power and unit not in disbanded]
    left.sort(
        key=lambda unit: (
            -distance(unit),
            unit.kind is UnitKind.ARMY,
            board.provinces[unit.province].name,
        )
    )
    return tuple(left[:number])


def _distance(start: str, goals: Collection[str], step: Step) -> int:
    """The number of moves from a place to the nearest of the provinces `goals`."""
    reached = {start}
    seen = set(reached)
    for steps in range(_FAR):
        if any(province_of(place) in goals for place in reached):
            return steps
        reached = {near for place in reached for near in step(place)} - seen
        if not reached:
            break
        seen |= reached
    return _FAR


def _army_step(position: Position, power: str, settings: Settings) -> Step:
    """How an army goes: over land and water alike, or over land and by whole convoys."""
    board = position.map
    if settings.civil_disorder in ("owned", "home", "home by kind"):
        return lambda place: (
            board.army.get(place, frozenset()) | board.water.get(place, frozenset())
        )
    seas: Collection[str] = convoy_waters(board, position.phase, settings)
    if settings.civil_disorder == "home by any convoy":
        seas = convoying_fleets(position, settings)
    elif settings.civil_disorder == "home by own convoy":
        own = {unit.province for unit in position.units if unit.power == power}
        seas = convoying_fleets(position, settings) & own
    return lambda place: {*board.army.get(place, ()), *_convoyed(board, place, seas)}


def _convoyed(board: Map, origin: str, seas: Collection[str]) -> Iterator[str]:
    """The provinces to which fleets in `seas` can convoy an army."""
    if origin not in board.coastal:
        return
    reached = [sea for sea in board.water[origin] if sea in seas]
    seen = set(reached)
    for sea in reached:
        for near in board.water[sea]:
            if near in board.coastal:
                yield near
            elif near in seas and near not in seen:
                seen.add(near)
                reached.append(near)
