"""Calling the compiled code of a profile."""

from __future__ import annotations

import ctypes
import weakref
from array import array
from collections.abc import Callable, Iterable
from struct import Struct
from typing import Any

from dipsat.kernel.board_codes import BoardCodes
from dipsat.kernel.faults import code_error
from dipsat.kernel.results import ResultMemory
from dipsat.kernel.source import KernelSource
from dipsat.kernel.tables import MapTables

BOARDS = ("starts", "units", "orders", "seasons", "owners")
"""The arrays of `BoardCodes`."""
_FOUND = (
    "verdicts", "ends", "attackers", "retreats", "attributes", "contested", "settled", "rules",
)  # fmt: skip


class _Request(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("map", "workspace")),
        *((name, ctypes.c_int32) for name in ("first", "end")),
        ("unit_count", ctypes.c_uint32),
        *((name, ctypes.c_void_p) for name in (*BOARDS, "results")),
        ("before", ctypes.c_uint64 * len(_FOUND)),
        *((name, ctypes.c_void_p) for name in _FOUND),
        *((name, ctypes.c_int32) for name in ("fault", "board", "unit")),
    ]


_REQUEST = Struct(f"@2P2iI{len(BOARDS) + 1}P{8 * len(_FOUND)}s")
"""How the first fields of a request are packed, those that change from call to call."""


class _Workspace:
    """Memory that one call at a time can use, and its request, which is filled anew."""

    def __init__(self, address: int) -> None:
        self.address = address
        self.request = _Request()
        self.request_address = ctypes.addressof(self.request)


class KernelLibrary:
    """The compiled code of a profile, with the tables of a map."""

    def __init__(
        self,
        loaded: ctypes.CDLL,
        tables: MapTables,
        source: KernelSource,
        compiler: str = "",
        why_not_kept: str = "",
    ) -> None:
        self.tables = tables
        self.source = source
        self.loaded = loaded
        self.compiler = compiler
        self.why_not_kept = why_not_kept
        self.map = tables.structure
        self._address = ctypes.addressof(self.map)
        self._adjudicate = loaded.adjudicate
        self._adjudicate.argtypes = (ctypes.c_void_p,)
        self._adjudicate.restype = ctypes.c_int
        self._workspaces = _Workspaces(loaded)
        found = (ctypes.c_int32 * 6)()
        loaded.sizes(found)
        layout = source.layout
        wanted = [
            2 * tables.numbers.unit_width, 8, layout.unit_words, layout.place_words,
            ctypes.sizeof(_Request), ctypes.sizeof(self.map),
        ]  # fmt: skip
        check_sizes(found, wanted)

    def adjudicate(self, codes: BoardCodes, into: ResultMemory, first: int, end: int) -> int:
        """Adjudicate the boards from `first` to before `end`; returns how many are left to the
        solver. Raises `CodeError`, and `MemoryError`."""
        held: Any = codes.starts, codes.units, codes.orders, codes.seasons, codes.owners
        starts, units, orders, seasons, owners = held
        if type(starts) is type(units) is type(orders) is type(seasons) is array and owners is None:
            places = [one.buffer_info()[0] for one in held[:4]]
            places.append(0)
        else:
            found = [_address_of(numbers) for numbers in held]
            places, held = [at or 0 for at, _ in found], [owner for _, owner in found]
        memory = ctypes.c_char.from_buffer(into.data)  # as long as it lives, the data cannot move
        place = self._workspaces.take()
        _REQUEST.pack_into(
            place.request, 0, self._address, place.address, first, end, len(orders) // 4,
            *places, ctypes.addressof(memory), into.layout.packed,
        )  # fmt: skip
        try:
            left: int = self._adjudicate(place.request_address)
            if left < 0:
                raise code_error(place.request)
        finally:
            self._workspaces.give(place)
        return left


class _Workspaces:
    """Memory for calls at the same time, each piece for one."""

    def __init__(self, loaded: ctypes.CDLL) -> None:
        self._new = loaded.new_workspace
        self._new.restype = ctypes.c_void_p
        free = loaded.free_workspace
        free.argtypes = (ctypes.c_void_p,)
        self._free: list[_Workspace] = []
        weakref.finalize(self, _free_all, self._free, free)

    def take(self) -> _Workspace:
        """A piece that nobody uses. Raises `MemoryError`."""
        try:
            return self._free.pop()
        except IndexError:
            address: int | None = self._new()
        if address is None:
            raise MemoryError
        return _Workspace(address)

    def give(self, place: _Workspace) -> None:
        """Put a piece back."""
        self._free.append(place)


def _free_all(places: list[_Workspace], free: Callable[[int], None]) -> None:
    for place in places:
        free(place.address)


def check_sizes(found: Iterable[int], wanted: list[int]) -> None:
    """Raise `AssertionError` if the compiled code lays out its structures in another way."""
    if (sizes := list(found)) != wanted:
        raise AssertionError(f"the compiled code reads other structures: {sizes}")


def point_at(request: Any, holder: object, names: Iterable[str]) -> None:
    """Let a request point at arrays of the holder, by their names. The request keeps them alive."""
    for name in names:
        place, owner = _address_of(getattr(holder, name))
        setattr(request, name, place)
        request.__dict__.setdefault("kept", []).append(owner)


def _address_of(numbers: Any) -> tuple[int | None, object]:
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
