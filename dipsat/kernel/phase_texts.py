"""Readable orders of any phase as codes.

What is written as programs write it is found by a look into dictionaries. Orders about which
something has to be settled first, or that cannot be read, are left to whoever asks.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from dipsat.board.province import province_of
from dipsat.errors import ArgumentError
from dipsat.game.position import Unit
from dipsat.kernel.arrays import zeros
from dipsat.kernel.board_codes import Orders
from dipsat.kernel.declined import DeclinedError
from dipsat.kernel.position_coder import PositionCoder
from dipsat.kernel.position_codes import DISBAND, KINDS, RETREAT, PositionCodes
from dipsat.kernel.unit_rows import LISTS, UnitRow
from dipsat.orders.order import Build, Disband, Move, Order, Retreat, UnitName, Waive
from dipsat.orders.text_parse import TEXT_FAULTS

ROW = 8
"""The bytes of an order."""
Texts = Mapping[str, Sequence[str]]
"""Power -> its orders."""
_Change: TypeAlias = tuple[bytes, UnitName | None]
"""A build or a disband: its row, and the unit that it disbands."""
_Retreat: TypeAlias = tuple[bytes, UnitName]
"""An order for a dislodged unit: its row, and the unit."""
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_MOST = 20_000  # orders of a power that are remembered


class PhaseTexts:
    """Codes the orders of phases of one map under one profile. It remembers what it has read."""

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
            raise ArgumentError("dipsat.Batch.advance", "orders", f"{len(orders)} of them", wanted)
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
        return _remembered(self._retreats, text, (row, order.unit))

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
        return _remembered(known, text, (row, order.unit if isinstance(order, Disband) else None))

    def _read(self, text: str) -> Order | None:
        """The order of a text, None for one that needs care."""
        reader = self._coder._reader
        try:
            order = reader.read(text)
        except TEXT_FAULTS:
            return None
        return None if text in reader.guessed else order


def _remembered(known: dict[_Key, _Value], key: _Key, value: _Value) -> _Value:
    """Remember a value, and return it."""
    if len(known) >= _MOST:
        known.clear()
    known[key] = value
    return value


def _names(name: UnitName, unit: Unit) -> bool:
    """Whether a name is all that a power writes of its own unit, as it is."""
    is_own = name.power in (None, unit.power) and name.attributes == unit.attributes
    return is_own and name.kind == unit.kind and name.location == unit.location
