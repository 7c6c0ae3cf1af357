"""Many boards at once, by the compiled equations of a profile where that is possible."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.brief import brief
from dipsat.errors import ArgumentError, KernelError
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.kernel.board_codes import BoardCodes, Orders, Units, check_codes, numbers_as_arrays
from dipsat.kernel.coder import Coder
from dipsat.kernel.declined import DeclinedError
from dipsat.kernel.library import KernelLibrary
from dipsat.kernel.numbers import MapNumbers
from dipsat.kernel.python_path import answer
from dipsat.kernel.results import BatchResult, ResultMemory
from dipsat.profiles.features import check_features
from dipsat.profiles.load import DEFAULT_RULES, load_profile
from dipsat.profiles.profile import Profile

_NOT_ASKED = "nobody asked for it; rules of your own are compiled with native=True"
_PIECE = 500  # boards that a thread takes at once: some milliseconds
_LARGE_PIECE = 20_000  # a tenth of a second


@brief("rules", "map", "native")
class Batch:
    """Adjudicates the movement phases of many boards of one map under one profile.

    The profile's equations are compiled to machine code, which adjudicates hundreds of times as
    many boards in a second as `dipsat.adjudicate`. What the compiled code cannot express, and a
    board that it leaves open, is adjudicated by `dipsat.adjudicate`, so the results are the same.

    `rules` and `map` are as for `adjudicate` and `Position.from_units`; without `map`, it is the
    map that the rules are for, or the standard map. With `native=None`, shipped rules are compiled
    if there is a C compiler and they can be; `True` asks for this, also for rules of your own, and
    `False` for Python alone.

    Raises `KernelError` if `native` is true and the equations cannot be compiled, and the errors of
    `load_profile` and `load_map`.
    """

    def __init__(
        self,
        rules: str | Path | Profile = DEFAULT_RULES,
        map: str | Path | Map | None = None,
        *,
        native: bool | None = None,
    ) -> None:
        if native not in (None, True, False):
            raise ArgumentError("dipsat.Batch", "native", native, "True, False or None")
        self.rules: Profile = rules if isinstance(rules, Profile) else load_profile(rules)
        """The rule profile."""
        self.map: Map = load_map(map or self.rules.map or "standard")
        """The map."""
        check_features(self.rules, self.map)
        self.numbers = MapNumbers(self.map, self.rules)
        """The numbers of locations, powers, kinds of units and attributes in codes."""
        self.why_not_native: str = _NOT_ASKED
        """Why the equations are not compiled, "" if they are."""
        self._coder = Coder(self.numbers, self.rules)
        self._library: KernelLibrary | None = None
        is_shipped = all(layer.is_shipped for layer in self.rules.layers)
        if native or (native is None and is_shipped):
            self._compile(required=bool(native))

    def _compile(self, required: bool) -> None:
        from dipsat.kernel.compiled import compiled_library  # ctypes is slow to import

        try:
            self._library = compiled_library(self.rules, self.numbers)
            self.why_not_native = ""
        except (DeclinedError, KernelError) as error:
            self.why_not_native = str(error)
            if required:
                problem = f"the rules {self.rules.name!r} are not compiled: {error}"
                raise (error if isinstance(error, KernelError) else KernelError(problem)) from None

    @property
    def native(self) -> bool:
        """Whether the equations are compiled."""
        return self._library is not None

    def encode(
        self,
        boards: Iterable[tuple[Units, Orders]],
        *,
        phase: str | PhaseName | None = None,
    ) -> BoardCodes:
        """Return the codes of boards, each a pair of units and orders, as `Position.from_units` and
        `adjudicate` take them; instead of units, also a `Position`.

        `phase` is the phase of boards whose units are no position, a movement phase (default: the
        first of the map). Raises the errors of `from_units` and `adjudicate` for boards that
        cannot be read.
        """
        if phase is None:
            first = PhaseName.parse(self.map.first_phase, self.rules.words)
            is_movement = first.kind is PhaseKind.MOVEMENT
            phase = first if is_movement else PhaseName("S", first.year, PhaseKind.MOVEMENT)
        elif not isinstance(phase, PhaseName):
            phase = PhaseName.parse(phase, self.rules.words)
        if phase.kind is not PhaseKind.MOVEMENT:
            raise ArgumentError("dipsat.Batch.encode", "phase", str(phase), "a movement phase")
        return self._coder.encode(boards, phase)

    def adjudicate(self, codes: BoardCodes, *, threads: int = 1) -> BatchResult:
        """Adjudicate all boards of `codes`, with this many threads.

        Raises `CodeError` for a code that means nothing, and the errors of `dipsat.adjudicate`.
        """
        if not isinstance(codes, BoardCodes):
            wanted = "codes, such as dipsat.Batch.encode returns"
            raise ArgumentError("dipsat.Batch.adjudicate", "codes", codes, wanted)
        if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
            raise ArgumentError("dipsat.Batch.adjudicate", "threads", threads, "a number from 1")
        codes = numbers_as_arrays(codes, self.numbers)
        units = len(codes.units) // self.numbers.unit_width
        memory = ResultMemory.of(
            len(codes), units, len(self.numbers.attributes), self.numbers.place_words
        )
        left = list(codes.uncoded)
        if self._library is None:
            check_codes(codes, self.numbers)
            left = list(range(len(codes)))
        else:
            _run(self._library, codes, memory, threads)
        for at in left:
            memory.leave_open(at)
        result = BatchResult(self._coder, codes, memory)
        for at in memory.open_boards:
            answer(result, at)
        return result


def _run(library: KernelLibrary, codes: BoardCodes, memory: ResultMemory, threads: int) -> None:
    """Adjudicate with several threads; each takes the next piece of the boards. One thread takes
    larger pieces, after each of which it can be interrupted."""
    count = len(codes)
    if threads == 1:
        for first in range(0, count, _LARGE_PIECE):
            library.adjudicate(codes, memory, first, min(first + _LARGE_PIECE, count))
        return
    pieces = iter(range(0, count, _PIECE))
    faults: list[tuple[int, BaseException]] = []

    def work() -> None:
        for first in pieces:
            try:
                library.adjudicate(codes, memory, first, min(first + _PIECE, count))
            except BaseException as error:  # whatever it is, the caller should see it
                faults.append((first, error))
            if faults:
                return

    workers = [threading.Thread(target=work) for _ in range(threads)]
    for worker in workers:
        worker.start()
    try:
        for worker in workers:
            worker.join()
    except BaseException as interrupt:
        faults.append((-1, interrupt))  # the workers end with their pieces
        raise
    if faults:
        raise min(faults, key=lambda fault: fault[0])[1]
