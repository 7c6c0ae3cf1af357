"""Positions of any phase, and their orders, as codes and back."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from dipsat.board import province_of
from dipsat.errors import ArgumentError, CodeError
from dipsat.game import STATE_OWNERS, DislodgedUnit, PhaseKind, PhaseName, Position, by_location
from dipsat.kernel import codes as position_codes
from dipsat.kernel.coder import (
    LISTS,
    Coder,
    UnitRow,
    centers_of,
    code_of,
    owners_of,
    province_number,
    remembered,
    retreat_bits,
    retreats_of,
)
from dipsat.kernel.codes import (
    BUILD,
    DISBAND,
    KINDS,
    RETREAT,
    WAIVE,
    Orders,
    PositionCodes,
    empty_positions,
    fault_of_row,
    zeros,
)
from dipsat.kernel.numbers import NO_ORDER, SEASONS, DeclinedError
from dipsat.orders import TEXT_FAULTS, Build, Disband, Move, Order, Retreat, Unit, UnitName, Waive

Row: TypeAlias = tuple[int, int, int, int]
"""The code of an order."""


class PositionCoder:
    """Codes positions of one map under one profile."""

    def __init__(self, coder: Coder) -> None:
        self.coder = coder
        self.numbers = coder.numbers

    @property
    def rows(self) -> int:
        """The room for orders of one position."""
        return 2 * self.numbers.most_units

    def encode(self, positions: Iterable[Position]) -> PositionCodes:
        """The codes of positions. Raises `CodeError` for a position that has no codes."""
        listed = list(positions)
        found = empty_positions(len(listed), self.numbers)
        for at, position in enumerate(listed):
            self.write(found, at, position)
        return found

    def write(self, into: PositionCodes, at: int, position: Position) -> None:
        """Write one position. Raises `CodeError` if it has no codes."""
        numbers = self.numbers
        position = position.with_words(self.coder.profile.words)
        most, phase = numbers.most_units, position.phase
        lost = [one.unit for one in position.dislodged]
        if max(len(position.units), len(lost)) > most:
            raise CodeError(at, None, f"a position with more than {most} units has no codes")
        if position.unknown_centers:
            why = f"since the owner of {position.unknown_centers[0]} is unknown"
            raise CodeError(at, None, f"a position has no codes {why}; {STATE_OWNERS}")
        season, kind = SEASONS.index(phase.season), KINDS.index(phase.kind.value)
        into.phases[3 * at : 3 * at + 3] = array("H", (phase.year, season, kind))
        into.counts[2 * at : 2 * at + 2] = array("H", (len(position.units), len(lost)))
        first = numbers.unit_width * most * at
        for rows, units in ((into.units, position.units), (into.dislodged, lost)):
            in_order = sorted(self.coder.unit_rows(units), key=province_number)
            coded = array("H", b"".join(map(code_of, in_order)))
            rows[first : first + len(coded)] = coded
        by_province = sorted(
            position.dislodged, key=lambda one: numbers.number_of[one.unit.province]
        )
        for place, one in enumerate(by_province):
            into.retreats[most * at + place] = retreat_bits(numbers, one.unit, one.retreats)
        owners, width = owners_of(numbers, position.centers), len(numbers.provinces)
        into.owners[width * at : width * (at + 1)] = array("B", owners)

    def decode(self, codes: PositionCodes, at: int) -> Position:
        """The position with this number."""
        numbers, most = self.numbers, self.numbers.most_units
        year, season, kind = codes.phases[3 * at : 3 * at + 3]
        standing, lost = codes.counts[2 * at : 2 * at + 2]
        owners = codes.owners[len(numbers.provinces) * at : len(numbers.provinces) * (at + 1)]
        dislodged = [
            DislodgedUnit(unit, retreats_of(numbers, unit, codes.retreats[most * at + place]))
            for place, unit in enumerate(self._units(codes.dislodged, at, lost))
        ]
        return Position(
            self.coder.board,
            by_location(self._units(codes.units, at, standing)),
            PhaseName(SEASONS[season], year, PhaseKind(KINDS[kind])),
            centers_of(numbers, owners),
            tuple(sorted(dislodged, key=lambda one: one.unit.location)),
            self.coder.profile.words,
        )

    def _units(self, rows: Sequence[int], at: int, count: int) -> tuple[Unit, ...]:
        first = self.numbers.most_units * at
        return self.coder.units(rows, first, first + count)

    # --- orders -----------------------------------------------------------------------------------

    def order_row(self, order: Order, power: str) -> Row:
        """The code of an order of a power. Raises `DeclinedError` if it has none."""
        number = self.numbers.number_of
        match order:
            case Waive():
                return WAIVE, 0, self.numbers.number_of_power[power], 0
            case Build():
                assert order.unit.kind is not None
                kind = self.numbers.kinds.index(order.unit.kind)
                owner = self.numbers.number_of_power[power]
                return BUILD, kind, owner, number[order.unit.location]
            case Disband():
                owner = self.numbers.number_of_power[power]
                return DISBAND, 0, owner, number[order.unit.location]
            case Retreat():
                return RETREAT, 0, 0, number[order.target]
        return self.coder.movement_row(order)

    def orders_of(
        self, position: Position, rows: Sequence[int], board: int | None = None
    ) -> dict[str, list[Order]]:
        """The orders that rows of four numbers give in a position, by power; in a movement or
        retreat phase, one row for each unit concerned. Raises `CodeError`, with the number of the
        board, for a row that means nothing."""
        found: dict[str, list[Order]] = {}
        for at, unit in enumerate(self._subjects(position, len(rows) // 4)):
            code = tuple(rows[4 * at : 4 * at + 4])
            problem = fault_of_row(code, position.phase.kind.value, self.numbers)
            if problem:
                raise CodeError(board, None if unit is None else at, problem)
            if code[0] == NO_ORDER:
                if unit is None:
                    break
                continue
            power = self.numbers.powers[code[2]] if unit is None else unit.power
            found.setdefault(power, []).append(self._order(code, unit, position))
        return found

    def _subjects(self, position: Position, rows: int) -> Sequence[Unit | None]:
        """The units that rows of orders are for, None for rows that say it themselves."""
        number = self.numbers.number_of
        units: Iterable[Unit]
        if position.phase.kind is PhaseKind.MOVEMENT:
            units = position.units
        elif position.phase.kind is PhaseKind.RETREAT:
            units = (one.unit for one in position.dislodged)
        elif position.phase.kind is PhaseKind.ADJUSTMENT:
            return [None] * rows
        else:
            return ()
        return sorted(units, key=lambda unit: number[unit.province])

    def _order(self, code: Sequence[int], unit: Unit | None, position: Position) -> Order:
        numbers = self.numbers
        type, kind, _, target = code
        match type:
            case position_codes.RETREAT if unit is not None:
                return Retreat(unit.name, numbers.locations[target])
            case position_codes.DISBAND if unit is not None:
                return Disband(unit.name)
            case position_codes.DISBAND:
                there = position.by_province.get(province_of(numbers.locations[target]))
                location = numbers.locations[target]
                return Disband(UnitName(location) if there is None else there.name)
            case position_codes.BUILD:
                return Build(UnitName(numbers.locations[target], numbers.kinds[kind]))
            case position_codes.WAIVE:
                return Waive()
        assert unit is not None
        order = self.coder.order(unit, code, position.by_province)
        assert order is not None
        return order


ROW = 8
"""The bytes of an order."""
Texts = Mapping[str, Sequence[str]]
"""Power -> its orders."""
_Change: TypeAlias = tuple[bytes, UnitName | None]
"""A build or a disband: its row, and the unit that it disbands."""
_Retreat: TypeAlias = tuple[bytes, UnitName]
"""An order for a dislodged unit: its row, and the unit."""

_MOST = 20_000  # orders of a power that are remembered


class PhaseTexts:
    """Codes the orders of phases of one map under one profile. It remembers what it has read: what
    is written as programs write it is found by a look into dictionaries. Orders about which
    something has to be settled first, or that cannot be read, are left to whoever asks."""

    def __init__(self, positions: PositionCoder) -> None:
        self._positions = positions
        self._coder = positions.coder
        self.numbers = positions.numbers
        self._retreats: dict[str, _Retreat] = {}
        self._changes: dict[str, dict[str, _Change]] = {one: {} for one in self.numbers.powers}

    # --- of many positions ------------------------------------------------------------------------

    def coded(
        self, codes: PositionCodes, orders: Sequence[Orders]
    ) -> tuple[array[int], dict[int, Orders]]:
        """The rows of the orders for each position, and those orders that need care by the number
        of their position, which have no rows. Raises `ArgumentError` for another number of
        them."""
        if len(orders) != len(codes):
            wanted = f"orders for each of {len(codes)} positions"
            raise ArgumentError(
                "dipsat.kernel.Batch.advance", "orders", f"{len(orders)} of them", wanted
            )
        room = 4 * self._positions.rows
        rows, left = zeros("H", room * len(codes)), dict[int, Orders]()
        for at, given in enumerate(orders):
            found = self._of(codes, at, given)
            if found is None or len(found) > ROW * self._positions.rows:
                left[at] = given
            else:
                rows[room * at : room * at + len(found) // 2] = array("H", found)
        return rows, left

    def _of(self, codes: PositionCodes, at: int, orders: Any) -> bytes | None:
        """The rows of the orders for a position; None if something about them needs care."""
        if type(orders) is not dict or not orders.keys() <= self.numbers.number_of_power.keys():
            return None
        if any(type(own) not in LISTS for own in orders.values()):
            return None
        kind, first = KINDS[codes.phases[3 * at + 2]], self.numbers.most_units * at
        standing, lost = codes.counts[2 * at : 2 * at + 2]
        if kind == "M":
            rows = self._coder.unit_rows(self._coder.units(codes.units, first, first + standing))
            return self.moves(rows, orders)
        if any(type(text) is not str for own in orders.values() for text in own):
            return None
        if kind == "R":
            units = self._coder.units(codes.dislodged, first, first + lost)
            return self.retreats(units, orders)
        if kind == "A":
            units = self._coder.units(codes.units, first, first + standing)
            return self.adjustments(units, orders)
        return None

    # --- of one phase -----------------------------------------------------------------------------

    def moves(self, rows: list[UnitRow], orders: Orders) -> bytes | None:
        """The rows of movement orders; None if something about them needs care."""
        try:
            found = self._coder.order_rows(rows, orders)
        except (*TEXT_FAULTS, DeclinedError, AttributeError, TypeError, ValueError):
            return None
        return None if found is None else b"".join(found)

    def retreats(self, units: Sequence[Unit], orders: Texts) -> bytes | None:
        """The rows of orders for dislodged units; None if something about them needs care."""
        at = {unit.province: (number, unit) for number, unit in enumerate(units)}
        rows = [bytes(ROW)] * len(units)
        done = set[int]()
        for power, texts in orders.items():
            for text in texts:
                found = self._retreats.get(text) or self._new_retreat(text)
                if found is None:
                    return None
                row, name = found
                number, unit = at.get(province_of(name.location), (0, None))
                if unit is None:
                    continue  # as for a unit that is dislodged, but cannot retreat
                if unit.power != power or number in done or not _names(name, unit) or not row:
                    return None
                rows[number] = row
                done.add(number)
        return b"".join(rows)

    def _new_retreat(self, text: str) -> _Retreat | None:
        order = self._read(text)
        if isinstance(order, Waive | Build) or order is None:
            return None
        row = b""  # no code
        if isinstance(order, Disband):
            row = array("H", (DISBAND, 0, 0, 0)).tobytes()
        elif isinstance(order, Retreat) or (isinstance(order, Move) and not order.via):
            target = self.numbers.number_of.get(order.target)
            if target is not None:
                row = array("H", (RETREAT, 0, 0, target)).tobytes()
        return remembered(self._retreats, text, (row, order.unit), _MOST)

    def adjustments(self, units: Sequence[Unit], orders: Texts) -> bytes | None:
        """The rows of builds and disbands; None if something about them needs care."""
        at: dict[str, Unit] = {}
        rows = list[bytes]()
        for power, texts in orders.items():
            known = self._changes.get(power, {})
            for text in texts:
                found = known.get(text) or self._new_change(power, text)
                if found is None:
                    return None
                row, disbanded = found
                if disbanded is not None:
                    at = at or {unit.location: unit for unit in units}
                    unit = at.get(disbanded.location)
                    if unit is None or unit.power != power or not _names(disbanded, unit):
                        return None
                rows.append(row)
        return b"".join(rows)

    def _new_change(self, power: str, text: str) -> _Change | None:
        known, order = self._changes.get(power), self._read(text)
        if known is None or not isinstance(order, Build | Disband | Waive):
            return None
        if not isinstance(order, Waive) and order.unit.location not in self.numbers.number_of:
            return None
        if isinstance(order, Build):
            named = order.unit
            if named.kind not in self.numbers.kinds or named.attributes or named.power:
                return None
        row = array("H", self._positions.order_row(order, power)).tobytes()
        disbanded = order.unit if isinstance(order, Disband) else None
        return remembered(known, text, (row, disbanded), _MOST)

    def _read(self, text: str) -> Order | None:
        """The order of a text, None for one that needs care."""
        reader = self._coder._reader
        try:
            order = reader.read(text)
        except TEXT_FAULTS:
            return None
        return None if text in reader.guessed else order


def _names(name: UnitName, unit: Unit) -> bool:
    """Whether a name is all that a power writes of its own unit, as it is."""
    is_own = name.power in (None, unit.power) and name.attributes == unit.attributes
    return is_own and name.kind == unit.kind and name.location == unit.location
