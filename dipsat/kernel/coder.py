"""From units and orders as people write them to codes, and back."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from struct import Struct
from typing import Any, TypeAlias, TypeVar

from dipsat.base import grouped
from dipsat.board import Map, province_of
from dipsat.errors import ArgumentError, DipsatError
from dipsat.game import (
    FIRST_PHASE,
    Owners,
    PhaseKind,
    PhaseName,
    Position,
    owners_stated,
    read_submissions,
    unit_reader,
)
from dipsat.kernel.codes import BoardCodes, Orders, Units
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
)
from dipsat.orders import (
    TEXT_FAULTS,
    Convoy,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
    Unit,
    UnitName,
    Values,
    reader_for,
    unit_of,
)
from dipsat.rules import Profile, Settings, asks_for_owners

UnitRow: TypeAlias = tuple[int, bytes, str, Unit]
"""A unit: the number of its province, its code, its power, and the unit itself, which keeps its
identity as long as its row."""
OrderRow: TypeAlias = tuple[int, bytes, tuple[UnitName, ...]]
"""An order: the number of the unit's province, its code, and the units that it names."""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
NO_CODE = bytes(8)
"""The code of a unit without an order."""
LISTS = {list, tuple}
"""The types of the lists in which orders and units are given."""

province_number: Callable[[UnitRow], int] = itemgetter(0)
"""The number of a unit's province."""
code_of: Callable[[UnitRow], bytes] = itemgetter(1)
"""The code of a unit."""


def remembered(known: dict[_Key, _Value], key: _Key, value: _Value, most: int) -> _Value:
    """Remember a value among so many, and return it."""
    if len(known) >= most:
        known.clear()
    known[key] = value
    return value


def are_apart(rows: Iterable[UnitRow], count: int) -> bool:
    """Whether so many units stand in different provinces."""
    return len(set(map(province_number, rows))) == count


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


_MAX_TEXTS = 50_000  # that a coder remembers
_KIND = "kind_wrong", "kind_missing"
_NATIONALITY = "nationality_wrong", "nationality_missing"
_NAMINGS = (*_KIND, *_NATIONALITY)
_PLACE = "place"
_PLACINGS = ("unit_coast_wrong", "coast_irrelevant")


