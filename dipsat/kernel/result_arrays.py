"""The results of many boards, in arrays, and in words for each board."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any, Literal, TypeAlias

from dipsat.base import brief, checked, unlimited
from dipsat.errors import ArgumentError
from dipsat.game import DislodgedUnit, by_location, by_power
from dipsat.kernel.coder import Coder, retreat_bits, retreats_of, values_of
from dipsat.kernel.codes import BoardCodes
from dipsat.kernel.library import KernelLibrary
from dipsat.kernel.numbers import BY_RULE, NOWHERE, OPEN, UNIQUE, VERDICTS
from dipsat.orders import Unit, unit_of
from dipsat.outcomes import Dislodgement, MovementOutcome, adjudicate


@brief()
@dataclass(frozen=True)
class ResultArrays:
    """The results in arrays."""

    verdicts: Sequence[int]
    """For each unit, the verdict on its order: 0 succeeds, 1 fails, 2 given, 3 cut, 4 available,
    5 disrupted, 6 stands, 7 illegal, 8 invalid, 9 unknown."""
    ends: Sequence[int]
    """For each unit, its location after the phase, 65535 if it is dislodged."""
    attackers: Sequence[int]
    """For each unit, the unit that dislodged it, by its number on the board; 65535 if none did."""
    retreats: Sequence[int]
    """For each dislodged unit, where it may retreat: a bit for each location that it could reach
    without a convoy, in alphabetical order."""
    attributes: Sequence[int]
    """For each unit, the value of each of its attributes after the phase."""
    contested: Sequence[int]
    """For each board, the provinces left vacant by a standoff as bits, in words of 64."""
    settled: Sequence[int]
    """For each board: 0 if it has only one resolution, 1 if rules for decision cycles were
    applied."""
    rules: Sequence[int]
    """For each board, the rules for decision cycles that were applied, as bits in the order of the
    profile."""

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        views: Any = map(memoryview, vars(self).values())
        return ResultArrays, tuple(array(one.format, one.tobytes()) for one in views)


@brief("codes")
class BatchResult:
    """The results of many boards. Made by `Batch.adjudicate`.

    Two are equal only if they are the same object.

    Boards are numbered from 0, in the order in which they were encoded.
    """

    def __init__(
        self, coder: Coder, codes: BoardCodes, units: tuple[Unit, ...] | None = None
    ) -> None:
        self.codes = codes
        """The boards."""
        self.outcomes: dict[int, MovementOutcome] = {}
        """The outcomes of the boards that `dipsat.adjudicate` has adjudicated, by number."""
        self._coder = coder
        self._units = units  # of the only board, if known
        numbers, count = coder.numbers, codes.starts[-1]
        attributes = len(numbers.attributes)
        self._places = _places(count, len(codes), numbers.place_words, attributes)
        self._memory = bytearray(self._places["settled"][2] or 1)

    @cached_property
    def arrays(self) -> ResultArrays:
        """All results in arrays. They share one block of memory."""
        return ResultArrays(**{name: self._array(name) for name in self._places})

    def _array(self, name: str) -> memoryview:
        """One of the arrays; making them all takes longer than adjudicating a board."""
        kind, first, end = self._places[name]
        return memoryview(self._memory)[first:end].cast(kind)

    def __len__(self) -> int:
        return len(self.codes)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "arrays"}

    @cached_property
    def settled(self) -> Sequence[str]:
        """For each board: "unique" if it has only one resolution, otherwise the names of the rules
        for decision cycles that were applied, separated by commas. Compiled code does not ask Z3;
        it propagates, and then searches what is still open."""
        names = [rule.name for rule in self._coder.profile.cycles]
        pairs = zip(self.arrays.settled, self.arrays.rules, strict=True)
        applied = ([n for at, n in enumerate(names) if rules >> at & 1] for _, rules in pairs)
        return [
            "unique" if how == UNIQUE else ", ".join(rules) or "several"
            for how, rules in zip(self.arrays.settled, applied, strict=True)
        ]

    @checked
    def units(self, board: int) -> tuple[Unit, ...]:
        """Return the units of a board before the phase, in the order of its codes."""
        first, end = self._range(board)
        if board in self.codes.uncoded:
            return self.codes.uncoded[board][0].units
        return self._units or self._coder.units(self.codes.units, first, end)

    @checked
    def verdicts(self, board: int) -> dict[str, str]:
        """Return unit -> verdict on its order, such as `{"A PAR": "succeeds"}`, for a board."""
        if board in self.codes.uncoded:
            return self._python_verdicts(board)
        first, end = self._range(board)
        found = zip(self.units(board), self._array("verdicts")[first:end], strict=True)
        return {str(unit): VERDICTS[verdict] for unit, verdict in found}

    @checked
    def units_after(self, board: int) -> dict[str, list[str]]:
        """Return power -> units after the phase, without the dislodged ones, for a board, in the
        form that `Position.from_units` and `Batch.encode` take."""
        numbers, (first, end) = self._coder.numbers, self._range(board)
        if board in self.codes.uncoded or numbers.attributes:
            return by_power(self.after(board))
        texts, powers = numbers.units[1], numbers.powers
        found: list[list[str]] = [[] for _ in powers]
        for rank in self._ranks(first, end):
            found[rank % len(powers)].append(texts[rank])
        return {power: own for power, own in sorted(zip(powers, found, strict=True)) if own}

    @checked
    def after(self, board: int) -> tuple[Unit, ...]:
        """Return the units after the phase, sorted by location, without the dislodged ones, for a
        board."""
        first, end = self._range(board)
        if board in self.codes.uncoded:
            return self.outcomes[board].units_after
        numbers = self._coder.numbers
        if not numbers.attributes:
            units = numbers.units[0]
            return tuple([units[rank] for rank in self._ranks(first, end)])
        ends, locations = self._array("ends")[first:end], numbers.locations
        return by_location(
            self._after(unit, number, locations[to])
            for number, unit, to in zip(range(first, end), self.units(board), ends, strict=True)
            if to != NOWHERE
        )

    def _ranks(self, first: int, end: int) -> list[int]:
        """The ranks of units without attributes after the phase, in order."""
        numbers, codes = self._coder.numbers, self.codes.units
        width, ranks = numbers.unit_width, numbers.ranks
        powers = codes[width * first : width * end : width]
        kinds = codes[width * first + 1 : width * end : width]
        placed = zip(powers, kinds, self._array("ends")[first:end], strict=True)
        return sorted([ranks[power][kind][to] for power, kind, to in placed if to != NOWHERE])

    @checked
    def lost(self, board: int) -> tuple[DislodgedUnit, ...]:
        """Return the dislodged units of a board that can retreat, as they are in the next phase."""
        if board in self.codes.uncoded:
            return self.outcomes[board].next.dislodged
        return tuple(
            DislodgedUnit(self._after(unit, number, unit.location), places)
            for number, unit in self._gone(board)
            if (places := self._retreats(unit, number))
        )

    @checked
    def dislodged(self, board: int) -> tuple[Dislodgement, ...]:
        """Return the dislodged units of a board by location, each with its attacker and its
        possible retreats."""
        if board in self.outcomes:
            return self.outcomes[board].dislodged
        units, attackers = self.units(board), self._array("attackers")
        return tuple(
            Dislodgement(
                unit.power,
                str(unit),
                None if attackers[number] == NOWHERE else str(units[attackers[number]]),
                self._retreats(unit, number),
            )
            for number, unit in sorted(self._gone(board), key=lambda one: one[1].location)
        )

    @checked
    def contested(self, board: int) -> tuple[str, ...]:
        """Return the provinces of a board left vacant by a standoff, to which no unit may
        retreat."""
        self._range(board)
        if board in self.codes.uncoded:
            return self.outcomes[board].contested
        words = self._coder.numbers.place_words
        found = self._array("contested")[words * board : words * (board + 1)]
        return tuple(
            code
            for at, code in enumerate(self._coder.numbers.provinces)
            if found[at >> 6] >> (at & 63) & 1
        )

    def _python_verdicts(self, board: int) -> dict[str, str]:
        """For each unit, the verdict on its order; if it has several, on the one that counts."""
        found: dict[str, str] = {}
        for order in self.outcomes[board].orders:
            if order.unit not in found or found[order.unit] == "illegal":
                found[order.unit] = order.verdict
        return {str(unit): found[str(unit)] for unit in self.units(board)}

    def _gone(self, board: int) -> Iterator[tuple[int, Unit]]:
        """The dislodged units of a board, by number."""
        first, end = self._range(board)
        ends = self._array("ends")[first:end].tolist()
        if NOWHERE in ends:  # on most boards no unit is dislodged
            pairs = zip(self.units(board), ends, strict=True)
            yield from ((at, unit) for at, (unit, to) in enumerate(pairs, first) if to == NOWHERE)

    def _range(self, board: int) -> tuple[int, int]:
        if not 0 <= board < len(self):
            wanted = f"the number of a board, from 0 to {len(self) - 1}"
            raise ArgumentError("dipsat.kernel.BatchResult", "board", board, wanted)
        return self.codes.starts[board], self.codes.starts[board + 1]

    def _after(self, unit: Unit, number: int, location: str) -> Unit:
        width, values = len(self._coder.numbers.attributes), unit.attributes
        if width:
            row = self._array("attributes")[width * number : width * (number + 1)]
            values = values_of(self._coder.numbers, row)
        return unit_of(unit.power, unit.kind, location, values)

    def _retreats(self, unit: Unit, number: int) -> tuple[str, ...]:
        return retreats_of(self._coder.numbers, unit, self._array("retreats")[number])


_Type: TypeAlias = Literal["Q", "I", "H", "B"]


@lru_cache(64)
def _places(
    units: int, boards: int, words: int, attributes: int
) -> Mapping[str, tuple[_Type, int, int]]:
    """The type of each array, and its start and end in the memory, in the order of `results_in` in
    `batch.h`."""
    parts: tuple[tuple[str, _Type, int], ...] = (
        ("retreats", "Q", 8 * units), ("contested", "Q", 8 * words * boards),
        ("rules", "I", 4 * boards), ("ends", "H", 2 * units), ("attackers", "H", 2 * units),
        ("attributes", "H", 2 * attributes * units), ("verdicts", "B", units),
        ("settled", "B", boards),
    )  # fmt: skip
    found, first = dict[str, tuple[_Type, int, int]](), 0
    for name, kind, size in parts:
        found[name] = kind, first, first + size
        first += size
    return found


_PIECE = 250  # boards that a thread takes at a time: some milliseconds


def adjudicated(
    library: KernelLibrary | None,
    coder: Coder,
    codes: BoardCodes,
    threads: int = 1,
) -> BatchResult:
    """Adjudicate boards with this many threads. Boards without codes, boards that compiled code
    does not settle and, without a library, all boards are left open. Raises `CodeError`, and
    `MemoryError`."""
    result, count = BatchResult(coder, codes), len(codes)
    if library is not None:
        if count == 1:
            library.adjudicate(codes, result._memory, False, 0, 1)
        else:
            work = partial(library.adjudicate, codes, result._memory, False)
            work_in_pieces(work, count, threads, _PIECE)
    for at in range(count) if library is None else codes.uncoded:
        result._memory[at - count] = OPEN  # the last of the arrays
    return result


def work_in_pieces(
    work: Callable[[int, int], object], count: int, threads: int, piece: int
) -> None:
    """Call `work` with ranges of `piece` of the `count` boards, in several threads. A single thread
    can be interrupted after each range.

    Raises the error of the first range that fails.
    """
    threads = min(threads, -(-count // piece))  # at most one for each range
    if threads > 1:
        ends = (min(first + piece, count) for first in range(0, count, piece))
        with ThreadPoolExecutor(threads) as pool:
            deque(pool.map(work, range(0, count, piece), ends), 0)
        return
    for first in range(0, count, piece):
        work(first, min(first + piece, count))


def left_open(result: BatchResult) -> list[int]:
    """The boards that are not settled."""
    memory, first = result._memory, len(result._memory) - len(result)
    if memory.find(OPEN, first) < 0:
        return []
    return [at for at, one in enumerate(memory[first:]) if one == OPEN]


def answer(result: BatchResult, board: int) -> None:
    """Adjudicate a board, and record the results. Raises the errors of `adjudicate` and of
    `MovementOutcome.units_after`."""
    codes, coder = result.codes, result._coder
    arrays: Any = result.arrays
    uncoded = codes.uncoded.get(board)
    position, orders = coder.decode(codes, board) if uncoded is None else uncoded
    with unlimited():
        outcome = adjudicate(position, orders, coder.profile, lenient=codes.lenient)
    assert isinstance(outcome, MovementOutcome)
    result.outcomes[board] = outcome
    arrays.settled[board] = UNIQUE if outcome.is_proven else BY_RULE
    applied = {
        name
        for record in outcome.solution.records
        if record.applied is not None
        for name in record.applied.rules
    }
    names = [rule.name for rule in coder.profile.cycles]
    arrays.rules[board] = sum(1 << at for at, name in enumerate(names) if name in applied)
    if uncoded is None:
        _write(result, board, outcome)


def _write(result: BatchResult, board: int, outcome: MovementOutcome) -> None:
    """Write the results of a board with codes into the arrays."""
    numbers = result._coder.numbers
    arrays: Any = result.arrays
    first = result.codes.starts[board]
    units = result.units(board)
    at = {str(unit): place for place, unit in enumerate(units)}
    verdicts = {order.unit: order.verdict for order in outcome.orders}
    after = outcome.resolved
    outcome.units_after  # noqa: B018  # raises the error of rules that let units share a province
    for unit in after.facts.units:
        place = at[str(unit)]
        number = first + place
        arrays.verdicts[number] = VERDICTS.index(verdicts[str(unit)])
        end = after.ends.get(unit.index)
        arrays.ends[number] = NOWHERE if end is None else numbers.number_of[end]
        arrays.attackers[number] = NOWHERE
        arrays.retreats[number] = 0
        width = len(numbers.attributes)
        values = dict(after.unit_after(unit, unit.unit.location).attributes)
        for column, (name, known) in enumerate(numbers.attributes.items()):
            arrays.attributes[width * number + column] = known.index(values[name])
    for one in outcome.dislodged:
        place = at[one.unit]
        arrays.attackers[first + place] = NOWHERE if one.by is None else at[one.by]
        arrays.retreats[first + place] = retreat_bits(numbers, units[place], one.retreats)
    words = numbers.place_words
    mask = sum(1 << numbers.number_of[code] for code in outcome.contested)
    for word in range(words):
        arrays.contested[words * board + word] = mask >> 64 * word & (2**64 - 1)
