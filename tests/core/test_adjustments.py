"""The adjustment phase: where units are built, how many are due, and who owns which centres.

The settings that are choices of DATC 4.B to 4.D are in test_choices_orders.py."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import dipsat
from dipsat.board import parse_map
from dipsat.board.map import BUILD_RULES
from dipsat.errors import ProblemsError
from dipsat.rules import setting_values

ADJUSTMENT_SETTINGS = {
    "build_where", "build_coast_omitted", "build_kind_missing", "build_fleet_inland",
    "builds_too_many", "builds_in_one_place", "disbands_too_many", "waive", "civil_disorder",
}  # fmt: skip


def profile(**chosen: str) -> dipsat.Profile:
    """The standard profile with some settings changed."""
    datc = dipsat.load_profile("datc")
    changes: dict[str, Any] = dict(chosen)
    return replace(datc, settings=replace(datc.settings, **changes))


BUILT = {
    "map": ("A MOS", ""), "home": ("A MOS", ""), "home-any": ("A ANK, A MOS", "A ANK"),
    "any": ("A ANK, A BEL, A MOS", "A ANK, A BEL"),
    "any-if-home-owned": ("A ANK, A BEL, A MOS", ""),
}  # fmt: skip
"""Russia's builds in MOS, ANK and BEL, and those without MOS, its last home centre."""


def test_where_units_are_built() -> None:
    assert setting_values()["build_where"] == ("map", *BUILD_RULES)
    assert set(setting_values()["build_where"]) == set(BUILT)
    for rule, expected in BUILT.items():
        for centers, built in zip((["MOS", "ANK", "BEL"], ["ANK", "BEL"]), expected, strict=True):
            owned = {"RUSSIA": centers}
            position = dipsat.Position.from_units({}, phase="W1901A", centers=owned)
            orders = {"RUSSIA": [f"A {center} B" for center in centers]}
            outcome = dipsat.adjudicate(position, orders, profile(build_where=rule))
            assert ", ".join(outcome.units["RUSSIA"]) == built, rule


@pytest.mark.parametrize(
    ("orders", "code"),
    [
        (["A MOS B", "F MOS B"], "built_already"),
        (["A MOS H"], "wrong_phase"),
        (["A KIE B"], "not_owned"),
        (["A WAR B"], "occupied"),
        (["A WAR D"], "nothing_due"),
        (["A MOS B", "A SEV B", "WAIVE"], "nothing_due"),
    ],
)
def test_what_cannot_be_carried_out_is_illegal_with_its_reason(
    orders: list[str], code: str
) -> None:
    position = dipsat.Position.from_units(
        {"RUSSIA": ["A WAR"]}, phase="W1901A", centers={"RUSSIA": ["MOS", "SEV", "WAR"]}
    )
    outcome = dipsat.adjudicate(position, {"RUSSIA": orders})
    (order,) = [order for order in outcome.orders if order.submitted == orders[-1]]
    assert (order.verdict, order.reason.code) == ("illegal", code)


def test_each_of_two_builds_in_a_province_is_found_by_its_unit() -> None:
    position = dipsat.Position.from_units({}, phase="W1901A", centers={"RUSSIA": ["MOS", "SEV"]})
    outcome = dipsat.adjudicate(position, {"RUSSIA": ["A SEV B", "F SEV B"]})
    assert [outcome.order(unit).verdict for unit in ("A SEV", "F SEV")] == ["succeeds", "illegal"]
    assert outcome.order("SEV").order == "A SEV B"  # the one that was carried out


def test_older_rules_differ_in_how_fleets_go() -> None:
    """Black Sea is two from Budapest over Rumania, five from Trieste as fleets go."""
    position = dipsat.Position.from_units(
        {"AUSTRIA": ["A STP", "F BLA"]}, phase="W1907A", centers={"AUSTRIA": ["STP"]}
    )
    over_land = dipsat.adjudicate(position, {}, profile(civil_disorder="home"))
    as_fleets = dipsat.adjudicate(position, {}, profile(civil_disorder="home by kind"))
    assert over_land.disbanded == {"AUSTRIA": ("A STP",)}
    assert as_fleets.disbanded == {"AUSTRIA": ("F BLA",)}


@pytest.mark.parametrize(
    ("setting", "left"), [("home by own convoy", "A UKR"), ("home", "A UKR"), ("owned", "A TUN")]
)
def test_a_unit_that_cannot_come_home_is_the_farthest(setting: str, left: str) -> None:
    position = dipsat.Position.from_units(
        {"RUSSIA": ["A TUN", "A UKR"]}, phase="W1901A", centers={"RUSSIA": ["TUN"]}
    )
    outcome = dipsat.adjudicate(position, {}, profile(civil_disorder=setting))
    assert outcome.units == {"RUSSIA": (left,)}


