"""docs/atlas/differences.md, made from docs/atlas/differences.json."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dipsat.base import counted, titled
from tools.atlas.pages import filled
from tools.differences.after import rows
from tools.differences.answers import (
    FULL,
    NONE,
    OTHERWISE,
    PLACES,
    SAME,
    Answer,
    are_equal,
    is_proven,
)
from tools.differences.argued import LINK, NO_NUMBER, argued_cycle, argued_pair
from tools.differences.asking import NEVER
from tools.differences.boards import SEARCH, TRIAL, Example
from tools.differences.questions import CHOICES, JUDGES, RULEBOOKS
from tools.differences.record import FILE, Record, read
from tools.differences.share import key_of
from tools.differences.sheets import sheet
from tools.differences.written import BY_HAND
from tools.tables import table

PAGE = FILE.with_suffix(".md")
TRIED = "[trial](#by-trial)"
_HEADS = ("rules", "written in full", "otherwise")


def write() -> None:
    """Write the parts of the page that are made from the data."""
    PAGE.write_text(made(read()), encoding="utf-8")


def made(known: Record) -> str:
    """The page with its parts replaced."""
    boards = numbered(known)
    text = PAGE.read_text(encoding="utf-8")
    for section in (RULEBOOKS, CHOICES, JUDGES):
        text = filled(text, section, _table(known, section, boards))
    text = filled(text, "paradoxes", _paradoxes(known))
    text = filled(text, "algorithms", _algorithms(known))
    return filled(text, "boards", _boards(known, boards))


def numbered(known: Record) -> dict[str, int]:
    """The boards of the page and their numbers, in the order of the table."""
    found = (key_of(one[place]) for one in known.pairs for place in PLACES if one[place])
    return {key: number for number, key in enumerate(dict.fromkeys(found), 1)}


def _table(known: Record, section: str, boards: dict[str, int]) -> Iterator[str]:
    rows = []
    for one in known.pairs:
        if one["section"] == section and one["verdict"] != SAME:
            rows.append((_rules(one), *_cells(one, boards)))
    yield from table(_HEADS, rows)
    same = [_name(one["other"]) for one in known.pairs if _is_same(one, section)]
    if same:
        yield ""
        yield f"The same as `datc`: {', '.join(same)}."


def _is_same(one: Answer, section: str) -> bool:
    return bool(one["section"] == section and one["verdict"] == SAME)


def _rules(one: Answer) -> str:
    if one["section"] == RULEBOOKS:
        return f"{_name(one['one'])}, {_name(one['other'])}"
    return _name(one["other"])


def _name(rules: str) -> str:
    return f"`{rules.rpartition('/')[2]}`"


def _cells(one: Answer, boards: dict[str, int]) -> tuple[str, str]:
    """The fewest units with orders in full, and with other orders."""
    full, other = one[FULL], one[OTHERWISE]
    otherwise = "" if other is None else _linked(str(other["units"]), other, boards)
    if one["verdict"] == NONE:
        otherwise = "none" if are_equal(one["one"], one["other"]) else "not known"
    bound, argued = one["bound"], argued_pair(one["one"], one["other"])
    if full is None:
        if argued == NO_NUMBER:
            return f"none, by {LINK}; {_none(bound)}, proven", otherwise
        return _none(bound), otherwise
    units = full["units"]
    if is_proven(one):
        how = f"by {TRIED}" if one["tried"] else "proven"
        return _linked(f"{units}, {how}", full, boards), otherwise
    if units == argued:
        text = f"{units}, by {LINK}; at least {bound}, proven"
        return _linked(text, full, boards), otherwise
    least = "" if bound is None else f", at least {bound}"
    return _linked(f"at most {units}{least}", full, boards), otherwise


def _none(bound: int | None) -> str:
    """What is proven if no board is known."""
    if bound is None:
        return ""
    return "none" if bound == NEVER else f"none with fewer than {bound}"


def _linked(text: str, board: Example, boards: dict[str, int]) -> str:
    number = boards[key_of(board)]
    return f"{text}: [board {number}](#board-{number})"


def _paradoxes(known: Record) -> Iterator[str]:
    rows = []
    for one in known.kinds:
        board = one["example"]
        bound = one["bound"]
        if board is None:
            rows.append((one["kind"], f"none with fewer than {bound}", ""))
            continue
        units = board["units"]
        said = f"{units}, proven" if units == bound else f"at most {units}, at least {bound}"
        if bound < units == argued_cycle(one["kind"]):
            said = f"{units}, by {LINK}; at least {bound}, proven"
        rows.append((one["kind"], said, "; ".join(_orders(board))))
    yield from table(("cycle", "fewest units", "orders"), rows)


def _algorithms(known: Record) -> Iterator[str]:
    rows = []
    for one in known.algorithms:
        board = one["example"]
        agree = f"{one['agree']:,} of {one['compared']:,}"
        shown = ("", "")
        if board is not None:
            found = _apart(one["other"], board["differs"])
            shown = (f"{board['units']}: {found}", "; ".join(_orders(board)))
        rows.append((f"`{one['one']}`, `{one['other']}`", agree, *shown))
    yield from table(("judges", "agree on phases", "fewest units known", "orders"), rows)


def _apart(other: str, found: Sequence[dict[str, Any]]) -> str:
    """The decisions in which the second judge differs from the first, in words."""
    if any(differs["part"] == "answer" for differs in found):
        return "the algorithm has no answer"
    texts = []
    for differs in found:
        mine, theirs = (_fate(differs["part"], value) for value in differs["values"])
        texts.append(f"{differs['about']} {mine}, but {theirs} under `{other}`")
    return "; ".join(texts)


def _fate(part: str, value: str) -> str:
    """The fate of a unit in words, from one part of a judge's decision."""
    if part == "moves":
        return f"goes to {value}" if value else "stays"
    return "is dislodged" if value else "is not dislodged"


def _orders(board: Example) -> Iterator[str]:
    for power, given in board["orders"].items():
        yield f"{titled(power)}: {', '.join(map(str, given))}"


def _boards(known: Record, boards: dict[str, int]) -> Iterator[str]:
    uses: dict[str, list[tuple[Answer, Example]]] = {key: [] for key in boards}
    for one in known.pairs:
        for place in PLACES:
            if one[place]:
                uses[key_of(one[place])].append((one, one[place]))
    for key, number in boards.items():
        yield from _board(number, uses[key])


def _source(name: str) -> str:
    """The source of a board as a sentence; empty for boards of a search or a trial."""
    if name in (SEARCH, TRIAL):
        return ""
    if name == BY_HAND:
        return " Written by hand."
    page, _, section = name.partition(", ")
    return f" From [{page}](../{page}#{section})." if section else f" From {name}."


def _board(number: int, uses: Sequence[tuple[Answer, Example]]) -> Iterator[str]:
    """A board with its results under all rules about which the table asks."""
    board = uses[0][1]
    source = _source(board["source"])
    yield f"### Board {number}"
    yield ""
    yield f"{counted(board['units'], 'unit')}, {board['position']['phase']}.{source}"
    yield ""
    yield "```text"
    yield from sheet(board)
    yield "```"
    yield ""
    found = ((", ".join(map(_name, names)), text) for names, text in rows(uses))
    yield from table(("under", "the board after it"), list(found))
    yield ""
