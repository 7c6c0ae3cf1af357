"""Boards of 5 to 300 units on the largest maps: compiled equations and Python find the same."""

from __future__ import annotations

from itertools import cycle, product
from random import Random

import pytest

import dipsat
from dipsat import studies
from dipsat.kernel import Batch
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import agreed, needs_compiler, quick
from tests.large_boards import placed_codes, related_board

pytestmark = needs_compiler

MAPS = {
    "known_world_901": (5, 34, 130, 200, 265), "world": (5, 90, 150, 192),
    "twentytwenty": (60, 150, 215), "youngstown_redux": (5, 100, 183), "rootz": (30, 100, 150),
}  # fmt: skip
"""Map with more than 64 centres -> numbers of units; the last is the most that it has room for."""
RULES = ("datc", "1971", "1982", "2000", "dptg", "4.A.3-c", "4.A.2-all-hold", "4.A.7-b", "dpjudge")


def test_large_boards_come_out_as_in_python() -> None:
    """None of them is left to Python."""
    batch = quick("datc", "known_world_901")
    boards = [related_board(batch, units, 0) for units in (5, 130, 265)]
    assert len(boards[-1][0].units) == 265
    assert agreed(batch, boards).by_python == 0


@exhaustive
@pytest.mark.parametrize(
    ("rules", "map"), [*product(RULES[:1], MAPS), *zip(RULES[1:], cycle(MAPS), strict=False)]
)
def test_boards_of_all_sizes_come_out_as_in_python(rules: str, map: str) -> None:
    """`python -m tests agreement` compares thousands of boards."""
    batch = quick(rules, map)
    for units in MAPS[map]:
        found = agreed(batch, [related_board(batch, units, seed) for seed in range(8)])
        assert found.by_python == 0 or rules != "datc"


@exhaustive
def test_no_part_of_large_boards_is_left_to_python() -> None:
    """Neither movement and retreat phases, nor legal orders."""
    batch = quick("datc", "world")
    boards = [related_board(batch, units, seed) for seed, units in enumerate((90, 150, 192))]
    positions = [position for position, _ in boards]
    for phase in "MR":
        assert {position.phase.kind.value for position in positions} == {phase}
        orders = [orders for _, orders in boards]
        found = batch.advance(batch.positions(positions), orders)
        assert not found.by_python
        outcomes = [dipsat.adjudicate(*board, "datc") for board in boards]
        after = [batch.position(found.positions, at) for at in range(len(boards))]
        assert after == [outcome.next for outcome in outcomes]
        positions, boards = after, [(position, {}) for position in after]
    codes = placed_codes(batch, 100, Random(3))
    compiled, slow = batch.legal_orders(codes), Batch("datc", "world", native=False)
    assert not compiled.by_python
    assert [*compiled.orders] == [*slow.legal_orders(codes).orders]


@exhaustive
def test_impact_on_large_boards_is_that_of_adjudicate() -> None:
    """The number of differences is that of `adjudicate`."""
    board, boards = dipsat.load_map("known_world_901"), studies.RandomBoards(4, units=140)
    differ = 0
    for seed in range(4):
        one = studies.random_board(seed, 140, board)
        position = dipsat.Position.from_units(one.units, board)
        found = [dipsat.adjudicate(position, one.orders, rules) for rules in ("datc", "1982")]
        verdicts = [[order.verdict for order in outcome.orders] for outcome in found]
        differ += verdicts[0] != verdicts[1] or found[0].next != found[1].next
    report = studies.impact(["1982"], boards=boards, map=board)
    assert report.rules[0].differ == differ
