"""Outcomes of single movement phases by compiled equations, which `adjudicate` asks first."""

from __future__ import annotations

import os
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread

from dipsat.board import Map
from dipsat.equations import Key, Phase
from dipsat.errors import CodeError, DipsatError, UnknownNameError
from dipsat.game import Position, PowerOrders, checked_order, following
from dipsat.kernel.batch import Batch, is_shipped
from dipsat.kernel.coder import CodedOrders, Coder, owners_of
from dipsat.kernel.codes import BoardCodes
from dipsat.kernel.library import KernelLibrary, compiled_library, kept_library
from dipsat.kernel.library_cache import cache_folder
from dipsat.kernel.numbers import VERDICTS, DeclinedError, MapNumbers
from dipsat.kernel.result_arrays import BatchResult, left_open
from dipsat.orders import Unit, write_order
from dipsat.outcomes import Answers, Dislodgement, NoAnswers, Told, answer_source
from dipsat.rules import DEFAULT_RULES, Profile

BOARDS_BETWEEN_LOOKS = 5_000
"""A process without a kept library adjudicates this many boards, some seconds of work, before it
looks for one again."""


class CompiledAnswer:
    """The outcome of a movement phase that compiled equations have decided by propagation alone. So
    its resolution is the only one."""

    def __init__(
        self,
        result: BatchResult,
        position: Position,
        given: Mapping[str, PowerOrders],
        texts: Sequence[str],
        lines: Sequence[int],
    ) -> None:
        self._result = result
        self._position = position
        self._texts = texts
        self._lines = lines  # as in `CodedOrders`
        self.given = given

    def told(self) -> list[Told]:
        """Each unit's power, text, order as submitted, verdict and fate."""
        units, neutrals = self._position.units, self._position.map.neutrals
        given = [self._texts[line - 1] if line else None for line in self._lines]
        fates = [""] * len(units)
        for at, unit in self._result._gone(0):
            fates[at] = "dislodged" if self._result._array("retreats")[at] else "destroyed"
            if unit.power in neutrals:
                fates[at] = "disbanded"
        verdicts = map(VERDICTS.__getitem__, self._result._array("verdicts"))
        powers = [unit.power for unit in units]
        return list(zip(powers, map(str, units), given, verdicts, fates, strict=True))

    def decided(self, phase: Phase) -> list[tuple[Key, int, int]] | None:
        """The decisions, sorted, each with its value and the number of its connected subgraph. None
        for a copy, which has no compiled code."""
        coder = self._result._coder
        library = coder.library
        if library is None or (found := library.decided(self._result.codes)) is None:
            return None
        numbered = library.layout.numbered(phase, coder.numbers.number_of)
        return [(key, found[0][at], found[1][at]) for key, at in numbered]

    @property
    def ends(self) -> Mapping[str, str | None]:
        """Unit -> its location after the phase, None if it is dislodged."""
        locations = self._result._coder.numbers.locations
        pairs = zip(self._position.units, self._result._array("ends"), strict=True)
        return {str(unit): locations[to] if to < len(locations) else None for unit, to in pairs}

    @property
    def units_after(self) -> tuple[Unit, ...]:
        """The units after the phase, sorted by location, without the dislodged ones."""
        return self._result.after(0)

    @property
    def dislodged(self) -> tuple[Dislodgement, ...]:
        """The dislodged units, each with its attacker and its possible retreats."""
        return self._result.dislodged(0)

    @property
    def contested(self) -> tuple[str, ...]:
        """The provinces left vacant by a standoff, to which no unit may retreat."""
        return self._result.contested(0)

    @property
    def next(self) -> Position:
        """The position of the next phase."""
        result, before, coder = self._result, self._position, self._result._coder
        settings, numbers = coder.profile.settings, coder.numbers
        if numbers.attributes:
            return following(before, self.units_after, result.lost(0), settings)
        ranks, (units, _, rows) = result._ranks(0, len(before.units)), numbers.units
        lost = result.lost(0) if len(ranks) < len(before.units) else ()
        found = following(before, tuple([units[rank] for rank in ranks]), lost, settings)
        coder.keep(found, array("H", b"".join([rows[rank] for rank in ranks])))
        return found


