"""Boards with texts that were read before have the same codes as in a new batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

import dipsat
from dipsat import kernel, studies
from tests.exhaustive import exhaustive

Lists = Mapping[str, Sequence[str]]


def boards_of(count: int, units: int = 27) -> list[tuple[Lists, Lists]]:
    """The units and orders of random boards."""
    made = (studies.random_board(seed, units) for seed in range(count))
    return [(board.units, board.orders) for board in made]


def codes_of(batch: kernel.Batch, units: Lists, orders: Lists) -> object:
    try:
        found = batch.encode([(units, orders)])
    except dipsat.DipsatError as error:  # two units in one province
        return str(error)
    return [*found.units], [*found.orders], len(found.uncoded)


def recombined(choose: Random, boards: Sequence[tuple[Any, Any]]) -> tuple[Lists, Lists]:
    """Units and orders of powers from several boards; some are wrong."""
    units: dict[str, Sequence[str]] = {}
    orders: dict[str, Sequence[str]] = {}
    for power in ("FRANCE", "ITALY", "TURKEY", "RUSSIA"):
        placed, ordered = choose.choice(boards)
        spelled = power.title() if choose.random() < 0.2 else power
        units[spelled] = placed.get(power, ())
        orders[power if choose.random() < 0.1 else spelled] = ordered.get(power, ())
    if choose.random() < 0.2:  # an order for a unit of another power
        orders["ITALY"] = [*orders.get("ITALY", ()), *orders.get("TURKEY", ())[:1]]
    return units, orders


@exhaustive
@pytest.mark.parametrize("rules", ["datc", "2000"])
def test_codes_do_not_depend_on_what_was_coded_before(rules: str) -> None:
    choose, batch = Random(3), kernel.Batch(rules, native=False)
    boards = boards_of(4, units=12)
    pairs = [recombined(choose, boards) for _ in range(40)]
    for units, orders in [*pairs, *choose.sample(pairs, 40), *pairs]:
        fresh = kernel.Batch(batch.rules, native=False)
        assert codes_of(batch, units, orders) == codes_of(fresh, units, orders)


def test_two_spellings_of_a_power_are_one() -> None:
    batch = kernel.Batch(native=False)
    units = {"FRANCE": ["A PAR"], "France": ["A MAR"]}
    orders = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"]}
    for _ in range(4):
        codes = batch.encode([(units, orders)])
        assert not codes.uncoded
        assert [*codes.orders[::4]] == [2, 4]
