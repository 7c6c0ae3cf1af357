"""Call the compiled code of a profile."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any

from dipsat.base import kept_on_first
from dipsat.kernel.codes import (
    POSITIONS,
    BoardCodes,
    PositionCodes,
    code_error,
    zeros,
)
from dipsat.kernel.library_cache import Library, build_and_load, cpu_flags, load_kept
from dipsat.kernel.numbers import MapNumbers
from dipsat.kernel.source import KernelSource, source_of
from dipsat.kernel.tables import MapTables
from dipsat.rules import Profile

_REQUESTS = {
    "adjudicate": Struct("@P5PqP3i"),
    "decide": Struct("@P5PqP3i"),
    "list_orders": Struct("@P5Pq2P"),
    "list_choices": Struct("@P6P4Pq"),
    "play": Struct("@P6P4PQ6i"),
}
"""The functions that take a structure, which begins with the map, and a `struct place`."""
_TYPES = {"P": ctypes.c_void_p, "S": ctypes.c_char_p, "i": ctypes.c_int}
_GIVEN = {
    **dict.fromkeys(_REQUESTS, "SP"),
    "read_units": "PPiSiP",
    "read_orders": "PiPiPiSiPiP",
    "write_orders": "PPiPPP",
    "place_size": "",
    "free_orders": "P",
}
"""The types of each function's arguments. All return a number."""


class _Report(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int32) for name in ("fault", "board", "unit", "subjects")),
        ("rows", ctypes.c_int64), ("listed", ctypes.c_void_p),
    ]  # fmt: skip


_MOST_WRITTEN = 8 * (8 + 1)  # bytes of an order: eight names of eight letters, in a line


@dataclass(frozen=True)
class Played:
    """The state of games. `status`: 0 goes on, 1 won, 2 ended, 3 its next orders are left to
    Python, 4 the results of its orders are left to Python. `played` counts the phases so far,
    `winners` are the powers that have won (255: none), and `orders` are those of the last phase."""

    positions: PositionCodes
    orders: array[int]
    status: array[int]
    winners: array[int]
    played: array[int]


GOES_ON, WON, ENDED, LEFT_TO_ORDER, LEFT_TO_SETTLE = range(5)


@dataclass(frozen=True)
class Limits:
    """The `seed` of games, the year and the number of phases after which each ends, and whether
    orders are given instead of chosen at random."""

    seed: int
    last_year: int
    most_phases: int
    gives_orders: bool = False


class _Place:
    """Memory for one call at a time. The call's report is at its beginning."""

    def __init__(self, size: int) -> None:
        self._memory = ctypes.create_string_buffer(size + 63)
        self.address = ctypes.addressof(self._memory) + 63 & ~63  # aligned to cache lines
        self.report = _Report.from_address(self.address)


