"""docs/sources.md names only what exists, and leaves out no section of a founding document."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import click
import pytest

from dipsat.cli import main
from dipsat.outcomes import find_engine
from dipsat.rules import load_profile
from tests.checkout import ROOT
from tests.pages import page
from tools import tables

NAME = "docs/sources.md"
TEXT = page(NAME)
TABLES = {
    section.partition("\n")[0]: found[1]
    for section in re.split(r"^#+ ", TEXT, flags=re.MULTILINE)
    if (found := re.search(r"^\[[^\]]+\]\(tables/([\w-]+\.csv)\)$", section, re.MULTILINE))
}
"""Heading -> the file with its table."""
PAGE = "\n".join(
    [TEXT, *(tables.row(cells) for name in TABLES.values() for cells in tables.read(name))]
)
"""The page with its tables."""
CHOICES = ROOT / "rules" / "choices"

# What each document consists of, in the sequence of the page: sections, steps, examples, figures.
SECTIONS = {
    "1. Kruijswijk: The Process of Adjudication": (
        "5; 5.A; 5.B; 5.B.1; 5.B.2; 5.B.3; 5.B.4; 5.B.5; 5.B.6; 5.B.7; 5.B.8; 5.B.9"
    ),
    "2. Hand: the DPjudge's adjudication algorithm": (
        "data; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; cutSupport; checkDisruptions; bounce; unbounce"
    ),
    "3. Szykman: Arpiesse Diplomacy": (
        "introduction; I; II; III; IV; V; V.1; V.2; V.3; V.4; V.5; V.6; VI.1; VI.2; VI.3; VI.4; "
        "VII; VIII.1; VIII.2; VIII.3; VIII.4; IX; IX.1; IX.2; IX.3; IX, occupied 1; "
        "IX, occupied 2; IX, occupied 3; X; XI; XII; note; example 1; example 2; example 3; "
        "example 4; example 5; example 6; example 7; example 8; example 9; example 10; "
        "example 11; example 12"
    ),
    "4. Kruijswijk: The Math of Adjudication": (
        "figure 8; figure 9; figure 14; figure 15; figure 16; figure 17; figure 18; figure 19; "
        "DipTool; multiple cycles; functions; convoy path; properties 1 to 4"
    ),
    "5. Jacobi: Ein Algorithmus zur Auswertung von Diplomacy": (
        "introduction; I; I.1; I.2; I, geography; II; III.1.a; III.1.b; III.2.a; III.2.b; "
        "III.3.a; K1; K2; K3; K4"
    ),
    "Chapter 4, the choices": (
        "4.A.1; 4.A.2; 4.A.3; 4.A.4; 4.A.5; 4.A.6; 4.A.7; 4.B.1; 4.B.2; 4.B.3; 4.B.4; 4.B.5; "
        "4.B.6; 4.B.7; 4.C.1; 4.C.2; 4.C.3; 4.C.4; 4.C.5; 4.C.6; 4.D.1; 4.D.2; 4.D.3; 4.D.4; "
        "4.D.5; 4.D.6; 4.D.7; 4.D.8; 4.D.9; 4.E.1; 4.E.2; 4.E.3; 4.E.4; 4.E.5; 4.E.6"
    ),
    "Chapter 5, beyond the rewrite": (
        "2.4, 5.B; 2.4, 5.B.10; 2.4, 5.B.11; 2.4, 5.C; 2.4, 5.D; 2.4, 5.E; 3.0, 5.A; 3.0, 5.B; "
        "3.0, 5.C; 3.0, 5.D; 3.0, 5.E; 3.0, 5.F"
    ),
}
LINES_OF_THE_LISTING = 136


def rows(heading: str) -> list[list[str]]:
    """The rows of the table under a heading, without its heads."""
    return tables.read(TABLES[heading])[1:]


@cache
def files_of_tests() -> dict[str, Path]:
    """The names of all test functions, each with its file."""
    return {
        name: path
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }


SPANS = list(dict.fromkeys(re.findall(r"`([^`]+)`", PAGE)))
"""Everything in backticks, each once."""
TARGETS = dict(re.findall(r"^\[([^\]]+)\]: (\S+)$", PAGE, re.MULTILINE))
"""The files that short names of links stand for."""


def spans(pattern: str, least: int) -> list[str]:
    """The spans that match the pattern. There must be many, or the pattern is wrong."""
    found = [span for span in SPANS if re.fullmatch(pattern, span)]
    assert len(found) > least
    return found


@pytest.mark.parametrize("heading", SECTIONS)
def test_every_section_of_the_document_has_a_row_that_says_what_and_where(heading: str) -> None:
    found = rows(heading)
    assert set(SECTIONS[heading].split("; ")) - {cells[0] for cells in found} == set()
    for cells in found:
        assert len(cells) == 3, cells
        assert cells[0], cells
        assert cells[2], cells


def test_every_line_of_the_listing_has_a_row() -> None:
    """Kruijswijk, The Math of Adjudication: lines 1 to 136 of the program in C."""
    covered: set[int] = set()
    for cells in rows("4. Kruijswijk: The Math of Adjudication"):
        if found := re.fullmatch(r"lines (\d+) to (\d+)", cells[0]):
            covered |= set(range(int(found[1]), int(found[2]) + 1))
    blank = {26, 39, 64, 82, 106, 128}  # lines that are empty, or end a block
    assert set(range(1, LINES_OF_THE_LISTING + 1)) - covered <= blank


def test_every_choice_that_exists_is_in_the_table() -> None:
    files = {path.stem for path in CHOICES.glob("4.*.yaml")}
    listed = {
        f"{cells[0]}-{letter}"
        for cells in rows("Chapter 4, the choices")
        for letter in filter(None, cells[1].split(", "))
    }
    assert listed == files


def test_what_is_not_carried_out_is_in_the_list_too() -> None:
    last = TEXT.partition("\n## Not carried out\n")[2]
    last = last.replace("4.E.4 to 4.E.6", "4.E.4 4.E.5 4.E.6")
    marked = [
        re.sub(r"^(?:2\.4|3\.0), ", "", cells[0])
        for heading in SECTIONS
        for cells in rows(heading)
        if "**not carried out**" in cells[2].lower()
    ]
    assert len(marked) > 10
    assert [section for section in marked if section not in last] == []


def test_the_documents_are_named_by_author_and_title_only() -> None:
    assert not re.search(r"\bseeds?\b", PAGE)
    for words in ("Lucas Kruijswijk", "Manus Hand", "Simon Szykman", "Peter Jacobi"):
        assert words in PAGE


def test_every_named_test_exists() -> None:
    assert set(spans(r"test_\w+", 80)) - files_of_tests().keys() == set()


def test_every_named_row_of_a_test_exists(request: pytest.FixtureRequest) -> None:
    found = re.findall(r'`(test_\w+)`, rows? ((?:"[^"]+"(?:, | and )?)+)', PAGE)
    assert len(found) == len(re.findall(r"\brows? \"", PAGE)) - 1 > 30  # one is in the introduction
    files = {files_of_tests()[name] for name, _ in found}
    modules = [pytest.Module.from_parent(request.session, path=path) for path in files]
    items = {item.name for module in modules for item in request.session.genitems(module)}
    named = [f"{name}[{row}" for name, rows in found for row in re.findall(r'"([^"]+)"', rows)]
    begins = {one: rf"{re.escape(one)}\W" for one in named}
    assert [one for one in named if not any(re.match(begins[one], item) for item in items)] == []


def test_every_named_file_exists_and_every_short_link_has_one() -> None:
    named = [*spans(r"[\w.-]+(/[\w.-]+)+/?", 20), *(f"docs/{file}" for file in TARGETS.values())]
    assert [path for path in named if not (ROOT / path).exists()] == []
    assert set(re.findall(r"\[([\w.-]+)\](?![(:])", PAGE)) == set(TARGETS)


NAMES_IN_A_FILE = re.compile(
    r"((?:`[^`]+`(?:, | and ))*`[^`]+`) in (?:`([\w./-]+/[\w.-]+)`|\[([\w.-]+)\](?!\())"
)


def test_every_name_is_in_its_file() -> None:
    found = NAMES_IN_A_FILE.findall(PAGE)
    assert len(found) > 90
    for names, path, short in found:
        text = page(path or f"docs/{TARGETS[short]}")
        for name in re.findall(r"`([^`]+)`", names):
            if not name.startswith(("test_", "--", "dipsat ")) and "/" not in name:
                assert re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text), (name, path or short)


def test_every_named_engine_with_its_options_and_every_named_choice_exists() -> None:
    for name in spans(r"[a-z_]+\([a-z_=,]+\)", 10):
        assert find_engine(name)
    for name in spans(r"[45]\.[A-E]\.\d-[\w-]+", 8):
        assert load_profile(f"datc+{name}").title


def test_every_named_command_and_option_exists() -> None:
    context = click.Context(main)
    found = {name: main.get_command(context, name) for name in main.list_commands(context)}
    commands = {name: command for name, command in found.items() if command is not None}
    parameters = [parameter for command in commands.values() for parameter in command.params]
    options = {option for parameter in parameters for option in parameter.opts}
    for words in (span.split() for span in SPANS):
        assert not words[0].startswith("--") or words[0] in options
        if words[0] == "dipsat":
            command = main.get_command(context, words[1])
            if isinstance(command, click.Group):
                assert words[2] in command.list_commands(context)
