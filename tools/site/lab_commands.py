"""The states in which the rule lab shows the commands in the docs."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

import dipsat
from dipsat import studies
from dipsat.searches import read_line
from tools.site.lab_links import (
    LabState,
    extending,
    is_order_file,
    laid_over,
    position_of,
    sheet_of,
    state_of,
    state_of_case,
)

_ROOT = Path(__file__).resolve().parent.parent.parent
_OPTIONS = {"--rules", "--for", "--kind", "--map", "--set", "--engine", "--open", "--seconds"}
"""Options with a value."""


def state_of_command(command: str) -> LabState | None:
    """The state in which the lab shows the subject of a dipsat command about a file of the project;
    None if the lab has no panel for it."""
    arguments = shlex.split(command.removeprefix("$ ").removeprefix("dipsat "))
    words, options = _parted(arguments)
    if options.keys() & {"--set", "--engine", "--map"}:
        return None
    match words:
        case ["adjudicate" | "explain" | "prove" | "compare", name, *_]:
            return _judging(_ROOT / name, options.get("--rules", []))
        case ["datc", name] if not options:
            (case,) = studies.load_cases([name])
            return state_of_case(case)
        case ["search", "lines", *_]:
            return _finding_lines(arguments[2:])
        case ["search", question, name, *rest]:
            return _search(question, _ROOT / name, rest, options)
    return None


def _parted(arguments: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Arguments, and the values of each option."""
    words, options, left = list[str](), dict[str, list[str]](), iter(arguments)
    for one in left:
        if one in _OPTIONS:
            options.setdefault(one, []).append(next(left))
        elif not one.startswith("-"):
            words.append(one)
    return words, options


def _judging(file: Path, rules: Sequence[str]) -> LabState | None:
    if not file.is_file() or not is_order_file(file):
        return None
    *others, own = rules or ["datc"]
    path = _ROOT / own
    state = state_of(file, path if path.is_file() else None if own == "datc" else own)
    return replace(state, compare=tuple(others)) if others else state


def _map_of(top: Mapping[str, Any]) -> str | None:
    """The map that a file names; YAML reads `1900` as a number."""
    return str(top["map"]) if "map" in top else None


def _search(
    question: str, file: Path, rest: Sequence[str], options: Mapping[str, Sequence[str]]
) -> LabState | None:
    if not file.is_file():
        return None
    text = file.read_text(encoding="utf-8")
    top = yaml.safe_load(text)
    own, *others = options.get("--rules") or [top.get("rules", "datc")]
    state = LabState(extending(own), "", _map_of(top))
    if question == "hold":
        if "states" in top:  # one sheet of orders cannot show a plan
            return None
        sheet = sheet_of({read_line(file).power: _ordered(top)})
        return replace(state, orders=sheet, search={"question": "hold", "line": text})
    phase = dipsat.load_phase(file)
    if phase.anywhere is not None:  # the lab judges what a link opens, so units need places
        return None
    form: dict[str, Any] = {"question": question, "open": top.get("open")}
    asked = {
        "goal": rest,
        "power": [power.upper() for power in options.get("--for", ())],
        "kind": options.get("--kind", ()),
        "other": [laid_over(other) for other in others],
    }
    form |= {name: given[0] for name, given in asked.items() if given}
    stated = position_of(phase.position)
    return replace(state, orders=sheet_of(top.get("orders", {})), position=stated, search=form)


def _finding_lines(options: Sequence[str]) -> LabState | None:
    """The form for lines, which has fields only for `--centres` and `--all`."""
    match options:
        case ["--centres", held, *rest] if rest in ([], ["--all"]):
            form = {"question": "lines", "centres": held, "shown": "all" if rest else "one"}
            start = position_of(dipsat.Position.start("standard"))
            return LabState(extending("datc"), "", position=start, search=form)
    return None


def _ordered(line: Mapping[str, Sequence[str]]) -> list[str]:
    """The orders of a line, with the bare unit for units without an order."""
    given = {order.partition(" S ")[0]: order for order in line.get("orders", ())}
    return [given.get(unit, unit) for unit in line["units"]]
