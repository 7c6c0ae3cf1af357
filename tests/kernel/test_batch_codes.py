"""The codes of boards: compiled code and Python report the same, whatever is wrong with them."""

from __future__ import annotations

import ctypes
import pickle
import random
import signal
import threading
import time
from array import array
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import settings, strategies as st

import dipsat
from dipsat.errors import ArgumentError, CodeError
from dipsat.game import by_power
from dipsat.kernel import Batch, BoardCodes, result_arrays
from dipsat.kernel.library import KernelLibrary
from tests.exhaustive import exhaustive, few_examples, few_of
from tests.kernel.kernel_agreement import needs_compiler, random_boards
from tests.kernel.sanitized import FIELDS, garbled

pytestmark = needs_compiler
BOARDS = 4
RULES = ("datc", "variants/arpiesse")  # without and with attributes of units


@cache
def both(rules: str = "datc") -> tuple[Batch, Batch]:
    """Compiled, and in Python."""
    return Batch(rules, native=True), Batch(rules, native=False)


@cache
def codes(rules: str = "datc", count: int = BOARDS) -> BoardCodes:
    """Codes of boards with owners."""
    batch, _ = both(rules)
    owned = {"FRANCE": ["PAR", "BRE"], "TURKEY": ["CON"]}
    boards = []
    for units, orders in random_boards(batch, range(count), 12):
        position = dipsat.Position.from_units(
            by_power(units.units), phase="F1902M", centers=owned, rules=batch.rules
        )
        boards.append((position, orders))
    return batch.encode(boards)


def found(batch: Batch, given: BoardCodes, threads: int = 1) -> Any:
    """All results, or the error."""
    try:
        arrays = batch.adjudicate(given, threads=threads).arrays
    except CodeError as error:
        return error.board, error.unit, error.problem
    return {name: list(getattr(arrays, name)) for name in arrays.__dataclass_fields__}


@exhaustive
@pytest.mark.parametrize("rules", few_of(RULES, 1))
@few_examples(
    25, settings(max_examples=200, deadline=None),
    seed=st.integers(0, 10**6), changes=st.sampled_from([1, 1, 1, 2, 3, 40]),
)  # fmt: skip
def test_garbled_codes_have_the_same_results_in_python(rules: str, seed: int, changes: int) -> None:
    native, python = both(rules)
    garbage = garbled(codes(rules), random.Random(seed), changes)
    expected = found(python, garbage)
    assert found(native, garbage) == expected
    assert found(native, garbage, threads=3) == expected


WRONG: dict[str, tuple[str, int, str]] = {
    "seasons 2": ("", 4, "no season has that number"),
    "owners 150": ("", 200, "a province is owned by a power that is not on the map"),
    "units 96": ("unit 0", 7, "no power on this map has that number"),
    "units 101": ("unit 1", 2, "no kind of unit has that number"),
    "units 98": ("unit 0", 500, "no unit of this kind can stand there"),
    "orders 96": ("unit 0", 6, "no type of order has that number"),
}


@pytest.mark.parametrize("place", WRONG)
def test_each_field_out_of_range_is_reported(place: str) -> None:
    unit, value, problem = WRONG[place]
    name, at = place.split()
    changed: Any = {name: list(getattr(codes(), name))}
    changed[name][int(at)] = value
    for batch in both():
        with pytest.raises(CodeError) as caught:
            batch.adjudicate(replace(codes(), **changed))
        assert str(caught.value) == f"board 2, {unit}: {problem}".replace(", :", ":")


OTHER, TARGET = "the location of the other unit is not on this map", "the target is not on this map"


@pytest.mark.parametrize(
    ("type", "other", "target", "problem"),
    [
        (0, 999, 999, ""), (1, 999, 999, ""), (2, 999, 3, ""), (2, 0, 81, TARGET),
        (3, 0, 999, ""), (3, 81, 0, OTHER), (4, 81, 0, OTHER), (4, 0, 81, TARGET),
        (5, 81, 0, OTHER), (5, 0, 65535, TARGET),
    ],
)  # fmt: skip
def test_each_part_of_an_order_is_checked_where_it_has_a_meaning(
    type: int, other: int, target: int, problem: str
) -> None:
    orders = array("H", codes().orders)
    orders[52:56] = array("H", [type, 0, other, target])
    result, by_python = (found(batch, replace(codes(), orders=orders)) for batch in both())
    assert result == by_python
    assert (result if isinstance(result, tuple) else "") == ((1, 1, problem) if problem else "")


