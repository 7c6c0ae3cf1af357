"""The documents' examples: fenced blocks of commands and of Python, and running them."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from dipsat.cli import main

ROOT = Path(__file__).resolve().parent.parent


def page(name: str) -> str:
    """The text of a document, by its path in the project."""
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str, kind: str) -> list[str]:
    """The fenced blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def write_files(text: str, names: Sequence[str], folder: Path) -> None:
    """The files that a document shows as YAML and names, in a folder."""
    for name, shown in zip(names, blocks(text, "yaml"), strict=True):
        assert f"`{name}`" in text
        (folder / name).write_text(shown, encoding="utf-8")


def enter_folder(
    text: str, names: Sequence[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work in a folder that has the files which a document shows (`write_files`)."""
    write_files(text, names, folder)
    monkeypatch.chdir(folder)


def assert_command_prints(block: str) -> None:
    """The command in the first line prints the others, on standard output."""
    command, _, promised = block.partition("\n")
    printed = CliRunner().invoke(main, shlex.split(command.removeprefix("$ dipsat "))).stdout
    lines = [line.rstrip() for line in printed.rstrip().splitlines()]
    assert lines == promised.rstrip().splitlines()


def assert_python_prints(code: str) -> None:
    """The code prints what its comments at the beginning of a line say."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "example.py", "exec"), {})  # noqa: S102  # our own documents
    promised = [line[2:] for line in code.splitlines() if line.startswith("# ")]
    assert printed.getvalue().splitlines() == promised
