"""docs/stress.md: every example is run; the table of docs/variants.md is about what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dipsat.rules import load_profile
from dipsat.studies import stress, stress_tests as open_orders
from dipsat.studies.stress_boards import CYCLE, FIRED, Trial, tally_of
from dipsat.studies.stress_tests import CHECKS, DEFAULT_UNITS
from tests.exhaustive import exhaustive, few_of
from tests.pages import assert_command_prints, assert_python_prints, blocks, enter_folder, page
from tools import stress_table

PAGE = page("docs/stress.md")
FILES = ("comrades.yaml", "polite.yaml")
COMMANDS = blocks(PAGE, "console")
TABLE = page("docs/variants.md").partition(stress_table.BEGIN)[2].partition(stress_table.END)[0]
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))
    for line in TABLE.splitlines()
    if line.startswith("| `")
]


@exhaustive
@pytest.mark.parametrize("block", COMMANDS, ids=[block.partition("\n")[0] for block in COMMANDS])
def test_commands_of_the_stress_page_print_what_it_shows(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter_folder(PAGE, FILES, tmp_path, monkeypatch)
    assert_command_prints(block)


@exhaustive
@pytest.mark.parametrize("code", blocks(PAGE, "python"))
def test_python_of_the_stress_page_prints_what_it_says(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter_folder(PAGE, FILES, tmp_path, monkeypatch)
    assert_python_prints(code)


def test_every_check_is_explained() -> None:
    for title in CHECKS.values():
        assert f"| {title} |" in PAGE


def test_table_has_a_row_for_every_variant() -> None:
    assert [row[0].strip("`") for row in ROWS] == list(stress_table.names())
    command = f"--boards {stress_table.BOARDS} --seed {stress_table.SEED}"
    assert command in TABLE


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
@pytest.mark.parametrize("boards", few_of((2, 20), 1))
def test_row_of_the_table_covers_its_first_boards(boards: int, row: tuple[str, ...]) -> None:
    """A few of the same boards: whatever is seen there, the row must tell."""
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


def test_row_is_made_of_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_orders, "POSITIONS", 1)  # what the solver finds is not in this test
    report = stress("datc", boards=1, seed=83, timeout=0.01)
    row = stress_table.row(report)
    assert row[:2] == ("`datc`", "none")
    assert row[2] == "none: 1, several: 1"  # board 83
    assert sorted(row[3].split(", ")) == ["Szykman 1", "circular movement 1"]
