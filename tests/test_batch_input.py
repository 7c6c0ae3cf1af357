"""What programs hand to a `Batch`: arrays in several dimensions, whole numbers of other libraries,
positions of another map."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from typing import Any

import pytest

import dipsat

BATCH = dipsat.Batch(native=False)
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


def nested(rows: array[int]) -> list[list[list[int]]]:
    found: list[list[list[int]]] = table(rows).tolist()
    return found


def never_iterated(rows: array[int]) -> Any:
    """A buffer that complains if its numbers are taken one after the other."""

    def iterate(_: object) -> Any:
        raise TypeError("one number after the other")

    kind = type("Buffer", (ctypes.c_uint16 * len(rows),), {"__iter__": iterate})
    return kind.from_buffer(rows)


SHAPES: dict[str, Callable[[array[int]], Any]] = {
    "flat": lambda rows: rows,
    "table": table,
    "wide": lambda rows: memoryview(array("q", rows)).cast("B").cast("q", (2, len(rows) // 2)),
    "lists": nested,
    "tuples": lambda rows: tuple(map(tuple, nested(rows))),
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


def test_faulty_orders_for_positions_say_what_they_should_be() -> None:
    with pytest.raises(dipsat.errors.CodeError) as caught:
        BATCH.advance(START, [0.0] * len(opening()))
    assert str(caught.value).startswith("`orders` should hold whole numbers from 0 to 65535: ")
    with pytest.raises(dipsat.errors.CodeError) as caught:
        BATCH.advance(START, opening()[4:])
    wanted = "`orders` should have 512 numbers for each position: 1024, not 1020"
    assert str(caught.value) == wanted
