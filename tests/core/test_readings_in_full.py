"""Settings for reading orders make no difference where each unit has one order in full."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

import dipsat
from dipsat import Differ, Position
from dipsat.outcomes import MovementOutcome
from dipsat.rules import setting_values
from dipsat.searches import OpenPosition
from dipsat.searches.open_unit_facts import READINGS, decide_alike_in_full
from dipsat.studies import random_board
from tests.exhaustive import exhaustive, few_of
from tests.legal_texts import legal_order_texts

OF_MOVES = {"adjacent_convoy", "via_without_convoy", "support_coast", "disorder_support"}
REFUSED = ("convoy_path", "required")
VALUES = [
    (name, value)
    for name, values in setting_values().items()
    for value in values[1:]
    if name in READINGS and (name, value) != REFUSED
]


@cache
def outcome(seed: int, name: str = "", value: str = "") -> MovementOutcome:
    """The outcome of a random board with a legal order in full for each unit."""
    position, random = Position.from_units(random_board(seed).units), Random(seed)
    legal = legal_order_texts(position, dipsat.load_profile("datc").settings)
    orders: dict[str, list[str]] = {}
    for unit in position.units:
        orders.setdefault(unit.power, []).append(random.choice(legal[str(unit)]))
    rules = dipsat.load_profile("datc", settings={name: value} if name else None)
    found = dipsat.adjudicate(position, orders, rules)
    assert isinstance(found, MovementOutcome)
    return found


def test_every_setting_is_about_readings_or_about_moves() -> None:
    assert setting_values().keys() == READINGS | OF_MOVES
    assert not READINGS & OF_MOVES


@pytest.mark.parametrize(("name", "value"), few_of(VALUES, 3))
def test_a_setting_about_readings_decides_nothing_in_full(name: str, value: str) -> None:
    for seed in (1, 2):
        found, usual = outcome(seed, name, value), outcome(seed)
        assert (found.units_after, found.dislodged) == (usual.units_after, usual.dislodged)


@exhaustive
def test_rules_that_differ_in_readings_are_the_same_with_any_number_of_units() -> None:
    found = dipsat.search(OpenPosition.from_units("any 8"), Differ("4.E.3-a"))
    assert found.verdict == "impossible"
    usual = dipsat.load_profile("datc")
    for other in ("4.A.3-b", "4.A.6-c", "4.B.4-a", "4.D.9-a", "4.A.2-2000", "own-support-disrupts"):
        is_alike = decide_alike_in_full(usual, dipsat.load_profile(other))
        assert is_alike == (other == "4.A.6-c"), other  # which is refused earlier
