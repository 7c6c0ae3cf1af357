"""Calling the compiled code for legal orders and whole games."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass, fields
from typing import Any

from dipsat.kernel.arrays import zeros
from dipsat.kernel.board_codes import BoardCodes
from dipsat.kernel.faults import code_error
from dipsat.kernel.game_tables import GameTables
from dipsat.kernel.library import BOARDS, KernelLibrary, check_sizes, point_at
from dipsat.kernel.position_codes import PositionCodes

POSITIONS = tuple(one.name for one in fields(PositionCodes))
"""The arrays of `PositionCodes`."""
_ROOM = 1 << 16  # rows of orders that are fetched at once, at first


class _ListRequest(ctypes.Structure):
    _fields_ = [
        ("unit_count", ctypes.c_uint32),
        *((name, ctypes.c_void_p) for name in (*BOARDS, "rows")),
        ("room", ctypes.c_uint64),
        ("count", ctypes.c_uint64),
        ("ends", ctypes.c_void_p),
        ("settled", ctypes.c_void_p),
        *((name, ctypes.c_int32) for name in ("fault", "board", "unit")),
    ]


class _PlayRequest(ctypes.Structure):
    _fields_ = [
        ("seed", ctypes.c_uint64),
        ("first_game", ctypes.c_uint64),
        *((name, ctypes.c_int32) for name in (
            "last_year", "most_phases", "stop_at", "gives_orders", "fault", "board", "unit",
        )),
        *((name, ctypes.c_void_p) for name in (
            *POSITIONS, "orders", "status", "winners", "played",
        )),
    ]  # fmt: skip


class _ChoiceRequest(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in (*POSITIONS, "rows")),
        ("room", ctypes.c_uint64),
        ("count", ctypes.c_uint64),
        ("ends", ctypes.c_void_p),
        ("end_room", ctypes.c_uint64),
        ("end_count", ctypes.c_uint64),
        *((name, ctypes.c_void_p) for name in ("subjects", "due", "settled")),
        *((name, ctypes.c_int32) for name in ("fault", "board", "unit")),
    ]


@dataclass(frozen=True)
class Choices:
    """The legal orders of positions. `subjects`: for each position, where its subjects (units, and
    provinces to build in) end; `ends`: for each subject, where its rows end. `due`: for each
    position and power, how many units it builds, or disbands if negative. `settled`: for each
    position, whether it is left to Python (2)."""

    subjects: array[int]
    ends: array[int]
    rows: array[int]
    due: array[int]
    settled: array[int]


@dataclass(frozen=True)
class Played:
    """How far games have come. `status`: 0 goes on, 1 won, 2 ended, 3 its next orders are left to
    Python, 4 what its orders lead to is left to Python. `played` are the phases so far, `winners`
    the powers that have won (255: none). `orders` are those of the last phase."""

    positions: PositionCodes
    orders: MutableSequence[int]
    status: MutableSequence[int]
    winners: MutableSequence[int]
    played: MutableSequence[int]


GOES_ON, WON, ENDED, LEFT_TO_ORDER, LEFT_TO_SETTLE = range(5)


@dataclass(frozen=True)
class Limits:
    """`seed` of the games, the year after which and the number of phases after which each ends, and
    whether the orders are given instead of chosen at random."""

    seed: int
    last_year: int
    most_phases: int
    gives_orders: bool = False


class GameLibrary:
    """The compiled code of a profile for legal orders and whole games, with the tables of a map."""

    def __init__(self, library: KernelLibrary, tables: GameTables) -> None:
        self.tables = tables
        self._library = library  # which keeps the tables alive
        self._map, self._game = library.map, tables.structure
        self._list, self._play = library.loaded.list_orders, library.loaded.play
        self._choose = library.loaded.list_choices
        for function in (self._list, self._play, self._choose):
            function.argtypes = (*[ctypes.c_void_p] * 3, ctypes.c_int, ctypes.c_int)
            function.restype = ctypes.c_int
        found = (ctypes.c_int32 * 6)()
        library.loaded.game_sizes(found)
        most = tables.numbers.most_units
        wanted = [
            ctypes.sizeof(self._game), ctypes.sizeof(_ListRequest), ctypes.sizeof(_PlayRequest),
            ctypes.sizeof(_ChoiceRequest), most, 2 * most,
        ]  # fmt: skip
        check_sizes(found, wanted)

    def list_orders(self, codes: BoardCodes) -> tuple[array[int], array[int], array[int]]:
        """Every legal order of the units of all boards: the ends of the rows of each unit, the
        rows, and for each board whether it is left to Python (2). Raises `CodeError`."""
        boards, units = len(codes), codes.starts[-1]
        settled, ends = zeros("B", boards), zeros("I", units)
        found, rows, first = array("H"), array("H", bytes(8 * _ROOM)), 0
        while first < boards:
            request = _ListRequest(len(codes.orders) // 4)
            point_at(request, codes, BOARDS)
            request.rows, request.room = rows.buffer_info()[0], len(rows) // 4
            request.ends = ends.buffer_info()[0]
            request.settled = settled.buffer_info()[0]
            begun = self._called(self._list, request, first, boards)
            if begun == first:
                rows = array("H", bytes(4 * len(rows)))
                continue
            before = len(found) // 4
            if before:
                for at in range(codes.starts[first], codes.starts[begun]):
                    ends[at] += before
            found.extend(rows[: 4 * request.count])
            first = begun
        return ends, found, settled

    def list_choices(self, positions: PositionCodes) -> Choices:
        """Every legal order of positions of any phase. Raises `CodeError`."""
        count, numbers = len(positions), self.tables.numbers
        subjects, due = zeros("I", count), array("h", bytes(2 * count * len(numbers.powers)))
        found = Choices(subjects, array("I"), array("H"), due, zeros("B", count))
        rows, first = array("H", bytes(8 * _ROOM)), 0
        ends = zeros("I", max(_ROOM // 8, numbers.most_units + len(numbers.provinces)))
        while first < count:
            request = _ChoiceRequest(room=len(rows) // 4, end_room=len(ends))
            point_at(request, positions, POSITIONS)
            request.rows, request.ends = rows.buffer_info()[0], ends.buffer_info()[0]
            point_at(request, found, ("subjects", "due", "settled"))
            begun = self._called(self._choose, request, first, count)
            if begun == first:
                rows = array("H", bytes(4 * len(rows)))
                continue
            before, listed = len(found.rows) // 4, len(found.ends)
            for at in range(first, begun):
                subjects[at] += listed
            found.ends.extend(end + before for end in ends[: request.end_count])
            found.rows.extend(rows[: 4 * request.count])
            first = begun
        return found

    def play(self, games: Played, limits: Limits, stop_at: int, first: int, end: int) -> None:
        """Play the games from `first` to before `end` whose status is 0 on until each has played
        `stop_at` phases. Raises `CodeError`."""
        request = _PlayRequest(
            limits.seed,
            0,
            limits.last_year,
            limits.most_phases,
            stop_at,
            int(limits.gives_orders),
        )
        point_at(request, games.positions, POSITIONS)
        point_at(request, games, ("orders", "status", "winners", "played"))
        self._called(self._play, request, first, end)

    def _called(self, function: Any, request: Any, first: int, end: int) -> int:
        left: int = function(
            ctypes.addressof(self._map), ctypes.addressof(self._game), ctypes.addressof(request),
            first, end,
        )  # fmt: skip
        if left == -2:
            raise MemoryError
        if left == -1:
            raise code_error(request)
        return left
