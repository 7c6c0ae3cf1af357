"""Messages about errors: their length, what they show, and which places they name."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import strategies as st

import dipsat
from dipsat.board import parse_map
from dipsat.cli import main
from dipsat.errors import DipsatError, ProblemsError, ProfileError, readable
from dipsat.rules import parse_profile
from tests.exhaustive import exhaustive, few_examples, few_of
from tests.strangers.any_text import any_text
from tests.strangers.odd_input import (
    EVERY_TIME,
    HUGE,
    MOST,
    MOST_LINES,
    ODD_TEXTS,
    SHEET,
    check_message,
)

ANY_TEXT = any_text(max_size=300)


@few_examples(5, EVERY_TIME, before=ANY_TEXT, odd=st.sampled_from(ODD_TEXTS), after=ANY_TEXT)
def test_any_message_is_readable(before: str, odd: str, after: str) -> None:
    for text in (before + odd + after, f"{before}{odd!r}{after}", f"{before}\n" * 99):
        shown = readable(text)
        lines = shown.split("\n")
        assert len(lines) <= MOST_LINES
        assert all(line.isprintable() and len(line) <= MOST for line in lines)


def test_a_message_keeps_its_place_and_its_advice() -> None:
    for typed in ("x" * HUGE, "'" * HUGE, 'it\'s "so" ' * HUGE, "\\" * HUGE):
        advice = "is no color; did you mean 'red' or the players' word \"gold\"?"
        shown = readable(f"a.yaml:1:2: {typed!r} {advice}")
        assert shown.startswith("a.yaml:1:2: ")
        assert shown.endswith(advice)
        assert len(shown) < 200
    shown = readable(f"the province {'x' * HUGE} has no 'name'")
    assert shown.startswith("the province xxx")
    assert shown.endswith("xxx has no 'name'")


def test_honest_messages_stay_as_they_are() -> None:
    for text in (
        "",
        "unknown province 'BRU' in 'A BEL - BRU'; did you mean BUR or BRE?",
        f"known: {', '.join(dipsat.map_names())}",
        "the players' order 'A PAR - BUR' doesn't fit, " * 5 + "try again " * 9,
        "\n".join(f"map.yaml:{line}:1: it is listed on one side only" for line in range(50)),
    ):
        assert readable(text) == text


@exhaustive
def test_the_first_of_many_faults_are_listed() -> None:
    provinces = {f"P{n}": {"name": f"Place {n}"} for n in range(2600)}
    text = json.dumps({"name": "bare", "powers": {}, "provinces": provinces})
    with pytest.raises(ProblemsError) as caught:
        parse_map(text, "map.yaml")
    lines = str(caught.value).split("\n")
    assert len(caught.value.problems) == 2600
    assert len(lines) == 51
    assert lines[-1] == "... and 2550 more faults"
    check_message(caught.value)


# --- the place of a key, and of a line ------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "place"),
    [
        ("name: a\nsecret: 1\n", "base.yaml:2:9: unknown key 'secret'"),
        ("name: a\nprovinces:\n  AAA: {name: b, type: land, token: 1}\n", "base.yaml:3:"),
        ("name: a\nborder_features: {Ice: []}\n", "base.yaml:2:24: the name of a feature"),
        ("name: a\npower_features: {Ice: []}\n", "base.yaml:2:23: the name of a feature"),
    ],
)
def test_a_fault_of_a_file_that_a_map_extends_is_placed_there(
    base: str, place: str, tmp_path: Path
) -> None:
    """The entries of the map are laid over those of the other file, section by section."""
    (tmp_path / "base.yaml").write_text(base, encoding="utf-8")
    changes = {
        "name": "mine",
        "extends": "base.yaml",
        "provinces": {"PAR": {"name": "Paris", "type": "land"}},
        "powers": {"FRANCE": {}},
        "impassable": {"SWI": "Switzerland"},
        "border_features": {"ice": []},
        "power_features": {"rich": []},
    }
    with pytest.raises(DipsatError) as caught:
        parse_map(json.dumps(changes), str(tmp_path / "map.yaml"))
    assert f"{tmp_path}/{place}" in str(caught.value).replace("\\", "/")


def test_a_change_that_does_not_fit_the_other_map_is_reported_at_its_place(tmp_path: Path) -> None:
    """The place in the other map follows it."""
    (tmp_path / "base.yaml").write_text("name: a\nimpassable: {PAR: Paris}\n", encoding="utf-8")
    changes = {
        "extends": "base.yaml",
        "provinces": {"PAR": {"name": "Paris", "type": "land"}},
        "powers": {"FRANCE": {}},
    }
    with pytest.raises(DipsatError) as caught:
        parse_map(json.dumps(changes), str(tmp_path / "map.yaml"))
    shown = str(caught.value).replace(f"{tmp_path}/", "")
    assert "map.yaml:1:40: PAR is changed here" in shown
    assert "PAR is a province, so it cannot be impassable" in shown
    assert "(base.yaml:2)" in shown


BREAKS = ("\r", "\n", "\r\n", "\x85", "\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x1e")


@pytest.mark.parametrize("broken", BREAKS)
@pytest.mark.parametrize("before", few_of(["m", "", "not", "'"], 2))
def test_line_endings_in_expressions_are_refused_with_a_place(before: str, broken: str) -> None:
    """Every way to write an expression in YAML is covered."""
    expression = f"{before}{broken}y"
    escaped = json.dumps(expression)
    blocks = [f"|\n    {before}{broken}    y\n", f">\n    {before}{broken}    y\n"]
    for scalar in (escaped, expression, f"'{expression}'", *blocks):
        text = f"name: mine\nextends: datc\ndefine:\n  f(m): {scalar}\n"
        with pytest.raises(DipsatError) as caught:
            parse_profile(text, "mine.yaml")
        check_message(caught.value)


def test_a_fault_after_a_carriage_return_has_its_place() -> None:
    for end in ("\r", "\n", "\r\n"):
        text = f"name: mine{end}extends: datc{end}define:{end}  f(m): not{end}   some(m.oops){end}"
        with pytest.raises(ProfileError, match=r"mine\.yaml:5:9: a Move has no fact 'oops'"):
            parse_profile(text, "mine.yaml")


# --- the command line -----------------------------------------------------------------------------

COMMANDS = (
    "adjudicate @", "adjudicate FILE --rules @", "adjudicate FILE --map @",
    "adjudicate FILE --set @", "adjudicate FILE --set waive=@", "adjudicate FILE --engine @",
    "adjudicate FILE --@", "--@", "@",
    "explain FILE @", "prove FILE --timeout @", "compare FILE --rules datc --rules @", "datc @",
    "replay @", "rules show @", "rules check @", "rules diff datc @", "rules list @", "maps show @",
    "maps check @", "search hold @", "search achieve FILE --goal @", "crosscheck --datc -e @",
)  # fmt: skip
TYPED = ("x" * 5000 + ".yaml", "word " * 999, "'" * 999, "\x1b[31mred", "a\rb")


@pytest.mark.parametrize("command", COMMANDS)
def test_odd_words_on_the_command_line_get_readable_messages(command: str, tmp_path: Path) -> None:
    file = tmp_path / "orders.txt"
    file.write_text(SHEET, encoding="utf-8")
    for typed in TYPED:
        words = [part.replace("@", typed) for part in command.split()]
        done = CliRunner().invoke(main, [str(file) if word == "FILE" else word for word in words])
        assert done.exception is None or isinstance(done.exception, SystemExit)
        for line in done.stderr.split("\n"):
            assert line.isprintable()
            assert len(line) <= MOST + len("error: ")


def test_every_command_that_a_message_names_exists() -> None:
    named = {
        (match[1], match[2])
        for file in Path(dipsat.__file__).parent.rglob("*.py")
        for match in re.finditer(r"`dipsat ([a-z-]+)(?: ([a-z][a-z-]*))?", file.read_text("utf-8"))
    }
    assert len(named) > 10
    for first, second in named:
        command = main.get_command(click.Context(main), first)
        assert command is not None, first
        if isinstance(command, click.Group) and second:
            assert second in command.list_commands(click.Context(command)), f"{first} {second}"
