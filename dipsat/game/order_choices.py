"""Legal orders: every order of a position that the rules accept as written.

In a movement phase these are the orders that `judge_orders` calls LEGAL, each listed once and
written in full: a unit with its kind, its location and, if it is foreign, its power; a fleet's
target with its coast. A move that is only possible by convoy is listed with `VIA`; it means the
same without. Convoy paths (DATC 4.A.6) are written only where the settings require them; then
there is one move for every route with no fleet to spare.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import TypeAlias

from dipsat.base import grouped, kept_on_first, titled
from dipsat.board import ConvoyNet, Map, UnitKind, bits_of, coast_of, province_of
from dipsat.errors import GameError, UnknownNameError, nearest_names
from dipsat.game.conditions import allowed_retreats, conditions_on, convoying
from dipsat.game.convoy_routes import ConvoyRoutes
from dipsat.game.next_phase import adjustments, build_sites, kinds_to_build, powers_of
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import DislodgedUnit, Position
from dipsat.orders import (
    DEFAULT_NOTATION,
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
    builds and, if the settings allow it, `Waive`. A unit's own hold and moves come before its
    supports and convoys; within these, places are sorted by code.

    Each order is accepted if it is given alone. Some exclude each other (two builds in one
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
    known = (one.name.text(with_power=named.power is not None) for one in near)
    raise missing_unit(named, known, str(position.phase))


def missing_unit(
    named: UnitName, units: Iterable[str], phase: str, hint: str = ""
) -> UnknownNameError:
    """The error for a unit that is not in a phase. Of its `units`, those in places with a similar
    name may have been meant."""
    code = province_of(named.location)
    near = (one for one in units if nearest_names(code, [province_of(one.rpartition(" ")[2])]))
    owner = f" of {titled(named.power)}" if named.power else ""
    problem = f"there is no unit {named.text()}{owner} in {phase}"
    return UnknownNameError("unit", named.text(), (), hint=hint, problem=problem, meant=near)


def listed_order_texts(
    position: Position,
    settings: Settings,
    notation: str = DEFAULT_NOTATION,
    power: str | None = None,
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each entry of `legal_orders` after the power that orders it, with texts in a notation of
    `dipsat.orders.texts.NOTATIONS`. If a `power` is given, only its entries.

    `diplomacy` cannot express a foreign unit's power: where the setting `nationality_missing` is
    `illegal`, use another notation. Raises `UnknownNameError` for an unknown notation.
    """
    is_movement = position.phase.kind is PhaseKind.MOVEMENT
    if is_movement and settings.conditions is None and notation == DEFAULT_NOTATION:
        movement = _Movement(position, settings)
        for at, unit in enumerate(position.units):
            if power in (None, unit.power):
                yield unit.power, str(unit), movement.texts(at)
        return
    board, adjusting = position.map, position.phase.kind is PhaseKind.ADJUSTMENT
    for subject in _subjects(position, settings):
        owner = subject.name.power
        assert owner is not None
        if power in (None, owner):
            texts = (
                write_order(order, board, notation, power=owner, adjustment=adjusting)
                for order in subject.orders()
            )
            yield owner, str(subject), tuple(texts)


@dataclass(frozen=True, slots=True)
class _Subject:
    """The subject of an order: a unit, or (without a kind) a province to build in."""

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
    return [
        _Subject(unit.full_name, partial(movement.orders, at))
        for at, unit in enumerate(position.units)
    ]


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
                builds = partial(_builds, position.map, code, kinds, settings.waive == "allowed")
                found.append(_Subject(UnitName(code, None, power), builds))
        elif due < 0:
            units = (unit for unit in position.units if unit.power == power)
            found += [_Subject(unit.full_name, partial(_disbands, unit)) for unit in units]
    return sorted(found, key=lambda subject: subject.name.location)


@kept_on_first(5_000)  # as few as there are centres and kinds of units
def _builds(
    board: Map, code: str, kinds: tuple[UnitKind, ...], may_waive: bool
) -> tuple[Order, ...]:
    province, found = board.provinces[code], list[Order]()
    for kind in kinds:
        places = province.locations if kind.has_coasts else (code,)
        found += [Build(UnitName(place, kind)) for place in places]
    return (*found, Waive()) if may_waive else tuple(found)


def _disbands(unit: Unit) -> tuple[Order, ...]:
    return (Disband(unit.name),)


# --- movement -------------------------------------------------------------------------------------


@kept_on_first()
def _provinces(board: Map) -> tuple[tuple[str, ...], Mapping[str, int]]:
    """The sorted provinces, and the bit of each in this order."""
    codes = tuple(sorted(board.provinces))
    return codes, {code: 1 << at for at, code in enumerate(codes)}


@kept_on_first(10_000)  # the same few sets of neighbours are asked for repeatedly
def _codes_of(board: Map, provinces: int) -> tuple[str, ...]:
    """The provinces with these bits, sorted."""
    codes, _ = _provinces(board)
    return tuple([codes[bit.bit_length() - 1] for bit in bits_of(provinces)])


