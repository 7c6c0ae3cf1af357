"""The tables of docs/impact.md and docs/variants.md, which tools make, cover what they say; and the
time and cost of much work are calculated by hand."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dipsat import studies
from dipsat.rules import load_profile
from dipsat.studies import stress, stress_tests as open_orders
from dipsat.studies.impact_judging import BOARDS_AT_ONCE
from dipsat.studies.stress_boards import CYCLE, FIRED, Trial, tally_of
from dipsat.studies.stress_tests import CHECKS, DEFAULT_UNITS
from tests.exhaustive import exhaustive, few_of
from tests.kernel.kernel_agreement import needs_compiler
from tests.pages import page
from tests.recorded import GAMES, needs_games
from tools import impact_table, stress_table, tables
from tools.cluster_cost import Inputs, predicted

IMPACT_TEXT = page("docs/impact.md").partition(impact_table.BEGIN)[2].partition(impact_table.END)[0]
IMPACT = [tuple(row) for row in tables.read("impact.csv")[1:]]
STRESS = [tuple(row) for row in tables.read("stress.csv")[1:]]


def test_the_table_of_impacts_has_a_row_for_every_choice_and_rulebook() -> None:
    names = [f"`{name.removeprefix('choices/')}`" for name in impact_table.names()]
    assert [row[0] for row in IMPACT] == names
    assert f"--random {impact_table.BOARDS} --seed {impact_table.SEED}" in IMPACT_TEXT


@exhaustive
@needs_games
@needs_compiler
def test_the_table_of_impacts_is_that_of_the_recorded_games() -> None:
    """Every sixteenth row."""
    names, rows = impact_table.names()[::16], IMPACT[::16]
    report = studies.impact(names, GAMES, examples=0, jobs=2)
    made = zip(names, report.rules, report.rules, strict=True)
    of_games = 1 + len(impact_table.OF_GAMES)
    assert [impact_table.row(*one)[:of_games] for one in made] == [row[:of_games] for row in rows]


def test_every_check_of_a_stress_test_is_explained() -> None:
    for title in CHECKS.values():
        assert f"| {title} |" in page("docs/stress.md")


def test_the_table_of_stress_has_a_row_for_every_variant() -> None:
    assert [row[0].strip("`") for row in STRESS] == list(stress_table.names())
    command = f"--random {stress_table.BOARDS} --seed {stress_table.SEED}"
    assert command in page("docs/variants.md")


@pytest.mark.parametrize("row", STRESS, ids=[row[0] for row in STRESS])
@pytest.mark.parametrize("boards", few_of((2, 20), 1))
def test_row_of_the_table_covers_its_first_boards(boards: int, row: tuple[str, ...]) -> None:
    """A few of the same boards: the row must mention whatever is seen there."""
    name, faults, kinds, settled, unused, _ = row
    profile = load_profile(name.strip("`"))
    tried = Trial(profile, profile.map or "standard", boards, stress_table.SEED, DEFAULT_UNITS)
    tally = tally_of(tried, tried.seeds)
    assert faults == stress_table.NOTHING
    assert {sight[0] for sight in tally.count} <= {CYCLE, FIRED, "value", "fails", "fails alone"}
    counts = {kind: int(count) for kind, count in re.findall(r"(none|several): (\d+)", kinds)}
    for sight, count in tally.count.items():
        if sight[0] == CYCLE:
            assert counts[sight[1]] >= count
            assert sight[3] in settled
        if sight[0] == FIRED:
            assert sight[1] not in unused.replace(" (impossible)", "").split(", ")
    known = {rule.name for rule in profile.cycles}
    assert known == {one for one in known if one in settled or one in unused}


@exhaustive
def test_row_is_made_of_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_orders, "POSITIONS", 1)  # this test leaves out what the solver finds
    report = stress("datc", boards=1, seed=83, timeout=0.01)
    row = stress_table.row(report)
    assert row[:2] == ("`datc`", "none")
    assert row[2] == "none: 1, several: 1"  # board 83
    assert sorted(row[3].split(", ")) == ["Szykman 1", "circular movement 1"]


# 2 ms of a core for each of 10^9 boards are 2,000,000 seconds, or 3,000,000 at 2/3 efficiency.
GIVEN = Inputs(10**9, 1000, 0.05, board=0.002, efficiency=2 / 3, piece=0.0, task=0.001)


def test_a_thousand_cores_take_fifty_minutes() -> None:
    """3,000,000 core seconds are 3,000 for each. Tasks take 20 seconds, so there are 150,000."""
    found = predicted(GIVEN)
    assert found.core_hours == pytest.approx(2500 / 3)
    assert found.hours == pytest.approx(5 / 6)
    assert found.cost == pytest.approx(1000 * 5 / 6 * 0.05)
    assert found.driver == pytest.approx(150 / 3000)


def test_a_driver_that_is_too_busy_is_waited_for() -> None:
    """2 ms per 500 boards are 4,000 seconds, and 4,150 with the tasks. Waiting cores cost money."""
    assert BOARDS_AT_ONCE == 500
    found = predicted(replace(GIVEN, piece=0.002))
    assert found.hours == pytest.approx(4150 / 3600)
    assert found.cost == pytest.approx(1000 * 4150 / 3600 * 0.05)
    assert found.driver == pytest.approx(4150 / 3000)
