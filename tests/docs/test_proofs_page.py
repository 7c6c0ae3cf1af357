"""docs/proofs.md: its commands print what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from dipsat.cli import main
from tests.checkout import ROOT
from tests.pages import assert_command_prints, assert_python_prints, blocks

PAGE = (ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _in_a_folder_with_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)


def test_the_command_prints_what_the_page_shows() -> None:
    (block,) = blocks(PAGE, "console")
    assert_command_prints(block)


@pytest.mark.parametrize("code", blocks(PAGE, "python"))
def test_the_python_of_the_page_prints_what_it_says(code: str) -> None:
    (command,) = re.findall(r"`dipsat (prove \S+ --smt2 proof)`", PAGE)
    assert CliRunner().invoke(main, shlex.split(command)).exit_code == 1
    assert_python_prints(code)
