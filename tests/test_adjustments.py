"""The adjustment phase: every value of its settings (DATC 4.B.7, 4.C.3-4, 4.D.4-8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import dipsat
from dipsat.game.settings import setting_values

ADJUSTMENT_SETTINGS = {
    "build_where", "build_coast_omitted", "build_kind_missing", "build_fleet_inland",
    "builds_too_many", "disbands_too_many", "waive", "civil_disorder",
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
    ([], ["MOS", "ANK"], ["A MOS B", "A ANK B"], "build_where",
     {"map": ("succeeds illegal", {"A MOS"}), "home": ("succeeds illegal", {"A MOS"}),
      "any": ("succeeds succeeds", {"A MOS", "A ANK"})}),
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
    (["A MOS", "A UKR", "A SIL"], ["MOS", "WAR"], ["A MOS D", "A UKR D"], "disbands_too_many",
     {"first": ("succeeds illegal", {"A UKR", "A SIL"}),
      "last": ("illegal succeeds", {"A MOS", "A SIL"}),
      "none": ("illegal illegal", {"A MOS", "A UKR"})}),
    ([], ["MOS", "WAR"], ["WAIVE", "A MOS B"], "waive",
     {"allowed": ("succeeds succeeds", {"A MOS"}), "illegal": ("illegal succeeds", {"A MOS"})}),
    (["A TUN", "A UKR"], ["TUN"], [], "civil_disorder",
     {"owned": ("", {"A TUN"}), "home": ("", {"A UKR"}), "home by kind": ("", {"A UKR"})}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "value"), [(row, value) for row in ROWS for value in row[4]],
    ids=[f"{row[3]}-{value}" for row in ROWS for value in row[4]],
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


def test_a_winter_without_anything_to_adjust_is_passed_over() -> None:
    """Nobody may build where every home centre is occupied or lost."""
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
