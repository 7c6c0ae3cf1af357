"""Phases as a few bytes each, adjudicated at once: only what compiled code settles.

`MovesAtOnce` is for whoever judges the same movement phases under many profiles and asks only where
these differ. `PhaseCoder` is for whoever has thousands of phases of any kind with the results that
another program gave: what is equal byte for byte needs no units, orders and positions in Python. A
phase that has no codes, or that compiled code leaves open, is left to the caller; nothing here asks
dipsat's Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise, repeat
from typing import NamedTuple

from dipsat.board.province import UnitKind
from dipsat.errors import DipsatError
from dipsat.game.phase_name import PhaseName
from dipsat.game.position import Position
from dipsat.kernel.batch import Batch
from dipsat.kernel.coder import (
    Coder,
    UnitRow,
    are_apart,
    code_of,
    owners_of,
    remembered,
    retreats_of,
)
from dipsat.kernel.codes import DISBAND, KINDS, BoardCodes, PositionCodes, zeros
from dipsat.kernel.library import GOES_ON, GameLibrary, KernelLibrary, Limits, Played
from dipsat.kernel.numbers import NO_ORDER, NOBODY, NOWHERE, SEASONS, VERDICTS, MapNumbers
from dipsat.kernel.position_coder import ROW, PhaseTexts, Texts
from dipsat.kernel.results import BatchResult, ResultMemory
from dipsat.orders.order import Unit
from dipsat.profiles.demands import asks_for_owners

_UNHEEDED = bytes.maketrans(bytes([VERDICTS.index("illegal")]), bytes([VERDICTS.index("invalid")]))
"""Makes one verdict of the two that say that an order is not carried out: its unit stands."""


class CodedMoves(NamedTuple):
    """The code of a movement phase; `has_strays` if it has orders for units that do not exist, of
    which the code says nothing."""

    units: bytes
    orders: bytes
    season: int
    owners: bytes
    has_strays: bool


class MovesApart(NamedTuple):
    """What differs between two results of a phase."""

    orders: int
    """How many units have an order with another verdict, or another fate."""
    board: bool
    """Whether the next positions differ."""


class MovesAtOnce:
    """Codes movement phases for one batch, and adjudicates them."""

    def __init__(self, batch: Batch) -> None:
        self.numbers = batch.numbers
        self._batch = batch
        self._coder = batch._coder
        self._library: KernelLibrary | None = batch._library

    @property
    def is_ready(self) -> bool:
        """Whether the equations are compiled."""
        return self._library is not None

    @property
    def places(self) -> Hashable:
        """What units are to the codes: equal for two batches of one map whose units have the same
        codes."""
        return self.numbers.kinds, tuple(self.numbers.attributes.items()), self._batch.rules.words

    @property
    def reading(self) -> Hashable:
        """How orders are read: a phase that has codes under two readings has the same ones, and
        under equal readings the same phases have codes."""
        return self.places, self._coder.care

    def coded(self, position: Position, orders: Mapping[str, Sequence[str]]) -> CodedMoves | None:
        """The code of a movement phase; None if something about it needs care."""
        try:
            rows = self._coder.unit_rows(position.units)
            if not are_apart(rows, len(rows)) or len(rows) > self.numbers.most_units:
                return None
            found = self._batch._texts.moves(rows, orders)
            if position.unknown_centers and asks_for_owners(self._batch.rules):
                return None
            owners = owners_of(self.numbers, position.centers)
        except (DipsatError, LookupError, ValueError):
            return None
        if found is None or position.phase.season not in SEASONS:
            return None
        ordered = len(rows) - memoryview(found).cast("H")[::4].tolist().count(NO_ORDER)
        return CodedMoves(
            b"".join(map(code_of, rows)), found, SEASONS.index(position.phase.season),
            owners, ordered < sum(map(len, orders.values())),
        )  # fmt: skip

    def judged(self, coded: Sequence[CodedMoves]) -> BatchResult:
        """The results, whose boards have the numbers of the phases. Those of `left_open` mean
        nothing. Raises `CodeError`."""
        assert self._library is not None
        return _judged(self._library, self._coder, coded)


def _judged(library: KernelLibrary, coder: Coder, coded: Sequence[CodedMoves]) -> BatchResult:
    starts, width = array("I", [0]), 2 * coder.numbers.unit_width
    for one in coded:
        starts.append(starts[-1] + len(one.units) // width)
    codes = BoardCodes(
        starts,
        array("H", b"".join(one.units for one in coded)),
        array("H", b"".join(one.orders for one in coded)),
        array("B", [one.season for one in coded]),
        array("B", b"".join(one.owners for one in coded)),
    )
    memory = ResultMemory.of(len(coded), starts[-1], coder.numbers)
    if coded:
        library.adjudicate(codes, memory, 0, len(coded))
    return BatchResult(coder, codes, memory)


def left_open(result: BatchResult) -> list[int]:
    """The boards that compiled code has not settled."""
    return result._memory.open_boards()


def differing(one: BatchResult, other: BatchResult) -> dict[int, MovesApart | None]:
    """The boards of two results of the same codes whose verdicts, ends or retreats differ -> what
    differs; None for a board that either leaves open. An illegal order is as good as an invalid
    one."""
    found: dict[int, MovesApart | None] = dict.fromkeys({*left_open(one), *left_open(other)})
    mine, theirs = _parts(one), _parts(other)
    units = one.codes.starts[-1]
    pairs = [(a, b, len(a) // units) for a, b in zip(mine, theirs, strict=True) if a != b]
    if not pairs:
        return found
    fates = _fates(one), _fates(other)
    for at, (first, end) in enumerate(pairwise(one.codes.starts)):
        if at in found:
            continue
        if any(
            a[size * first : size * end] != b[size * first : size * end] for a, b, size in pairs
        ):
            orders = sum(fates[0][unit] != fates[1][unit] for unit in range(first, end))
            board = _after(one, first, end) != _after(other, first, end)
            if orders or board:  # not only a number that destroyed units take along
                found[at] = MovesApart(orders, board)
    return found


def _after(result: BatchResult, first: int, end: int) -> list[tuple[object, ...]]:
    """The units of a board after the phase, and those that must retreat, so that two boards are
    equal if nobody could tell them apart: it does not count which of two equal units is where."""
    arrays, codes = result.arrays, result.codes.units
    width, more = len(codes) // len(arrays.ends), len(arrays.attributes) // len(arrays.ends)
    found: list[tuple[object, ...]] = []
    for unit in range(first, end):
        power, kind, location = codes[width * unit : width * unit + 3]
        goes, retreats = arrays.ends[unit], arrays.retreats[unit]
        has_left = goes == NOWHERE
        if not has_left or retreats:
            attributes = tuple(arrays.attributes[more * unit : more * (unit + 1)])
            where = (location, retreats) if has_left else (goes, 0)
            found.append((has_left, power, kind, *where, attributes))
    return sorted(found)


def _fates(result: BatchResult) -> list[tuple[int, bool, bool]]:
    """For each unit, the verdict on its order, whether it is dislodged, and whether it may then
    retreat."""
    arrays = result.arrays
    return [
        (verdict, end == NOWHERE, end == NOWHERE and retreats != 0)
        for verdict, end, retreats in zip(
            _verdicts(result), arrays.ends, arrays.retreats, strict=True
        )
    ]


def _parts(result: BatchResult) -> tuple[bytes, ...]:
    """What is compared, unit by unit."""
    arrays = result.arrays
    parts = arrays.ends, arrays.retreats, arrays.attributes
    return _verdicts(result), *(bytes(memoryview(part)) for part in parts)  # type: ignore[arg-type]  # views


def _verdicts(result: BatchResult) -> bytes:
    return bytes(result.arrays.verdicts).translate(_UNHEEDED)


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
            coded = phase, array("H", numbers).tobytes()
            known = remembered(self._phases, id(phase), coded, _KEPT)
        return known[1]

    def units(self, units: Sequence[Unit]) -> bytes:
        """The codes of units."""
        return self._coded(units)[2] if units else b""

    def _coded(self, units: Sequence[Unit]) -> tuple[Sequence[Unit], list[UnitRow], bytes]:
        """The rows of units; states that follow each other mostly share their units."""
        known = self._units.get(id(units))
        if known is None:
            rows = self._coder.unit_rows(units)
            coded = units, rows, b"".join(map(code_of, rows))
            known = remembered(self._units, id(units), coded, _KEPT)
        return known

    def owners(self, centers: Mapping[str, Sequence[str]] | None) -> bytes:
        """The owners of centres; without any, nobody owns one."""
        if not centers:
            return self._nobody
        known = self._owners.get(id(centers))
        if known is None:
            coded = centers, owners_of(self.numbers, centers)
            known = remembered(self._owners, id(centers), coded, _KEPT)
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
            found = retreats_of(self.numbers, unit, bits)
            known = remembered(self._places, key, found, _MOST)
        return known

    def dislodged(self, phase: CodedPhase) -> frozenset[bytes]:
        """The codes of all units that are dislodged in a movement phase that compiled code
        settles, also of those that cannot retreat."""
        assert self._boards is not None
        position = phase.position
        season = memoryview(position.phase).cast("H")[1]
        moves = CodedMoves(position.units, phase.orders, season, position.owners, False)
        ends = _judged(self._boards, self._coder, [moves]).arrays.ends
        units = self.rows(position.units)
        return frozenset(unit for unit, end in zip(units, ends, strict=True) if end == NOWHERE)


def _joined(kind: str, parts: Sequence[bytes], room: int) -> array[int]:
    """The parts one after the other, each with so many bytes. Raises `ValueError` for a longer
    one."""
    longest = max(map(len, parts))
    if longest > room:
        raise ValueError("more units or orders than there is room for")
    if not longest:
        return array(kind, bytes(room * len(parts)))
    return array(kind, b"".join(map(bytes.ljust, parts, repeat(room), repeat(b"\0"))))
