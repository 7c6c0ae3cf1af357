"""The year that a game master plays on its page: every step is carried out."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from dipsat.cli import main
from tests.checkout import ROOT
from tests.packages import needs_font
from tests.pages import assert_python_prints, assert_shows, blocks, page

PAGE = page("docs/year-by-mail.md")
MAILS = ROOT / "docs" / "examples" / "mail-year"


@needs_font
def test_every_step_of_the_page_is_what_dipsat_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(MAILS, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for block in blocks(PAGE, "console"):
        for step in re.split(r"^(?=\$ )", block, flags=re.MULTILINE)[1:]:
            command, _, promised = step.partition("\n")
            shown = CliRunner().invoke(main, shlex.split(command.removeprefix("$ dipsat ")))
            assert_shows(shown.output, promised)
    for code in blocks(PAGE, "python"):
        assert_python_prints(code)
    assert {"S1901M.eml", "S1901M.html"} <= {path.name for path in tmp_path.iterdir()}


def test_mails_of_the_page_are_those_of_the_examples() -> None:
    for shown, name in zip(blocks(PAGE, "text"), ("spring-anna", "fall-daria"), strict=True):
        assert (MAILS / f"{name}.txt").read_text(encoding="utf-8") == shown


def test_every_mail_of_the_examples_is_read() -> None:
    assert all(path.name in PAGE for path in MAILS.iterdir())
