"""Input of programs for a `Batch`: arrays in several dimensions, whole numbers of other libraries,
positions on another map."""

from __future__ import annotations

import copy
import ctypes
import threading
from array import array
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import kernel, studies
from dipsat.cli import main
from dipsat.kernel.library_cache import Library, build_and_load
from dipsat.kernel.result_arrays import work_in_pieces
from tests.core.test_copies import COPIERS
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import needs_compiler, random_boards

BATCH = kernel.Batch(native=False)
START = BATCH.positions([dipsat.Position.start()] * 2)


def opening() -> array[int]:
    """For two boards, rows of orders in which A BUD moves to SER."""
    rows = array("H", bytes(2 * 2 * 4 * BATCH.order_rows))
    number = BATCH.numbers.number_of
    at = sorted(number[unit.province] for unit in dipsat.Position.start().units)
    first = 4 * at.index(number["BUD"])
    for board in (0, 4 * BATCH.order_rows):
        rows[board + first : board + first + 4] = array("H", [2, 0, 0, number["SER"]])
    return rows


def table(rows: array[int]) -> memoryview:
    """The same memory as boards of rows of four numbers."""
    return memoryview(rows).cast("B").cast("H", (2, BATCH.order_rows, 4))


def nested(rows: array[int]) -> Any:
    found: Any = table(rows).tolist()
    return found


def never_iterated(rows: array[int]) -> Any:
    """A buffer that raises an error if its numbers are taken one by one."""

    def iterate(_: object) -> Any:
        raise TypeError("one number after the other")

    kind: Any = type("Buffer", (ctypes.c_uint16 * len(rows),), {"__iter__": iterate})
    return kind.from_buffer(rows)