class KernelLibrary:
    """The compiled code of a profile, with the tables of a map."""

    def __init__(self, library: Library, tables: MapTables) -> None:
        self.numbers = tables.numbers
        self.layout = tables.source.layout
        self.compiler = library.compiler
        self.why_not_kept = library.why_not_kept
        self.origin = library.origin
        self._tables = tables  # they live as long as this object
        self._address = ctypes.addressof(tables.structure)
        self._functions: dict[str, Any] = {}
        for name, letters in _GIVEN.items():
            function = self._functions[name] = getattr(library.loaded, name)
            function.argtypes = [_TYPES[letter] for letter in letters]
        self._size: int = self._functions["place_size"]()
        self._places: list[_Place] = []

    def adjudicate(
        self, codes: BoardCodes, into: bytearray, only_propagates: bool, first: int, end: int
    ) -> None:
        """Adjudicate the boards from `first` to before `end`, and write the results in the layout
        of `results_in` in `batch.h`. With `only_propagates`, boards that propagation does not
        settle are left open. Raises `CodeError`, and `MemoryError`."""
        memory = ctypes.c_char.from_buffer(into)  # while this lives, `into` cannot move
        at = ctypes.addressof(memory)
        self._called("adjudicate", *_boards(codes), at, first, end, only_propagates)

    def decided(self, codes: BoardCodes) -> tuple[array[int], array[int]] | None:
        """The values of all decisions of one board, by number, and for each the least number in its
        connected subgraph. None if propagation does not decide them."""
        room = 64 * self.layout.decision_words
        found = zeros("i", 2 * room)
        is_decided, *_ = self._called("decide", *_boards(codes), _at(found), 0, 1, True)
        return (found[:room], found[room:]) if is_decided else None

    # --- texts ------------------------------------------------------------------------------------

    def read_units(self, heads: array[int], texts: Sequence[Any]) -> array[int] | None:
        """The codes of units in the texts that programs write, None for any other text. `heads` has
        the number of each power and the count of its texts."""
        text, found = _joined(texts), zeros("H", self.numbers.unit_width * len(texts))
        if text is None:
            return None
        count: int = self._functions["read_units"](
            self._address, _at(heads), len(heads) // 2, text, len(text), _at(found)
        )
        return None if count < 0 else found

    def read_orders(
        self, kind: int, units: array[int], heads: array[int], texts: Sequence[Any],
        rows: array[int], lines: array[int],
    ) -> int | None:  # fmt: skip
        """Write the rows of orders in a phase of a kind of `PHASE_KINDS`, and for each unit the
        number of its text, from 1. Returns the number of orders for units that do not exist, or
        None if there are other texts or something has to be settled first."""
        text = _joined(texts)
        if text is None:
            return None
        strays: int = self._functions["read_orders"](
            self._address, kind, _at(units), len(units) // self.numbers.unit_width,
            _at(heads), len(heads) // 2, text, len(text), _at(rows), len(rows) // 4, _at(lines),
        )  # fmt: skip
        return None if strays < 0 else strays

    def write_orders(
        self, units: array[int], ends: array[int], rows: array[int]
    ) -> tuple[str, ...] | None:
        """The texts of movement orders; `ends` says where those of each unit end. None if something
        has no name."""
        text = bytearray(_MOST_WRITTEN * (len(rows) // 4) or 1)
        memory = ctypes.c_char.from_buffer(text)  # ctypes would make a type for each size
        length: int = self._functions["write_orders"](
            self._address, _at(units), len(ends), _at(ends), _at(rows), ctypes.addressof(memory)
        )
        return None if length < 0 else tuple(text[:length].decode().split("\n"))

    # --- legal orders and games -------------------------------------------------------------------

    def list_orders(self, codes: BoardCodes) -> tuple[array[int], array[int], array[int]]:
        """Every legal order of the units of all boards: the ends of the rows of each unit, the
        rows, and for each board whether it is left to Python (2). Raises `CodeError`."""
        settled, ends = zeros("B", len(codes)), zeros("I", codes.starts[-1])
        rows, _ = self._listed("list_orders", *_boards(codes), _at(ends), _at(settled))
        return ends, rows, settled

    def list_choices(self, positions: PositionCodes) -> tuple[array[int], ...]:
        """Every legal order of positions of any phase. Raises `CodeError`.

        Returns the end of each position's subjects (units, and provinces to build in), the end of
        each subject's rows, the rows, for each position and power the number of units that it
        builds or, if negative, disbands, and for each position whether it is left to Python (2)."""
        count, numbers = len(positions), self.numbers
        subjects, due = zeros("I", count), array("h", bytes(2 * count * len(numbers.powers)))
        ends = zeros("I", count * (numbers.most_units + len(numbers.provinces)))
        settled, into = zeros("B", count), _positions(positions)
        into += tuple(map(_at, (ends, settled, subjects, due)))
        rows, listed = self._listed("list_choices", *into, count)
        return subjects, ends[:listed], rows, due, settled

    def _listed(self, name: str, *given: int) -> tuple[array[int], int]:
        """The rows of the orders that a function lists, and the number of their subjects."""
        _, count, subjects, at = self._called(name, *given)
        rows = array("H", ctypes.string_at(at, 8 * count))
        self._functions["free_orders"](at)
        return rows, subjects

    def play(self, games: Played, limits: Limits, stop_at: int, first: int, end: int) -> None:
        """Continue the games from `first` to before `end` whose status is 0, until each has played
        `stop_at` phases. Raises `CodeError`."""
        self._called(
            "play", *_positions(games.positions),
            *map(_at, (games.orders, games.status, games.winners, games.played)), limits.seed,
            first, end, limits.last_year, limits.most_phases, stop_at, limits.gives_orders,
        )  # fmt: skip

    def _called(self, name: str, *given: int) -> tuple[int, int, int, int]:
        """A function's result, the counts of rows and subjects in its list, the list's address."""
        try:
            place = self._places.pop()
        except IndexError:
            place = _Place(self._size)
        request = _REQUESTS[name].pack(self._address, *given)
        found: int = self._functions[name](request, place.address)
        if found == -2:
            raise MemoryError
        if found == -1:
            raise code_error(place.report)
        listed = found, place.report.rows, place.report.subjects, place.report.listed
        self._places.append(place)
        return listed


def _at(numbers: array[int]) -> int:
    """The address of an array."""
    return numbers.buffer_info()[0]


_NOTHING = array("B")  # its address is 0


def _boards(codes: Any) -> tuple[int, ...]:
    """The addresses of the arrays of boards, and the number of boards."""
    arrays = codes.starts, codes.units, codes.orders, codes.seasons, codes.owners or _NOTHING
    return *[one.buffer_info()[0] for one in arrays], len(codes.seasons)


def _positions(codes: PositionCodes) -> tuple[int, ...]:
    """The addresses of the arrays of positions."""
    return tuple(_at(getattr(codes, name)) for name in POSITIONS)


def _joined(texts: Sequence[Any]) -> bytes | None:
    """Each text on a line; None if one has several lines or is not a text."""
    try:
        found = "\n".join(texts).encode()
    except (TypeError, UnicodeError):
        return None
    return found if found.count(b"\n") == max(len(texts) - 1, 0) else None


_OPTIMISED = ("-O3",)


def compiled_library(profile: Profile, numbers: MapNumbers) -> KernelLibrary:
    """The compiled code of a profile, with the tables of a map.

    Raises `DeclinedError` for rules or a map that the compiled code cannot express, and
    `KernelError` if there is no compiler or it fails.
    """
    return _library(profile, numbers, build_and_load)  # type: ignore[return-value]  # there is one


def kept_library(profile: Profile, numbers: MapNumbers) -> KernelLibrary | None:
    """The same if it is already compiled, otherwise None. Raises `DeclinedError`."""
    return _library(profile, numbers, load_kept)


def _library(
    profile: Profile,
    numbers: MapNumbers,
    find: Callable[[str, tuple[str, ...]], Library | None],
) -> KernelLibrary | None:
    source = _source(profile, numbers.unit_words, numbers.place_words)
    tables = MapTables(numbers, profile, source)
    found = find(source.text, (*_OPTIMISED, *cpu_flags()))
    return None if found is None else KernelLibrary(found, tables)


@kept_on_first(4)
def _source(profile: Profile, unit_words: int, place_words: int) -> KernelSource:
    return source_of(profile, unit_words, place_words)
