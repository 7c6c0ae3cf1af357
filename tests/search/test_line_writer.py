"""Lines as files: what is written is read back as the same line."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from dipsat import searches
from dipsat.board import parse_map
from dipsat.cli import main
from dipsat.searches import parse_line, read_line
from tests.checkout import ROOT

EXAMPLES = ROOT / "docs" / "examples"
FILES = sorted(EXAMPLES.glob("line-*.yaml"))
UNWRITTEN = ("open", "derived", "rules")
"""Open units hold, a stated region does not say how it was found, and rules may be read by another
path."""


def assert_same(one: searches.StalemateLine, other: searches.StalemateLine) -> None:
    for field in fields(one):
        if field.name not in UNWRITTEN:
            assert getattr(one, field.name) == getattr(other, field.name), field.name
    assert Path(one.rules.path).resolve() == Path(other.rules.path).resolve()


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_lines_of_the_docs_are_read_back(file: Path) -> None:
    line = read_line(file)
    assert_same(parse_line(searches.write_line(line, EXAMPLES), str(file)), line)


def test_limits_of_the_enemy_and_rules_are_read_back(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("name: own\nextends: 4.A.2-1982\n", encoding="utf-8")
    text = """\
map: 1900
rules: own.yaml
power: FRANCE
units: [A GAS, A PAR]
orders: [A GAS S A PAR]
protect: [PAR]
enemy: {powers: [ITALY], units: 3, fleets_not_in: [MAO], armies_not_in: [BUR, PIC]}
"""
    folder = tmp_path / "lines"
    folder.mkdir()
    line = parse_line(text, str(tmp_path / "line.yaml"))
    written = searches.write_line(line, folder)
    assert "../own.yaml" in written
    assert_same(parse_line(written, str(folder / "line.yaml")), line)
    anybody = replace(line.enemy, powers=("ITALY", *line.enemy.powers[1:]))
    assert "powers: [ITALY]" in searches.write_line(replace(line, enemy=anybody), folder)


def test_names_that_yaml_would_read_otherwise_are_quoted(tmp_path: Path) -> None:
    board = parse_map(
        """\
name: odd
provinces:
  NO: {name: Nowhere, type: land, army: [YES]}
  YES: {name: Yesterday, type: land, army: [NO]}
powers:
  OWN: {home: []}
  FOE: {home: []}
""",
        str(tmp_path / "odd.yaml"),
    )
    line = read_line(EXAMPLES / "line-turkey.yaml")
    odd = replace(line, map=board, power="OWN", units=(), supports={}, region=frozenset({"NO"}))
    assert "'NO'" in searches.write_line(odd, tmp_path)


def test_a_line_that_the_command_finds_can_be_changed_and_judged(tmp_path: Path) -> None:
    run, file = CliRunner().invoke, tmp_path / "line.yaml"
    asked = ["search", "lines", "--centres", "ank,con,smy", "--no-fleets-in", "aeg,bla,eas"]
    assert run(main, [*asked, "--line", str(file)]).exit_code == 0
    assert run(main, ["search", "hold", str(file)]).stdout.startswith("Line     F ARM H, F CON H")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("[F ARM, F CON]", "[F CON]"), encoding="utf-8")
    assert run(main, ["search", "hold", str(file)]).exit_code == 1
    before = file.read_text(encoding="utf-8")
    none = run(main, ["search", "lines", "--centres", "1", "--line", str(file)])
    assert none.exit_code == 1
    assert "is not written: no line was found" in none.stderr
    assert file.read_text(encoding="utf-8") == before
