"""docs/atlas/differences.md, made from docs/atlas/differences.json."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bench.atlas.pages import filled
from bench.datc_table import table
from bench.differences.answers import FULL, NONE, OTHERWISE, PLACES, SAME, Answer, is_proven
from bench.differences.argued import LINK, NO_NUMBER, argued_cycle, argued_pair
from bench.differences.asking import NEVER
from bench.differences.boards import SEARCH, Example, example_of
from bench.differences.questions import CHOICES, JUDGES, RULEBOOKS
from bench.differences.record import FILE, Record, read
from bench.differences.share import key_of
from dipsat.tables import counted
from dipsat.titles import titled

PAGE = FILE.with_suffix(".md")
_HEADS = ("rules", "written in full", "otherwise")


def write() -> None:
    """Write the parts of the page that are made from the data."""
    PAGE.write_text(made(read()), encoding="utf-8")


def made(known: Record) -> str:
    """The page, with its parts made anew."""
    boards = numbered(known)
    text = PAGE.read_text(encoding="utf-8")
    for section in (RULEBOOKS, CHOICES, JUDGES):
        text = filled(text, section, _table(known, section, boards))
    text = filled(text, "paradoxes", _paradoxes(known))
    text = filled(text, "algorithms", _algorithms(known))
    return filled(text, "boards", _boards(known, boards))


def numbered(known: Record) -> dict[str, int]:
    """The boards of the page, each with its number, in the order of the table."""
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
    """The fewest units with orders in full, and with others."""
    full, other = one[FULL], one[OTHERWISE]
    otherwise = "" if other is None else _linked(str(other["units"]), other, boards)
    if one["verdict"] == NONE:
        otherwise = "not known"
    bound, argued = one["bound"], argued_pair(one["one"], one["other"])
    if full is None:
        if argued == NO_NUMBER:
            return f"none, by {LINK}; {_none(bound)}, proven", otherwise
        return _none(bound), otherwise
    units = full["units"]
    if is_proven(one):
        return _linked(f"{units}, proven", full, boards), otherwise
    if units == argued:
        text = f"{units}, by {LINK}; at least {bound}, proven"
        return _linked(text, full, boards), otherwise
    least = "" if bound is None else f", at least {bound}"
    return _linked(f"at most {units}{least}", full, boards), otherwise


def _none(bound: int | None) -> str:
    """What is proven where no board is known."""
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
            found = "; ".join(map(_apart, board["differs"]))
            shown = (f"{board['units']}: {found}", "; ".join(_orders(board)))
        rows.append((f"`{one['one']}`, `{one['other']}`", agree, *shown))
    yield from table(("judges", "agree on phases", "fewest units known", "orders"), rows)


def _apart(differs: dict[str, Any]) -> str:
    """A part of a decision, with what each judge says."""
    one, other = (value or "nothing" for value in differs["values"])
    if differs["part"] == "answer":
        return "the algorithm has no answer"
    return f"{differs['about']}, {differs['part']}: {one} or {other}"


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


def _board(number: int, uses: Sequence[tuple[Answer, Example]]) -> Iterator[str]:
    """A board, with what comes of it under all rules that the table asks about it."""
    board = uses[0][1]
    source = "" if board["source"] == SEARCH else f" From {board['source']}."
    yield f"### Board {number}"
    yield ""
    yield f"{counted(board['units'], 'unit')}, {board['position']['phase']}.{source}"
    yield ""
    yield "```text"
    yield from _sheet(board)
    yield "```"
    yield ""
    yield from table(("under", "the board after it"), _results(uses))
    yield ""


def _sheet(board: Example) -> Iterator[str]:
    """The units that have no order, and the orders, by power."""
    stated, orders = board["position"], board["orders"]
    for power in sorted({*stated["units"], *stated.get("dislodged", {}), *orders}):
        own = [*stated["units"].get(power, ()), *_dislodged(stated, power)]
        texts = orders.get(power, [])
        lines = [str(text) for text in texts] if isinstance(texts, list) else [str(texts)]
        idle = [unit for unit in own if not any(line.startswith(unit) for line in lines)]
        centres = stated.get("centers", {}).get(power, ())
        yield f"{titled(power)}:"
        if centres:
            yield f"  centres: {' '.join(centres)}"
        if idle:
            yield f"  units: {', '.join(idle)}"
        yield from (f"  {line}" for line in lines)


def _dislodged(stated: dict[str, Any], power: str) -> Iterator[str]:
    yield from (f"{unit} (dislodged)" for unit in stated.get("dislodged", {}).get(power, ()))


def _results(uses: Sequence[tuple[Answer, Example]]) -> Iterator[tuple[str, str]]:
    """The rules with the same result, and the result."""
    found: dict[str, list[str]] = {}
    for one, board in uses:
        judged = example_of(board, one["one"], one["other"])
        for rules, outcome in zip((one["one"], one["other"]), judged.outcomes, strict=True):
            names = found.setdefault(_after(outcome.next.to_dict()), [])
            if _name(rules) not in names:
                names.append(_name(rules))
    for text, names in found.items():
        yield ", ".join(names), text


def _after(stated: dict[str, Any]) -> str:
    """A next position in words."""
    parts = [f"{titled(power)} {', '.join(own)}" for power, own in stated["units"].items() if own]
    for units in stated["retreats"].values():
        for unit, places in units.items():
            parts.append(f"{unit} is dislodged, may retreat to {', '.join(places) or 'nowhere'}")
    return "; ".join(parts) or "no unit"
