"""What the documents show is what dipsat does: every example is run."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

import dipsat
import dipsat.formats.game
from dipsat.board import parse_map
from dipsat.cli import main
from dipsat.formats.phase_file import _KEYS as PHASE_KEYS
from dipsat.formats.saved_game import read_phase_lines
from dipsat.rules import parse_profile, setting_values
from dipsat.studies.replays import replay_game
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of
from tests.pages import (
    assert_command_prints,
    assert_python_prints,
    assert_search_prints,
    blocks,
)
from tools.api_page import with_words

README = (ROOT / "README.md").read_text(encoding="utf-8")
INDEX = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
ORDER_FILES = (ROOT / "docs" / "order-files.md").read_text(encoding="utf-8")
DISPUTES = (ROOT / "docs" / "disputes.md").read_text(encoding="utf-8")
FIRST_STEPS = (ROOT / "docs" / "first-steps.md").read_text(encoding="utf-8")
FILES = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
SEARCH = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")
MAPS = (ROOT / "docs" / "maps.md").read_text(encoding="utf-8")
ARPIESSE = (ROOT / "docs" / "arpiesse.md").read_text(encoding="utf-8")
SECURITY = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
WEB = (ROOT / "docs" / "web.md").read_text(encoding="utf-8")
NATIVE = (ROOT / "docs" / "native.md").read_text(encoding="utf-8")
LANGUAGE = (ROOT / "docs" / "rule-language.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "name"), [(README, "bounce"), (INDEX, "bounce"), (FIRST_STEPS, "convoy-paradox")]
)
def test_first_example_is_a_file_of_the_examples(text: str, name: str) -> None:
    example = (ROOT / "docs" / "examples" / f"{name}.txt").read_text(encoding="utf-8")
    lines = [line for line in example.splitlines() if not line.startswith("#")]
    assert blocks(text, "text")[0].splitlines() == lines


@pytest.mark.parametrize("name", ["fall.txt", "retreat.yaml", "winter.yaml"])
def test_order_files_of_their_page_are_judged_without_faults(name: str) -> None:
    path = ROOT / "docs" / "examples" / name
    shown = blocks(ORDER_FILES, path.suffix.replace("txt", "text").removeprefix("."))
    assert path.read_text(encoding="utf-8") in shown
    phase = dipsat.load_phase(path)
    outcome = dipsat.adjudicate(phase.position, phase.orders)
    assert not {"illegal", "invalid"} & {one.verdict for one in outcome.orders}
    assert not phase.faults


def test_keys_of_order_files_are_those_of_their_page() -> None:
    table = ORDER_FILES.partition("| key |")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)))
    assert sorted(named) == sorted(PHASE_KEYS)


def test_output_of_the_first_steps_is_what_the_command_prints() -> None:
    path = str(ROOT / "docs" / "examples" / "convoy-paradox.txt")
    printed = CliRunner().invoke(main, ["adjudicate", path]).output
    lines = [line.rstrip() for line in printed.rstrip().splitlines()]
    assert "\n".join(lines) == blocks(FIRST_STEPS, "text")[1].rstrip()


SHEETS = ORDER_FILES.partition("## A year from sheets")[0]
# tests/core/test_owners.py runs the year.
SHOWING = (README, INDEX, SHEETS, SEARCH, MAPS, ARPIESSE)
COMMANDS = [block for text in SHOWING for block in blocks(text, "console")]
(SLOW,) = (block for block in COMMANDS if "channel.yaml --kind fallback" in block)


@pytest.mark.parametrize(
    "block",
    [*(block for block in COMMANDS if block != SLOW), pytest.param(SLOW, marks=exhaustive)],
)
def test_commands_print_what_the_documents_show(
    block: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    if block.startswith("$ dipsat search ") and "\nFOUND " in block:
        assert_search_prints(block)
    else:
        assert_command_prints(block)


@pytest.mark.parametrize("block", few_of(blocks(DISPUTES, "console"), 2))
def test_disputes_are_decided_as_the_datc_states(block: str) -> None:
    assert block.rstrip().endswith("1 of 1 case as the document states.")
    assert_command_prints(block)


def test_every_dispute_is_listed_above() -> None:
    listed = re.findall(r"^- \[(.*)\]\(#", DISPUTES, re.MULTILINE)
    assert listed == re.findall(r"^## (.*)$", DISPUTES, re.MULTILINE)


@pytest.mark.parametrize(
    "code",
    [
        code
        for text in (README, FIRST_STEPS, SEARCH, ARPIESSE, SECURITY, NATIVE, WEB)
        for code in blocks(text, "python")
    ],
)
def test_python_of_the_documents_runs_and_prints_what_it_says(code: str) -> None:
    assert_python_prints(code)


@pytest.mark.parametrize("module", [dipsat, dipsat.formats.game])
def test_examples_in_docstrings_run(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.failed == 0
    assert found.attempted > 0


def test_game_of_the_files_page_is_one_that_dipsat_writes() -> None:
    value = json.loads(blocks(FILES, "json")[0])
    assert dipsat.Game.from_dict(value).to_dict() == value


def test_text_of_the_files_page_is_read(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(blocks(FILES, "text")[0], encoding="utf-8")
    game = dipsat.Game.load(path)
    assert str(game.phase) == "F1901M"
    assert "F NTH" in game.position.to_dict()["units"]["ENGLAND"]


def test_report_of_the_files_page_is_what_a_replay_prints() -> None:
    promised = json.loads(blocks(FILES, "json")[1])
    (shown,) = promised["differ"]
    line = {
        "source": "g", "phase": "S1901M", "units": {"GERMANY": ["A BER"]}, "centers": {},
        "orders": shown["orders"], "next_phase": "F1901M", "next_units": shown["theirs"]["units"],
        "next_centers": {}, "dislodged": {}, "next_dislodged": {},
    }  # fmt: skip
    found = replay_game(read_phase_lines([(1, line)], "x")).to_dict()
    assert found.keys() == promised.keys()
    assert found["differ"] == promised["differ"]


@pytest.mark.parametrize("command", blocks(README, "sh"))
def test_readme_commands_need_only_python_and_pip(command: str) -> None:
    assert command.startswith("python3 -m venv .venv && .venv/bin/python -m pip install ")
    assert "\n" not in command.strip()


def test_ci_runs_the_test_command_of_the_readme() -> None:
    commands = blocks(README, "sh")
    assert len(commands) == 2
    assert commands[1].strip() in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    "text", [block for text in (README, FIRST_STEPS, LANGUAGE) for block in blocks(text, "yaml")]
)
def test_rule_profiles_in_the_documents_load_and_adjudicate(text: str) -> None:
    profile = parse_profile(text, "example.yaml")
    outcome = dipsat.adjudicate(
        dipsat.Position.from_units(
            {"ENGLAND": ["F NTH", "A LON"], "FRANCE": ["F BEL"]}, profile.map or "standard"
        ),
        {"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]},
        profile,
    )
    assert outcome.order("A LON").verdict == "fails"
    assert outcome.rules == profile.name


def test_rules_of_the_readme_are_the_recipe_that_its_command_names() -> None:
    recipe = ROOT / "docs" / "examples" / "cookbook" / "cut-with-support.yaml"
    assert blocks(README, "yaml") == [recipe.read_text(encoding="utf-8")]


def test_siege_of_the_first_steps_makes_holding_units_as_strong_as_two() -> None:
    siege = parse_profile(blocks(FIRST_STEPS, "yaml")[0], "siege.yaml")
    position = dipsat.Position.from_units({"ITALY": ["A VEN", "A TYR"], "AUSTRIA": ["F TRI"]})
    orders = {"ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"]}
    assert dipsat.adjudicate(position, orders).order("A VEN").verdict == "succeeds"
    assert dipsat.adjudicate(position, orders, siege).order("A VEN").verdict == "fails"


def test_convoyed_armies_cut_nothing_under_the_example_of_the_language() -> None:
    gentle = parse_profile(blocks(LANGUAGE, "yaml")[0], "stalemate.yaml")
    units = {"FRANCE": ["A BRE", "F ENG"], "ENGLAND": ["F LON", "F WAL"], "ITALY": ["F IRI"]}
    orders = {
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
        "ENGLAND": ["F LON S F WAL"],
    }
    position = dipsat.Position.from_units(units)
    assert dipsat.adjudicate(position, orders).order("F LON").verdict == "cut"
    assert dipsat.adjudicate(position, orders, gentle).order("F LON").verdict == "given"


def test_vocabulary_table_is_that_of_the_code() -> None:
    """`python -m tools.api_page` writes it."""
    assert with_words(LANGUAGE) == LANGUAGE


def test_the_standard_profile_states_every_setting() -> None:
    text = (ROOT / "rules" / "datc.yaml").read_text(encoding="utf-8")
    section = text.split("settings:")[1].split("variables:")[0]
    assert re.findall(r"^  (\w+):", section, re.MULTILINE) == list(setting_values())


def test_map_of_the_maps_page_loads_and_plays() -> None:
    board = parse_map(blocks(MAPS, "yaml")[0], "island.yaml")
    outcome = dipsat.adjudicate(
        dipsat.Position.start(board), {"northern": ["A Alpha - the second"]}
    )
    assert outcome.order("A AAA").verdict == "fails"


def test_changed_map_of_the_maps_page_loads_and_has_what_it_says() -> None:
    board = parse_map(blocks(MAPS, "yaml")[1], "little_italy.yaml")
    assert board.powers["ITALY"].start == ("F NAP", "A ROM")
    assert "TURKEY" not in board.powers
    assert board.provinces["RUH"].supply


def test_every_relative_link_of_the_documents_leads_somewhere() -> None:
    docs = ROOT / "docs"
    for page in (ROOT / "README.md", *sorted([*docs.glob("*.md"), *docs.glob("atlas/*.md")])):
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(\s*([^)#:\s]+)\s*\)", text):
            if (page.name, target) == ("index.md", "api.md"):  # which the site makes
                continue
            assert (page.parent / target).exists(), (page.name, target)
