"""No name and no text of a stranger controls a terminal, or begins a line that looks like dipsat's.

Maps, rules and games in YAML cannot have control characters at all, and names no line breaks; what
is printed is escaped besides.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

import dipsat
from dipsat.app.printing import json_text, printable_lines
from dipsat.app.view import terminal
from dipsat.base import data_folder, parse_yaml
from dipsat.board import parse_map
from dipsat.cli import main
from dipsat.errors import DipsatError, DocumentError
from dipsat.rules import parse_profile
from tests.exhaustive import exhaustive, few_of
from tests.sources import FILES, text_of

EVIL = ["\x1b[31m", "\x07", "\x08", "\r", "\x9b2J", "\x85", "\u2028", "\u202e", "\u2066", "\u200f"]
"""Escape sequences, what moves the cursor or ends a line, and marks of writing direction."""

LINE = "\nerror: all is lost"
MAP = (data_folder("rules") / "maps" / "standard.yaml").read_text(encoding="utf-8")
RULES = """\
name: strange
title: a title
extends: datc
units:
  Wing: {letter: W, moves: [land, sea], verbs: [flies]}
domains:
  color: {red: red, blue: blue}
reasons:
  cut: it is cut
options:
  speed: {values: [slow, fast], default: slow}
variables: {x: Wish}
orders:
  Wish(x):
    form: "{unit} wishes"
"""


def scalars(text: str) -> list[Any]:
    """The events of all keys and values."""
    return [one for one in yaml.parse(text) if isinstance(one, yaml.ScalarEvent)]


def spoilt(text: str, scalar: Any, added: str) -> str:
    """A document with something added to one of its keys or values."""
    begin, end = scalar.start_mark.index, scalar.end_mark.index
    space = "\n" if scalar.style in ("|", ">") else ""
    return f"{text[:begin]}{json.dumps(scalar.value + added)}{space}{text[end:]}"


@pytest.mark.parametrize("evil", EVIL)
def test_no_text_of_a_document_has_a_control_character(evil: str) -> None:
    found = scalars(MAP)
    for scalar in Random(evil).sample(found, 3):
        with pytest.raises(DocumentError) as caught:
            parse_yaml(spoilt(MAP, scalar, evil), "m.yaml")
        assert f"the control character U+{ord(evil[0]):04X} is not allowed" in str(caught.value)
        place = caught.value.line, caught.value.column
        assert place == (scalar.start_mark.line + 1, scalar.start_mark.column + 1)


def test_other_marks_of_languages_are_texts() -> None:
    for text in ("Łódź", "東京", "क्षेत्र", "\u0645\u06cc\u200c\u062e", "👩\u200d🚀", "a\u00ad b"):
        assert parse_yaml(json.dumps([text], ensure_ascii=False), "m.yaml").plain() == [text]


@pytest.mark.parametrize(
    ("read", "text", "at"),
    [
        *few_of([(parse_map, MAP, at) for at in range(0, len(scalars(MAP)), 23)], 3),
        *((parse_profile, RULES, at) for at in range(len(scalars(RULES)))),
    ],
)
def test_no_name_of_a_map_or_rule_file_has_a_line_break(
    read: Callable[[str, str], object], text: str, at: int
) -> None:
    """No stranger writes a line of a message."""
    with pytest.raises(DipsatError) as caught:
        read(spoilt(text, scalars(text)[at], LINE), "x.yaml")
    assert not any(line.startswith("error") for line in str(caught.value).split("\n"))


def test_expressions_may_have_several_lines_and_titles_end_with_one() -> None:
    rules = parse_profile(
        "name: a\ntitle: >\n  in\n  words\nextends: datc\ndecisions:\n  dislodge(u): |\n"
        "    false\n    and true\n",
        "r.yaml",
    )
    assert rules.title == "in words"


NASTY = f"A PAR - {EVIL[0]}BUR{LINE}"


def test_an_order_as_typed_is_shown_in_one_line_of_the_outcome() -> None:
    position = dipsat.Position.start("standard")
    outcome = dipsat.adjudicate(position, {"FRANCE": [NASTY]}, "choices/4.E.2-d")
    (order,) = (one for one in outcome.orders if one.unit == "A PAR")
    assert order.verdict == "illegal"
    assert order.submitted == NASTY
    assert order.order.isprintable()
    assert order.reason.text.isprintable()


def test_what_is_printed_has_no_control_characters(tmp_path: Path) -> None:
    sheet = tmp_path / "orders.txt"
    sheet.write_text("France:\n A Par - \x1b[31mBur\n A Mar \x9bH\n A Xyz \u202eH\n", "utf-8")
    for arguments in (
        ["adjudicate", str(sheet), "--rules", "choices/4.E.2-d"],
        ["adjudicate", str(sheet), "--rules", "choices/4.E.2-d", "--json"],
        ["adjudicate", str(sheet)],
        ["maps", "show", str(tmp_path / "a\x1b[31mb.yaml")],
    ):
        result = CliRunner().invoke(main, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert is_plain(result.output), result.output


def is_plain(text: str) -> bool:
    return all(c == "\n" or unicodedata.category(c)[0] != "C" for c in text)


@pytest.mark.parametrize("evil", EVIL)
def test_both_ways_to_print_write_escapes(evil: str, capsys: pytest.CaptureFixture[str]) -> None:
    terminal().print(f"one{evil}two")
    assert is_plain(capsys.readouterr().out)
    assert is_plain(printable_lines(f"one{evil}two\nthree"))
    assert is_plain(json_text({evil: [evil]}, indent=2))
    assert json.loads(json_text({evil: [evil]})) == {evil: [evil]}


@exhaustive
def test_commands_print_in_these_ways_only() -> None:
    """`click.echo` in the face of all commands prints texts of dipsat's own."""
    printing = re.compile(r"(?<![\w.])(?:click\.s?echo|print|Console)\(")
    assert {file for file in FILES if printing.search(text_of(file))} == {
        "app/command_line.py", "app/printing.py", "app/view.py"
    }  # fmt: skip
