"""Calling the compiled code of a profile."""

from __future__ import annotations

import ctypes
import weakref
from array import array
from collections.abc import Callable
from typing import Any

from dipsat.errors import CodeError
from dipsat.kernel.board_codes import NEVER_LESS, BoardCodes
from dipsat.kernel.results import ResultMemory
from dipsat.kernel.source import KernelSource
from dipsat.kernel.tables import MapTables

_POINTERS = (
    "starts", "units", "orders", "seasons", "owners", "verdicts", "ends", "attackers", "retreats",
    "attributes", "contested", "settled", "rules",
)  # fmt: skip
BAD_STARTS = 10
FAULTS_OF_UNITS = range(2, BAD_STARTS)
FAULTS = {
    2: "the power has no such number on this map",
    3: "the kind of unit has no such number",
    4: "no unit of this kind can stand there",
    5: "an attribute has no such value",
    6: "another unit stands in the same province",
    7: "the type of the order has no such number",
    8: "the location of the other unit is not on this map",
    9: "the target is not on this map",
    BAD_STARTS: NEVER_LESS,
    11: "the season has no such number",
    12: "a province is owned by a power that the map does not have",
}


class _Request(ctypes.Structure):
    _fields_ = [
        ("boards", ctypes.c_int32),
        ("unit_count", ctypes.c_uint32),
        *((name, ctypes.c_void_p) for name in _POINTERS),
        *((name, ctypes.c_int32) for name in ("fault", "board", "unit")),
    ]


class KernelLibrary:
    """The compiled code of a profile, with the tables of a map."""

    def __init__(self, loaded: ctypes.CDLL, tables: MapTables, source: KernelSource) -> None:
        self.tables = tables
        self.source = source
        self.loaded = loaded
        self.map = tables.structure
        self._address = ctypes.addressof(self.map)
        self._adjudicate = loaded.adjudicate
        pointer = ctypes.c_void_p
        self._adjudicate.argtypes = (pointer, pointer, pointer, ctypes.c_int, ctypes.c_int)
        self._adjudicate.restype = ctypes.c_int
        self._workspaces = _Workspaces(loaded)
        found = (ctypes.c_int32 * 6)()
        loaded.sizes(found)
        layout = source.layout
        wanted = [
            2 * tables.numbers.unit_width, 8, layout.unit_words, layout.place_words,
            ctypes.sizeof(_Request), ctypes.sizeof(self.map),
        ]  # fmt: skip
        if list(found) != wanted:
            raise AssertionError(f"the compiled code reads other structures: {list(found)}")

    def adjudicate(self, codes: BoardCodes, into: ResultMemory, first: int, end: int) -> int:
        """Adjudicate the boards from `first` to before `end`; returns how many are left to the
        solver. Raises `CodeError`, and `MemoryError`."""
        request = _Request(len(codes), len(codes.orders) // 4)
        kept = []
        for name in ("starts", "units", "orders", "seasons", "owners"):
            place, owner = address_of(getattr(codes, name))
            setattr(request, name, place)
            kept.append(owner)
        memory = (ctypes.c_char * len(into.data)).from_buffer(into.data)
        start = ctypes.addressof(memory)
        for name, offset in into.offsets.items():
            if name:
                setattr(request, name, start + offset)
        place = self._workspaces.take()
        try:
            left: int = self._adjudicate(
                self._address, place, ctypes.addressof(request), first, end
            )
        finally:
            self._workspaces.give(place)
        if left < 0:
            about_unit = request.fault in FAULTS_OF_UNITS
            board = None if request.fault == BAD_STARTS else request.board
            unit = request.unit if about_unit else None
            raise CodeError(board, unit, FAULTS[request.fault])
        return left


class _Workspaces:
    """Memory for calls at the same time, each piece for one."""

    def __init__(self, loaded: ctypes.CDLL) -> None:
        self._new = loaded.new_workspace
        self._new.restype = ctypes.c_void_p
        free = loaded.free_workspace
        free.argtypes = (ctypes.c_void_p,)
        self._free: list[int] = []
        weakref.finalize(self, _free_all, self._free, free)

    def take(self) -> int:
        """A piece that nobody uses. Raises `MemoryError`."""
        try:
            return self._free.pop()
        except IndexError:
            place: int | None = self._new()
        if place is None:
            raise MemoryError
        return place

    def give(self, place: int) -> None:
        """Put a piece back."""
        self._free.append(place)


def _free_all(places: list[int], free: Callable[[int], None]) -> None:
    for place in places:
        free(place)


def address_of(numbers: Any) -> tuple[int | None, object]:
    """The address of numbers in an array, and what has to live as long as it is used."""
    if isinstance(numbers, array):
        return numbers.buffer_info()[0], numbers
    if numbers is None:
        return None, None
    view = memoryview(numbers)
    if view.nbytes == 0:
        return None, None
    if view.readonly:
        text = ctypes.c_char_p(view.tobytes())
        return ctypes.cast(text, ctypes.c_void_p).value, text
    shared = (ctypes.c_char * view.nbytes).from_buffer(numbers)
    return ctypes.addressof(shared), shared