SHAPES: dict[str, Callable[[array[int]], Any]] = {
    "flat": lambda rows: rows,
    "table": table,
    "lists": nested,
    "iterator": iter,
    "whole": never_iterated,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_orders_for_positions_may_have_any_shape(shape: str) -> None:
    rows = opening()
    after = BATCH.advance(START, SHAPES[shape](rows)).positions
    assert rows == opening()
    for at in (0, 1):
        assert BATCH.position(after, at).by_province["SER"].power == "AUSTRIA"


def test_errors_of_orders_for_positions_say_what_they_should_be() -> None:
    halves: Any = [0.5] * len(opening())
    with pytest.raises(dipsat.errors.CodeError) as caught:
        BATCH.advance(START, halves)
    assert str(caught.value).startswith("`orders` should hold whole numbers from 0 to 65535: ")
    with pytest.raises(dipsat.errors.CodeError) as caught:
        BATCH.advance(START, opening()[4:])
    wanted = "`orders` should have 512 numbers for each position: 1024, not 1020"
    assert str(caught.value) == wanted


class Whole:
    """A whole number of another library, such as NumPy's."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number

    def __hash__(self) -> int:
        return hash(self.number)

    def __eq__(self, other: object) -> bool:
        return other == self.number


def answers(number: Callable[[int], Any]) -> list[object]:
    """The answers of methods about boards, positions and games with these numbers."""
    two = number(2)
    found = BATCH.adjudicate(BATCH.encode([({"ITALY": ["A ROM"]}, {})] * 3), threads=two)
    methods = (found.verdicts, found.units_after, found.units, found.lost, found.dislodged)
    games = BATCH.play(number(3), seed=number(5), phases=number(2), record=True, threads=two)
    return [
        *(method(two) for method in methods),
        found.contested(two),
        BATCH.position(games.positions, two).to_dict(),
        games.centers(two),
        games.history(two)[1][1],
        games.winner(two),
        BATCH.legal_orders(START).of(two),
        BATCH.position(BATCH.advance(START, opening(), threads=two).positions, number(1)).to_dict(),
        studies.random_board(number(4), two).orders,
    ]


@exhaustive
def test_whole_numbers_of_other_libraries_count_as_whole_numbers() -> None:
    assert answers(Whole) == answers(int)


@pytest.mark.parametrize("number", ["2", 2.0, True])
def test_anything_else_is_not_a_whole_number(number: Any) -> None:
    for call in (
        lambda: BATCH.advance(START, opening(), threads=number),
        lambda: BATCH.play(1, phases=1, threads=number),
        lambda: BATCH.adjudicate(BATCH.encode([]), threads=number),
    ):
        with pytest.raises(dipsat.errors.ArgumentError, match="threads should be a"):
            call()
    if number is not True:
        with pytest.raises(dipsat.errors.ArgumentError, match="at should be a whole number"):
            BATCH.position(START, number)


def test_positions_on_another_map_are_refused() -> None:
    with pytest.raises(dipsat.errors.ArgumentError) as caught:
        BATCH.positions([dipsat.Position.start(), dipsat.Position.start("chaos")])
    assert str(caught.value) == (
        "dipsat.kernel.Batch.positions: positions should be positions on the map standard, "
        "not 'chaos' (str)"
    )


@pytest.mark.parametrize(("boards", "started"), [(0, 0), (10, 0), (11, 2), (35, 4)])
def test_only_threads_with_work_are_started(
    boards: int, started: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, start = list[int](), threading.Thread.start

    def counted(thread: threading.Thread) -> None:
        count.append(1)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", counted)
    done = list[int]()
    work_in_pieces(lambda first, end: done.extend(range(first, end)), boards, 10**6, 10)
    assert sorted(done) == list(range(boards))
    assert min(started, 1) <= len(count) <= started  # quick threads may leave no work for others


# --- Copies, and errors that name the board -------------------------------------------------------

MANY = [({"ITALY": ["A ROM", "F NAP"]}, {"ITALY": ["A ROM - APU"]})] * 3
SEVERAL = ({"ITALY": ["A ROM"]}, {"ITALY": ["A ROM H", "A ROM - APU"]})  # a board without codes


@pytest.mark.parametrize("copier", [copy.copy, copy.deepcopy, COPIERS[-1]])
def test_copies_have_the_same_contents(copier: Callable[[Any], Any]) -> None:
    codes = BATCH.encode([*MANY, SEVERAL])
    views = replace(
        codes,
        orders=memoryview(array("H", codes.orders)),
        units=memoryview(array("H", codes.units)),
    )
    result = BATCH.adjudicate(views)
    for again in (copier(result), copier(copier(result))):
        assert again.arrays == result.arrays  # they are views once they have been read
        assert copier(result.arrays) == result.arrays
        assert again.codes == copier(views) == views
        assert again.settled == result.settled
        assert [again.after(at) for at in range(4)] == [result.after(at) for at in range(4)]
    games = BATCH.play(2, phases=2, record=True)
    assert copier(games) == games
    assert copier(games).history(1) == games.history(1)
    siege = "extends: datc\ndecisions:\n  hold_strength(p): base + 1\n"
    batch = kernel.Batch(dipsat.parse_profile(siege, "siege.yaml"), "fleet_rome", native=False)
    again = copier(batch)
    assert (again.rules, again.map, again.native) == (batch.rules, batch.map, False)
    made, found = (one.adjudicate(one.encode(MANY)) for one in (batch, again))
    assert found.arrays == made.arrays


FAULTY: list[tuple[Any, Any]] = [
    ({"ITALY": ["A ROM"]}, {"ITALY": ["A ROM - XYZ"]}),
    ({"ITALY": ["A ROM", "A ROM"]}, {}),
    ({"ITALI": ["A ROM"]}, {}),
    ({"ITALY": ["A ROM"]}, {"ITALI": []}),
    (dipsat.Position.start("chaos"), {}),
]


@pytest.mark.parametrize("faulty", FAULTY)
def test_faults_name_their_board(faulty: tuple[Any, Any]) -> None:
    with pytest.raises(dipsat.errors.DipsatError) as caught:
        BATCH.encode([*MANY, faulty])
    assert caught.value.__notes__ == ["on board 3"]


def test_rules_that_cannot_settle_a_board_name_it() -> None:
    rules = dipsat.parse_profile("extends: datc\ncycles: []\n", "none.yaml")
    batch = kernel.Batch(rules, native=False)
    ring = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}
    with pytest.raises(dipsat.errors.UnresolvedError) as caught:
        batch.adjudicate(batch.encode([*MANY, ({"TURKEY": ["F ANK", "A CON", "A SMY"]}, ring)]))
    assert caught.value.__notes__ == ["on board 3"]


def test_the_repr_of_codes_and_results_counts_boards() -> None:
    codes = BATCH.encode(MANY)
    assert repr(codes) == "BoardCodes(starts=<4>, units=<24>, orders=<24>, seasons=<3>)"
    assert repr(BATCH.adjudicate(codes)) == "BatchResult(codes=<BoardCodes of 3>)"


# --- Back to positions and orders -----------------------------------------------------------------


def test_a_coded_board_is_decoded_as_it_was() -> None:
    boards = random_boards(BATCH, range(4))
    codes = BATCH.encode([*boards, SEVERAL])
    result = BATCH.adjudicate(codes)
    for at, (position, _) in enumerate(boards):
        units, orders = BATCH.board(codes, at)
        assert units.by_province == position.by_province
        outcome = dipsat.adjudicate(units, orders, BATCH.rules)
        assert {one.unit: one.verdict for one in outcome.orders} == result.verdicts(at)
        again = BATCH.adjudicate(BATCH.encode([(units, orders)]))
        assert again.verdicts(0) == result.verdicts(at)
    assert BATCH.board(codes, len(boards))[1] == SEVERAL[1]


def test_a_board_with_meaningless_codes_is_reported() -> None:
    codes = BATCH.encode(MANY)
    garbled = array("H", codes.orders)
    garbled[20] = 9
    faulty = replace(codes, orders=garbled)
    assert BATCH.board(faulty, 1)[1].keys() == {"ITALY"}
    with pytest.raises(dipsat.errors.CodeError, match="board 2, unit 1: no type of order"):
        BATCH.board(faulty, 2)
    for at in (-1, 3):
        with pytest.raises(dipsat.errors.ArgumentError, match="number of a board, from 0 to 2"):
            BATCH.board(codes, at)


# --- Where the library is kept --------------------------------------------------------------------


@exhaustive
@needs_compiler
def test_a_library_that_cannot_be_kept_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (BATCH.compiler, BATCH.why_not_kept) == ("", "")  # not compiled
    assert kernel.Batch(native=True).why_not_kept == ""

    def elsewhere(text: str, flags: tuple[str, ...]) -> Library:
        return replace(build_and_load(text, flags), why_not_kept="/cache: the disk is full")

    monkeypatch.setattr("dipsat.kernel.library.build_and_load", elsewhere)
    batch = kernel.Batch(native=True)
    assert (batch.native, batch.why_not_kept) == (True, "/cache: the disk is full")
    done = CliRunner().invoke(main, ["kernel", "build"])
    assert (done.exit_code, done.stderr) == (
        2,
        "error: the compiled code is not kept: /cache: the disk is full\n",
    )


@pytest.mark.parametrize("board", [({}, {}, 3), {"ITALY": ["A ROM"]}, None])
def test_a_board_that_is_not_a_pair_is_an_error(board: Any) -> None:
    with pytest.raises(dipsat.errors.ArgumentError) as caught:
        BATCH.encode([({}, {}), board])
    assert (caught.value.argument, caught.value.wanted) == ("boards[1]", "a pair")


@pytest.mark.parametrize("is_native", [pytest.param(True, marks=needs_compiler), False])
def test_an_unreadable_order_is_illegal_if_the_call_is_lenient(is_native: bool) -> None:
    batch = kernel.Batch(native=is_native)
    units = {"FRANCE": ["A PAR", "A MAR"]}
    boards = [(units, {"FRANCE": [f"A PAR - {to}", "A MAR - GAS"]}) for to in ("BUR", "BURR")]
    with pytest.raises(dipsat.errors.UnknownNameError):
        batch.encode(boards)
    result = batch.adjudicate(batch.encode(boards, lenient=True))
    assert [result.verdicts(at)["A PAR"] for at in range(2)] == ["succeeds", "illegal"]
    assert result.units_after(0)["FRANCE"] == ["A BUR", "A GAS"]
    assert result.units_after(1)["FRANCE"] == ["A GAS", "A PAR"]