class _Reach:
    """Where a unit could go: `places`, sorted, and the bits of their `provinces`."""

    def __init__(self, board: Map, places: Iterable[str]) -> None:
        _, bits = _provinces(board)
        self.places = sorted(places)
        self.provinces = 0
        self.coasts = 0
        """The bits of the provinces with several coasts in which it reaches one of them."""
        for place in self.places:
            if "/" in place:
                self.coasts |= bits[province_of(place)]
            else:
                self.provinces |= bits[place]
        self.provinces |= self.coasts

    @cached_property
    def by_province(self) -> Mapping[str, list[str]]:
        """Province -> the places in it."""
        return grouped((province_of(place), place) for place in self.places)


@kept_on_first(5_000)  # the same few units occur in every position
def _by_land(board: Map, kind: UnitKind, location: str) -> _Reach:
    """Where a unit could go without a convoy."""
    return _Reach(board, board.reach(kind, location))


_Carried: TypeAlias = tuple[tuple[ConvoyNet, int], ...]
"""The networks over which a unit could be convoyed, each with its destinations as bits."""


def _landings(board: Map, carried: _Carried) -> _Reach:
    """Where a unit could go by convoy."""
    return _Reach(board, {place for net, bits in carried for place in net.places_of(bits)})


_Move: TypeAlias = tuple[str, bool, tuple[str, ...]]
"""A move: its target, whether it says "via convoy", and the convoy path that it names."""


