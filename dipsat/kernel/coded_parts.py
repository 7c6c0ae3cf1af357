"""Retreats, attributes of units and owners of centres as numbers, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dipsat.board.map import Map
from dipsat.game.phase_name import PhaseName
from dipsat.game.position import Owners, Position, Unit, owners_stated
from dipsat.kernel.numbers import NOBODY, UNKNOWN, MapNumbers
from dipsat.orders.order import Values
from dipsat.values import grouped


def retreat_bits(numbers: MapNumbers, unit: Unit, places: Iterable[str]) -> int:
    """The locations to which a unit may retreat as bits."""
    near = numbers.next_to(unit.kind, unit.location)
    return sum(1 << near.index(place) for place in places)


def retreats_of(numbers: MapNumbers, unit: Unit, bits: int) -> tuple[str, ...]:
    """The locations to which a unit may retreat, from their bits."""
    near = numbers.next_to(unit.kind, unit.location)
    return tuple(place for at, place in enumerate(near) if bits >> at & 1)


def values_of(numbers: MapNumbers, row: Sequence[int]) -> Values:
    """The attributes of a unit, from their numbers."""
    known = zip(numbers.attributes.items(), row, strict=False)
    return tuple((name, values[at]) for (name, values), at in known)


def owners_of(
    numbers: MapNumbers, centers: Mapping[str, Iterable[str]], unknown: Iterable[str] = ()
) -> bytes:
    """The number of the power that owns each province, from power -> its centres, and the centres
    whose owner is unknown."""
    most, number_of = len(numbers.provinces), numbers.number_of
    found = bytearray([NOBODY]) * most
    for power, owned in centers.items():
        owner = numbers.number_of_power[power]
        for code in owned:
            if (at := number_of.get(code, most)) < most:
                found[at] = owner
    for code in unknown:
        found[number_of[code]] = UNKNOWN
    return bytes(found)


def owners_for(
    board: Map, position: Position | None, phase: PhaseName, needed: bool
) -> Owners | None:
    """The owners on a board: those of its position, or, where the rules need them, those of a phase
    of which only the units are stated."""
    if position is not None:
        return Owners(position.centers, position.unknown_centers)
    return owners_stated(board, phase, None) if needed else None


def centers_of(numbers: MapNumbers, owners: Iterable[int]) -> dict[str, tuple[str, ...]]:
    """Power -> the centres that it owns, both sorted, from the owner of each province."""
    owned = zip(owners, numbers.provinces, strict=True)
    found = grouped((numbers.powers[at], code) for at, code in owned if at < UNKNOWN)
    return {power: tuple(found[power]) for power in sorted(found)}


def unknown_of(numbers: MapNumbers, owners: Iterable[int]) -> tuple[str, ...]:
    """The centres whose owner is unknown, sorted, from the owner of each province."""
    owned = zip(owners, numbers.provinces, strict=True)
    return tuple(sorted(code for at, code in owned if at == UNKNOWN))
