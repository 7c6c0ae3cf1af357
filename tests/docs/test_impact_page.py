"""docs/impact.md: every example is run, and the table has what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from dipsat import studies
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import needs_compiler
from tests.pages import assert_command_prints, assert_python_prints, blocks, enter_folder, page
from tests.recorded import GAMES, needs_games
from tools import impact_table

PAGE = page("docs/impact.md")
COMMANDS = blocks(PAGE, "console")
TABLE = PAGE.partition(impact_table.BEGIN)[2].partition(impact_table.END)[0]
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))
    for line in TABLE.splitlines()
    if line.startswith("| `")
]


@pytest.mark.parametrize("block", COMMANDS, ids=[block.partition("\n")[0] for block in COMMANDS])
def test_commands_of_the_page_print_what_it_shows(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.jsonl").write_text(blocks(PAGE, "json")[0], encoding="utf-8")
    enter_folder(PAGE, ("guns.yaml",), tmp_path, monkeypatch)
    assert_command_prints(block)


@exhaustive
@pytest.mark.parametrize("code", blocks(PAGE, "python"))
def test_python_of_the_page_prints_what_it_says(code: str) -> None:
    assert_python_prints(code)


def test_the_table_has_a_row_for_every_choice_and_rulebook() -> None:
    names = [f"`{name.removeprefix('choices/')}`" for name in impact_table.names()]
    assert [row[0] for row in ROWS] == names
    assert f"--random {impact_table.BOARDS} --seed {impact_table.SEED}" in TABLE


@exhaustive
@needs_games
@needs_compiler
def test_the_table_is_that_of_the_recorded_games() -> None:
    """Every sixteenth row."""
    names, rows = impact_table.names()[::16], ROWS[::16]
    report = studies.impact(names, GAMES, examples=0, jobs=2)
    made = zip(names, report.rules, report.rules, strict=True)
    of_games = 1 + len(impact_table.OF_GAMES)
    assert [impact_table.row(*one)[:of_games] for one in made] == [row[:of_games] for row in rows]
