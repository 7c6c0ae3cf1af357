"""Calling the compiled code of a profile."""

from __future__ import annotations

import ctypes
from typing import Any

from dipsat.errors import CodeError
from dipsat.kernel.board_codes import BoardCodes
from dipsat.kernel.results import ResultArrays
from dipsat.kernel.source import KernelSource
from dipsat.kernel.tables import MapTables

_POINTERS = (
    "starts", "units", "orders", "seasons", "owners", "verdicts", "ends", "attackers", "retreats",
    "attributes", "contested", "settled", "rules",
)  # fmt: skip
FAULTS = {
    2: "the power has no such number on this map",
    3: "the kind of unit has no such number",
    4: "no unit of this kind can stand there",
    5: "an attribute has no such value",
    6: "another unit stands in the same province",
    7: "the type of the order has no such number",
    8: "the location of the other unit is not on this map",
    9: "the target is not on this map",
    11: "the season has no such number",
    12: "a province is owned by a power that the map does not have",
}
"""What is wrong with a board, by number."""


class _Request(ctypes.Structure):
    _fields_ = [
        ("boards", ctypes.c_int32),
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
        self._adjudicate = loaded.adjudicate
        self._adjudicate.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int)
        self._adjudicate.restype = ctypes.c_int
        found = (ctypes.c_int32 * 6)()
        loaded.sizes(found)
        layout = source.layout
        wanted = [
            2 * tables.numbers.unit_width, 8, layout.unit_words, layout.place_words,
            ctypes.sizeof(_Request), ctypes.sizeof(self.map),
        ]  # fmt: skip
        if list(found) != wanted:
            raise AssertionError(f"the compiled code reads other structures: {list(found)}")

    def adjudicate(self, codes: BoardCodes, into: ResultArrays, first: int, end: int) -> int:
        """Adjudicate the boards from `first` to before `end`; returns how many are left to the
        solver. Raises `CodeError`, and `MemoryError`."""
        kept: list[Any] = []
        request = _Request(len(codes))
        for name, kind in (
            ("starts", "I"), ("units", "H"), ("orders", "H"), ("seasons", "B"), ("owners", "B"),
        ):  # fmt: skip
            setattr(request, name, address(getattr(codes, name), kind, kept))
        for name, kind in (
            ("verdicts", "B"), ("ends", "H"), ("attackers", "H"), ("retreats", "Q"),
            ("attributes", "H"), ("contested", "Q"), ("settled", "B"), ("rules", "I"),
        ):  # fmt: skip
            setattr(request, name, address(getattr(into, name), kind, kept))
        left: int = self._adjudicate(
            ctypes.addressof(self.map), ctypes.addressof(request), first, end
        )
        if left == -2:
            raise MemoryError
        if left < 0:
            raise CodeError(request.board, request.unit, FAULTS[request.fault])
        return left


def address(numbers: Any, kind: str, kept: list[Any]) -> int | None:
    """The address of numbers in an array of this type, which `kept` keeps alive."""
    if numbers is None:
        return None
    view = memoryview(numbers)
    if view.nbytes == 0:
        return None
    if view.readonly:
        shared: Any = ctypes.c_char_p(view.tobytes())
        kept.append(shared)
        return ctypes.cast(shared, ctypes.c_void_p).value
    shared = (ctypes.c_char * view.nbytes).from_buffer(numbers)
    kept.append(shared)
    return ctypes.addressof(shared)
