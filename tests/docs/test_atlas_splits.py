"""The splits of the board in docs/atlas: every two numbers of centres is answered, and the most
even splits with few units have lines."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from dipsat import searches
from tests.exhaustive import exhaustive, few_of
from tools.atlas import record
from tools.atlas.answers import Answer, lines_in, question_of
from tools.atlas.trials import line_of

KNOWN = record.read("standard")
SPLITS: dict[tuple[int, int], Answer] = {
    tuple(one["asked"]["split"]): one for one in KNOWN["splits"]
}
SIZES = {one["asked"]["centres"]: one["fewest"] for one in KNOWN["sizes"] if one["fewest"]}


def test_every_two_numbers_that_single_lines_hold_are_asked() -> None:
    assert SPLITS.keys() == {*combinations_with_replacement(sorted(SIZES), 2)}
    for (less, more), one in SPLITS.items():
        assert one["verdict"] == ("impossible" if (less, more) == (5, 5) else "found")
        if one["fewest"] is not None:
            assert one["bound"] == one["fewest"] >= SIZES[less] + SIZES[more]


def test_splits_with_lines_are_those_that_need_fewer_units_than_more_even_ones() -> None:
    units = {both: one["fewest"] for both, one in SPLITS.items() if one["fewest"]}
    for both, one in SPLITS.items():
        more_even = [units[other] for other in units if other > both]
        shown = both in units and all(units[both] < fewest for fewest in more_even)
        assert shown == bool(one["forms"]), both


def test_the_first_page_says_which_splits_are_cheap() -> None:
    units = {both: one["fewest"] for both, one in SPLITS.items() if one["fewest"]}
    assert units[15, 15] == 22 == min(units[both] for both in units if both[0] > 3)
    assert [len(form["units"]) for form in SPLITS[15, 15]["forms"]] == [10, 12]
    assert (units[15, 17], units[17, 17], units[3, 17]) == (23, 24, 17)
    assert min(units, key=lambda both: units[both]) == (3, 3)


def test_lines_of_a_split_share_no_province() -> None:
    for one in SPLITS.values():
        if one["forms"]:
            (first, orders), (second, others) = lines_in(one)
            lines = (
                line_of("standard", None, first, orders), line_of("standard", None, second, others)
            )  # fmt: skip
            here, there = ({*line.region, *line.by_province} for line in lines)
            assert not here & there


@exhaustive
@pytest.mark.parametrize(("less", "more"), few_of([(3, 3), (3, 17), (17, 17)], 1))
def test_another_statement_and_solver_confirm_splits(less: int, more: int) -> None:
    """`python -m tools.atlas.confirm standard --section splits` confirms all."""
    fewest = SPLITS[less, more]["fewest"]
    found = searches.confirm_fewest(question_of("standard", {"split": [less, more]}), fewest)
    assert found.verdict == "confirmed"
