"""What must hold for every outcome, whatever the orders (hypothesis)."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import settings, strategies as st

import dipsat
from dipsat.studies import RandomBoard, random_board
from tests.exhaustive import few_examples

SEEDS = st.integers(min_value=0, max_value=2**32)
BOARDS = st.builds(random_board, SEEDS, units=st.integers(min_value=2, max_value=34))
QUICK = settings(max_examples=60, deadline=None)

POWERS = sorted(dipsat.load_map("standard").powers)


def outcome_of(board: RandomBoard) -> dipsat.Outcome:
    return dipsat.adjudicate(dipsat.Position.from_units(board.units), board.orders)


@few_examples(20, QUICK, board=BOARDS)
def test_no_two_units_end_in_one_province(board: RandomBoard) -> None:
    places = Counter(unit.province for unit in outcome_of(board).units_after)
    assert all(number == 1 for number in places.values())


@few_examples(20, QUICK, board=BOARDS)
def test_no_unit_is_lost_or_made(board: RandomBoard) -> None:
    outcome = outcome_of(board)
    kept = Counter((unit.power, unit.kind) for unit in outcome.units_after)
    out = Counter((unit.power, unit.unit[0]) for unit in outcome.dislodged)
    before = Counter((unit.power, unit.kind) for unit in outcome.position.units)
    assert kept + out == before


@few_examples(20, QUICK, board=BOARDS)
def test_every_submitted_order_has_an_outcome_and_every_unit_a_fate(board: RandomBoard) -> None:
    outcome = outcome_of(board)
    submitted = Counter((o.power, o.submitted) for o in outcome.orders if o.submitted is not None)
    given_orders = Counter((p, text) for p, texts in board.orders.items() for text in texts)
    assert submitted == given_orders
    gone = {unit.unit for unit in outcome.dislodged}
    assert {order.unit for order in outcome.orders if order.fate} == gone


@few_examples(10, QUICK, board=BOARDS, rng=st.randoms(use_true_random=False))
def test_order_of_input_does_not_matter(board: RandomBoard, rng: random.Random) -> None:
    def shuffled(texts: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
        powers = rng.sample(sorted(texts), len(texts))
        return {power: rng.sample(texts[power], len(texts[power])) for power in powers}

    units, orders = shuffled(dict(board.units)), shuffled(dict(board.orders))
    again = dipsat.adjudicate(dipsat.Position.from_units(units), orders)
    assert again.to_dict() == outcome_of(board).to_dict()


@few_examples(20, QUICK, board=BOARDS, names=st.permutations(POWERS))
def test_renaming_powers_renames_the_outcome(board: RandomBoard, names: list[str]) -> None:
    new = dict(zip(sorted(dipsat.load_map("standard").powers), names, strict=True))
    renamed = RandomBoard(
        units={new[power]: texts for power, texts in board.units.items()},
        orders={new[power]: texts for power, texts in board.orders.items()},
    )

    def facts(outcome: dipsat.Outcome, rename: dict[str, str]) -> set[Any]:
        return {(rename[o.power], o.order, o.verdict, o.fate) for o in outcome.orders}

    same = dict(zip(names, names, strict=True))
    assert facts(outcome_of(board), new) == facts(outcome_of(renamed), same)


@few_examples(20, QUICK, board=BOARDS)
def test_every_reason_names_units_on_the_board_and_never_the_unit_itself(
    board: RandomBoard,
) -> None:
    outcome = outcome_of(board)
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


@few_examples(20, QUICK, board=BOARDS)
def test_every_dislodged_unit_retreats_only_to_free_neighbours(board: RandomBoard) -> None:
    outcome = outcome_of(board)
    occupied = {unit.province for unit in outcome.units_after}
    for dislodged in outcome.dislodged:
        kind, location = dislodged.unit.split()
        reach = outcome.position.map.reach(kind, location)
        for retreat in dislodged.retreats:
            assert retreat in reach
            assert retreat.partition("/")[0] not in occupied
            assert retreat.partition("/")[0] not in outcome.contested