@exhaustive
def test_a_board_that_is_left_to_python_has_its_codes_checked() -> None:
    """Too many units, or an illegal order before the one without a meaning."""
    native, python = Batch("choices/4.E.1-a"), Batch("choices/4.E.1-a", native=False)
    assert native.native
    places = [at for at, one in enumerate(native.numbers.locations) if "/" not in one][:75]
    army = [native.numbers.stands(native.numbers.kinds[0], native.numbers.locations[at])
            for at in places]  # fmt: skip
    rows = [(0, int(not holds), at, 0) for at, holds in zip(places, army, strict=True)]
    units = [number for row in rows for number in row]
    for type in (2, 9):
        orders = [2, 0, 0, 0] * 74 + [type, 0, 0, 0]
        board = BoardCodes([0, 75], units, orders, [0])
        result = found(native, board)
        assert result == found(python, board)
        assert (result == (0, 74, "no type of order has that number")) == (type == 9)


def test_two_units_in_one_province_are_reported() -> None:
    units = array("H", codes().units)
    units[32:36] = units[8:12]  # on the first board
    problem = (0, 8, "another unit stands in the same province")
    for batch in both():
        assert found(batch, replace(codes(), units=units)) == problem


LENGTHS: dict[str, tuple[Callable[[BoardCodes], dict[str, Any]], str]] = {
    "no starts": (lambda _: {"starts": []}, "`starts` should begin with 0"),
    "less": (lambda c: {"starts": [0, 12, 6, 24, 48]}, "`starts` should never decrease"),
    "more starts": (lambda c: {"starts": [*c.starts, 48]}, "`seasons` should have one number for"),
    "more orders": (lambda c: {"orders": [*c.orders, 0]}, "`orders` should have 4 numbers for"),
    "fewer owners": (lambda c: {"owners": c.owners and c.owners[1:]}, "`owners` should have 75 nu"),
    "text": (lambda _: {"units": "units"}, "`units` should hold whole numbers from 0"),
    "fractions": (lambda c: {"orders": [0.5] * len(c.orders)}, "`orders` should hold whole num"),
    "large": (lambda c: {"units": [65536] * len(c.units)}, "`units` should hold whole numbers f"),
    "nothing": (lambda _: {"seasons": None}, "`seasons` should hold whole numbers from 0 to 255: "),
    "pointers": (lambda _: {"units": (ctypes.c_void_p * 192)()}, "`units` should hold whole num"),
    "uncoded": (lambda _: {"uncoded": {0: None}}, "`uncoded` should number boards"),
    "uncoded name": (lambda _: {"uncoded": {"0": None}}, "`uncoded` should number boards"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", LENGTHS)
def test_arrays_of_wrong_sizes_are_reported(wrong: str) -> None:
    change, problem = LENGTHS[wrong]
    for batch in both():
        with pytest.raises(CodeError, match=f"^{problem}"):
            batch.adjudicate(replace(codes(), **change(codes())), threads=2)


SIZES = """
extends: variants/arpiesse
domains: {Size: {L: large, S: small}}
attributes: {size: {domain: Size, default: L}}
"""


def test_codes_for_another_map_or_other_units_are_refused() -> None:
    """Every method refuses them. Codes made by the user are refused if their arrays do not fit."""
    other_units = Batch(dipsat.parse_profile(SIZES, "coloured"), native=False)
    positions = both()[1].positions([dipsat.Position.start()])
    for batch in (Batch("datc", "hundred", native=False), other_units):
        calls: tuple[Callable[[], object], ...] = (
            partial(batch.adjudicate, codes()), partial(batch.board, codes(), 0),
            partial(batch.legal_orders, codes()), partial(batch.legal_orders, positions),
            partial(batch.position, positions, 0), partial(batch.advance, positions, [{}]),
            partial(batch.play, positions),
        )  # fmt: skip
        for call in calls:
            with pytest.raises(CodeError, match=r"made for standard:\w+, and this Batch is for "):
                call()
        with pytest.raises(CodeError, match=r"`(owners|units)` should have"):
            batch.adjudicate(replace(codes(), made_for=""))


def test_codes_can_be_used_under_other_rules_for_the_same_units() -> None:
    """They can be used in another process too: a copy is for the same map."""
    given = pickle.loads(pickle.dumps(codes()))
    assert given.made_for == codes().made_for
    batch = Batch("4.A.3-c", dipsat.load_map("standard"), native=False)
    assert len(batch.adjudicate(given)) == BOARDS


def two_dimensional(numbers: Any, width: int) -> Any:
    return memoryview(array("H", numbers)).cast("B").cast("H", (len(numbers) // width, width))


KINDS: dict[str, Callable[[str, Any], Any]] = {
    "lists": lambda _, numbers: list(numbers),
    "rows": lambda _, numbers: [list(numbers)[at : at + 4] for at in range(0, len(numbers), 4)],
    "iterators": lambda _, numbers: iter(numbers),
    "long": lambda _, numbers: array("q", numbers),
    "views": lambda kind, numbers: memoryview(array(kind, numbers)),
    "every second": lambda kind, numbers: memoryview(
        array(kind, [n for one in numbers for n in (one, 77)])
    )[::2],
    "tables": lambda kind, numbers: (
        two_dimensional(numbers, 4) if kind == "H" else array(kind, numbers)
    ),
    "ctypes": lambda kind, numbers: (
        {"B": ctypes.c_uint8, "H": ctypes.c_uint16, "I": ctypes.c_uint32}[kind] * len(numbers)
    )(*numbers),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_may_be_in_any_kind_of_sequence(kind: str) -> None:
    native, python = both()
    usual = found(native, codes())
    assert found(python, codes()) == usual
    for batch in both():
        made = {name: KINDS[kind](FIELDS[name], getattr(codes(), name)) for name in FIELDS}
        assert found(batch, BoardCodes(**made)) == usual


def test_a_batch_may_be_empty() -> None:
    for batch in both():
        for threads in (1, 7):
            for empty in (batch.encode([]), BoardCodes((0,), b"", memoryview(b""), bytearray())):
                result = batch.adjudicate(empty, threads=threads)
                assert (len(result), result.settled, list(result.arrays.ends)) == (0, [], [])


def test_boards_may_have_no_units() -> None:
    native, python = both()
    boards = native.encode(
        [({}, {}), ({}, {"FRANCE": ["A PAR - BUR"]}), ({"ITALY": ["A ROM"]}, {})]
    )
    for batch in (native, python):
        result = batch.adjudicate(boards)
        assert [result.verdicts(at) for at in range(3)] == [{}, {}, {"A ROM": "stands"}]
        assert result.settled == ["unique"] * 3
        assert (result.units_after(0), result.dislodged(0), result.contested(0)) == ({}, (), ())


@pytest.mark.parametrize("threads", [1, 2, 7, 60])
def test_any_number_of_threads_finds_the_same_and_the_first_fault(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(result_arrays, "_PIECE", 3)
    native, _ = both()
    given = codes("datc", 50)
    assert found(native, given, threads) == found(native, given)
    seasons = array("B", given.seasons)
    for board in (17, 18, 33, 49):
        seasons[board] = 9
    problem = (17, None, "no season has that number")
    assert found(native, replace(given, seasons=seasons), threads) == problem


@pytest.mark.usefixtures("interrupts")
def test_an_interrupt_ends_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_arrays, "_PIECE", 1)
    pieces: list[int] = []
    real = KernelLibrary.adjudicate

    def watched(self: Any, given: Any, into: Any, only: bool, first: int, end: int) -> None:
        pieces.append(first)
        if first == 5:
            signal.raise_signal(signal.SIGINT)
        real(self, given, into, only, first, end)

    monkeypatch.setattr(KernelLibrary, "adjudicate", watched)
    with pytest.raises(KeyboardInterrupt):
        both()[0].adjudicate(codes("datc", 50))
    assert pieces == [0, 1, 2, 3, 4, 5]


@exhaustive
@pytest.mark.usefixtures("interrupts")
def test_an_interrupt_ends_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each thread finishes its piece and takes no other."""
    monkeypatch.setattr(result_arrays, "_PIECE", 1)
    pieces: list[int] = []
    main = threading.main_thread().ident
    assert main is not None

    def waiting(_: Any, __: Any, ___: Any, ____: bool, first: int, _____: int) -> None:
        pieces.append(first)
        if first == 2:
            signal.pthread_kill(main, signal.SIGINT)
        time.sleep(0.5)

    monkeypatch.setattr(KernelLibrary, "adjudicate", waiting)
    batch, given_ = both()[0], codes("datc", 50)
    with pytest.raises(KeyboardInterrupt):
        batch.adjudicate(given_, threads=3)
    assert len(pieces) == 3


@pytest.mark.parametrize("threads", [0, 1.0, True])
def test_threads_are_a_number_from_1(threads: Any) -> None:
    with pytest.raises(ArgumentError, match="a number from 1"):
        both()[0].adjudicate(codes(), threads=threads)


def test_positions_must_be_on_the_map_and_in_a_movement_phase() -> None:
    batch = both()[0]
    elsewhere = dipsat.Position.from_units({}, "modern")
    retreats = dipsat.Position.from_units({}, phase="S1901R")
    for position in (elsewhere, retreats):
        with pytest.raises(ArgumentError, match="movement phases on the map standard"):
            batch.encode([(position, {})])
    with pytest.raises(ArgumentError, match="a movement phase"):
        batch.encode([], phase="W1901A")
