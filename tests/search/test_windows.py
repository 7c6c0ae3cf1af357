"""The windows of large maps, in which a first line is looked for."""

from __future__ import annotations

from functools import cache

import pytest

from dipsat.rules import load_profile
from dipsat.searches import Lines
from dipsat.searches.line_finder import windows
from dipsat.searches.line_placement import PlacementModel
from dipsat.searches.line_question import terms_of
from dipsat.solving import Budget, Fewest
from dipsat.solving.budget import ExhaustedError
from dipsat.solving.sat import has_sat_solver
from tools.atlas import record


@cache
def model(name: str, centres: int) -> PlacementModel:
    return PlacementModel(terms_of(Lines(centres=centres, map=name), load_profile("datc")))


def test_each_window_leaves_a_part_and_together_they_leave_the_map() -> None:
    large = model("colonial", 9)
    gone = [frozenset(one) for one in windows(large)]
    assert len(gone) > 10
    assert {len(one) for one in gone} == {len(large.provinces) - 40}
    assert not frozenset.intersection(*gone)
    assert frozenset.union(*gone) <= {*large.outside.values()}


def test_small_maps_and_questions_about_most_of_a_map_have_no_windows() -> None:
    assert not list(windows(model("standard", 9)))
    assert not list(windows(model("colonial", 36)))


@pytest.mark.skipif(not has_sat_solver(), reason="steps are those of the SAT solver")
def test_few_steps_are_enough_for_a_smallest_line_in_a_window() -> None:
    large = model("colonial", 9)
    search = Fewest(large.problem, budget=Budget(2_000_000))
    with pytest.raises(ExhaustedError):
        search.search(guides=windows(large))
    (known,) = (one for one in record.read("colonial")["sizes"] if one["asked"] == {"centres": 9})
    assert (search.count, search.bound) == (known["fewest"], 0)
