"""What must hold for every outcome, whatever the orders."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

import dipsat
from dipsat.studies import RandomBoard, random_board
from tests.exhaustive import exhaustive, parts_of

SEEDS = parts_of(range(60), 12)
each_part = pytest.mark.parametrize("seeds", SEEDS)
POWERS = sorted(dipsat.load_map("standard").powers)


@cache
def board_of(seed: int) -> RandomBoard:
    return random_board(seed, units=2 + seed * 7 % 33)


def judged(board: RandomBoard) -> dipsat.Outcome:
    return dipsat.adjudicate(dipsat.Position.from_units(board.units), board.orders)


@cache
def outcome_of(seed: int) -> dipsat.Outcome:
    return judged(board_of(seed))


@each_part
def test_no_two_units_end_in_one_province_and_no_unit_is_lost_or_added(seeds: range) -> None:
    for outcome in map(outcome_of, seeds):
        places = Counter(unit.province for unit in outcome.units_after)
        assert all(number == 1 for number in places.values())
        kept = Counter((unit.power, unit.kind) for unit in outcome.units_after)
        out = Counter((unit.power, unit.unit[0]) for unit in outcome.dislodged)
        assert kept + out == Counter((unit.power, unit.kind) for unit in outcome.position.units)


@each_part
def test_every_submitted_order_has_an_outcome_and_every_unit_a_fate(seeds: range) -> None:
    for seed in seeds:
        outcome, given = outcome_of(seed), board_of(seed).orders
        found = Counter((o.power, o.submitted) for o in outcome.orders if o.submitted is not None)
        assert found == Counter((power, text) for power, texts in given.items() for text in texts)
        gone = {unit.unit for unit in outcome.dislodged}
        assert {order.unit for order in outcome.orders if order.fate} == gone


@exhaustive
@each_part
def test_order_of_input_does_not_matter(seeds: range) -> None:
    for seed in seeds:
        random, board = Random(seed), board_of(seed)
        units, orders = (
            {power: random.sample(texts[power], len(texts[power])) for power in powers}
            for texts in (board.units, board.orders)
            for powers in [random.sample(sorted(texts), len(texts))]
        )
        again = dipsat.adjudicate(dipsat.Position.from_units(units), orders)
        assert again.to_dict() == outcome_of(seed).to_dict()


@each_part
def test_renaming_powers_renames_the_outcome(seeds: range) -> None:
    for seed in seeds:
        board, names = board_of(seed), Random(seed).sample(POWERS, len(POWERS))
        new = dict(zip(POWERS, names, strict=True))
        renamed = judged(
            RandomBoard(
                units={new[power]: texts for power, texts in board.units.items()},
                orders={new[power]: texts for power, texts in board.orders.items()},
            )
        )
        expected = {(new[o.power], o.order, o.verdict, o.fate) for o in outcome_of(seed).orders}
        assert {(o.power, o.order, o.verdict, o.fate) for o in renamed.orders} == expected


@each_part
def test_every_reason_names_units_on_the_board_and_never_the_unit_itself(seeds: range) -> None:
    for outcome in map(outcome_of, seeds):
        units = {str(unit) for unit in outcome.position.units}
        for order in outcome.orders:
            reason = order.reason
            assert reason.code
            assert set(reason.because) <= units - {order.unit}
            if order.verdict in ("fails", "cut") and reason.code not in ("own_unit_stays",):
                assert reason.because, (order.order, reason)
            succeeds = order.verdict in ("succeeds", "given", "available")
            stays = order.verdict == "stands" and not order.fate
            if reason.code != "cycle_rule":
                assert (reason.code == "ok") == (succeeds or stays)


@each_part
def test_every_dislodged_unit_retreats_only_to_free_neighbours(seeds: range) -> None:
    for outcome in map(outcome_of, seeds):
        occupied = {unit.province for unit in outcome.units_after}
        for dislodged in outcome.dislodged:
            kind, location = dislodged.unit.split()
            assert {*dislodged.retreats} <= outcome.position.map.reach(kind, location)
            provinces = {retreat.partition("/")[0] for retreat in dislodged.retreats}
            assert provinces.isdisjoint({*occupied, *outcome.contested})
