"""Calling the compiled code of a profile."""

from __future__ import annotations

import ctypes
import time
import weakref
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from struct import Struct
from typing import Any

from dipsat.base import kept_on_first
from dipsat.kernel.codes import BoardCodes, PositionCodes, code_error, zeros
from dipsat.kernel.library_cache import Library, build_and_load, cpu_flags, load_kept
from dipsat.kernel.numbers import MapNumbers
from dipsat.kernel.result_arrays import ResultMemory
from dipsat.kernel.source import KernelSource, source_of
from dipsat.kernel.tables import GameTables, MapTables
from dipsat.rules import Profile

BOARDS = ("starts", "units", "orders", "seasons", "owners")
"""The arrays of `BoardCodes`."""
_FOUND = (
    "verdicts", "ends", "attackers", "retreats", "attributes", "contested", "settled", "rules",
)  # fmt: skip


_FAULT = "i fault board unit"
_TYPES = {"P": ctypes.c_void_p, "i": ctypes.c_int32, "I": ctypes.c_uint32, "Q": ctypes.c_uint64}


def _shape(*groups: str) -> Any:
    """A type of requests. Each group is the letter of a type and the names of fields."""
    fields = [(name, _TYPES[letter]) for letter, *names in map(str.split, groups) for name in names]
    return type("Request", (ctypes.Structure,), {"_fields_": fields})


_Request = _shape(
    "P map workspace", "i first end", "I unit_count only_propagates",
    f"P {' '.join(BOARDS)} results",
    f"Q {' '.join(f'before_{name}' for name in _FOUND)}", f"P {' '.join(_FOUND)}", _FAULT,
)  # fmt: skip
_MOST_WRITTEN = 8 * (8 + 1)  # bytes of an order: eight names of eight letters, in a line
_MAP_AND_TEXTS = (
    ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_long,
)  # fmt: skip
_REQUEST = Struct(f"@2P2i2I{len(BOARDS) + 1}P{8 * len(_FOUND)}s")
"""How the first fields of a request are packed, those that change from call to call."""


class _Workspace:
    """Memory that one call at a time can use, and its request, which is filled anew."""

    def __init__(self, address: int) -> None:
        self.address = address
        self.request = _Request()
        self.request_address = ctypes.addressof(self.request)