class _Movement:
    """Lists the movement orders of one position. Units are referred to by their numbers."""

    def __init__(self, position: Position, settings: Settings) -> None:
        self.units = position.units
        self.names = [str(unit) for unit in position.units]
        self.board = board = position.map
        self.settings = settings
        self.convoying = [
            (one, ConvoyRoutes(one.net, one.mask)) for one in convoying(position, settings)
        ]
        self.conditions = conditions_on(position, settings)
        self.codes_of = cache(partial(_codes_of, board))
        self.landings = cache(partial(_landings, board))
        self.places_of = cache(ConvoyNet.places_of)
        self.near = [
            _by_land(board, unit.kind, unit.location)
            if unit.power not in board.neutrals
            else _Reach(board, ())
            for unit in position.units
        ]
        self.carried = [self._carried(unit) for unit in position.units]
        self.cargo = [(at, carried) for at, carried in enumerate(self.carried) if carried]
        self.carriers = {code for one, _ in self.convoying for code in one.carriers}
        self.carriers -= {unit.province for unit in position.units if unit.power in board.neutrals}
        self.coasts = [near.coasts for near in self.near]
        self.numbers = {unit.province: at for at, unit in enumerate(position.units)}
        self.goes = [near.provinces for near in self.near]
        _, bits = _provinces(board)
        for at, carried in self.cargo:
            by_sea = self.landings(carried)
            others = ~bits[position.units[at].province]
            self.goes[at] |= by_sea.provinces & others
            self.coasts[at] |= by_sea.coasts & others
        self.coastal = [at for at, coasts in enumerate(self.coasts) if coasts]

    def orders(self, at: int) -> tuple[Order, ...]:
        """Every legal order of a unit."""
        unit, conditions = self.units[at], self.conditions
        name = unit.name
        found: list[Order] = [Hold(name)]
        found += [Move(name, *values) for values in self._moves(at)]
        named = self.named[unit.power]
        found += [SupportHold(name, named[other]) for other in self._holding(at)]
        for kind, about in ((SupportMove, self._supported(at)), (Convoy, self._convoyed(at))):
            for other, targets in about.items():
                found += [kind(name, named[other], target) for target in targets]
        if conditions is None:
            return tuple(found)
        return tuple(order for order in found if conditions.refusal(unit, order) is None)

    def texts(self, at: int) -> tuple[str, ...]:
        """The same orders as texts in the notation `diplomacy`, for rules without conditions."""
        names, moves = self.names, self._moves(at)
        name = names[at]
        found = [f"{name} H"]
        found += [
            f"{name} - {' - '.join((*path, place))}{' VIA' if via else ''}"
            for place, via, path in moves
        ]
        found += [f"{name} S {names[other]}" for other in self._holding(at)]
        supported = self._supported(at).items()
        found += [f"{name} S {names[other]} - {place}" for other, to in supported for place in to]
        for other, places in self._convoyed(at).items():
            begin = f"{name} C {names[other]} - "
            found += [begin + place for place in places]
        return tuple(found)

    @cached_property
    def named(self) -> Mapping[str, list[UnitName]]:
        """Power -> how it names each unit in its orders."""
        both = [(unit.power, unit.name, unit.full_name) for unit in self.units]
        return {
            power: [own if owner == power else full for owner, own, full in both]
            for power in {owner for owner, _, _ in both}
        }

    @cached_property
    def carrying(self) -> list[tuple[int, ConvoyNet, Mapping[str, int]]]:
        """Each unit that could be convoyed, with a network, and for each carrier the places to
        which it could take part in the convoy."""
        return [
            (at, one.net, routes.carrying(self.units[at].location))
            for at, _ in self.cargo
            for one, routes in self.convoying
            if one.carriage.cargo is self.units[at].kind
        ]

    def _carried(self, unit: Unit) -> _Carried:
        """Where other units could convoy a unit."""
        if unit.power in self.board.neutrals:
            return ()
        found = (
            (one.net, routes.places(unit.location))
            for one, routes in self.convoying
            if one.carriage.cargo is unit.kind
        )
        return tuple(pair for pair in found if pair[1])

    def _moves(self, at: int) -> list[_Move]:
        """4.A.3, 4.A.6: moves by land and, where the order may ask for it, by convoy."""
        by_land, carried = self.near[at].places, self.carried[at]
        moves: list[_Move] = [(place, False, ()) for place in by_land]
        if not carried:
            return moves
        unit, settings = self.units[at], self.settings
        if settings.convoy_path == "required":
            for one, routes in self.convoying:
                if one.net in dict(carried):
                    for place, paths in routes.paths(unit.location).items():
                        moves += [(place, True, path) for path in paths]
            return sorted(moves)
        own = unit.province
        by_sea = [place for place in self.landings(carried).places if province_of(place) != own]
        if settings.adjacent_convoy in ("opposed", "always"):  # the orders decide which way it goes
            by_sea = [place for place in by_sea if place not in by_land]
        moves += [(place, self._says_via(unit, place, by_land), ()) for place in by_sea]
        return sorted(moves)

    def _says_via(self, unit: Unit, place: str, by_land: Collection[str]) -> bool:
        """Whether a move by sea says "via convoy". Rules may forbid it if there is no way by
        land."""
        if self.conditions is None or place in by_land:
            return True
        return self.conditions.refusal(unit, Move(unit.name, place, True)) is None

    def _holding(self, at: int) -> list[int]:
        """4.B.4: the units that a unit can support to hold: it could go where they stand."""
        numbers = self.numbers
        return sorted(numbers[code] for code in self.near[at].by_province if code in numbers)

    def _supported(self, at: int) -> Mapping[int, Sequence[str]]:
        """4.B.4, 4.E.1: the units that could go where this one could go, each with the targets of
        the moves that this one can support."""
        near, codes_of = self.near[at].provinces, self.codes_of
        found: dict[int, Sequence[str]] = {
            other: codes_of(there)
            for other, goes in enumerate(self.goes)
            if (there := goes & near) and other != at
        }
        needing = self._needing(at)
        for other in needing.keys() & found.keys():
            goes = self.near[other].provinces | self.landings(needing[other]).provinces
            found[other] = codes_of(goes & self.goes[other] & near)
        for other in self.coastal:
            if self.coasts[other] & near and other != at:
                carried = needing.get(other, self.carried[other])
                is_own = self.units[other].power == self.units[at].power
                written = (self._written(other, code, carried, is_own) for code in found[other])
                found[other] = [place for places in written for place in places]
        return found

    def _convoyed(self, at: int) -> Mapping[int, Sequence[str]]:
        """The units with a route that needs this carrier, and the targets of their convoys."""
        code, places_of = self.units[at].province, self.places_of
        if code not in self.carriers:
            return {}
        return {
            other: places_of(net, carrying[code])
            for other, net, carrying in self.carrying
            if code in carrying
        }

    def _needing(self, at: int) -> dict[int, _Carried]:
        """The units that need this carrier for convoys to where it could support, which it cannot
        do as well. Each has the places there to which it could be convoyed without this carrier."""
        code, found = self.units[at].province, {}
        for one, routes in self.convoying if code in self.carriers else ():
            if code not in one.carriers or code not in one.net.bits:  # a sea with ways in only
                continue
            net, bit, shore = one.net, one.net.bits[code], 0
            for near in self.near[at].by_province:
                shore |= net.own_of(net.bits[near]) if near in net.bits else 0
            for other, carried in self.cargo:
                origin = self.units[other].location
                for each, places in carried:
                    if each is net and routes.needs(bit, origin, places & shore):
                        others = tuple(pair for pair in carried if pair[0] is not net)
                        found[other] = (*others, (net, routes.places(origin, bit) & shore))
        return found

    def _written(self, other: int, target: str, carried: _Carried, is_own: bool) -> list[str]:
        """How the target of a support may be written: with any coast that the other unit reaches,
        and without a coast where that would be a different support."""
        places = self.near[other].by_province.get(target, [])
        if carried and places != [target]:
            by_sea = self.landings(carried).by_province.get(target, [])
            places = sorted({*places, *by_sea})
        rule = self.settings.support_coast
        if len(places) < 2 or rule in ("required", "first"):
            return places
        if rule == "ignored":
            return [target]
        if rule == "own" and not is_own:
            return places
        return [target, *places]
