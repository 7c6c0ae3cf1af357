"""The adjustment phase: every value of its settings (DATC 4.B.7, 4.C.3-4, 4.D.4-8)."""

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


def adjusted(
    units: list[str], centers: list[str], orders: list[str], **chosen: str
) -> tuple[list[str], set[str]]:
    """Russia's verdicts in the order given, and its units after the phase."""
    position = dipsat.Position.from_units(
        {"RUSSIA": units}, phase="W1901A", centers={"RUSSIA": centers}
    )
    outcome = dipsat.adjudicate(position, {"RUSSIA": orders}, profile(**chosen))
    verdicts = {order.submitted: order.verdict for order in outcome.orders}
    return [verdicts[order] for order in orders], set(outcome.units["RUSSIA"])


# Each row: units, centres, orders, setting, then per value the verdicts and the units afterwards.
ROWS: list[tuple[list[str], list[str], list[str], str, dict[str, tuple[str, set[str]]]]] = [
    ([], ["MOS", "ANK", "BEL"], ["A MOS B", "A ANK B", "A BEL B"], "build_where",
     {"map": ("succeeds illegal illegal", {"A MOS"}),
      "home": ("succeeds illegal illegal", {"A MOS"}),
      "any": ("succeeds succeeds succeeds", {"A MOS", "A ANK", "A BEL"}),
      "any-if-home-owned": ("succeeds succeeds succeeds", {"A MOS", "A ANK", "A BEL"}),
      "home-any": ("succeeds succeeds illegal", {"A MOS", "A ANK"})}),
    ([], ["ANK", "BEL"], ["A ANK B", "A BEL B"], "build_where",
     {"map": ("illegal illegal", set()), "home": ("illegal illegal", set()),
      "any": ("succeeds succeeds", {"A ANK", "A BEL"}),
      "any-if-home-owned": ("illegal illegal", set()),
      "home-any": ("succeeds illegal", {"A ANK"})}),
    ([], ["STP"], ["F STP B"], "build_coast_omitted",
     {"illegal": ("illegal", set()), "first": ("succeeds", {"F STP/NC"})}),
    ([], ["STP", "MOS", "SEV"], ["STP/NC B", "MOS B", "SEV B"], "build_kind_missing",
     {"by place": ("succeeds succeeds illegal", {"F STP/NC", "A MOS"}),
      "inland": ("illegal succeeds illegal", {"A MOS"}),
      "illegal": ("illegal illegal illegal", set())}),
    ([], ["MOS"], ["F MOS B"], "build_fleet_inland",
     {"illegal": ("illegal", set()), "army": ("succeeds", {"A MOS"})}),
    (["A UKR"], ["MOS", "SEV"], ["A MOS B", "A SEV B"], "builds_too_many",
     {"first": ("succeeds illegal", {"A UKR", "A MOS"}),
      "last": ("illegal succeeds", {"A UKR", "A SEV"}),
      "none": ("illegal illegal", {"A UKR"})}),
    ([], ["MOS", "WAR"], ["A MOS B", "A WAR B", "Build A Moscow"], "builds_too_many",
     {"first": ("succeeds succeeds illegal", {"A MOS", "A WAR"}),
      "last": ("illegal succeeds succeeds", {"A MOS", "A WAR"}),
      "none": ("succeeds succeeds illegal", {"A MOS", "A WAR"})}),
    ([], ["SEV", "MOS"], ["A SEV B", "F SEV B", "A MOS B"], "builds_in_one_place",
     {"first": ("succeeds illegal succeeds", {"A SEV", "A MOS"}),
      "last": ("illegal succeeds succeeds", {"F SEV", "A MOS"}),
      "none": ("illegal illegal succeeds", {"A MOS"})}),
    ([], ["SEV", "MOS"], ["A SEV B", "Build A Sevastopol"], "builds_in_one_place",
     dict.fromkeys(("first", "last", "none"), ("succeeds illegal", {"A SEV"}))),
    (["A MOS", "A UKR", "A SIL"], ["MOS", "WAR"], ["A MOS D", "A UKR D"], "disbands_too_many",
     {"first": ("succeeds illegal", {"A UKR", "A SIL"}),
      "last": ("illegal succeeds", {"A MOS", "A SIL"}),
      "none": ("illegal illegal", {"A MOS", "A UKR"})}),
    ([], ["MOS", "WAR"], ["WAIVE", "A MOS B"], "waive",
     {"allowed": ("succeeds succeeds", {"A MOS"}), "illegal": ("illegal succeeds", {"A MOS"})}),
    (["A TUN", "A UKR"], ["TUN"], [], "civil_disorder",
     dict.fromkeys(("home", "home by kind", "home by convoy", "home by own convoy",
                    "home by any convoy"), ("", {"A UKR"})) | {"owned": ("", {"A TUN"})}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "value"), [(row, value) for row in ROWS for value in row[4]],
    ids=[f"{row[3]}-{value}-{at}" for at, row in enumerate(ROWS) for value in row[4]],
)  # fmt: skip
def test_setting_has_the_effect_that_the_datc_describes(row: Any, value: str) -> None:
    units, centers, orders, setting, results = row
    verdicts, after = adjusted(units, centers, orders, **{setting: value})
    assert (" ".join(verdicts), after) == results[value]