class CompiledAnswers:
    """Answers to the movement phases of a map under a profile."""

    def __init__(self, coder: Coder, library: KernelLibrary) -> None:
        self._coder = coder
        self._library = library

    def __call__(
        self, position: Position, orders: Mapping[str, PowerOrders]
    ) -> CompiledAnswer | None:
        """The answer to a phase; None if propagation leaves it open, or if its orders have to be
        read with more care."""
        found = self._coded(position, orders)
        if found is None:
            return None
        codes, ordered = found
        if ordered.has_strays:
            return None
        result = BatchResult(self._coder, codes, position.units)
        try:
            texts = [
                one
                if isinstance(one, str)
                else write_order(checked_order(one, "", position), position.map)
                for one in ordered.texts
            ]
            self._library.adjudicate(codes, result._memory, True, 0, 1)
        except (CodeError, UnknownNameError):  # a unit or a name cannot be there
            return None
        if left_open(result):
            return None
        given = {power: list(own) for power, own in orders.items()}
        return CompiledAnswer(result, position, given, texts, ordered.lines)

    def legal_orders(self, position: Position) -> Sequence[tuple[str, ...]] | None:
        """The legal orders of each unit in a movement phase, as texts in the notation `diplomacy`;
        None if compiled code cannot write them."""
        found = self._coded(position, {})
        if found is None:
            return None
        codes, _ = found
        try:
            ends, rows, settled = self._library.list_orders(codes)
        except CodeError:
            return None
        texts = None if any(settled) else self._library.write_orders(codes.units, ends, rows)  # type: ignore[arg-type]  # an array
        if texts is None:
            return None
        return [texts[first:end] for first, end in zip((0, *ends), ends, strict=False)]

    def _coded(
        self, position: Position, orders: Mapping[str, PowerOrders]
    ) -> tuple[BoardCodes, CodedOrders] | None:
        """The codes of a movement phase; None if it has to be read with more care."""
        coder = self._coder
        found = coder.phase(position, orders)
        if found is None:
            return None
        units, ordered, season = found
        owners = array("B", owners_of(coder.numbers, position.centers)) if coder.asks else None
        starts, seasons = array("I", [0, len(position.units)]), array("B", [season])
        return BoardCodes(starts, units, ordered.rows, seasons, owners), ordered


class _AnswersLater:
    """Gives no answers until the equations are compiled, for which it looks every few thousand
    boards. At the first look, a thread starts to compile those of shipped rules. That takes
    seconds, and is lost if the process ends before."""

    def __init__(self, profile: Profile, board: Map) -> None:
        self._of = profile, board
        self._boards_left = BOARDS_BETWEEN_LOOKS
        self._compiling_in = 0  # the process's number; a forked process lacks the thread

    def __call__(self, position: Position, orders: Mapping[str, PowerOrders]) -> None:
        self._boards_left -= 1
        if self._boards_left:
            return
        self._boards_left, found = BOARDS_BETWEEN_LOOKS, None
        with suppress(DipsatError, DeclinedError):
            found = _kept_answers(*self._of)
        if found is not None:
            answer_source(*self._of).answers = found
        elif self._compiling_in != os.getpid() and is_shipped(self._of[0]):
            self._compiling_in = os.getpid()
            self._thread = Thread(target=self._compile, daemon=True)
            self._thread.start()

    def _compile(self) -> None:
        with suppress(DipsatError, DeclinedError):
            compiled_library(self._of[0], MapNumbers(self._of[1], self._of[0]))

    def legal_orders(self, position: Position) -> None:
        """List no orders."""
        self(position, {})


def answers_for(profile: Profile, board: Map) -> Answers:
    """Answers by compiled equations, which may begin later."""
    try:
        found = _kept_answers(profile, board)
        if found is None:
            cache_folder()  # without a folder, every process would compile again
        return found or _AnswersLater(profile, board)
    except (DipsatError, DeclinedError):
        return NoAnswers()


def _kept_answers(profile: Profile, board: Map) -> CompiledAnswers | None:
    """Answers by equations that are compiled already. Raises `DeclinedError` if they cannot be."""
    numbers = MapNumbers(board, profile)
    library = kept_library(profile, numbers)
    return None if library is None else CompiledAnswers(Coder(numbers, profile, library), library)


def build(
    rules: str | Path | Profile = DEFAULT_RULES, map: str | Path | Map | None = None
) -> Batch:
    """Compile the equations of a profile for a map, for this process and later ones.
    `dipsat.adjudicate` then takes verdicts and positions from them if propagation alone decides a
    movement phase. Reasons are still made when they are read.

    Shipped rules are compiled anyway, in the background, after a process has adjudicated some
    thousand boards under them. Your own rules are compiled only here and by
    `Batch(..., native=True)`. The arguments are the same as for `Batch`.

    Raises `KernelError` if the equations cannot be compiled, and the errors of `load_profile` and
    `load_map`.
    """
    batch = Batch(rules, map, native=True)
    assert batch._library is not None
    source = answer_source(batch.rules, batch.map)
    source.answers = CompiledAnswers(batch._coder, batch._library)
    return batch
