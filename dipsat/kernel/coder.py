"""Codes for units, orders and positions that people write, and the way back."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from dipsat.base import ORDERS, grouped
from dipsat.board import Map, province_of
from dipsat.errors import ArgumentError, CodeError, DipsatError, PositionError
from dipsat.game import (
    FIRST_PHASE,
    STATE_OWNERS,
    DislodgedUnit,
    Owners,
    PhaseKind,
    PhaseName,
    Position,
    by_location,
    owners_stated,
    read_submissions,
    unit_reader,
)
from dipsat.kernel.codes import (
    BAD_LOCATION,
    BUILD,
    DISBAND,
    PHASE_KINDS,
    RETREAT,
    WAIVE,
    BoardCodes,
    Orders,
    PositionCodes,
    Units,
    check_board,
    check_position,
    empty_positions,
    fault_of_row,
    zeros,
)
from dipsat.kernel.library import KernelLibrary
from dipsat.kernel.numbers import (
    CONVOY,
    HOLD,
    MOVE,
    NO_ORDER,
    NOBODY,
    SEASONS,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    UNKNOWN,
    DeclinedError,
    MapNumbers,
    next_to,
    unit_numbers,
)
from dipsat.orders import (
    TEXT_FAULTS,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    OrderReader,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitName,
    Values,
    Waive,
    reader_for,
    unit_of,
)
from dipsat.rules import Profile, Settings, asks_for_owners

Row: TypeAlias = tuple[int, int, int, int]
"""The code of an order."""
LISTS = {list, tuple}
"""The types of the lists in which orders and units are given."""

_NO_CODE = (
    *TEXT_FAULTS, PositionError, DeclinedError,
    AttributeError, LookupError, OverflowError, TypeError, ValueError,
)  # fmt: skip
"""The errors of input without codes or with faults; reading with more care finds faults again."""


class _Standing(NamedTuple):
    number: int
    power: int
    kind: str
    location: str


class CodedOrders(NamedTuple):
    """The orders of a movement phase, as four numbers for each unit."""

    rows: array[int]
    has_strays: bool
    """Whether there are also orders for units that do not exist."""
    texts: Sequence[Any]
    """All orders as they were given."""
    lines: array[int]
    """For each unit, the number of its order in `texts`, from 1; 0 if it has none."""


# --- parts of codes -------------------------------------------------------------------------------


def retreat_bits(numbers: MapNumbers, unit: Unit, places: Iterable[str]) -> int:
    """The locations to which a unit may retreat as bits."""
    near = next_to(numbers.board, unit.kind, unit.location)
    return sum(1 << near.index(place) for place in places)


def retreats_of(numbers: MapNumbers, unit: Unit, bits: int) -> tuple[str, ...]:
    """The locations to which a unit may retreat, from their bits."""
    near = next_to(numbers.board, unit.kind, unit.location)
    return tuple(place for at, place in enumerate(near) if bits >> at & 1)


def values_of(numbers: MapNumbers, row: Sequence[int]) -> Values:
    """The attributes of a unit, from their numbers."""
    known = zip(numbers.attributes.items(), row, strict=False)
    return tuple((name, values[at]) for (name, values), at in known)


def owners_of(
    numbers: MapNumbers, centers: Mapping[str, Iterable[str]], unknown: Iterable[str] = ()
) -> bytes:
    """The number of each province's owner, given power -> its centres, and the centres whose owner
    is unknown."""
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
    """The owners on a board: those of its position or, if the rules need them, the owners in a
    phase for which only units are given."""
    if position is not None:
        return Owners(position.centers, position.unknown_centers)
    return owners_stated(board, phase, None) if needed else None


def centers_of(numbers: MapNumbers, owners: Iterable[int]) -> dict[str, tuple[str, ...]]:
    """Power -> the centres that it owns, both sorted, given the owner of each province."""
    owned = zip(owners, numbers.provinces, strict=True)
    found = grouped((numbers.powers[at], code) for at, code in owned if at < UNKNOWN)
    return {power: tuple(found[power]) for power in sorted(found)}


def unknown_of(numbers: MapNumbers, owners: Iterable[int]) -> tuple[str, ...]:
    """The centres whose owner is unknown, sorted, given the owner of each province."""
    owned = zip(owners, numbers.provinces, strict=True)
    return tuple(sorted(code for at, code in owned if at == UNKNOWN))


_KEPT, _NONE = "kept: codes of units", (None, array("H"))
_KIND = "kind_wrong", "kind_missing"
_NATIONALITY = "nationality_wrong", "nationality_missing"
_NAMINGS = (*_KIND, *_NATIONALITY)
_PLACE = "place"
_PLACINGS = ("unit_coast_wrong", "coast_irrelevant")


class Coder:
    """Codes boards and positions of one map under one profile. Compiled code reads the texts that
    programs write. Texts that it refuses, and all texts if there is none, are read here."""

    def __init__(
        self, numbers: MapNumbers, profile: Profile, library: KernelLibrary | None = None
    ) -> None:
        self.numbers = numbers
        self.board: Map = numbers.board
        self.profile = profile
        self.settings: Settings = profile.settings
        self.library = library
        names = self.settings
        self._minded = frozenset(one for one in _NAMINGS if getattr(names, one) != "valid")
        if any(getattr(names, one) != "ignored" for one in _PLACINGS):
            self._minded |= {_PLACE}
        self.asks = asks_for_owners(profile)
        self._row_on_board = lru_cache(20_000)(self._row_of_standing)
        self._strays_count = (
            names.disorder_support == "refused" or names.implicit_orders == "deduced"
        )

    @cached_property
    def _reader(self) -> OrderReader:
        return reader_for(self.board, self.profile.words)

    @cached_property
    def _read_unit(self) -> Callable[[str, str], Unit]:
        return unit_reader(self.board, self.profile.words)

    def __reduce__(self) -> tuple[type[Coder], tuple[MapNumbers, Profile]]:
        return Coder, (self.numbers, self.profile)

    @property
    def care(self) -> tuple[frozenset[str], bool]:
        """Orders without codes, because settings decide what they mean: the wrong ways to name a
        unit that matter, and whether orders for units that do not exist matter."""
        return self._minded, self._strays_count

    @property
    def rows(self) -> int:
        """The number of rows for orders of one position."""
        return 2 * self.numbers.most_units

    # --- boards -----------------------------------------------------------------------------------

    def encode(
        self, boards: Iterable[tuple[Units, Orders]], phase: PhaseName, lenient: bool = False
    ) -> BoardCodes:
        """The codes of these boards; `phase` is the phase of boards without a `Position`."""
        starts, seasons = array("I", [0]), array("B")
        units, orders = array("H"), array("H")
        owners = dict[int, bytes]()  # of the boards with owned centres
        uncoded: dict[int, tuple[Position, Orders]] = {}
        width = self.numbers.unit_width
        for at, (placed, ordered) in enumerate(boards):
            position = placed if isinstance(placed, Position) else None
            try:
                now = phase if position is None else self._phase_of(position)
                if not isinstance(placed, Position):
                    placed = _in_lists(placed)
                ordered = _in_lists(ordered)
                owned = owners_for(self.board, position, now, self.asks)
                # Adjudicating a board that needs an unknown owner raises the error.
                is_unsure = self.asks and owned is not None and owned.unknown
                coded = None if is_unsure else self.moves(placed, ordered)
                if coded is None:
                    position = self._position(placed, now)
                    # Find faults now, not later.
                    read_submissions(position, ordered, self.settings, lenient=lenient)
                    uncoded[at] = position, ordered
                else:
                    units.extend(coded[0])
                    orders.extend(coded[1].rows)
            except DipsatError as error:
                error.add_note(f"on board {at}")
                raise
            starts.append(len(units) // width)
            seasons.append(_SEASONS[now.season])
            if owned is not None:
                owners[at] = owners_of(self.numbers, *owned)
        of_all = None
        if owners:
            unstated = owners_of(self.numbers, {}, self.board.centers)
            of_all = array("B", b"".join(owners.get(at, unstated) for at in range(len(seasons))))
        return BoardCodes(
            starts, units, orders, seasons, of_all, uncoded, lenient, self.numbers.name
        )

    def _phase_of(self, position: Position) -> PhaseName:
        wanted = f"positions of movement phases on the map {self.board.name}"
        if position.phase.kind is not PhaseKind.MOVEMENT:
            raise ArgumentError("dipsat.kernel.Batch.encode", "boards", str(position.phase), wanted)
        if position.map is not self.board and position.map != self.board:
            raise ArgumentError("dipsat.kernel.Batch.encode", "boards", position.map.name, wanted)
        return position.phase

    def _position(self, placed: Units, phase: PhaseName) -> Position:
        if isinstance(placed, Position):
            return placed.with_words(self.profile.words)
        return Position.from_units(placed, self.board, phase, rules=self.profile)

    def moves(self, placed: Units, ordered: Orders) -> tuple[array[int], CodedOrders] | None:
        """The codes of units and their orders in a movement phase; both are given in lists. None
        for a board that must be read with more care or has no codes."""
        try:
            if isinstance(placed, Position):
                numbers, units = vars(placed).get(_KEPT, _NONE)
                if numbers is not self.numbers:
                    units = array("H", b"".join(map(self._row_on_board, placed.units)))
                    self.keep(placed, units)
            else:
                units = self._units(*self._listed(placed))
            found = self._orders(units, *self._listed(ordered))
        except _NO_CODE:
            return None
        return found and (units, found)

    def keep(self, position: Position, units: array[int]) -> None:
        """Keep the codes of a position's units in the position."""
        vars(position)[_KEPT] = self.numbers, units

    def phase(
        self, position: Position, ordered: Orders
    ) -> tuple[array[int], CodedOrders, int] | None:
        """The codes of a movement phase for compiled code, and of its season. None also for a board
        that is too large, or that lacks an owner that the rules need."""
        season = _SEASONS.get(position.phase.season)
        if season is None or len(position.units) > self.numbers.most_units:
            return None
        if self.asks and position.unknown_centers:
            return None
        found = self.moves(position, ordered)
        return found and (*found, season)

    def _listed(self, by_power: Mapping[str, Iterable[Any]]) -> tuple[array[int], list[Any]]:
        """The number of each power and the count of its texts, and all texts. Raises
        `DeclinedError` for anything but a list, and `UnknownNameError` for a power."""
        heads, texts, powers = array("H"), list[Any](), self.numbers.number_of_power
        for typed, own in by_power.items():
            if type(own) not in LISTS:
                raise DeclinedError("no list")
            power = powers.get(typed)
            heads.append(powers[self.board.names.power(typed)] if power is None else power)
            heads.append(len(own))  # type: ignore[arg-type]  # a list or tuple
            texts += own
        if len(texts) > ORDERS.most:
            raise DeclinedError("too many orders")
        return heads, texts

    # --- units ------------------------------------------------------------------------------------

    def _units(self, heads: array[int], texts: Sequence[Any]) -> array[int]:
        """The codes of units. Raises the errors in `_NO_CODE`."""
        if self.library is not None:
            found = self.library.read_units(heads, texts)
            if found is not None:
                return found
        found, powers = array("H"), self.numbers.powers
        for power, text in _by_power(heads, texts):
            found.extend(self.unit_row(self._read_unit(powers[power], text)))
        return found

    def unit_row(self, unit: Unit) -> tuple[int, ...]:
        """The code of a unit. Raises `DeclinedError` if it has none."""
        numbers, values = self.numbers, dict(unit.attributes)
        if not values.keys() <= numbers.attributes.keys():
            raise DeclinedError("an attribute that the rules do not declare")
        attributes = [
            known.index(values[name]) if name in values else self._default(name)
            for name, known in numbers.attributes.items()
        ]
        return (*unit_numbers(numbers, unit), *(attributes or (0,)))

    def _row_of_standing(self, unit: Unit) -> bytes:
        """The code of a unit of which no reader has checked that it can stand at its location."""
        if not self.numbers.stands(unit.kind, unit.location):
            raise DeclinedError(BAD_LOCATION)
        return array("H", self.unit_row(unit)).tobytes()

    def _default(self, name: str) -> int:
        attribute = self.profile.declared.attributes[name]
        if not attribute.default:
            raise DeclinedError("an attribute is missing")
        return attribute.values.index(attribute.default)

    # --- orders of a movement phase ---------------------------------------------------------------

    def _orders(
        self, units: array[int], heads: array[int], texts: Sequence[Any]
    ) -> CodedOrders | None:
        """The codes of movement orders; None if they have to be read with more care. Raises the
        errors in `_NO_CODE`."""
        count = len(units) // self.numbers.unit_width
        if self.library is not None:
            rows, lines = zeros("H", 4 * count), zeros("H", count)
            strays = self.library.read_orders(0, units, heads, texts, rows, lines)
            if strays is not None:
                return CodedOrders(rows, strays > 0, texts, lines)
        rows, lines, has_strays = zeros("H", 4 * count), zeros("H", count), False
        standing = self._standing(units, count)
        if standing is None:
            return None
        for line, (power, given) in enumerate(_by_power(heads, texts), start=1):
            order = self._read(given)
            if order.unit.power not in (None, self.numbers.powers[power]):
                return None
            row, named = self.movement_row(order), (order.unit, *_others(order))
            self._check_names(order, named)
            at, owner, *_ = standing.get(province_of(order.unit.location), (0, None))
            if owner != power:
                has_strays = True
                if self._strays_count:
                    return None
                continue
            if lines[at] or not self._are_well_named(named, standing, power):
                return None  # a unit may have several orders
            rows[4 * at : 4 * at + 4] = array("H", row)
            lines[at] = line
        return CodedOrders(rows, has_strays, texts, lines)

    def _standing(self, units: Sequence[int], count: int) -> dict[str, _Standing] | None:
        """Province -> the number, power, kind and location of the unit in it; None if two units
        share a province."""
        numbers, width = self.numbers, self.numbers.unit_width
        found = dict[str, _Standing]()
        for at in range(count):
            power, kind, location = units[width * at : width * at + 3]
            place = numbers.locations[location]
            found[province_of(place)] = _Standing(at, power, numbers.kinds[kind], place)
        return found if len(found) == count else None

    def _read(self, given: Any) -> Any:
        """The order in a text. Raises `DeclinedError` if the reader guessed a name in it."""
        if not isinstance(given, str):
            return given
        order = self._reader.read(given)
        if given in self._reader.guessed:
            raise DeclinedError("a name that is guessed")
        return order

    def _check_names(self, order: Any, named: Iterable[UnitName]) -> None:
        """Raise `DeclinedError` for an order with names that have no codes."""
        if any(name.attributes for name in named):
            raise DeclinedError("attributes in an order")
        target = getattr(order, "target", "")
        if _PLACE in self._minded and target and target not in self.numbers.number_of:
            raise DeclinedError("a coast that the map does not have")

    def _are_well_named(
        self, named: Iterable[UnitName], standing: Mapping[str, _Standing], power: int
    ) -> bool:
        """Whether an order names its unit and the other one so well that no setting has to say
        which unit is meant."""
        numbers = self.numbers
        for name in named:
            there = standing.get(province_of(name.location))
            if there is None:
                continue  # there is no unit, whatever its name
            owner = power if name.power is None else numbers.number_of_power.get(name.power)
            wrong = {_KIND[name.kind is None]: name.kind is not there.kind}
            wrong[_NATIONALITY[name.power is None]] = owner != there.power
            wrong[_PLACE] = name.location != there.location
            if any(wrong[one] for one in wrong.keys() & self._minded):
                return False
        return True

    def movement_row(self, order: Any) -> Row:
        """The code of a movement order whose names have the units' right attributes. Raises
        `DeclinedError` for an order that has no code."""
        kind = _TYPES.get(type(order))
        if kind is None or (isinstance(order, Move) and order.path):
            raise DeclinedError("an order without a code")
        others, target = _others(order), getattr(order, "target", "")
        other = self._location(others[0].location) if others else 0
        via = int(getattr(order, "via", False))
        return kind, via, other, self._location(target) if target else 0

    def _location(self, location: str) -> int:
        """The number of a location; a coast that the map does not have is ignored."""
        found = self.numbers.number_of.get(location)
        return self.numbers.number_of[province_of(location)] if found is None else found

    # --- positions --------------------------------------------------------------------------------

    def encode_positions(self, positions: Iterable[Position]) -> PositionCodes:
        """The codes of positions. Raises `CodeError` for a position that has no codes."""
        listed = list(positions)
        found = empty_positions(len(listed), self.numbers)
        for at, position in enumerate(listed):
            self.write(found, at, position)
        return found

    def write(self, into: PositionCodes, at: int, position: Position) -> None:
        """Write one position. Raises `CodeError` if it has no codes."""
        numbers = self.numbers
        position = position.with_words(self.profile.words)
        most, phase = numbers.most_units, position.phase
        standing = sorted(position.units, key=attrgetter("province"))
        lost = sorted(position.dislodged, key=attrgetter("unit.province"))
        if max(len(position.units), len(lost)) > most:
            raise CodeError(at, None, f"a position with more than {most} units has no codes")
        if position.unknown_centers:
            why = f"since the owner of {position.unknown_centers[0]} is unknown"
            raise CodeError(at, None, f"a position has no codes {why}; {STATE_OWNERS}")
        season, kind = SEASONS.index(phase.season), PHASE_KINDS.index(phase.kind.value)
        into.phases[3 * at : 3 * at + 3] = array("H", (phase.year, season, kind))
        into.counts[2 * at : 2 * at + 2] = array("H", (len(position.units), len(lost)))
        first = numbers.unit_width * most * at
        dislodged = [one.unit for one in lost]
        for rows, units in ((into.units, standing), (into.dislodged, dislodged)):
            coded = array("H", [number for unit in units for number in self.unit_row(unit)])
            rows[first : first + len(coded)] = coded
        for place, one in enumerate(lost):
            into.retreats[most * at + place] = retreat_bits(numbers, one.unit, one.retreats)
        owners, width = owners_of(numbers, position.centers), len(numbers.provinces)
        into.owners[width * at : width * (at + 1)] = array("B", owners)

    def position(self, codes: PositionCodes, at: int) -> Position:
        """The position with this number. Raises `CodeError` for a code that means nothing."""
        numbers, most = self.numbers, self.numbers.most_units
        check_position(codes, at, numbers)
        year, season, kind = codes.phases[3 * at : 3 * at + 3]
        standing, lost = codes.counts[2 * at : 2 * at + 2]
        owners = codes.owners[len(numbers.provinces) * at : len(numbers.provinces) * (at + 1)]
        dislodged = [
            DislodgedUnit(unit, retreats_of(numbers, unit, codes.retreats[most * at + place]))
            for place, unit in enumerate(self._units_at(codes.dislodged, at, lost))
        ]
        return Position(
            self.board,
            by_location(self._units_at(codes.units, at, standing)),
            PhaseName(SEASONS[season], year, PhaseKind(PHASE_KINDS[kind])),
            centers_of(numbers, owners),
            tuple(sorted(dislodged, key=attrgetter("unit.location"))),
            self.profile.words,
        )

    def _units_at(self, rows: Sequence[int], at: int, count: int) -> tuple[Unit, ...]:
        first = self.numbers.most_units * at
        return self.units(rows, first, first + count)

    # --- back -------------------------------------------------------------------------------------

    def decode(self, codes: BoardCodes, at: int) -> tuple[Position, dict[str, list[Order]]]:
        """A coded board as a position and orders. Raises `CodeError` for a code that means
        nothing."""
        numbers, first = self.numbers, codes.starts[at]
        check_board(codes, at, numbers)
        units = self.units(codes.units, first, codes.starts[at + 1])
        phase = PhaseName(SEASONS[codes.seasons[at]], FIRST_PHASE.year, PhaseKind.MOVEMENT)
        listed = tuple(sorted(units, key=attrgetter("province")))
        owned, unknown = owners_stated(self.board, phase, None)
        if codes.owners is not None:
            count = len(numbers.provinces)
            row = codes.owners[count * at : count * (at + 1)]
            owned, unknown = centers_of(numbers, row), unknown_of(numbers, row)
        words, rows = self.profile.words, codes.orders[4 * first : 4 * codes.starts[at + 1]]
        position = Position(self.board, listed, phase, owned, (), words, unknown)
        return position, self.orders_of(position, rows, at, units)

    def units(self, codes: Sequence[int], first: int, end: int) -> tuple[Unit, ...]:
        """The coded units from number `first` up to but not including `end`."""
        numbers, width = self.numbers, self.numbers.unit_width
        powers, kinds, locations = numbers.powers, numbers.kinds, numbers.locations
        has_values, found = bool(numbers.attributes), list[Unit]()
        for at in range(width * first, width * end, width):
            power, kind, location, *values = codes[at : at + width]
            attributes = values_of(numbers, values) if has_values else ()
            found.append(unit_of(powers[power], kinds[kind], locations[location], attributes))
        return tuple(found)

    # --- orders of any phase ----------------------------------------------------------------------

    def order_row(self, order: Order, power: str) -> Row:
        """The code of a power's order. Raises `DeclinedError` if it has none."""
        number = self.numbers.number_of
        match order:
            case Waive(builds=1):
                return WAIVE, 0, self.numbers.number_of_power[power], 0
            case Build():
                assert order.unit.kind is not None
                kind = self.numbers.kinds.index(order.unit.kind)
                owner = self.numbers.number_of_power[power]
                return BUILD, kind, owner, number[order.unit.location]
            case Disband():
                owner = self.numbers.number_of_power[power]
                return DISBAND, 0, owner, number[order.unit.location]
            case Retreat(otherwise=()):
                return RETREAT, 0, 0, number[order.target]
        return self.movement_row(order)

    def orders_of(
        self,
        position: Position,
        rows: Sequence[int],
        board: int | None = None,
        units: Sequence[Unit] | None = None,
    ) -> dict[str, list[Order]]:
        """The orders in a position, by power, from rows of four numbers. In a movement or retreat
        phase there is one row for each unit concerned, in the order of `units` or of their
        provinces. Raises `CodeError`, with the number of the board, for a row that means
        nothing."""
        found: dict[str, list[Order]] = {}
        if units is None:
            units = self._concerned(position)
        is_winter = position.phase.kind is PhaseKind.ADJUSTMENT
        for at in range(len(rows) // 4 if is_winter else len(units)):
            code = tuple(rows[4 * at : 4 * at + 4])
            if problem := fault_of_row(code, position.phase.kind.value, self.numbers):
                raise CodeError(board, None if is_winter else at, problem)
            if code[0] == NO_ORDER and is_winter:
                break
            if code[0] != NO_ORDER:
                unit = None if is_winter else units[at]
                power = self.numbers.powers[code[2]] if unit is None else unit.power
                found.setdefault(power, []).append(self._order(code, unit, position))
        return found

    def _concerned(self, position: Position) -> Sequence[Unit]:
        """The units to which the rows of orders belong, by their provinces."""
        units = list[Unit]()
        if position.phase.kind is PhaseKind.MOVEMENT:
            units += position.units
        elif position.phase.kind is PhaseKind.RETREAT:
            units += (one.unit for one in position.dislodged)
        return sorted(units, key=attrgetter("province"))

    def _order(self, code: Sequence[int], unit: Unit | None, position: Position) -> Order:
        """The order with a code: an order of a unit, or one whose code says what it is for. Another
        unit gets its full name, so no setting has to say which one is meant."""
        type, via, other, target = code
        locations, by_province = self.numbers.locations, position.by_province
        if unit is None:
            there = by_province.get(province_of(locations[target]))
            if type == BUILD:
                return Build(UnitName(locations[target], self.numbers.kinds[via]))
            named = UnitName(locations[target]) if there is None else there.name
            return Waive() if type == WAIVE else Disband(named)
        if type in (HOLD, DISBAND):
            return (Hold if type == HOLD else Disband)(unit.name)
        if type == MOVE:
            return Move(unit.name, locations[target], bool(via))
        if type == RETREAT:
            return Retreat(unit.name, locations[target])
        there = by_province.get(province_of(locations[other]))
        named = UnitName(locations[other])
        if there is not None:
            named = there.name if there.power == unit.power else there.full_name
        if type == SUPPORT_HOLD:
            return SupportHold(unit.name, named)
        verb = SupportMove if type == SUPPORT_MOVE else Convoy
        return verb(unit.name, named, locations[target])

    def read_all(
        self, codes: PositionCodes, orders: Sequence[Orders]
    ) -> tuple[array[int], dict[int, Orders]]:
        """The rows of the orders for each position, and orders without rows, or that must be read
        with more care, by the number of their position. Raises `ArgumentError` if there are not
        orders for each position."""
        if len(orders) != len(codes):
            wanted = f"orders for each of {len(codes)} positions"
            raise ArgumentError(
                "dipsat.kernel.Batch.advance", "orders", f"{len(orders)} of them", wanted
            )
        room = 4 * self.rows
        rows, left = zeros("H", room * len(codes)), dict[int, Orders]()
        for at, given in enumerate(orders):
            try:
                found = self._orders_in(codes, at, given)
            except _NO_CODE:
                found = None
            if found is None:
                left[at] = given
            else:
                rows[room * at : room * at + len(found)] = found
        return rows, left

    def _orders_in(self, codes: PositionCodes, at: int, orders: Orders) -> array[int] | None:
        """The rows of the orders for a position; None if they have to be read with more care.
        Raises the errors in `_NO_CODE`."""
        number, most, width = (
            codes.phases[3 * at + 2],
            self.numbers.most_units,
            self.numbers.unit_width,
        )
        kind, counts = PHASE_KINDS[number], codes.counts[2 * at : 2 * at + 2]
        rows, count = (codes.dislodged, counts[1]) if kind == "R" else (codes.units, counts[0])
        if self.library is None or kind == "X" or count > most:
            return None
        first = width * most * at
        units = array("H", rows[first : first + width * count])
        heads, texts = self._listed(orders)
        if kind == "M":
            moves = self._orders(units, heads, texts)
            return moves and moves.rows
        found, lines = zeros("H", 4 * self.rows), zeros("H", count)
        strays = self.library.read_orders(number, units, heads, texts, found, lines)
        return None if strays is None else found


def _in_lists(by_power: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same with lists in place of iterables that can be read only once, such as generators.
    Raises `ArgumentError` for a text, which would be read letter by letter."""
    if {*map(type, by_power.values())} <= LISTS:
        return by_power
    for own in by_power.values():
        if isinstance(own, str):
            wanted = "a list of texts for each power"
            raise ArgumentError("dipsat.kernel.Batch.encode", "boards", own, wanted)
    return {
        power: own if isinstance(own, Mapping) else list(own) for power, own in by_power.items()
    }


def _by_power(heads: Sequence[int], texts: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """Each text, with the number of its power before it."""
    powers = (
        power for power, count in zip(heads[::2], heads[1::2], strict=True) for _ in range(count)
    )
    return zip(powers, texts, strict=True)


def _others(order: Any) -> tuple[UnitName, ...]:
    """The other unit that a movement order names."""
    match order:
        case SupportHold() | SupportMove():
            return (order.supported,)
        case Convoy():
            return (order.army,)
    return ()


_SEASONS = {letter: at for at, letter in enumerate(SEASONS)}
_TYPES = {
    Hold: HOLD,
    Move: MOVE,
    SupportHold: SUPPORT_HOLD,
    SupportMove: SUPPORT_MOVE,
    Convoy: CONVOY,
}
