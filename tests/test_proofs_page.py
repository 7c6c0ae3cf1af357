"""docs/proofs.md: what it tells to run prints what it says."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from dipsat.cli import main

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    """The fenced blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def _in_a_folder_with_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)


def test_the_command_prints_what_the_page_shows() -> None:
    (block,) = blocks("console")
    command, _, promised = block.partition("\n")
    arguments = shlex.split(command.removeprefix("$ dipsat "))
    printed = CliRunner().invoke(main, arguments).output
    assert [line.rstrip() for line in printed.splitlines()] == promised.splitlines()


@pytest.mark.parametrize("code", blocks("python"))
def test_the_python_of_the_page_prints_what_it_says(code: str) -> None:
    (command,) = re.findall(r"`dipsat (prove \S+ --smt2 proof)`", PAGE)
    assert CliRunner().invoke(main, shlex.split(command)).exit_code == 1
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "proofs.md", "exec"), {})  # noqa: S102  # our own page
    promised = [line[2:] for line in code.splitlines() if line.startswith("# ")]
    assert printed.getvalue().splitlines() == promised
