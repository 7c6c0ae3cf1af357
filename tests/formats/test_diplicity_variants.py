"""Variants of diplicity: what is read of their JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat.errors import DipsatError, DocumentError, FileError
from tests.formats.imports import imported, noted, written


def edges(**passes: str) -> list[dict[str, str]]:
    """Edges, each with what may pass."""
    return [{"to": to.replace("_", "/"), "pass": kind} for to, kind in passes.items()]


def step(start: str, end: str, years: int = 0) -> dict[str, Any]:
    (season, kind), (later, then) = start.split(), end.split()
    return {
        "from": {"season": season, "type": kind},
        "to": {"season": later, "type": then, "yearDelta": years},
    }


SMALL: dict[str, Any] = {
    "schemaVersion": 1,
    "id": "small-island",
    "name": "Small Island",
    "description": "Two powers.",
    "author": "A. Designer",
    "victoryConditions": [{"type": "supply-center-majority", "supplyCenters": 2}],
    "phaseProgression": {
        "seasons": ["Spring", "Fall"],
        "transitions": [
            step("Spring Movement", "Spring Retreat"),
            step("Spring Retreat", "Fall Movement"),
            step("Fall Movement", "Fall Retreat"),
            step("Fall Retreat", "Fall Adjustment"),
            step("Fall Adjustment", "Spring Movement", 1),
        ],
    },
    "nations": [
        {"id": "north", "name": "North", "color": "#000000"},
        {"id": "south", "name": "South", "color": "#ffffff"},
    ],
    "provinces": [
        {
            "id": "aaa", "name": "Alpha", "type": "coastal", "supplyCenter": True,
            "homeNation": "north",
            "adjacencies": edges(bbb="army", bbb_nc="fleet", ccc="army", sea="fleet"),
        },
        {
            "id": "bbb", "name": "Beta", "type": "land", "supplyCenter": True,
            "homeNation": "south", "adjacencies": edges(aaa="army"),
        },
        {
            "id": "ccc", "name": "Gamma", "type": "land", "supplyCenter": True,
            "adjacencies": edges(aaa="army"),
        },
        {
            "id": "sea", "name": "The Sea", "type": "sea", "supplyCenter": False,
            "adjacencies": edges(aaa="fleet", bbb_nc="fleet", bbb_sc="fleet"),
        },
    ],
    "namedCoasts": [
        {
            "id": "bbb/nc", "name": "Beta (NC)", "parentProvince": "bbb",
            "adjacencies": edges(aaa="fleet", sea="fleet"),
        },
        {
            "id": "bbb/sc", "name": "Beta (SC)", "parentProvince": "bbb",
            "adjacencies": edges(sea="fleet"),
        },
    ],
    "initialState": {
        "phase": {"season": "Spring", "year": 1870, "type": "Movement"},
        "units": [
            {"nation": "north", "type": "Army", "location": "aaa"},
            {"nation": "south", "type": "Fleet", "location": "bbb/sc"},
        ],
        "supplyCenters": [
            {"nation": "north", "province": "aaa"},
            {"nation": "south", "province": "bbb"},
        ],
    },
}  # fmt: skip


def small(folder: Path, change: Callable[[dict[str, Any]], object] = id) -> dipsat.Map:
    """The map of the small variant after a change of it."""
    variant = deepcopy(SMALL)
    change(variant)
    return imported(written(folder, {"small.json": json.dumps(variant)}) / "small.json")


def test_a_variant_becomes_a_map_with_all_that_a_map_says(tmp_path: Path) -> None:
    board = small(tmp_path)
    assert (board.name, board.title, board.notes) == ("small_island", "Small Island", ())
    assert (board.first_phase, board.victory, board.build) == ("S1870M", 2, "home")
    assert board.army == {"AAA": {"BBB", "CCC"}, "BBB": {"AAA"}, "CCC": {"AAA"}}
    assert board.fleet == {
        "AAA": {"BBB/NC", "SEA"},
        "BBB/NC": {"AAA", "SEA"},
        "BBB/SC": {"SEA"},
        "SEA": {"AAA", "BBB/NC", "BBB/SC"},
    }
    assert [one.kind for one in board.provinces.values()] == ["coast", "coast", "land", "sea"]
    north, south = board.powers.values()
    assert (north.name, north.home, north.start) == ("NORTH", ("AAA",), ("A AAA",))
    assert (south.home, south.centers, south.start) == (("BBB",), ("BBB",), ("F BBB/SC",))


def test_a_border_for_both_is_crossed_by_armies_and_fleets(tmp_path: Path) -> None:
    def both(variant: dict[str, Any]) -> None:
        alpha, _, gamma, _ = variant["provinces"]
        gamma.update(type="coastal", adjacencies=edges(aaa="both"))
        alpha["adjacencies"][2]["pass"] = "both"

    board = small(tmp_path, both)
    assert board.army["CCC"] == board.fleet["CCC"] == {"AAA"}


def test_a_border_of_fleets_with_a_province_that_has_coasts_is_that_of_a_coast(
    tmp_path: Path,
) -> None:
    def with_parent(variant: dict[str, Any]) -> None:
        variant["provinces"][0]["adjacencies"][0]["pass"] = "both"
        variant["provinces"][1]["adjacencies"] = edges(aaa="both")

    assert small(tmp_path, with_parent) == small(tmp_path)

    def with_parent_only(variant: dict[str, Any]) -> None:
        with_parent(variant)
        del variant["provinces"][0]["adjacencies"][1]
        del variant["namedCoasts"][0]["adjacencies"][0]

    assert noted(small(tmp_path, with_parent_only), "no fleet can cross here: aaa - bbb, bbb - aaa")


def test_neutral_nations_and_builds_anywhere(tmp_path: Path) -> None:
    def neutral(variant: dict[str, Any]) -> None:
        variant["nations"][1]["non_playable"] = True
        variant["adjudicationModifiers"] = [
            "allow-builds-in-non-home-centers", "neutral-nations-auto-build", "other",
        ]  # fmt: skip

    board = small(tmp_path, neutral)
    assert (board.build, board.powers["SOUTH"].neutral) == ("any", True)
    assert board.powers["SOUTH"].rebuilt
    assert noted(board, "rules: other.")


def wins(centers: object) -> Callable[[dict[str, Any]], object]:
    """A change of the number of centres that wins."""
    return lambda variant: variant["victoryConditions"][0].update(supplyCenters=centers)


def test_what_belongs_to_an_unknown_nation_is_left_out_with_a_note(tmp_path: Path) -> None:
    def odd(variant: dict[str, Any]) -> None:
        unit = {"nation": "mars", "type": "Army", "location": "ccc"}
        variant["initialState"]["units"].append(unit)
        variant["initialState"]["supplyCenters"].append({"nation": "venus", "province": "ccc"})

    board = small(tmp_path, odd)
    assert noted(board, "Left out: units and centres of unknown nations: mars, venus.")
    assert list(board.powers) == ["NORTH", "SOUTH"]


def test_what_a_map_has_no_words_for_is_noted(tmp_path: Path) -> None:
    def odd(variant: dict[str, Any]) -> None:
        variant["victoryConditions"] += [{"type": "timed-resolution", "year": 1900}]
        variant["dominanceRules"] = [{"province": "ccc"}]
        variant["phaseProgression"]["transitions"][-1]["to"]["yearDelta"] = 5
        variant["initialState"]["phase"]["season"] = "Monsoon"

    board = small(tmp_path, odd)
    for words in ("to win: timed-resolution", "dominanceRules", "phases of a year", "Monsoon"):
        assert noted(board, words)
    assert board.first_phase == "S1870M"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda v: v.update(schemaVersion=2), "it has schemaVersion 2; only version 1 is read"),
        (lambda v: v.pop("schemaVersion"), "it has no schemaVersion; only version 1 is read"),
        (wins(-1), "victoryConditions, 1, supplyCenters: this should be a number of centres"),
        (wins("2"), 'supplyCenters: this should be a number of centres, from 1, not "2"'),
        (wins(True), "from 1, not true"),
        (lambda v: v.update(id=None), "id: this should be a text, not null"),
        (lambda v: v.update(provinces={}), "provinces: this should be a list"),
        (lambda v: v.update(provinces=[]), "states no provinces"),
        (lambda v: v.update(nations=[]), "states no powers"),
        (lambda v: v["provinces"][1].update(type="lake"), "land, coastal or sea, not 'lake'"),
        (lambda v: v["provinces"][1].update(name=1), "provinces, 2: this should be a text"),
        (lambda v: v["initialState"].update(units=[[]]), "units, 1: this should be an object"),
    ],
)
def test_what_the_schema_does_not_allow_is_refused_with_its_place(
    change: Callable[[dict[str, Any]], object], said: str, tmp_path: Path
) -> None:
    with pytest.raises(FileError) as caught:
        small(tmp_path, change)
    assert said in str(caught.value)


def test_broken_json_is_one_error(tmp_path: Path) -> None:
    text = json.dumps(SMALL)
    for cut in range(1, len(text), 97):
        path = written(tmp_path, {"small.json": text[:cut]}) / "small.json"
        with pytest.raises(DipsatError):
            imported(path)
    path = written(tmp_path, {"small.json": f"{text}]"}) / "small.json"
    with pytest.raises(DocumentError, match="malformed JSON"):
        imported(path)