class Coder:
    """Codes boards of one map under one profile. It remembers the texts that it has read."""

    def __init__(self, numbers: MapNumbers, profile: Profile) -> None:
        self.numbers = numbers
        self.board: Map = numbers.board
        self.profile = profile
        self.settings: Settings = profile.settings
        self._reader = reader_for(self.board, profile.words)
        self._read_unit = unit_reader(self.board, profile.words)
        self._units: dict[str, dict[str, UnitRow]] = {}
        self._orders: dict[Any, OrderRow] = {}
        self._rows: dict[int, UnitRow] = {}  # by the unit's identity: units are long to hash
        self._decoded: dict[tuple[int, ...], Unit] = {}
        names = self.settings
        self._minded = frozenset(one for one in _NAMINGS if getattr(names, one) != "valid")
        if any(getattr(names, one) != "ignored" for one in _PLACINGS):
            self._minded |= {_PLACE}
        self._is_strict = bool(self._minded)
        self._asks = asks_for_owners(profile)
        self._strays_count = names.disorder_support == "refused" or (
            names.implicit_orders == "deduced"
        )

    def __reduce__(self) -> tuple[type[Coder], tuple[MapNumbers, Profile]]:
        return Coder, (self.numbers, self.profile)

    @property
    def care(self) -> tuple[frozenset[str], bool]:
        """Which orders have no codes because the settings must say what they mean: those that name
        a unit wrongly in one of these ways, and perhaps those for units that do not exist."""
        return self._minded, self._strays_count

    def encode(
        self, boards: Iterable[tuple[Units, Orders]], phase: PhaseName, lenient: bool = False
    ) -> BoardCodes:
        """The codes of these boards; `phase` is that of boards whose units are no position."""
        starts, seasons = array("I", [0]), array("B")
        units, orders = array("H"), array("H")
        owners = dict[int, bytes]()  # of the boards where centres are owned
        uncoded: dict[int, tuple[Position, Orders]] = {}
        width = self.numbers.unit_width
        for at, (placed, ordered) in enumerate(boards):
            position = placed if isinstance(placed, Position) else None
            try:
                now = phase if position is None else self._phase_of(position)
                owned = owners_for(self.board, position, now, self._asks)
                # Who adjudicates a board that needs an unknown owner says so.
                is_unsure = self._asks and owned is not None and owned.unknown
                coded = None if is_unsure else self._coded(placed, ordered)
                if coded is None:
                    position = self._position(placed, now)
                    # Faults show now, not later.
                    read_submissions(position, ordered, self.settings, lenient=lenient)
                    uncoded[at] = position, ordered
                    coded = b"", b""
            except DipsatError as error:
                error.add_note(f"on board {at}")
                raise
            units.frombytes(coded[0])
            orders.frombytes(coded[1])
            starts.append(len(units) // width)
            seasons.append(_SEASONS[now.season])
            if owned is not None:
                owners[at] = owners_of(self.numbers, *owned)
        of_all = None
        if owners:
            unstated = owners_of(self.numbers, {}, self.board.centers)
            of_all = array("B", b"".join(owners.get(at, unstated) for at in range(len(seasons))))
        return BoardCodes(starts, units, orders, seasons, of_all, uncoded, lenient)

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

    # --- one board --------------------------------------------------------------------------------

    def _coded(self, placed: Units, ordered: Orders) -> tuple[bytes, bytes] | None:
        """The codes of the units and of their orders; None for a board that
        takes more to read or has no codes."""
        try:
            rows = self._unit_rows(placed)
            codes = self.order_rows(rows, ordered) if are_apart(rows, len(rows)) else None
        except (*TEXT_FAULTS, DeclinedError, AttributeError, TypeError, ValueError):
            return None  # what is wrong is found again where it is read with care
        return None if codes is None else (b"".join(map(code_of, rows)), b"".join(codes))

    def _unit_rows(self, placed: Units) -> list[UnitRow]:
        """The rows of the units of a board."""
        if isinstance(placed, Position):
            return self.unit_rows(placed.units)
        found = list[UnitRow]()
        for power, texts in placed.items():
            listed = texts
            if type(texts) not in LISTS:
                if isinstance(texts, str):
                    raise DeclinedError("a text where a list belongs")
                listed = list(texts)
            known = self._units.setdefault(power, {})
            try:
                found += [known[text] for text in listed]
            except KeyError:
                found += [known.get(text) or self._new_unit(power, text, known) for text in listed]
        return found

    def _new_unit(self, typed: str, text: str, known: dict[str, UnitRow]) -> UnitRow:
        row = self._unit_row(self._read_unit(self.board.names.power(typed), text))
        return remembered(known, text, row, _MAX_TEXTS)

    def unit_rows(self, units: Sequence[Unit]) -> list[UnitRow]:
        """The rows of units."""
        try:
            return list(map(self._rows.__getitem__, map(id, units)))
        except KeyError:
            return [self._unit_row(unit) for unit in units]

    def _unit_row(self, unit: Unit) -> UnitRow:
        known = self._rows.get(id(unit))
        return known or remembered(self._rows, id(unit), self._new_row(unit), _MAX_TEXTS)

    def _new_row(self, unit: Unit) -> UnitRow:
        numbers, values = self.numbers, dict(unit.attributes)
        if not values.keys() <= numbers.attributes.keys():
            raise DeclinedError("an attribute that the rules do not declare")
        attributes = [
            known.index(values[name]) if name in values else self._default(name)
            for name, known in numbers.attributes.items()
        ]
        code = array("H", (
            numbers.number_of_power[unit.power],
            numbers.kinds.index(unit.kind),
            numbers.number_of[unit.location],
            *(attributes or (0,)),
        ))  # fmt: skip
        return numbers.number_of[unit.province], code.tobytes(), unit.power, unit

    def _default(self, name: str) -> int:
        attribute = self.profile.declared.attributes[name]
        if not attribute.default:
            raise DeclinedError("an attribute is missing")
        return attribute.values.index(attribute.default)

    def order_rows(self, rows: list[UnitRow], ordered: Orders) -> list[bytes] | None:
        """The codes of the orders for units in different provinces; None if something about them
        needs care. Raises `DeclinedError` and errors of texts for an order without a code."""
        codes = [NO_CODE] * len(rows)
        at = {row[0]: number for number, row in enumerate(rows)}
        known: dict[Any, OrderRow] = self._orders
        powers, is_strict = self.numbers.number_of_power, self._is_strict
        for typed, texts in ordered.items():
            listed = texts
            if type(texts) not in LISTS:
                if isinstance(texts, str | Mapping):
                    return None
                listed = list(texts)
            power = typed if typed in powers else self.board.names.power(typed)
            try:
                found = [known[text] for text in listed]
            except KeyError:
                found = [known.get(text) or self._new_order(text) for text in listed]
            for province, code, named in found:
                number = at.get(province)
                if number is None or rows[number][2] != power:
                    if self._strays_count:
                        return None
                    continue
                if codes[number] is not NO_CODE:
                    return None  # several orders for a unit
                if is_strict and not self._is_well_named(named, rows, at, power):
                    return None
                codes[number] = code
        return codes

    def texts_by_province(self, ordered: Mapping[str, Iterable[str]]) -> dict[str, str]:
        """Province of a unit -> its order, of orders that have codes."""
        provinces, known = self.numbers.provinces, self._orders
        texts = (text for own in ordered.values() for text in own)
        return {provinces[(known.get(text) or self._new_order(text))[0]]: text for text in texts}

    def _is_well_named(
        self,
        named: tuple[UnitName, ...],
        rows: list[UnitRow],
        at: Mapping[int, int],
        power: str,
    ) -> bool:
        """Whether an order names its unit, and another one, so that no setting has to say what is
        meant."""
        for name in named:
            place = at.get(self.numbers.number_of[province_of(name.location)])
            if place is None:
                continue  # no unit stands there, however it is named
            _, code, owner, *_ = rows[place]
            _, kind, location, *_ = memoryview(code).cast("H")
            if _PLACE in self._minded and name.location != self.numbers.locations[location]:
                return False
            is_missing = name.kind is None
            if name.kind is not self.numbers.kinds[kind] and _KIND[is_missing] in self._minded:
                return False
            is_missing = name.power is None
            if (name.power or power) != owner and _NATIONALITY[is_missing] in self._minded:
                return False
        return True

    def _new_order(self, given: object) -> OrderRow:
        if not isinstance(given, str):
            return self._order_row(given)
        order = self._reader.read(given)
        if given in self._reader.guessed:
            raise DeclinedError("a name that is guessed")
        return remembered(self._orders, given, self._order_row(order), _MAX_TEXTS)

    def _order_row(self, order: Any) -> OrderRow:
        """The province of the ordered unit, the code of the order, and the units that it names.
        Raises `DeclinedError` for an order that has no code."""
        code = _ROW.pack(*self.movement_row(order))
        named = (order.unit, *_others(order))
        for name in named:
            if name.attributes:
                raise DeclinedError("attributes in an order")
        if _PLACE in self._minded:
            target = getattr(order, "target", "")
            if target and target not in self.numbers.number_of:
                raise DeclinedError("a coast that the map does not have")
        return self.numbers.number_of[province_of(order.unit.location)], code, named

    def movement_row(self, order: Any) -> tuple[int, int, int, int]:
        """The code of a movement order that names units with the attributes that they have. Raises
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

    # --- back -------------------------------------------------------------------------------------

    def decode(self, codes: BoardCodes, at: int) -> tuple[Position, dict[str, list[Order]]]:
        """A coded board as a position and orders."""
        numbers, first = self.numbers, codes.starts[at]
        units = self.units(codes.units, first, codes.starts[at + 1])
        orders: dict[str, list[Order]] = {}
        by_province = {unit.province: unit for unit in units}
        for number, unit in enumerate(units, first):
            order = self.order(unit, codes.orders[4 * number : 4 * number + 4], by_province)
            if order is not None:
                orders.setdefault(unit.power, []).append(order)
        phase = PhaseName(SEASONS[codes.seasons[at]], FIRST_PHASE.year, PhaseKind.MOVEMENT)
        listed = tuple(sorted(units, key=lambda unit: unit.province))
        owned, unknown = owners_stated(self.board, phase, None)
        if codes.owners is not None:
            count = len(numbers.provinces)
            row = codes.owners[count * at : count * (at + 1)]
            owned, unknown = centers_of(numbers, row), unknown_of(numbers, row)
        words = self.profile.words
        return Position(self.board, listed, phase, owned, (), words, unknown), orders

    def units(self, codes: Sequence[int], first: int, end: int) -> tuple[Unit, ...]:
        """The coded units from number `first` to before `end`."""
        width, known, found = self.numbers.unit_width, self._decoded, []
        for at in range(width * first, width * end, width):
            code = tuple(codes[at : at + width])
            unit = known.get(code)
            if unit is None:
                unit = known[code] = self._unit(code)
            found.append(unit)
        return tuple(found)

    def _unit(self, code: Sequence[int]) -> Unit:
        numbers = self.numbers
        power, kind, location, *values = code
        place, attributes = numbers.locations[location], values_of(numbers, values)
        return unit_of(numbers.powers[power], numbers.kinds[kind], place, attributes)

    def order(
        self, unit: Unit, code: Sequence[int], by_province: Mapping[str, Unit]
    ) -> Order | None:
        """The movement order of a unit with this code, None for none. It names the other unit so
        that no setting has to say which is meant."""
        kind, via, other, target = code
        locations = self.numbers.locations
        if kind == NO_ORDER:
            return None
        if kind == HOLD:
            return Hold(unit.name)
        if kind == MOVE:
            return Move(unit.name, locations[target], bool(via))
        there = by_province.get(province_of(locations[other]))
        named = UnitName(locations[other])
        if there is not None:
            named = there.name if there.power == unit.power else there.full_name
        if kind == SUPPORT_HOLD:
            return SupportHold(unit.name, named)
        verb = SupportMove if kind == SUPPORT_MOVE else Convoy
        return verb(unit.name, named, locations[target])


def _others(order: Any) -> tuple[UnitName, ...]:
    """The other unit that a movement order names."""
    match order:
        case SupportHold() | SupportMove():
            return (order.supported,)
        case Convoy():
            return (order.army,)
    return ()


_ROW = Struct("@4H")
_SEASONS = {letter: at for at, letter in enumerate(SEASONS)}
_TYPES = {
    Hold: HOLD,
    Move: MOVE,
    SupportHold: SUPPORT_HOLD,
    SupportMove: SUPPORT_MOVE,
    Convoy: CONVOY,
}
