"""The command line as a newcomer sees it: what to type first, and help in parts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from dipsat.cli import main
from tests.app.commands import printed, run, write
from tests.packages import needs_font

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")
BOUNCE = "France:\n A Par - Bur\n A Mar S A Par - Bur\nGermany:\n A Mun - Bur\n"
RARE = [
    "--engine", "--transformed", "--marks", "--trace", "--full-trace", "--presolve",
]  # fmt: skip


def commands(command: click.Command, *path: str) -> Iterator[tuple[str, ...]]:
    """The commands that help lists, by their words."""
    if not isinstance(command, click.Group):
        yield path
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from commands(inner, *path, name)


EVERY = list(commands(main))


def sections(*words: str) -> dict[str, str]:
    """The parts of a help text by their headings."""
    parts = re.split(r"^([A-Z][\w ]+):$", printed(*words, "--help"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_bare_command_shows_five_things_to_do() -> None:
    shown = printed()
    lines = shown.splitlines()
    assert len(lines) <= 14
    assert max(map(len, lines)) <= 80
    assert len(re.findall(r"^  dipsat \w+", shown, re.MULTILINE)) == 5
    assert "dipsat --help" in shown


def test_the_commands_of_the_first_page_work() -> None:
    write("orders.txt", BOUNCE)
    typed = re.findall(r"^  dipsat (.+?)  ", printed(), re.MULTILINE)
    for words in typed:
        if not words.startswith("play "):  # waits for input
            assert printed(*words.replace('"', "").replace("A PAR", "PAR").split())


def test_help_lists_the_commands_by_who_needs_them() -> None:
    found = sections()
    assert list(found)[:4] == ["Play and judge", "Rules and maps", "Research", "Programs"]
    assert "adjudicate" in found["Play and judge"]
    assert "carry-out" not in printed("--help")
    assert max(map(len, printed("--help").splitlines())) <= 80


def test_every_command_that_help_lists_is_there() -> None:
    context = click.Context(main)
    names = [
        line.split()[0] for part in list(sections().values())[:4] for line in part.split("\n  ")[1:]
    ]
    assert names == main.list_commands(context)
    assert None not in [main.get_command(context, name) for name in names]


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_no_part_of_a_help_text_has_too_many_options(
    words: tuple[str, ...],
) -> None:
    found = sections(*words)
    assert "-h, --help" in found["Options"]
    for text in found.values():
        assert len(re.findall(r"^  -", text, re.MULTILINE)) <= 15
    assert list(found)[-1] == "Advanced options" or "Advanced options" not in found


def test_rare_options_stand_apart() -> None:
    found = sections("adjudicate")
    for option in RARE:
        assert option in found["Advanced options"]
        assert option not in found["Options"]


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_arguments_are_not_listed_as_options(words: tuple[str, ...]) -> None:
    for text in sections(*words).values():
        assert re.findall(r"^  [^- ]", text, re.MULTILINE) == []


def test_a_hidden_command_works_and_is_not_shown() -> None:
    assert run("carry-out", "none.txt").exit_code == 2
    assert "carry-out" not in printed("--help")


@pytest.mark.parametrize("command", ["adjudicate", "explain", "prove", "compare", "replay", "draw"])
def test_every_command_that_draws_takes_the_same_option(command: str) -> None:
    assert "-o, --output FILE" in sections(command)["Options"]


@needs_font
def test_a_png_without_its_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    write("orders.txt", BOUNCE)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    done = run("explain", "orders.txt", "A PAR", "-o", "why.png")
    assert done.exit_code == 2
    assert "pip install 'dipsat[png]'" in done.stderr


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("dipsat ", {"adjudicate", "explain", "rules", "serve"}),
        ("dipsat rules ", {"show", "list", "stress"}),
        ("dipsat adjudicate --o", {"--output"}),
        ("dipsat rules show 4.A.3-", {"4.A.3-a", "4.A.3-2023"}),
    ],
)
def test_shells_complete_commands_options_and_names(typed: str, offered: set[str]) -> None:
    words = typed.split(" ")
    environment = {
        **os.environ, "_DIPSAT_COMPLETE": "bash_complete", "COMP_WORDS": typed,
        "COMP_CWORD": str(len(words) - 1),
    }  # fmt: skip
    code = "from dipsat.cli import main; main(prog_name='dipsat')"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    found = {line.partition(",")[2] for line in done.stdout.splitlines()}
    assert offered <= found
    assert "carry-out" not in found
