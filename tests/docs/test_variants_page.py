"""docs/variants.md: every example is run, and every shipped variant has its section."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dipsat
from tests.pages import assert_command_prints, assert_python_prints, blocks, enter_folder, page

PAGE = page("docs/variants.md")
FILES = ("alps-map.yaml", "alps.yaml", "orders.yaml")
COMMANDS = blocks(PAGE, "console")


@pytest.mark.parametrize("block", COMMANDS, ids=[block.partition("\n")[0] for block in COMMANDS])
def test_commands_of_the_variants_page_print_what_it_shows(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter_folder(PAGE, FILES, tmp_path, monkeypatch)
    assert_command_prints(block)


@pytest.mark.parametrize("code", blocks(PAGE, "python"))
def test_python_of_the_variants_page_prints_what_it_says(code: str) -> None:
    assert_python_prints(code)


def test_variant_of_the_page_is_played_on_its_own_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter_folder(PAGE, FILES, tmp_path, monkeypatch)
    game = dipsat.Game.new(rules="alps.yaml")
    assert "A VEN - TYR" in game.legal_orders("A VEN")
    game.advance()
    assert "A VEN - TYR" not in game.legal_orders("A VEN")
    game.save("game.json")
    again = dipsat.Game.load("game.json")
    assert again.to_dict() == game.to_dict()
    assert again.legal_orders("A VEN") == game.legal_orders("A VEN")


def test_every_shipped_variant_has_a_section() -> None:
    headings = re.findall(r"^### (\w+)$", PAGE, re.MULTILINE)
    assert tuple(headings) == dipsat.variant_names()
