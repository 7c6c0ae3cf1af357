"""The documents' examples: fenced blocks of commands and of Python, and running them."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import cast

import yaml
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.outcomes import MovementOutcome
from dipsat.searches.achievement_goal import read_goal
from tests.checkout import ROOT


def page(name: str) -> str:
    """The text of a document, by its path in the project."""
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str, kind: str) -> list[str]:
    """The fenced blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def write_files(text: str, names: Sequence[str], folder: Path) -> None:
    """Write the files that a document names and shows as YAML into a folder."""
    for name, shown in zip(names, blocks(text, "yaml"), strict=True):
        assert f"`{name}`" in text
        (folder / name).write_text(shown, encoding="utf-8")


def assert_command_prints(block: str) -> None:
    """The command in the first line prints the other lines to standard output."""
    command, _, promised = block.partition("\n")
    printed = CliRunner().invoke(main, shlex.split(command.removeprefix("$ dipsat "))).stdout
    assert_shows(printed, promised)


def assert_shows(printed: str, promised: str) -> None:
    """What is printed matches what a page shows, where a line `...` stands for any lines."""
    lines = [line.rstrip() for line in printed.rstrip().splitlines()]
    shown = promised.rstrip().splitlines()
    if "..." not in shown:
        assert lines == shown
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in shown)
    assert re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)), printed


WITNESS = re.compile(r"^ {12}(?!Proven)([A-Z][a-z]+): (.*)$", re.MULTILINE)
"""An order in the answer of a search."""


def assert_search_prints(block: str) -> None:
    """The command prints the same claim and the same proof. Which of several witnesses it prints is
    its own choice; `assert_witness` checks it."""
    command, _, promised = block.partition("\n")
    printed = CliRunner().invoke(main, shlex.split(command.removeprefix("$ dipsat "))).stdout
    assert _claim(printed) == _claim(promised)
    assert_witness(command, promised)
    assert_witness(command, printed)


def _claim(answer: str) -> tuple[str, list[str]]:
    """An answer's text before its witness, and its lines about proofs."""
    first = WITNESS.search(answer)
    proofs = re.findall(r"^ {12}(Confirmed.*|Proven.*)$", answer, re.MULTILINE)
    return answer[: first.start()] if first else answer.rstrip(), proofs


def assert_witness(command: str, answer: str) -> None:
    """The orders in a search's answer do what it says when they are adjudicated."""
    arguments = shlex.split(command.removeprefix("$ dipsat search "))
    kind, options = arguments[0], dict(zip(arguments, [*arguments[1:], ""], strict=True))
    files = [Path(one) for one in arguments if one.endswith(".yaml")]
    stated = yaml.safe_load(files[0].read_text(encoding="utf-8")) if files else {}
    orders: dict[str, list[str]] = dict(stated.get("orders", {}))
    units: dict[str, list[str]] = dict(stated.get("units", {}))
    for power, text in WITNESS.findall(answer):
        orders[power.upper()] = [*orders.get(power.upper(), ()), text]
        unit = " ".join(text.split()[:2])
        if "--smallest" in arguments and unit not in units.get(power.upper(), ()):
            units[power.upper()] = [*units.get(power.upper(), ()), unit]
    named = [value for option, value in pairwise(arguments) if option == "--rules"]
    rules = named or [stated.get("rules", "datc")]
    board = dipsat.load_map(stated.get("map", "standard"))
    profiles = [dipsat.load_profile(name) for name in rules]
    outcomes = [
        dipsat.adjudicate(dipsat.Position.from_units(units, board, rules=one), orders, one)
        for one in profiles
    ]
    if kind == "paradox":
        cycles = outcomes[0].to_dict()["subgraphs"]
        assert options["--kind"] in {one[key] for one in cycles for key in ("verdict", "rule")}
    elif kind == "differ":
        one, other = (outcome.units_after for outcome in outcomes)
        assert one != other
    else:
        goal = arguments[1] if not files else arguments[arguments.index(str(files[0])) + 1]
        assert read_goal(goal, profiles[0], board).holds(cast("MovementOutcome", outcomes[0]))


def assert_python_prints(code: str) -> None:
    """The code prints the text of those of its comments that begin a line."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "example.py", "exec"), {})  # noqa: S102  # our own documents
    promised = [line[2:] for line in code.splitlines() if line.startswith("# ")]
    assert printed.getvalue().splitlines() == promised
