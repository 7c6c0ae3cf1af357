"""Legal orders: every order of a position that the rules accept as written.

In a movement phase these are the orders that `judge_orders` calls LEGAL, each listed once and
written in full: a unit with its kind, its location and, if it is foreign, its power; a fleet's
target with its coast. A move that is only possible by convoy is listed with `VIA`; it means the
same without. Convoy paths (DATC 4.A.6) are written only where the settings require them; then
there is one move for every route with no fleet to spare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from dipsat.base import grouped
from dipsat.board import Province, UnitKind, coast_of, province_of
from dipsat.errors import GameError, UnknownNameError
from dipsat.game.conditions import allowed_retreats, conditions_on, convoying
from dipsat.game.convoy_routes import ConvoyRoute, ConvoyRoutes
from dipsat.game.next_phase import adjustments, build_sites, kinds_to_build, powers_of
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import DislodgedUnit, Position
from dipsat.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitName,
    Waive,
    write_order,
)
from dipsat.rules import Settings


def legal_orders(position: Position, settings: Settings) -> Mapping[str, tuple[Order, ...]]:
    """All orders that may be given in the position's phase, by the unit they are for.

    The keys are units such as `A PAR`, sorted by location: in a movement phase every unit on the
    board, in a retreat phase the dislodged ones, in an adjustment phase those of the powers that
    must disband. Where a power may build, the key is the province, `PAR`, and the list has the
    builds and, if the settings allow it, `Waive`. A unit's own holds and moves come before supports
    and convoys, then places are sorted by code.

    Each order is accepted if it is given alone. Several may exclude each other (two builds in one
    province, more disbands than are due).
    """
    return {str(subject): subject.orders() for subject in _subjects(position, settings)}


def legal_orders_of(position: Position, settings: Settings, unit: str) -> tuple[Order, ...]:
    """The orders of `legal_orders` for one unit, or for the builds in one province.

    `unit` is in any notation that the reader knows; everything except the province may be left out.
    Raises `UnknownNameError` with similar names if there is no such unit, `GameError` for a unit
    that has no orders in this phase, and what the reader raises.
    """
    named = position.reader.read_unit(unit)
    subjects = _subjects(position, settings)
    for subject in subjects:
        if subject.is_meant_by(named):
            return subject.orders()
    place = province_of(named.location)
    standing = position.by_province.get(place)
    if standing is not None and _Subject(standing.full_name, tuple).is_meant_by(named):
        is_retreat = position.phase.kind is PhaseKind.RETREAT
        why = "it is not dislodged" if is_retreat else f"{standing.power} disbands no unit"
        raise GameError(f"{standing} has no orders in {position.phase}: {why}")
    near = [one for one in subjects if province_of(one.name.location) == place] or subjects
    known = [one.name.text(with_power=named.power is not None) for one in near]
    raise UnknownNameError("unit", named.text(with_power=True), known, str(position.phase))


def legal_order_texts(
    position: Position, settings: Settings, notation: str = "diplomacy"
) -> Mapping[str, tuple[str, ...]]:
    """`legal_orders` as texts in a notation of `dipsat.orders.texts.NOTATIONS`.

    `diplomacy` cannot express a foreign unit's power: where the setting `nationality_missing` is
    `illegal`, use another notation. Raises `UnknownNameError` for an unknown notation.
    """
    board, adjusting = position.map, position.phase.kind is PhaseKind.ADJUSTMENT
    return {
        str(subject): tuple(
            write_order(order, board, notation, power=subject.name.power, adjustment=adjusting)
            for order in subject.orders()
        )
        for subject in _subjects(position, settings)
    }


@dataclass(frozen=True, slots=True)
class _Subject:
    """The subject of an order: a unit, or (without kind) a province to build in."""

    name: UnitName
    orders: Callable[[], tuple[Order, ...]]

    def __str__(self) -> str:
        return self.name.text()

    def is_meant_by(self, named: UnitName) -> bool:
        """Whether `named` refers to this subject."""
        mine = self.name
        if province_of(named.location) != province_of(mine.location):
            return False
        if named.power not in (None, mine.power):
            return False
        if mine.kind is None:
            return True
        fits = not coast_of(named.location) or named.location == mine.location
        return fits and named.kind in (None, mine.kind)


def _subjects(position: Position, settings: Settings) -> list[_Subject]:
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return _adjustment_subjects(position, settings)
    if position.phase.kind is PhaseKind.RETREAT:
        return [
            _Subject(lost.unit.full_name, partial(_retreats, position, lost, settings))
            for lost in position.dislodged
        ]
    if position.phase.extra_season:
        return [_Subject(unit.full_name, tuple) for unit in position.units]
    movement = _Movement(position, settings)
    return [_Subject(unit.full_name, partial(movement.orders, unit)) for unit in position.units]


# --- retreats, builds and disbands ----------------------------------------------------------------


def _retreats(position: Position, lost: DislodgedUnit, settings: Settings) -> tuple[Order, ...]:
    name = lost.unit.name
    places = allowed_retreats(position, lost.unit, sorted(lost.retreats), settings)
    return (*(Retreat(name, place) for place in places), Disband(name))


def _adjustment_subjects(position: Position, settings: Settings) -> list[_Subject]:
    found: list[_Subject] = []
    for power in powers_of(position):
        due = adjustments(position, power, settings)
        if due > 0:
            for code in build_sites(position, power, settings):
                kinds = kinds_to_build(position, power, code, settings)
                builds = partial(_builds, position.map.provinces[code], kinds, settings)
                found.append(_Subject(UnitName(code, None, power), builds))
        elif due < 0:
            units = (unit for unit in position.units if unit.power == power)
            found += [_Subject(unit.full_name, partial(_disbands, unit)) for unit in units]
    return sorted(found, key=lambda subject: subject.name.location)


def _builds(
    province: Province, kinds: tuple[UnitKind, ...], settings: Settings
) -> tuple[Order, ...]:
    found: list[Order] = []
    for kind in kinds:
        places = province.locations if kind.has_coasts else (province.code,)
        found += [Build(UnitName(place, kind)) for place in places]
    if settings.waive == "allowed":
        found.append(Waive())
    return tuple(found)


def _disbands(unit: Unit) -> tuple[Order, ...]:
    return (Disband(unit.name),)


# --- movement -------------------------------------------------------------------------------------


def _by_province(places: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    found = grouped((province_of(place), place) for place in places)
    return {code: tuple(locations) for code, locations in found.items()}


class _Movement:
    """Lists the movement orders of one position."""

    def __init__(self, position: Position, settings: Settings) -> None:
        self.position = position
        self.board = position.map
        self.settings = settings
        with_paths = settings.convoy_path == "required"
        self.convoying = [
            (one, ConvoyRoutes(one.net, one.carriers, with_paths))
            for one in convoying(position, settings)
        ]
        self.conditions = conditions_on(position, settings)
        self.reached = {unit.province: self._reached(unit) for unit in position.units}
        self.convoyed = {unit.province: self._convoyed(unit) for unit in position.units}

    def orders(self, unit: Unit) -> tuple[Order, ...]:
        """Every legal order of a unit."""
        name = unit.name
        found: list[Order] = [Hold(name)]
        if unit.power in self.board.neutrals:
            return tuple(found)
        found += self._moves(unit, name)
        found += self._supports(unit, name)
        found += self._convoys(unit, name)
        conditions = self.conditions
        if conditions is None:
            return tuple(found)
        return tuple(order for order in found if conditions.refusal(unit, order) is None)

    def _reached(self, unit: Unit) -> Mapping[str, tuple[str, ...]]:
        """Province -> the locations in it that a unit can move to without a convoy."""
        if unit.power in self.board.neutrals:
            return {}
        return _by_province(sorted(self.board.reach(unit.kind, unit.location)))

    def _convoyed(self, unit: Unit) -> Mapping[str, ConvoyRoute]:
        """Location -> the route there, for a unit that others could convoy."""
        found: dict[str, ConvoyRoute] = {}
        for one, routes in self.convoying if unit.power not in self.board.neutrals else ():
            if one.carriage.cargo is unit.kind:
                for place, route in routes.ways(unit.location).items():
                    found[place] = found[place].or_by(route) if place in found else route
        return found

    @cached_property
    def carried_to(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Province of a unit -> province -> the locations in it to which it could be convoyed."""
        return {origin: _by_province(routes) for origin, routes in self.convoyed.items()}

    @cached_property
    def carried(self) -> Mapping[str, Mapping[str, list[str]]]:
        """Province of a carrier -> province of a unit -> the targets of that unit's convoys in
        which the carrier could take part."""
        found: dict[str, dict[str, list[str]]] = {}
        for origin, routes in self.convoyed.items():
            for target, route in routes.items():
                for sea in route.carriers:
                    found.setdefault(sea, {}).setdefault(origin, []).append(target)
        return found

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Province -> the number of the unit there."""
        return {unit.province: number for number, unit in enumerate(self.position.units)}

    @cached_property
    def coming(self) -> Mapping[str, list[int]]:
        """Province -> the numbers of the units that could go there."""
        return grouped(
            (target, number)
            for number, unit in enumerate(self.position.units)
            for target in self.reached[unit.province].keys() | self.carried_to[unit.province].keys()
        )

    @cached_property
    def names(self) -> Mapping[str, list[UnitName]]:
        """Power -> how it names each unit in its orders."""
        own = [unit.name for unit in self.position.units]
        full = [unit.full_name for unit in self.position.units]
        powers = [unit.power for unit in self.position.units]
        return {
            power: [
                short if owner == power else whole
                for owner, short, whole in zip(powers, own, full, strict=True)
            ]
            for power in set(powers)
        }

    def _moves(self, unit: Unit, name: UnitName) -> Iterator[Move]:
        """4.A.3, 4.A.6: moves by land and, where the order may say so, by convoy."""
        reached, convoyed = self.reached[unit.province], self.convoyed[unit.province]
        orders_decide = self.settings.adjacent_convoy in ("opposed", "always")
        by_land = {place for places in reached.values() for place in places}
        for place in sorted({*by_land, *convoyed}):
            if place in by_land:
                yield Move(name, place)
            if place not in convoyed:
                continue
            if self.settings.convoy_path == "required":
                for path in convoyed[place].paths:
                    yield Move(name, place, True, path)
            elif not (orders_decide and place in by_land):
                found = Move(name, place, True)
                refused = self.conditions is not None and self.conditions.refusal(unit, found)
                # A move that is only possible by sea need not say so; these rules forbid saying so.
                yield Move(name, place) if refused and place not in by_land else found

    def _supports(self, unit: Unit, name: UnitName) -> Iterator[SupportHold | SupportMove]:
        """4.B.4, 4.E.1: supports of units that stand where this one could go, or could go there."""
        near = sorted(self.reached[unit.province])
        units, names, numbers = self.position.units, self.names[unit.power], self.numbers
        for number in sorted(numbers[target] for target in near if target in numbers):
            if units[number] is not unit:
                yield SupportHold(name, names[number])
        pairs = [(number, target) for target in near for number in self.coming.get(target, ())]
        for number, target in sorted(pairs):
            if units[number] is not unit:
                for place in self._supported_places(unit, units[number], target):
                    yield SupportMove(name, names[number], place)

    def _supported_places(self, unit: Unit, other: Unit, target: str) -> tuple[str, ...]:
        """How the target of a support may be written: with any coast that the other unit reaches,
        and without a coast where that is a different support."""
        places = self.reached[other.province].get(target, ())
        carried = self.carried_to[other.province].get(target, ())
        if carried and places != (target,):
            routes = self.convoyed[other.province]
            could = (at for at in carried if unit.province not in routes[at].needed)
            places = tuple(sorted({*places, *could}))
        rule = self.settings.support_coast
        if len(places) < 2 or rule in ("required", "first"):
            return places
        if rule == "ignored":
            return (target,)
        if rule == "own" and unit.power != other.power:
            return places
        return (target, *places)

    def _convoys(self, unit: Unit, name: UnitName) -> Iterator[Convoy]:
        """Convoys of every unit that has a route which needs this carrier."""
        carried = self.carried.get(unit.province)
        if carried is None:
            return
        names = self.names[unit.power]
        for number, army in enumerate(self.position.units):
            for target in carried.get(army.province, ()):
                yield Convoy(name, names[number], target)
