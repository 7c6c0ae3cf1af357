"""More builds and disbands than are due: which of them count in compiled code, as in Python (DATC
4.D.4 to 4.D.7)."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence

import pytest

import dipsat
from dipsat.game import build_sites
from dipsat.kernel import Batch
from dipsat.kernel.codes import BUILD, DISBAND, WAIVE
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import native, needs_compiler, quick

pytestmark = needs_compiler
RULES = [
    "datc",
    *(
        f"datc+{setting}={value}"
        for setting in ("builds_too_many", "builds_in_one_place", "disbands_too_many")
        for value in ("last", "none")
    ),
    "datc+waive=illegal",
    "datc+build_where=any",
]


def winters(batch: Batch, seed: int, games: int) -> list[dipsat.Position]:
    """Adjustment phases of games at random."""
    played = batch.play(games, seed=seed, record=True, until=1905)
    return [
        position
        for game in range(games)
        for position, _ in played.history(game)
        if position.phase.season == "W"
    ]


def too_many(
    batch: Batch, position: dipsat.Position, choose: random.Random, wild: bool
) -> list[int]:
    """Rows of orders to build wherever the powers may, and to disband all their units. If they are
    wild, there are also waives, builds elsewhere and orders that come twice."""
    numbers, rows = batch.numbers, list[tuple[int, ...]]()
    for at, power in enumerate(numbers.powers):
        own = [unit.location for unit in position.units if unit.power == power]
        rows += [(DISBAND, 0, at, numbers.number_of[location]) for location in own]
        sites = build_sites(position, power, batch.rules.settings)
        if wild and choose.random() < 0.2:
            sites = tuple(position.centers.get(power, ()))
        kind = int(wild and choose.random() < 0.2)
        rows += [(BUILD, kind, at, numbers.number_of[code]) for code in sites]
        if wild and choose.random() < 0.2:
            rows += [(WAIVE, 0, at, 0), *choose.sample(rows, min(len(rows), 1))]
    choose.shuffle(rows)
    return [number for row in rows[: batch.order_rows] for number in row]


def check(batch: Batch, positions: Sequence[dipsat.Position], wild: int, tame: int) -> int:
    """Compare with Python in so many rounds; how many phases compiled code leaves to it."""
    choose, width, by_python = random.Random(5), 4 * batch.order_rows, 0
    codes = batch.positions(positions)
    for at in range(wild + tame):
        orders = array("H")
        for position in positions:
            own = too_many(batch, position, choose, wild=at < wild)
            orders.extend(own + [0] * (width - len(own)))
        found = batch.advance(codes, orders)
        by_python += len(found.by_python)
        for number, position in enumerate(positions):
            rows = orders[width * number : width * (number + 1)]
            texts = batch._positions.orders_of(position, rows)
            wanted = dipsat.adjudicate(position, texts, batch.rules).next
            assert batch.position(found.positions, number) == wanted, (number, texts)
    return by_python


def test_the_first_builds_and_disbands_count() -> None:
    batch = native()
    assert check(batch, winters(batch, 3, 4), wild=0, tame=1) == 0


@exhaustive
@pytest.mark.parametrize("rules", RULES)
def test_builds_and_disbands_count_as_the_settings_say(rules: str) -> None:
    batch = quick(rules, "standard")
    positions = winters(batch, 4, 8)
    check(batch, positions, wild=4, tame=1)
    assert batch.native
