"""Distances for civil disorder (DATC 4.D.8), and which units are disbanded."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from dipsat.board.map import Map
from dipsat.board.province import UnitKind, province_of
from dipsat.game.position import Position, Unit
from dipsat.game.settings import Settings

_FAR = 10_000  # more than any distance on a board


def civil_disorder(
    position: Position,
    power: str,
    disbanded: Collection[Unit],
    number: int,
    settings: Settings,
) -> tuple[Unit, ...]:
    """The `number` units of `power` that are disbanded for want of orders, besides `disbanded`.

    The farthest go first; then fleets before armies, then by the province's English name.
    """
    if number <= 0:
        return ()
    board = position.map
    if settings.civil_disorder == "owned":
        goals: Collection[str] = position.centers.get(power, ())
    else:
        goals = board.powers[power].home if power in board.powers else ()
    by_kind = settings.civil_disorder == "home by kind"
    left = [unit for unit in position.units if unit.power == power and unit not in disbanded]
    left.sort(
        key=lambda unit: (
            -distance(board, unit, goals, by_kind),
            unit.kind is UnitKind.ARMY,
            board.provinces[unit.province].name,
        )
    )
    return tuple(left[:number])


def distance(board: Map, unit: Unit, goals: Collection[str], by_kind: bool) -> int:
    """The number of moves from a unit to the nearest of the provinces `goals`.

    Both kinds go by land and sea; with `by_kind`, fleets go as fleets do.
    """
    as_fleet = by_kind and unit.kind is UnitKind.FLEET
    reached: set[str] = {unit.location if as_fleet else unit.province}
    seen = set(reached)
    for steps in range(_FAR):
        if any(province_of(place) in goals for place in reached):
            return steps
        near = {n for place in reached for n in _neighbours(board, place, as_fleet)}
        reached = near - seen
        if not reached:
            break
        seen |= reached
    return _FAR


def _neighbours(board: Map, place: str, as_fleet: bool) -> Iterable[str]:
    if as_fleet:
        return board.fleet.get(place, frozenset())
    return board.army.get(place, frozenset()) | board.water.get(place, frozenset())
