"""The time that boards of variants take: `python -m bench variants`."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator
from functools import partial

import dipsat
from bench.proof import timed
from dipsat.studies import RandomBoard, Sheet, random_board
from dipsat.studies.random_boards import trial_board
from tests.phases import BY_SOLVER

_UNITS = ("portage", "wings")  # variants with their own kinds of units or convoys
_FULL = 27  # units
_COLORS = ("Red", "Purple", "Silver")


def variant_figures(boards: int = 150) -> Iterator[tuple[str, str, str]]:
    """(what, value, remark) of each figure, over seeded full boards, warm, on one core, with the
    ratio to the standard rules on the same boards in the same run.

    Positions are made in advance; the time includes reading and judging the orders, up to the units
    after the phase.
    """
    full = [random_board(seed) for seed in range(boards)]
    plain = [(dipsat.Position.from_units(board.units), board) for board in full]
    arpiesse = dipsat.load_profile("arpiesse")
    colored = [(_colored(board, seed, arpiesse), board) for seed, board in enumerate(full)]
    standard, _ = timed(lambda one: _judge(*one, dipsat.load_profile("datc")), plain)
    times, outcomes = timed(lambda one: _judge(*one, arpiesse), colored)
    base, own = statistics.median(standard), statistics.median(times)
    cycles = sum(not outcome.is_proven for outcome in outcomes)
    yield f"`datc`, {boards} full boards", f"{base * 1000:.2f} ms", "the median"
    told = f"{own / base:.1f} times that; {cycles} boards with a decision cycle"
    yield "Arpiesse, units of random colors", f"{own * 1000:.2f} ms", told
    for name in _UNITS:
        rules = dipsat.load_profile(name)
        sheets = [_sheet(rules, seed) for seed in range(boards)]
        times, _ = timed(partial(_judge_with, rules), sheets)
        own = statistics.median(times)
        told = f"{own / base:.1f} times that"
        yield f"`{name}`, full boards of its own", f"{own * 1000:.2f} ms", told


def _sheet(rules: dipsat.Profile, seed: int) -> tuple[dipsat.Position, Sheet]:
    """A full board with the rules' kinds of units and convoys."""
    sheet = trial_board(rules, dipsat.load_map(rules.map), seed, 2 * _FULL)
    return sheet.position(), sheet


def _judge(
    position: dipsat.Position, board: RandomBoard | Sheet, rules: dipsat.Profile
) -> dipsat.Outcome:
    outcome = dipsat.adjudicate(position, board.orders, rules, limits=BY_SOLVER)
    _ = outcome.units_after
    return outcome


def _judge_with(rules: dipsat.Profile, one: tuple[dipsat.Position, Sheet]) -> dipsat.Outcome:
    return _judge(*one, rules)


def _colored(board: RandomBoard, seed: int, rules: dipsat.Profile) -> dipsat.Position:
    rng = random.Random(seed)
    units = {
        power: [f"{rng.choice(_COLORS)} {text}" for text in texts]
        for power, texts in board.units.items()
    }
    return dipsat.Position.from_units(units, rules=rules)
