"""Maps of the stand-in have the contents of those of the package `diplomacy`."""

from __future__ import annotations

from typing import Any

import pytest

from dipsat.compat.diplomacy import Map
from dipsat.errors import UnknownNameError
from tests.exhaustive import few_of

pytestmark = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")

LISTS = ("locs", "scs", "powers")
TABLES = (
    "loc_type", "loc_coasts", "loc_abut", "loc_name", "homes", "centers", "units",
    "pow_name", "dest_with_coasts",
)  # fmt: skip
VALUES = ("victory", "first_year", "phase", "flow", "seq", "owns", "inhabits", "dummies", "name")
SHUT = "SWI"
NAMES = few_of(["standard", "modern", "standard_fleet_rome", "standard_france_austria", "pure"], 1)


def both(name: str) -> tuple[Any, Map]:
    """The map of the package and that of dipsat."""
    import diplomacy

    return diplomacy.Map(name), Map(name)


def shown(value: Any) -> Any:
    """A value with sorted lists and without borders of impassable land, of which dipsat knows only
    the name."""
    if isinstance(value, dict):
        return {key: shown(one) for key, one in value.items() if key != SHUT}
    return sorted(one for one in value if one != SHUT) if isinstance(value, list) else value


@pytest.mark.parametrize("name", NAMES)
def test_a_map_has_the_same_places_and_powers(name: str) -> None:
    theirs, ours = both(name)
    for key in (*LISTS, *TABLES, *VALUES):
        assert shown(getattr(ours, key)) == shown(getattr(theirs, key)), key


@pytest.mark.parametrize("name", few_of(["ancmed", "colonial", "empire", "known_world_901"], 1))
def test_a_map_that_has_another_name_in_dipsat_begins_a_game(name: str) -> None:
    theirs, ours = both(name)
    assert (sorted(ours.scs), ours.phase) == (sorted(theirs.scs), theirs.phase)
    assert [shown(theirs.units[power]) for power in ours.board.players] == [
        shown(ours.units[power]) for power in ours.board.players
    ]


def test_a_power_that_nobody_plays_is_a_dummy_by_both_names() -> None:
    theirs, ours = both("known_world_901")
    assert (theirs.dummies, ours.dummies) == (["NEUTRALSTATE"], ["NEUTRAL"])
    assert ours.norm_power("NeutralState") == "NEUTRAL"
    assert sorted(ours.units["NEUTRAL"]) == sorted(theirs.units["NEUTRALSTATE"])


def test_a_map_that_begins_with_other_units_than_dipsat_has_is_unknown() -> None:
    with pytest.raises(UnknownNameError, match="standard_age_of_empires"):
        Map("standard_age_of_empires")


def test_units_can_be_in_and_go_to_the_same_places() -> None:
    theirs, ours = both("standard")
    for place in theirs.locs:
        assert ours.find_coasts(place) == theirs.find_coasts(place)
        assert ours.area_type(place) == theirs.area_type(place)
        for unit in (f"A {place}", f"F {place}"):
            for flags in ((0, 0), (1, 0), (0, 1)):
                assert bool(ours.is_valid_unit(unit, *flags)) == bool(
                    theirs.is_valid_unit(unit, *flags)
                )
        for other in theirs.locs:
            for kind in "AF?":
                for order in "-SC":
                    asked = (kind, place, order, other)
                    assert ours.abuts(*asked) == theirs.abuts(*asked), asked


@pytest.mark.parametrize("phase", ["SPRING 1901 MOVEMENT", "FALL 1901 RETREATS"])
@pytest.mark.parametrize("kind", [None, "M", "R", "A"])
@pytest.mark.parametrize("skip", [0, 1])
def test_phases_follow_each_other(phase: str, kind: str | None, skip: int) -> None:
    theirs, ours = both("standard")
    assert ours.find_next_phase(phase, kind, skip) == theirs.find_next_phase(phase, kind, skip)
    before = theirs.find_previous_phase(phase, kind, skip)
    assert ours.find_previous_phase(phase, kind, skip) == before
    assert ours.phase_abbr(phase) == theirs.phase_abbr(phase)
    assert ours.phase_long(ours.phase_abbr(phase)) == phase


@pytest.mark.parametrize(
    "phrase", ["paris", "St. Petersburg (South Coast)", "a par s a mar - bur", "stp sc"]
)
def test_phrases_are_normalised(phrase: str) -> None:
    theirs, ours = both("standard")
    assert ours.norm(phrase) == theirs.norm(phrase)


def test_names_mean_the_same_places() -> None:
    theirs, ours = both("standard")
    common = ours.aliases.keys() & theirs.aliases.keys()
    assert len(common) > 120
    assert {name for name in common if ours.aliases[name] != theirs.aliases[name]} == set()
