"""Phases of any kind as a few bytes each, adjudicated at once by compiled equations.

For whoever has thousands of phases with the results that another program gave: what is equal byte
for byte needs no units, orders and positions in Python. A phase that has no codes, or that compiled
code leaves open, gives None; nothing here asks dipsat's Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple, TypeAlias, TypeVar

from dipsat.board.province import province_of
from dipsat.board.unit_kind import UnitKind
from dipsat.game.phase_name import PhaseName
from dipsat.game.unit import Unit
from dipsat.kernel.arrays import zeros
from dipsat.kernel.batch import Batch
from dipsat.kernel.board_codes import BoardCodes
from dipsat.kernel.coded_parts import owners_of, retreats_of
from dipsat.kernel.declined import DeclinedError
from dipsat.kernel.game_library import GOES_ON, GameLibrary, Limits, Played
from dipsat.kernel.library import KernelLibrary
from dipsat.kernel.numbers import NO_ORDER, NOBODY, NOWHERE, SEASONS, MapNumbers
from dipsat.kernel.position_codes import DISBAND, KINDS, RETREAT, PositionCodes
from dipsat.kernel.results import ResultMemory
from dipsat.kernel.unit_rows import UnitRow, code_of
from dipsat.orders.order import Build, Disband, Move, Order, Retreat, UnitName, Waive
from dipsat.orders.text_parse import TEXT_FAULTS

_ROW = 8  # the bytes of an order
_RETREAT = 8  # the bytes of the places to which a unit may retreat
_KEPT = 1_000  # phases, and lists of owners, whose bytes are remembered
_MOST = 20_000  # orders of a power, and of places for retreats, that are remembered
_LIMITS = Limits(0, 65_000, 1, gives_orders=True)

Texts = Mapping[str, Sequence[str]]
"""Power -> its orders."""
_Change: TypeAlias = tuple[bytes, UnitName | None]
"""A build or a disband: its row, and the unit that it disbands."""
_Retreat: TypeAlias = tuple[bytes, UnitName]
"""An order for a dislodged unit: its row, and the unit."""
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class CodedPosition(NamedTuple):
    """A position as the parts of `PositionCodes`, without unused room; units by province."""

    phase: bytes
    units: bytes
    dislodged: bytes
    retreats: bytes
    owners: bytes


class CodedPhase(NamedTuple):
    """A position, and the rows of its orders."""

    position: CodedPosition
    orders: bytes


class PhaseCoder:
    """Codes phases for one batch, and adjudicates them."""

    def __init__(self, batch: Batch) -> None:
        self.numbers: MapNumbers = batch.numbers
        self._coder = batch._coder
        self._positions = batch._positions
        self._library: GameLibrary | None = batch._games
        self._boards: KernelLibrary | None = batch._library
        # By identity, since these take longer to compare than to look up; each entry keeps its
        # object, so that no other one has the same identity.
        self._phases: dict[int, tuple[PhaseName, bytes]] = {}
        self._units: dict[int, tuple[Sequence[Unit], list[UnitRow], bytes]] = {}
        self._owners: dict[int, tuple[object, bytes]] = {}
        self._nobody = owners_of(self.numbers, {})
        self._places: dict[tuple[UnitKind, str, int], tuple[str, ...]] = {}
        self._retreats: dict[str, _Retreat] = {}
        self._changes: dict[str, dict[str, _Change]] = {one: {} for one in self.numbers.powers}

    @property
    def is_ready(self) -> bool:
        """Whether phases can be adjudicated: compiled code can do so, and a unit is no more than
        its power, kind and location."""
        library = self._library
        known = library is not None and "phases" not in library.tables.left_to_python
        return known and not self.numbers.attributes

    # --- positions --------------------------------------------------------------------------------

    def position(
        self,
        phase: PhaseName,
        units: Sequence[Unit],
        centers: Mapping[str, Sequence[str]] | None,
    ) -> CodedPosition:
        """A position without dislodged units."""
        return CodedPosition(self.phase(phase), self.units(units), b"", b"", self.owners(centers))

    def phase(self, phase: PhaseName) -> bytes:
        """The code of a phase."""
        known = self._phases.get(id(phase))
        if known is None:
            numbers = (phase.year, SEASONS.index(phase.season), KINDS.index(phase.kind.value))
            if len(self._phases) >= _KEPT:
                self._phases.clear()
            known = self._phases[id(phase)] = phase, array("H", numbers).tobytes()
        return known[1]

    def units(self, units: Sequence[Unit]) -> bytes:
        """The codes of units."""
        return self._coded(units)[2] if units else b""

    def _coded(self, units: Sequence[Unit]) -> tuple[Sequence[Unit], list[UnitRow], bytes]:
        """The rows of units; states that follow each other mostly share their units."""
        known = self._units.get(id(units))
        if known is None:
            rows = self._coder.unit_rows(units)
            if len(self._units) >= _KEPT:
                self._units.clear()
            known = self._units[id(units)] = units, rows, b"".join(map(code_of, rows))
        return known

    def owners(self, centers: Mapping[str, Sequence[str]] | None) -> bytes:
        """The owners of centres; without any, nobody owns one."""
        if not centers:
            return self._nobody
        known = self._owners.get(id(centers))
        if known is None:
            if len(self._owners) >= _KEPT:
                self._owners.clear()
            known = self._owners[id(centers)] = centers, owners_of(self.numbers, centers)
        return known[1]

    # --- orders -----------------------------------------------------------------------------------

    def moves(self, units: Sequence[Unit], orders: Texts) -> bytes | None:
        """The rows of movement orders; None if something about them needs care."""
        try:
            found = self._coder.order_rows(self._coded(units)[1], orders)
        except (*TEXT_FAULTS, DeclinedError):
            return None
        return None if found is None else b"".join(found)

    def retreats(self, units: Sequence[Unit], orders: Texts) -> bytes | None:
        """The rows of orders for dislodged units; None if something about them needs care."""
        at = {unit.province: (number, unit) for number, unit in enumerate(units)}
        rows = [bytes(_ROW)] * len(units)
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

    def only_disbands(self, orders: bytes) -> bool:
        """Whether rows of orders for dislodged units order no retreat."""
        return {NO_ORDER, DISBAND}.issuperset(memoryview(orders).cast("H")[::4])

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

    # --- results ----------------------------------------------------------------------------------

    def adjudicated(self, phases: Sequence[CodedPhase]) -> list[CodedPosition | None]:
        """The position after each phase, None where compiled code leaves it open. Raises
        `CodeError` for a phase that means nothing."""
        assert self._library is not None
        if not phases:
            return []
        before, orders = zip(*phases, strict=True)
        positions, count = self._positions_of(before), len(phases)
        played = Played(
            positions,
            _joined("H", orders, 2 * self.numbers.most_units * _ROW),
            zeros("B", count),
            array("B", [NOBODY]) * count,
            zeros("I", count),
        )
        self._library.play(played, _LIMITS, 1, 0, count)
        found = self._read_back(positions)
        return [
            one if status == GOES_ON else None
            for one, status in zip(found, played.status, strict=True)
        ]

    def _positions_of(self, positions: Sequence[CodedPosition]) -> PositionCodes:
        """The positions with unused room. Raises `ValueError` for one with too many units."""
        names, units, lost, retreats, owners = zip(*positions, strict=True)
        width, most = 2 * self.numbers.unit_width, self.numbers.most_units
        counts = zeros("H", 2 * len(names))
        counts[::2] = array("H", [len(one) // width for one in units])
        counts[1::2] = array("H", [len(one) // width for one in lost])
        return PositionCodes(
            _joined("H", names, 6),
            counts,
            _joined("H", units, most * width),
            _joined("H", lost, most * width),
            _joined("Q", retreats, most * _RETREAT),
            _joined("B", owners, len(self.numbers.provinces)),
        )

    def _read_back(self, positions: PositionCodes) -> Iterator[CodedPosition]:
        """The positions without unused room."""
        names, units, lost, retreats, owners = (
            bytes(memoryview(one))  # type: ignore[arg-type]  # arrays
            for one in (
                positions.phases, positions.units, positions.dislodged, positions.retreats,
                positions.owners,
            )
        )  # fmt: skip
        width, most = 2 * self.numbers.unit_width, self.numbers.most_units
        room, provinces = most * width, len(self.numbers.provinces)
        for at in range(len(positions)):
            standing, gone = positions.counts[2 * at], positions.counts[2 * at + 1]
            yield CodedPosition(
                names[6 * at : 6 * at + 6],
                units[room * at : room * at + width * standing],
                lost[room * at : room * at + width * gone],
                retreats[_RETREAT * most * at : _RETREAT * (most * at + gone)],
                owners[provinces * at : provinces * (at + 1)],
            )

    def rows(self, units: bytes) -> list[bytes]:
        """The codes of units one by one."""
        width = 2 * self.numbers.unit_width
        return [units[at : at + width] for at in range(0, len(units), width)]

    def places(self, unit: Unit, bits: int) -> tuple[str, ...]:
        """The locations to which a unit may retreat, from their bits."""
        key = unit.kind, unit.location, bits
        known = self._places.get(key)
        if known is None:
            known = retreats_of(self.numbers, unit, bits)
            return _remembered(self._places, key, known)
        return known

    def dislodged(self, phase: CodedPhase) -> frozenset[bytes]:
        """The codes of all units that are dislodged in a movement phase that compiled code
        settles, also of those that cannot retreat."""
        assert self._boards is not None
        rows, numbers = array("H", phase.position.units), self.numbers
        count = len(rows) // numbers.unit_width
        codes = BoardCodes(
            array("I", (0, count)), rows, array("H", phase.orders),
            array("B", array("H", phase.position.phase)[1:2]), array("B", phase.position.owners),
        )  # fmt: skip
        memory = ResultMemory.of(1, count, len(numbers.attributes), numbers.place_words)
        self._boards.adjudicate(codes, memory, 0, 1)
        units = self.rows(phase.position.units)
        return frozenset(
            unit for unit, end in zip(units, memory.arrays.ends, strict=True) if end == NOWHERE
        )


def _joined(kind: str, parts: Sequence[bytes], room: int) -> array[int]:
    """The parts one after the other, each with so many bytes. Raises `ValueError` for a longer
    one."""
    longest = max(map(len, parts))
    if longest > room:
        raise ValueError("more units or orders than there is room for")
    if not longest:
        return array(kind, bytes(room * len(parts)))
    return array(kind, b"".join(map(bytes.ljust, parts, repeat(room), repeat(b"\0"))))


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