class KernelLibrary:
    """The compiled code of a profile, with the tables of a map."""

    def __init__(self, library: Library, tables: MapTables, source: KernelSource) -> None:
        loaded = library.loaded
        self.tables = tables
        self.source = source
        self.loaded = loaded
        self.compiler = library.compiler
        self.why_not_kept = library.why_not_kept
        self.map = tables.structure
        self._address = ctypes.addressof(self.map)
        self._adjudicate = loaded.adjudicate
        self._adjudicate.argtypes = (ctypes.c_void_p,)
        self._adjudicate.restype = ctypes.c_int
        self._read_units = loaded.read_units
        self._read_units.argtypes = (*_MAP_AND_TEXTS, ctypes.c_void_p)
        self._read_orders = loaded.read_orders
        self._read_orders.argtypes = (
            ctypes.c_int, ctypes.c_void_p, ctypes.c_int, *_MAP_AND_TEXTS,
            ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p,
        )  # fmt: skip
        self._write_orders = loaded.write_orders
        self._write_orders.argtypes = (
            ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, *[ctypes.c_void_p] * 3,
        )  # fmt: skip
        self._write_orders.restype = ctypes.c_long
        self._new = loaded.new_workspace
        self._new.restype = ctypes.c_void_p
        loaded.free_workspace.argtypes = (ctypes.c_void_p,)
        self._free: list[_Workspace] = []
        weakref.finalize(self, _free_all, self._free, loaded.free_workspace)
        found = (ctypes.c_int32 * 6)()
        loaded.sizes(found)
        layout = source.layout
        wanted = [
            2 * tables.numbers.unit_width, 8, layout.unit_words, layout.place_words,
            ctypes.sizeof(_Request), ctypes.sizeof(self.map),
        ]  # fmt: skip
        check_sizes(found, wanted)

    def adjudicate(
        self,
        codes: BoardCodes,
        into: ResultMemory,
        first: int,
        end: int,
        only_propagates: bool = False,
    ) -> int:
        """Adjudicate the boards from `first` to before `end`; returns how many are left to the
        solver, with `only_propagates` all that propagation leaves open. Raises `CodeError`, and
        `MemoryError`."""
        held: Any = codes.starts, codes.units, codes.orders, codes.seasons, codes.owners
        starts, units, orders, seasons, owners = held
        if type(starts) is type(units) is type(orders) is type(seasons) is array and owners is None:
            places = [one.buffer_info()[0] for one in held[:4]]
            places.append(0)
        else:
            found = [_address_of(numbers) for numbers in held]
            places, held = [at or 0 for at, _ in found], [owner for _, owner in found]
        memory = ctypes.c_char.from_buffer(into.data)  # as long as it lives, the data cannot move
        place = self._workspace()
        _REQUEST.pack_into(
            place.request, 0, self._address, place.address, first, end, len(orders) // 4,
            only_propagates, *places, ctypes.addressof(memory), into.packed,
        )  # fmt: skip
        try:
            left: int = self._adjudicate(place.request_address)
            if left < 0:
                raise code_error(place.request)
        finally:
            self._free.append(place)
        return left

    def read_units(self, heads: array[int], texts: Sequence[Any]) -> array[int] | None:
        """As `TextReader` says."""
        text, found = _joined(texts), zeros("H", self.tables.numbers.unit_width * len(texts))
        if text is None:
            return None
        place, into = heads.buffer_info()[0], found.buffer_info()[0]
        count = self._read_units(self._address, place, len(heads) // 2, text, len(text), into)
        return None if count < 0 else found

    def read_orders(
        self,
        kind: int,
        units: array[int],
        heads: array[int],
        texts: Sequence[Any],
        rows: array[int],
        lines: array[int] | None = None,
    ) -> int | None:
        """As `TextReader` says."""
        text = _joined(texts)
        if text is None:
            return None
        strays: int = self._read_orders(
            kind, units.buffer_info()[0], len(units) // self.tables.numbers.unit_width,
            self._address, heads.buffer_info()[0], len(heads) // 2, text, len(text),
            rows.buffer_info()[0], len(rows) // 4,
            None if lines is None else lines.buffer_info()[0],
        )  # fmt: skip
        return None if strays < 0 else strays

    def write_orders(
        self, units: array[int], ends: array[int], rows: array[int]
    ) -> list[str] | None:
        """The texts of movement orders; `ends` says where those of each unit end. None if there is
        not a name for everything."""
        text = bytearray(_MOST_WRITTEN * (len(rows) // 4) or 1)
        shared = ctypes.c_char.from_buffer(text)
        length: int = self._write_orders(
            self._address, units.buffer_info()[0], len(ends), ends.buffer_info()[0],
            rows.buffer_info()[0], ctypes.addressof(shared),
        )  # fmt: skip
        return None if length < 0 else text[:length].decode().split("\n")

    def _workspace(self) -> _Workspace:
        """Memory that no other call uses. Raises `MemoryError`."""
        try:
            return self._free.pop()
        except IndexError:
            address: int | None = self._new()
        if address is None:
            raise MemoryError
        return _Workspace(address)


def _joined(texts: Sequence[Any]) -> bytes | None:
    """Each text in a line; None if one has several lines or is not a text."""
    try:
        found = "\n".join(texts).encode()
    except (TypeError, UnicodeError):
        return None
    return found if found.count(b"\n") == max(len(texts) - 1, 0) else None


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


POSITIONS = tuple(one.name for one in fields(PositionCodes))
"""The arrays of `PositionCodes`."""
_ROOM, _FEW = 1 << 16, 1 << 11  # rows of orders that are fetched at once, at first; of a board


_POSITIONS = f"P {' '.join(POSITIONS)}"
_ListRequest = _shape(
    "I unit_count",
    f"P {' '.join(BOARDS)} rows",
    "Q room count",
    "P ends settled",
    _FAULT,
)
_PlayRequest = _shape(
    "Q seed first_game", "i last_year most_phases stop_at gives_orders", _FAULT,
    f"{_POSITIONS} orders status winners played",
)  # fmt: skip
_ChoiceRequest = _shape(
    f"{_POSITIONS} rows",
    "Q room count",
    "P ends",
    "Q end_room end_count",
    "P subjects due settled",
    _FAULT,
)


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
        found = (ctypes.c_int32 * 4)()
        library.loaded.game_sizes(found)
        wanted = [
            ctypes.sizeof(self._game), ctypes.sizeof(_ListRequest), ctypes.sizeof(_PlayRequest),
            ctypes.sizeof(_ChoiceRequest),
        ]  # fmt: skip
        check_sizes(found, wanted)

    def list_orders(self, codes: BoardCodes) -> tuple[array[int], array[int], array[int]]:
        """Every legal order of the units of all boards: the ends of the rows of each unit, the
        rows, and for each board whether it is left to Python (2). Raises `CodeError`."""
        boards, found = len(codes), array("H")
        settled, ends = zeros("B", boards), zeros("I", codes.starts[-1])
        request = _ListRequest(len(codes.orders) // 4)
        point_at(request, codes, BOARDS)
        request.ends, request.settled = ends.buffer_info()[0], settled.buffer_info()[0]
        for first, end, rows in self._listed(self._list, request, boards):
            for at in range(codes.starts[first], codes.starts[end]) if found else ():
                ends[at] += len(found) // 4
            found.extend(rows)
        return ends, found, settled

    def list_choices(self, positions: PositionCodes) -> Choices:
        """Every legal order of positions of any phase. Raises `CodeError`."""
        count, numbers = len(positions), self.tables.numbers
        subjects, due = zeros("I", count), array("h", bytes(2 * count * len(numbers.powers)))
        found = Choices(subjects, array("I"), array("H"), due, zeros("B", count))
        ends = zeros("I", max(_ROOM // 8, numbers.most_units + len(numbers.provinces)))
        request = _ChoiceRequest(ends=ends.buffer_info()[0], end_room=len(ends))
        point_at(request, positions, POSITIONS)
        point_at(request, found, ("subjects", "due", "settled"))
        for first, end, rows in self._listed(self._choose, request, count):
            for at in range(first, end):
                subjects[at] += len(found.ends)
            before = len(found.rows) // 4
            found.ends.extend(one + before for one in ends[: request.end_count])
            found.rows.extend(rows)
        return found

    def _listed(
        self, function: Any, request: Any, count: int
    ) -> Iterator[tuple[int, int, array[int]]]:
        """List orders, of as many boards at once as there is room for: the first of these, the one
        after them, and the rows."""
        rows, first = array("H", bytes(8 * min(_ROOM, _FEW * count))), 0
        while first < count:
            request.rows, request.room = rows.buffer_info()[0], len(rows) // 4
            end = self._called(function, request, first, count)
            if end > first:
                yield first, end, rows[: 4 * request.count]
                first = end
            else:
                rows = array("H", bytes(4 * len(rows)))

    def play(self, games: Played, limits: Limits, stop_at: int, first: int, end: int) -> None:
        """Play the games from `first` to before `end` whose status is 0 on until each has played
        `stop_at` phases. Raises `CodeError`."""
        request = _PlayRequest(
            limits.seed, 0, limits.last_year, limits.most_phases, stop_at, limits.gives_orders
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


_QUICK = 0.1  # seconds for a range of boards
_OPTIMISED = ("-O3",)


def compiled_library(profile: Profile, numbers: MapNumbers) -> KernelLibrary:
    """The compiled code of a profile, with the tables of a map.

    Raises `DeclinedError` for rules or a map that the compiled code cannot express, and
    `KernelError` if there is no compiler or it fails.
    """
    source, tables = _source_and_tables(profile, numbers)
    return KernelLibrary(build_and_load(source.text, _flags()), tables, source)


def kept_library(profile: Profile, numbers: MapNumbers) -> KernelLibrary | None:
    """The same if it is compiled already, else None. Raises `DeclinedError`."""
    source, tables = _source_and_tables(profile, numbers)
    found = load_kept(source.text, _flags())
    return None if found is None else KernelLibrary(found, tables, source)


def _source_and_tables(profile: Profile, numbers: MapNumbers) -> tuple[KernelSource, MapTables]:
    source = _source(profile, numbers.unit_words, numbers.place_words)
    return source, MapTables(numbers, profile, source)


def _flags() -> tuple[str, ...]:
    return (*_OPTIMISED, *cpu_flags())


@kept_on_first(4)
def _source(profile: Profile, unit_words: int, place_words: int) -> KernelSource:
    return source_of(profile, unit_words, place_words)


def work_in_pieces(
    work: Callable[[int, int], object],
    count: int,
    threads: int,
    piece: int,
    large_piece: int,
) -> None:
    """Call `work` with ranges of `count` boards, in several threads. One thread takes larger ranges
    and can be interrupted after each: twice as many boards as before if those were quick, at most
    `large_piece`.

    Raises the error of the first range that has one.
    """
    threads = min(threads, -(-count // piece))  # no more than there are ranges for
    if threads > 1:
        ends = (min(first + piece, count) for first in range(0, count, piece))
        try:
            with ThreadPoolExecutor(threads) as pool:
                deque(pool.map(work, range(0, count, piece), ends), 0)
            return
        except RuntimeError:
            pass  # where no thread can be started; Python has no class of its own for that
    first, size = 0, 1
    while first < count:
        end, start = min(first + size, count), time.monotonic()
        work(first, end)
        first = end
        quick = time.monotonic() - start < _QUICK
        size = min(2 * size, large_piece) if quick else max(size // 2, 1)
