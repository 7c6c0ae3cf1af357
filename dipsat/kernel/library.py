"""Calling the compiled code of a profile."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dipsat.errors import CodeError
from dipsat.kernel.codes import BoardCodes
from dipsat.kernel.numbers import MapNumbers
from dipsat.kernel.source import KernelSource
from dipsat.kernel.tables import MapTables

_POINTERS = (
    "starts", "units", "orders", "seasons", "owners", "verdicts", "ends", "attackers", "retreats",
    "attributes", "contested", "settled", "rules",
)  # fmt: skip
_FAULTS = {
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


class _Request(ctypes.Structure):
    _fields_ = [
        ("boards", ctypes.c_int32),
        *((name, ctypes.c_void_p) for name in _POINTERS),
        *((name, ctypes.c_int32) for name in ("fault", "board", "unit")),
    ]


@dataclass(frozen=True)
class ResultArrays:
    """What was found, in arrays by board or by unit; see `BatchResult`."""

    verdicts: Sequence[int]
    ends: Sequence[int]
    attackers: Sequence[int]
    retreats: Sequence[int]
    attributes: Sequence[int]
    contested: Sequence[int]
    settled: Sequence[int]
    rules: Sequence[int]


def empty_arrays(boards: int, units: int, attributes: int, place_words: int) -> ResultArrays:
    """Arrays for the results of so many boards with so many units."""

    def zeros(kind: str, count: int) -> array[int]:
        return array(kind, bytes(array(kind).itemsize * count))

    return ResultArrays(
        zeros("B", units),
        zeros("H", units),
        zeros("H", units),
        zeros("Q", units),
        zeros("H", units * attributes),
        zeros("Q", boards * place_words),
        zeros("B", boards),
        zeros("I", boards),
    )


class KernelLibrary:
    """The compiled code of a profile, with the tables of a map."""

    def __init__(self, loaded: ctypes.CDLL, tables: MapTables, source: KernelSource) -> None:
        self.tables = tables
        self.source = source
        self._map = tables.structure
        self._adjudicate = loaded.adjudicate
        self._adjudicate.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int)
        self._adjudicate.restype = ctypes.c_int
        found = (ctypes.c_int32 * 6)()
        loaded.sizes(found)
        layout = source.layout
        wanted = [
            2 * tables.numbers.unit_width, 8, layout.unit_words, layout.place_words,
            ctypes.sizeof(_Request), ctypes.sizeof(self._map),
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
            setattr(request, name, _address(getattr(codes, name), kind, kept))
        for name, kind in (
            ("verdicts", "B"), ("ends", "H"), ("attackers", "H"), ("retreats", "Q"),
            ("attributes", "H"), ("contested", "Q"), ("settled", "B"), ("rules", "I"),
        ):  # fmt: skip
            setattr(request, name, _address(getattr(into, name), kind, kept))
        left: int = self._adjudicate(
            ctypes.addressof(self._map), ctypes.addressof(request), first, end
        )
        if left == -2:
            raise MemoryError
        if left < 0:
            raise CodeError(request.board, request.unit, _FAULTS[request.fault])
        return left


def _address(numbers: Any, kind: str, kept: list[Any]) -> int | None:
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


def numbers_as_arrays(codes: BoardCodes, numbers: MapNumbers) -> BoardCodes:
    """The codes with every sequence as an array of the type that the compiled code reads. Raises
    `CodeError` for arrays that do not fit together."""
    try:
        starts = _as_array(codes.starts, "I")
        units, orders = _as_array(codes.units, "H"), _as_array(codes.orders, "H")
        seasons = _as_array(codes.seasons, "B")
        owners = None if codes.owners is None else _as_array(codes.owners, "B")
    except (OverflowError, TypeError, ValueError) as error:
        raise CodeError(None, None, f"an array holds something else than codes: {error}") from None
    boards = len(starts) - 1
    counts = [
        ("starts", len(starts) > 0 and starts[0] == 0, "begin with 0"),
        ("starts", all(map(int.__le__, starts, starts[1:])), "never become less"),
        ("units", len(units) == numbers.unit_width * (starts[-1] if boards >= 0 else 0),
         f"have {numbers.unit_width} numbers for each unit"),
        ("orders", len(orders) == 4 * (starts[-1] if boards >= 0 else 0),
         "have 4 numbers for each unit"),
        ("seasons", len(seasons) == boards, "have one number for each board"),
        ("owners", owners is None or len(owners) == boards * len(numbers.provinces),
         "have one number for each board and province"),
    ]  # fmt: skip
    for name, holds, should in counts:
        if not holds:
            raise CodeError(None, None, f"`{name}` should {should}")
    return BoardCodes(starts, units, orders, seasons, owners, codes.uncoded)


def _as_array(numbers: Any, kind: str) -> Any:
    """The numbers as a one-dimensional array of a type, the same memory where it fits."""
    try:
        view = memoryview(numbers)
    except TypeError:
        return array(kind, numbers)
    if view.format == kind and view.c_contiguous:
        return view.cast("B").cast(kind) if view.ndim > 1 else view
    listed = view.tolist()
    while listed and isinstance(listed[0], list):
        listed = [one for row in listed for one in row]
    return array(kind, listed)
