"""Civil disorder (DATC 4.D.8): distances, and the units that are disbanded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from dipsat.board import ConvoyNet, Map, UnitKind, province_of
from dipsat.game.conditions import Convoying, convoying, convoys_of
from dipsat.game.position import Position
from dipsat.orders import Unit
from dipsat.rules import Settings

_FAR = 10_000  # more than any distance on a board
Step: TypeAlias = Callable[[str], Iterable[str]]
"""A function from a place to the places one move away."""


def civil_disorder(
    position: Position,
    power: str,
    disbanded: Collection[Unit],
    number: int,
    settings: Settings,
) -> tuple[Unit, ...]:
    """The `number` units of `power` that are disbanded for lack of orders, besides `disbanded`.

    The farthest go first; ties are broken by kind (fleets first, armies last), then by the letters
    and digits of the province's English name (DATC 2.4, 4.D.8). All distances are measured before
    any unit is removed.
    """
    if number <= 0:
        return ()
    board = position.map
    if settings.civil_disorder == "owned":
        goals: Collection[str] = position.centers.get(power, ())
    else:
        goals = board.powers[power].home if power in board.powers else ()
    kinds = {unit.kind for unit in position.units if unit.power == power}
    steps = {kind: _step(position, power, settings, kind) for kind in kinds}
    left = [unit for unit in position.units if unit.power == power and unit not in disbanded]
    left.sort(
        key=lambda unit: (
            -_distance(unit.location, goals, steps[unit.kind]),
            rank_of_kind(unit.kind),
            letters_of(board.provinces[unit.province].name),
        )
    )
    return tuple(left[:number])


def rank_of_kind(kind: UnitKind) -> int:
    """The rank of a kind among units at the same distance: fleets go first, armies last."""
    return 0 if kind is UnitKind.FLEET else 2 if kind is UnitKind.ARMY else 1


@lru_cache(1024)
def letters_of(name: str) -> str:
    """The letters and digits of a name, by which ties are broken."""
    return "".join(filter(str.isalnum, name)).casefold()


def _distance(start: str, goals: Collection[str], step: Step) -> int:
    """The number of moves from a place to the nearest province in `goals`."""
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


def by_land_or_water(board: Map, province: str) -> frozenset[str]:
    """The provinces that share a land border or water with a province."""
    return board.army.get(province, frozenset()) | board.water.get(province, frozenset())


def _step(position: Position, power: str, settings: Settings, kind: UnitKind) -> Step:
    """How distances are measured for a kind of unit: over land and water alike, or as it moves. A
    whole convoy counts as one move."""
    board, rule = position.map, settings.civil_disorder
    if rule in ("owned", "home") or (rule == "home by kind" and kind is UnitKind.ARMY):
        return lambda place: by_land_or_water(board, province_of(place))
    if rule == "home by kind":
        return lambda place: board.reach(kind, place)
    kinds = tuple(convoys_of(convoying(position, settings), kind))
    own = {unit.province for unit in position.units if unit.power == power}
    carriers: dict[str, Callable[[Convoying], frozenset[str]]] = {
        "home by convoy": lambda one: one.places,
        "home by any convoy": lambda one: one.carriers,
        "home by own convoy": lambda one: one.carriers & own,
    }
    ways = [(one.net, carriers[rule](one)) for one in kinds]

    def step(place: str) -> Iterator[str]:
        yield from board.reach(kind, place)
        for net, seas in ways:
            yield from _convoyed(net, place, seas)

    return step


def _convoyed(net: ConvoyNet, origin: str, carriers: Collection[str]) -> Iterator[str]:
    """The locations to which units in `carriers` can convoy a unit."""
    reached = [one for one in net.shores.get(origin, ()) if one in carriers]
    seen = set(reached)
    for here in reached:
        yield from net.ashore_from(here)
        for near in net.links.get(here, ()):
            if near in carriers and near not in seen:
                seen.add(near)
                reached.append(near)
