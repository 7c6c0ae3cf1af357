"""Comparing `dipsat.Batch` with `dipsat.adjudicate`, board by board."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache

import pytest

import dipsat
from bench.agreement.compare import compared
from dipsat.kernel.batch import Batch
from dipsat.kernel.board_codes import Orders, Units
from dipsat.kernel.compilers import find_compiler
from dipsat.kernel.results import BatchResult
from dipsat.proof.movement import MovementOutcome
from dipsat.scenarios.random_board import random_board

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
"""For tests of compiled code. `.ci/run` sees to it that there is a compiler."""


@cache
def native(rules: str = "datc", map: str = "standard") -> Batch:
    """A batch of compiled code, with the reason why it is not compiled if it is not."""
    return Batch(rules, map, native=True)


Boards = Sequence[tuple[Units, Orders]]


def random_boards(batch: Batch, seeds: Iterable[int], units: int | None = None) -> Boards:
    """Random tense boards on the map of a batch, with random attributes of units."""
    found = []
    for seed in seeds:
        board = random_board(seed, units or 20 + seed % 15, map=batch.map)
        choose = random.Random(seed).choice
        known = batch.numbers.attributes.values()
        placed = {
            power: [" ".join([*(choose(values) for values in known), text]) for text in texts]
            for power, texts in board.units.items()
        }
        found.append((placed, board.orders))
    return found


def in_python(batch: Batch, units: Units, orders: Orders, phase: str = "S1901M") -> MovementOutcome:
    """What `adjudicate` finds of a board."""
    if isinstance(units, dipsat.Position):
        position = units
    else:
        position = dipsat.Position.from_units(units, batch.map, phase, rules=batch.rules)
    outcome = dipsat.adjudicate(position, orders, batch.rules)
    assert isinstance(outcome, MovementOutcome)
    return outcome


def differences(
    batch: Batch, boards: Boards, phase: str = "S1901M", threads: int = 1
) -> tuple[list[str], BatchResult]:
    """What is not the same in Python, and the results of the batch."""
    result = batch.adjudicate(batch.encode(boards, phase=phase), threads=threads)
    found = []
    for at, (units, orders) in enumerate(boards):
        outcome = in_python(batch, units, orders, phase)
        for name, one, other in compared(batch.rules, result, at, outcome):
            if one != other:
                found.append(f"board {at}: {name}: {one} and not {other}: {units}, {orders}")
    return found, result