def test_blanks_in_names_do_not_count_where_the_alphabet_decides() -> None:
    """DATC 2.4, 4.D.8: "I prefer that any special characters such as spaces, dots and hyphens are
    removed from the name, before determining the alphabetical order." Both fleets are one away: the
    one in the Eastern Mediterranean Sea comes before the one in the East Indian Ocean."""
    position = dipsat.Position.from_units(
        {"TURKEY": ["A JAV", "F EIO", "F EAS"]},
        "youngstown",
        phase="W1907A",
        centers={"TURKEY": ["JAV", "SMY"]},
    )
    outcome = dipsat.adjudicate(position, {})
    assert outcome.disbanded == {"TURKEY": ("F EAS",)}


def test_a_winter_without_anything_to_adjust_is_passed_over() -> None:
    """A power may not build if every home centre is occupied or lost."""
    position = dipsat.Position.from_units(
        {"RUSSIA": ["A MOS", "A UKR"]}, phase="F1901M", centers={"RUSSIA": ["MOS", "ANK", "CON"]}
    )
    outcome = dipsat.adjudicate(position, {})
    assert str(outcome.next.phase) == "S1902M"


@pytest.mark.parametrize(
    ("phase", "after"),
    [("S1901M", {"TURKEY": ("BUL", "RUM")}),
     ("F1901M", {"RUSSIA": ("RUM",), "TURKEY": ("BUL",)})],
)  # fmt: skip
def test_ownership_changes_after_fall_only(phase: str, after: object) -> None:
    units = {"RUSSIA": ["A RUM"], "TURKEY": ["A BUL"]}
    position = dipsat.Position.from_units(units, phase=phase, centers={"TURKEY": ["RUM", "BUL"]})
    assert dipsat.adjudicate(position, {}).next.centers == after


ISLAND = """
name: island
build: home
powers:
  NORTH: {home: [AAA], start: [A AAA]}
  SOUTH: {home: [BBB], start: [A BBB]}
provinces:
  AAA: {name: Alpha, type: coast, supply: true, army: [BBB], fleet: [SEA]}
  BBB: {name: Beta, type: land, supply: true, army: [AAA, CCC]}
  CCC: {name: Gamma, type: land, supply: true, army: [BBB]}
  SEA: {name: The Sea, type: sea, supply: true, fleet: [AAA]}
"""


def island(old: str = "", new: str = "") -> dipsat.Map:
    """The small map with one part of its text replaced."""
    return parse_map(ISLAND.replace(old, new, 1), "island.yaml")


@pytest.mark.parametrize("rule", BUILD_RULES)
def test_the_rule_of_the_map_holds_unless_the_profile_chooses(rule: str) -> None:
    """On a map with this rule, the setting `map` does the same as the setting of that name."""
    centers = {"NORTH": ["AAA", "BBB", "CCC"]}
    orders = {"NORTH": [f"A {code} B" for code in centers["NORTH"]]}
    found = []
    for board, chosen in ((island("build: home", f"build: {rule}"), "map"), (island(), rule)):
        position = dipsat.Position.from_units({}, board, "W1901A", centers)
        found.append(dipsat.adjudicate(position, orders, profile(build_where=chosen)).units)
    built = {"home": "A AAA", "home-any": "A AAA, A BBB"}.get(rule, "A AAA, A BBB, A CCC")
    assert found == [{"NORTH": tuple(built.split(", "))}] * 2


def test_centres_owned_at_the_start_are_the_homes_unless_the_map_says_otherwise() -> None:
    def start(new: str = "home: [AAA]") -> tuple[object, object]:
        north = island("home: [AAA]", new).powers["NORTH"]
        return north.home, north.centers

    assert start() == (("AAA",), ("AAA",))
    assert start("home: [AAA, CCC], centers: [CCC]") == (("AAA", "CCC"), ("CCC",))
    assert start("home: [AAA], centers: []") == (("AAA",), ())


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("build: home", "build: homes",
         "3:8: build is home, any, any-if-home-owned or home-any; not 'homes'"),
        ("home: [AAA]", "home: [AAA], centers: [AAA, XXX]",
         "5:33: centre 'XXX' of NORTH is not a supply centre"),
        ("home: [AAA]", "home: [AAA], centers: [AAA, BBB]",
         "6:10: BBB is owned by NORTH and by SOUTH at the start"),
    ],
)  # fmt: skip
def test_wrong_rules_and_centres_of_a_map_are_errors(old: str, new: str, problem: str) -> None:
    with pytest.raises(ProblemsError) as error:
        island(old, new)
    assert str(error.value) == f"island.yaml:{problem}"


def test_no_army_is_built_at_sea() -> None:
    position = dipsat.Position.from_units(
        {}, island("build: home", "build: any"), "W1901A", {"NORTH": ["SEA"]}
    )
    army = dipsat.adjudicate(position, {"NORTH": ["A SEA B"]})
    assert (army.orders[0].verdict, army.orders[0].reason.code) == ("illegal", "kind_impossible")
    assert dipsat.adjudicate(position, {"NORTH": ["F SEA B"]}).units == {"NORTH": ("F SEA",)}
