"""What the documents show is what dipsat does: every example is run."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

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
    page,
    write_files,
)
from tests.phases import adjudicate, position_of
from tools.api_page import WORDS, words

README = page("README.md")
INDEX = page("docs/index.md")
ORDER_FILES = page("docs/order-files.md")
DISPUTES = page("docs/disputes.md")
FIRST_STEPS = page("docs/first-steps.md")
FILES = page("docs/files.md")
SEARCH = page("docs/search.md")
MAPS = page("docs/maps.md")
ARPIESSE = page("docs/arpiesse.md")
LANGUAGE = page("docs/rule-language.md")
VARIANTS = page("docs/variants.md")
PROOFS = page("docs/proofs.md")
IMPACT = page("docs/impact.md")
STRESS = page("docs/stress.md")

SHOWN_FILES = {
    VARIANTS: ("alps-map.yaml", "alps.yaml", "orders.yaml"),
    IMPACT: ("guns.yaml",),
    STRESS: ("comrades.yaml", "polite.yaml"),
}
"""Pages with examples about files that they show as YAML, in that order."""


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Enter a folder that has the project's documents and the files that a page shows."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)

    def enter(text: str) -> None:
        if text in SHOWN_FILES:
            write_files(text, SHOWN_FILES[text], tmp_path)
        for game in blocks(text, "json") if text == IMPACT else ():
            Path("game.jsonl").write_text(game, encoding="utf-8")

    return enter


# tests/core/test_owners.py runs the year of the page about order files.
SHEETS = ORDER_FILES.partition("## A year from sheets")[0]
LONG = re.compile(
    r"channel.yaml --kind (?:none|fallback)|paradox --smallest|--smallest --open|--random 300"
    r"|search_smallest\(|studies.impact\("
)
"""What only examples that take seconds contain."""


def examples(kind: str, *texts: str) -> list[Any]:
    """Parameters of a test: each page, and an example of it that no page before has."""
    found = {block: text for text in reversed(texts) for block in blocks(text, kind)}
    return [
        pytest.param(
            text, block, id=f"{block.splitlines()[0]} {at}",
            marks=exhaustive if text == STRESS or LONG.search(block) else (),
        )
        for at, (block, text) in enumerate(found.items())
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "name"), [(README, "bounce"), (INDEX, "bounce"), (FIRST_STEPS, "convoy-paradox")]
)
def test_first_example_is_a_file_of_the_examples(text: str, name: str) -> None:
    example = page(f"docs/examples/{name}.txt").splitlines()
    assert blocks(text, "text")[0].splitlines() == [
        line for line in example if not line.startswith("#")
    ]


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
    command = f"$ dipsat adjudicate {ROOT / 'docs' / 'examples' / 'convoy-paradox.txt'}"
    assert_command_prints(f"{command}\n{blocks(FIRST_STEPS, 'text')[1]}")


@pytest.mark.parametrize(
    ("text", "block"),
    examples(
        "console", README, INDEX, SHEETS, SEARCH, MAPS, ARPIESSE, VARIANTS, PROOFS, IMPACT, STRESS
    ),
)
def test_commands_print_what_the_documents_show(
    text: str, block: str, beside: Callable[[str], None]
) -> None:
    beside(text)
    if block.startswith("$ dipsat search ") and "\nFOUND " in block:
        assert_search_prints(block)
    else:
        assert_command_prints(block)


@pytest.mark.parametrize("block", few_of(blocks(DISPUTES, "console"), 2))
def test_disputes_are_decided_as_the_datc_states(block: str) -> None:
    if block.startswith("$ dipsat datc 6"):
        assert block.rstrip().endswith("As the document states.")
    assert_command_prints(block)


@pytest.mark.parametrize(
    ("text", "code"),
    examples(
        "python", README, FIRST_STEPS, SEARCH, ARPIESSE, page("docs/security.md"),
        page("docs/native.md"), page("docs/web.md"), page("docs/bots.md"), VARIANTS, PROOFS,
        IMPACT, STRESS,
    ),
)  # fmt: skip
def test_python_of_the_documents_runs_and_prints_what_it_says(
    text: str, code: str, beside: Callable[[str], None]
) -> None:
    beside(text)
    if text == PROOFS:
        (command,) = re.findall(r"`dipsat (prove \S+ --smt2 proof)`", PROOFS)
        assert CliRunner().invoke(main, shlex.split(command)).exit_code == 1
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


def test_commands_of_the_readme_need_only_python_and_pip_and_are_run_by_the_ci() -> None:
    commands = [command.strip() for command in blocks(README, "sh")]
    assert len(commands) == 2
    for command in commands:
        assert command.startswith("python3 -m venv .venv && .venv/bin/python -m pip install ")
        assert "\n" not in command
    assert commands[1] in page(".ci/run").splitlines()


UNITS = {"ENGLAND": ["F NTH", "A LON"], "FRANCE": ["F BEL"]}


@pytest.mark.parametrize(
    "text", [block for text in (README, FIRST_STEPS, LANGUAGE) for block in blocks(text, "yaml")]
)
def test_rule_profiles_in_the_documents_load_and_adjudicate(text: str) -> None:
    profile = parse_profile(text, "example.yaml")
    position = dipsat.Position.from_units(UNITS, profile.map or "standard")
    orders = {"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]}
    outcome = dipsat.adjudicate(position, orders, profile)
    assert outcome.order("A LON").verdict == "fails"
    assert outcome.rules == profile.name


def test_rules_of_the_readme_are_the_recipe_that_its_command_names() -> None:
    assert blocks(README, "yaml") == [page("docs/examples/cookbook/cut-with-support.yaml")]


SIEGE = parse_profile(blocks(FIRST_STEPS, "yaml")[0], "siege.yaml")
GENTLE = parse_profile(blocks(LANGUAGE, "yaml")[0], "stalemate.yaml")


@pytest.mark.parametrize(
    ("rules", "orders", "unit", "usual", "own"),
    [
        (SIEGE, {"ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"], "AUSTRIA": ["F TRI H"]},
         "A VEN", "succeeds", "fails"),
        (GENTLE, {"FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"], "ITALY": ["F IRI H"],
                  "ENGLAND": ["F LON S F WAL", "F WAL H"]}, "F LON", "cut", "given"),
    ],
    ids=["holding units are as strong as two", "convoyed armies cut nothing"],
)  # fmt: skip
def test_rules_of_the_documents_change_what_they_say(
    rules: dipsat.Profile, orders: dict[str, list[str]], unit: str, usual: str, own: str
) -> None:
    assert adjudicate(orders).order(unit).verdict == usual
    outcome = dipsat.adjudicate(position_of(orders), orders, rules)
    assert outcome.order(unit).verdict == own


def test_vocabulary_table_is_that_of_the_code() -> None:
    """`python -m tools.api_page` writes it."""
    assert WORDS.read_text(encoding="utf-8") == words()
    assert f"tables/{WORDS.name}" in LANGUAGE


def test_the_standard_profile_states_every_setting() -> None:
    section = page("rules/datc.yaml").split("settings:")[1].split("variables:")[0]
    assert re.findall(r"^  (\w+):", section, re.MULTILINE) == list(setting_values())


def test_maps_of_the_maps_page_load_and_play() -> None:
    board, changed = (parse_map(text, "own.yaml") for text in blocks(MAPS, "yaml")[:2])
    orders = {"northern": ["A Alpha - the second"]}
    outcome = dipsat.adjudicate(dipsat.Position.start(board), orders)
    assert outcome.order("A AAA").verdict == "fails"
    assert changed.powers["ITALY"].start == ("F NAP", "A ROM")
    assert "TURKEY" not in changed.powers
    assert changed.provinces["RUH"].supply


def test_every_relative_link_of_the_documents_leads_somewhere() -> None:
    docs = ROOT / "docs"
    for file in (ROOT / "README.md", *docs.glob("*.md"), *docs.glob("atlas/*.md")):
        for target in re.findall(r"\]\(\s*([^)#:\s]+)\s*\)", file.read_text(encoding="utf-8")):
            made = (file.name, target) == ("index.md", "api.md")  # which the site makes
            assert made or (file.parent / target).exists(), (file.name, target)


def test_variant_of_its_page_is_played_on_its_own_map(beside: Callable[[str], None]) -> None:
    beside(VARIANTS)
    game = dipsat.Game.new(rules="alps.yaml")
    assert "A VEN - TYR" in game.legal_orders("A VEN")
    game.advance()
    assert "A VEN - TYR" not in game.legal_orders("A VEN")
    game.save("game.json")
    again = dipsat.Game.load("game.json")
    assert again.to_dict() == game.to_dict()
    assert again.legal_orders("A VEN") == game.legal_orders("A VEN")


def test_every_shipped_variant_has_a_section() -> None:
    headings = re.findall(r"^### (\w+)$", VARIANTS, re.MULTILINE)
    assert tuple(headings) == dipsat.variant_names()
