"""Boards that the table of differences tries one by one, against enumerations of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

import pytest

import dipsat
from dipsat import kernel
from tests.exhaustive import exhaustive
from tests.legal_texts import legal_order_texts
from tests.oracles.test_smallest_brute_force import ISLAND, exists, positions
from tools.differences.asking import Effort, smallest_difference
from tools.differences.beleaguered import beleaguered
from tools.differences.every_board import every_board
from tools.differences.trial import ownerships, trial

SEA = "ADR"
COASTS = {"ALB", "APU", "TRI", "VEN"}


def agrees(rules: str, number: int) -> None:
    found = trial(("datc", rules), number, every_board(number), ISLAND)
    assert (found.differing is not None) == exists(number, dipsat.Differ(rules))
    assert found.differing is None or found.differing.differs


@exhaustive
@pytest.mark.parametrize("number", [1, 2])
def test_a_trial_finds_a_difference_if_any_board_of_an_island_differs(number: int) -> None:
    agrees("4.A.3-a", number)


@exhaustive
def test_a_trial_of_three_units_agrees_with_all_boards_of_an_island() -> None:
    for number in (1, 2, 3):
        agrees("judges/vain-via-swaps", number)


def test_a_trial_has_every_order_of_a_single_unit() -> None:
    found = trial(("datc", "datc"), 1, every_board(1), ISLAND)
    settings = dipsat.load_profile("datc").settings
    legal = [legal_order_texts(one, settings) for one in positions(1)]
    assert found.boards == sum(len(own) for orders in legal for own in orders.values())
    assert found.differing is None


@pytest.mark.parametrize(("number", "ways"), [(1, 1), (2, 2), (3, 5), (4, 15), (5, 52), (6, 203)])
def test_the_ways_to_divide_units_among_powers_are_bell_numbers(number: int, ways: int) -> None:
    assert len(set(ownerships(number, 7))) == ways


@exhaustive
@pytest.mark.parametrize("rules", ["choices/4.A.6-c", "judges/vain-via-swaps"])
def test_fewer_units_than_the_table_has_never_differ(rules: str) -> None:
    assert trial(("datc", rules), 1, every_board(1)).differing is None


@exhaustive
def test_rules_that_settle_the_same_cycles_differently_need_a_cycle() -> None:
    """Boards like DATC 6.F.9 need four units; the search itself refuses these rules."""
    found, board = smallest_difference("datc", "choices/4.A.2-szykman-literal", Effort(10**7, 5))
    assert (found.bound, board) == (4, None)
    assert "sets attack_strength" in found.refused
    assert smallest_difference("datc", "choices/4.A.6-c", Effort(10**7, 5))[0].bound is None


def _fleets(supports: int) -> Iterator[tuple[str, ...]]:
    """Fleets around a sea, by the legal orders of fleets that stand alone."""
    settings = dipsat.load_profile("datc").settings

    def legal(unit: str) -> Collection[str]:
        return legal_order_texts(dipsat.Position.from_units({"FRANCE": [unit]}), settings)[unit]

    places = sorted(dipsat.load_map("standard").fleet)
    near = [place for place in places if f"F {place} - {SEA}" in legal(f"F {place}")]
    for some in combinations(near, 2 + supports):
        if len({one[:3] for one in some}) == len(some):
            yield some


@pytest.mark.parametrize("supports", [1, 2])
def test_the_boards_on_which_a_fleet_may_be_beleaguered_are_all_there(supports: int) -> None:
    """Any two of the fleets around a sea attack it. A single support is for either attack, and
    every army goes by that sea. Two supports are for either attack each, and the army goes to where
    one of the fleets stands."""
    batch = kernel.Batch(native=False)
    locations = batch.numbers.locations
    found = {
        (
            tuple(sorted(locations[place] for _, place in standings[2:])),
            tuple(locations[row[2]] + locations[row[3]] for row in rows[4:]),
            tuple(locations[place] for _, place in standings[2:]),
            locations[standings[0][1]],
            locations[rows[0][3]],
        )
        for standings, rows in beleaguered(supports, [SEA])(batch)
    }
    expected = 0
    for some in _fleets(supports):
        taken = {one[:3] for one in some}
        routes = [
            (origin, goal)
            for origin in COASTS - taken
            for goal in COASTS - {origin}
            if supports == 1 or goal in taken
        ]
        ways = {1: 6, 2: 12}[supports]  # who attacks, and whom each supporter helps
        expected += ways * len(routes)
    assert len(found) == expected > 0


@exhaustive
@pytest.mark.parametrize(
    ("rules", "supports", "differs"),
    [
        ("judges/dpjudge-safe-convoys", 1, False),
        ("judges/beleaguered-convoy-fails", 2, False),
        ("choices/4.A.2-all-hold", 1, True),
    ],
)
def test_beleaguered_fleets_convoy_as_the_page_says(
    rules: str, supports: int, differs: bool
) -> None:
    """In one sea; the page has the numbers of boards in all of them."""
    found = trial(("datc", rules), 4 + supports, beleaguered(supports, [SEA]))
    assert found.boards > 0
    assert (found.differing is not None) == differs
