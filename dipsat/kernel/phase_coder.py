"""Phases of any kind as a few bytes each, adjudicated at once by compiled equations.

For whoever has thousands of phases with the results that another program gave: what is equal byte
for byte needs no units, orders and positions in Python. A phase that has no codes, or that compiled
code leaves open, gives None; nothing here asks dipsat's Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple

from dipsat.board.province import UnitKind
from dipsat.game.phase_name import PhaseName
from dipsat.game.position import Unit
from dipsat.kernel.arrays import zeros
from dipsat.kernel.batch import Batch
from dipsat.kernel.coder import UnitRow, code_of, owners_of, retreats_of
from dipsat.kernel.codes import DISBAND, KINDS, BoardCodes, PositionCodes
from dipsat.kernel.library import GOES_ON, GameLibrary, KernelLibrary, Limits, Played
from dipsat.kernel.numbers import NO_ORDER, NOBODY, NOWHERE, SEASONS, MapNumbers
from dipsat.kernel.position_coder import ROW, PhaseTexts, Texts
from dipsat.kernel.results import ResultMemory
from dipsat.profiles.profile import asks_for_owners

_RETREAT = 8  # the bytes of the places to which a unit may retreat
_KEPT = 1_000  # phases, and lists of owners, whose bytes are remembered
_MOST = 20_000  # places for retreats that are remembered
_LIMITS = Limits(0, 65_000, 1, gives_orders=True)


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
        self.texts: PhaseTexts = batch._texts
        self._library: GameLibrary | None = batch._games
        self._boards: KernelLibrary | None = batch._library
        # By identity, since these take longer to compare than to look up; each entry keeps its
        # object, so that no other one has the same identity.
        self._phases: dict[int, tuple[PhaseName, bytes]] = {}
        self._units: dict[int, tuple[Sequence[Unit], list[UnitRow], bytes]] = {}
        self._owners: dict[int, tuple[object, bytes]] = {}
        self._nobody = owners_of(self.numbers, {})
        self.asks_for_owners = asks_for_owners(batch.rules)
        self._places: dict[tuple[UnitKind, str, int], tuple[str, ...]] = {}

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
        return self.texts.moves(self._coded(units)[1], orders)

    def only_disbands(self, orders: bytes) -> bool:
        """Whether rows of orders for dislodged units order no retreat."""
        return {NO_ORDER, DISBAND}.issuperset(memoryview(orders).cast("H")[::4])

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
            _joined("H", orders, 2 * self.numbers.most_units * ROW),
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
            if len(self._places) >= _MOST:
                self._places.clear()
            self._places[key] = known
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