def test_every_value_of_the_adjustment_settings_is_tested() -> None:
    values = setting_values()
    assert {row[3] for row in ROWS} == ADJUSTMENT_SETTINGS
    for row in ROWS:
        assert set(row[4]) == set(values[row[3]])


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


def test_older_rules_differ_in_how_fleets_go() -> None:
    """Black Sea is two from Budapest over Rumania, five from Trieste as fleets go."""
    position = dipsat.Position.from_units(
        {"AUSTRIA": ["A STP", "F BLA"]}, phase="W1907A", centers={"AUSTRIA": ["STP"]}
    )
    over_land = dipsat.adjudicate(position, {}, profile(civil_disorder="home"))
    as_fleets = dipsat.adjudicate(position, {}, profile(civil_disorder="home by kind"))
    assert over_land.disbanded == {"AUSTRIA": ("A STP",)}
    assert as_fleets.disbanded == {"AUSTRIA": ("F BLA",)}


def test_blanks_in_names_do_not_count_where_the_alphabet_decides() -> None:
    """DATC 2.4, 4.D.8: "I prefer that any special characters such as spaces, dots and hyphens are
    removed from the name, before determining the alphabetical order." Both fleets are one away:
    that in the Eastern Mediterranean Sea comes before that in the East Indian Ocean."""
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


def test_ownership_changes_after_fall_only() -> None:
    units = {"RUSSIA": ["A RUM"], "TURKEY": ["A BUL"]}
    spring = dipsat.Position.from_units(units, phase="S1901M", centers={"TURKEY": ["RUM", "BUL"]})
    assert dipsat.adjudicate(spring, {}).next.centers == {"TURKEY": ("BUL", "RUM")}
    fall = dipsat.Position.from_units(units, phase="F1901M", centers={"TURKEY": ["RUM", "BUL"]})
    assert dipsat.adjudicate(fall, {}).next.centers == {"RUSSIA": ("RUM",), "TURKEY": ("BUL",)}


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


def test_the_setting_knows_every_rule_that_a_map_may_have() -> None:
    assert setting_values()["build_where"] == ("map", *BUILD_RULES)


def test_an_unknown_build_rule_of_a_map_is_an_error_with_its_place() -> None:
    with pytest.raises(ProblemsError) as error:
        island("build: home", "build: homes")
    assert str(error.value) == (
        "island.yaml:3:8: build is home, any, any-if-home-owned or home-any; not 'homes'"
    )


def test_centres_owned_at_the_start_are_the_homes_unless_the_map_says_otherwise() -> None:
    assert {p.name: p.centers for p in island().powers.values()} == {
        "NORTH": ("AAA",),
        "SOUTH": ("BBB",),
    }
    board = island("home: [AAA]", "home: [AAA, CCC], centers: [CCC]")
    assert board.powers["NORTH"].home == ("AAA", "CCC")
    assert board.powers["NORTH"].centers == ("CCC",)
    assert island("home: [AAA]", "home: [AAA], centers: []").powers["NORTH"].centers == ()


@pytest.mark.parametrize(
    ("centers", "problem"),
    [
        ("[AAA, XXX]", "5:33: centre 'XXX' of NORTH is not a supply centre"),
        ("[AAA, BBB]", "6:10: BBB is owned by NORTH and by SOUTH at the start"),
    ],
)
def test_wrong_centres_at_the_start_are_errors(centers: str, problem: str) -> None:
    with pytest.raises(ProblemsError) as error:
        island("home: [AAA]", f"home: [AAA], centers: {centers}")
    assert str(error.value) == f"island.yaml:{problem}"


def test_no_army_is_built_at_sea() -> None:
    position = dipsat.Position.from_units(
        {}, island("build: home", "build: any"), "W1901A", {"NORTH": ["SEA"]}
    )
    army = dipsat.adjudicate(position, {"NORTH": ["A SEA B"]})
    assert (army.orders[0].verdict, army.orders[0].reason.code) == ("illegal", "kind_impossible")
    assert dipsat.adjudicate(position, {"NORTH": ["F SEA B"]}).units == {"NORTH": ("F SEA",)}
