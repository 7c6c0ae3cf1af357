"""The steps of a recursive algorithm: its calls, and the table of its bookkeeping.

Kruijswijk, The Math of Adjudication, explains the guess algorithm by its recursion (resolve,
adjudicate, return) and a table with the state of every order and the dependency list. A trace
records the same; people read it as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from textwrap import wrap
from typing import Any, Literal, TypeAlias

from dipsat.base import Plain, brief, checked, fields_of, plain

Function: TypeAlias = Literal["resolve", "adjudicate"]
Row: TypeAlias = tuple[str, ...]
Note: TypeAlias = tuple[str, ...] | int | bool
"""A list of orders, a number or a truth value."""

SUCCEEDS, FAILS, NOTHING = "SUCCEEDS", "FAILS", "-"
RESOLVED, UNRESOLVED = "RESOLVED", "UNRESOLVED"
"""States of an order; algorithms have others for orders that they are resolving."""

SMALL = 8
"""With up to this many orders, nothing is cut; only repeated calls are folded."""

_INDENT = "   "
_WIDTH = 80
_KEPT = "\N{NO-BREAK SPACE}"


def in_words(value: int | None) -> str:
    """A resolution in the words of the article; a dash for an order without one."""
    return NOTHING if value is None else SUCCEEDS if value else FAILS


@brief()
@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function for an order."""

    function: Function
    """The name of the function."""
    order: str
    """The name of the order."""
    depth: int
    """The number of calls around it, from 0."""
    state: str = ""
    """The state of the order before a call of `resolve`."""
    scenario: str = ""
    """`optimistic` or `pessimistic` if there are two scenarios, else ""."""

    @property
    def is_resolved(self) -> bool:
        """Whether the order has been resolved before."""
        return self.state == RESOLVED

    @property
    def is_open(self) -> bool:
        """Whether the order is already being resolved: the recursion has returned to it."""
        return self.state not in ("", RESOLVED, UNRESOLVED)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        found = {"step": "call", "function": self.function, "order": self.order}
        found |= {"state": self.state} if self.state else {}
        found |= {"scenario": self.scenario} if self.scenario else {}
        return {**found, "depth": self.depth}


@brief()
@dataclass(frozen=True, slots=True)
class Return:
    """The return of a function with the result of an order."""

    function: Function
    """The name of the function."""
    order: str
    """The name of the order."""
    depth: int
    """The number of calls around it, from 0."""
    value: bool
    """Whether the order succeeds."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        found = {"step": "return", "function": self.function, "order": self.order}
        return {**found, "succeeds": self.value, "depth": self.depth}


@brief()
@dataclass(frozen=True, slots=True)
class Table:
    """The bookkeeping of the algorithm at one moment."""

    moment: str
    """The moment, as a sentence."""
    columns: Row
    """The headings of the columns."""
    rows: tuple[Row, ...]
    """A row for each order."""
    notes: Mapping[str, Note]
    """Name -> other information, such as the dependency list."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"step": "table", "moment": self.moment, "rows": rows, **plain(self.notes)}


@brief()
@dataclass(frozen=True, slots=True)
class Rule:
    """An application of a backup rule."""

    name: str
    """The name of the rule."""
    cycle: tuple[str, ...]
    """The orders that the algorithm found on the cycle."""
    sets: Mapping[str, int]
    """Decision -> the value that the rule sets: a strength in units, or a truth value as 0 or 1."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {"step": "rule", **fields_of(self)}


Step: TypeAlias = Call | Return | Table | Rule
"""A step in the trace of an engine."""


@brief()
@dataclass(frozen=True, slots=True)
class Trace(Plain):
    """The steps of an engine (docs/trace.md)."""

    engine: str
    """The engine, with its options."""
    orders: Mapping[str, str]
    """Name of an order in the steps -> its text."""
    steps: tuple[Step, ...]
    """The steps, in order."""

    @checked
    def text(self, whole: bool = False) -> str:
        """Return the trace as text; with `whole`, nothing is cut. Otherwise, equal consecutive
        calls are written only once, with their number. With more than eight orders, each order
        outside all cycles also takes only one line, and tables have only the orders that the
        recursion has reached."""
        lines: Iterable[str]
        if whole:
            lines = (line for step in self.steps for line in _lines(step, None))
        elif len(self.orders) <= SMALL:
            lines = _folded(self.steps)
        else:
            lines = _counted(_short(self))
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        return self.text()


# Text for people, as the article prints recursions and tables.


def _folded(steps: Sequence[Step]) -> Iterator[str]:
    """The lines of the steps; equal consecutive calls that return at once are written only once."""
    at = 0
    while at < len(steps):
        pair, end = steps[at : at + 2], at + 2
        # A return right after a call belongs to that call.
        is_call = isinstance(pair[0], Call) and isinstance(pair[-1], Return)
        while is_call and steps[end : end + 2] == pair:
            end += 2
        count = (end - at) // 2
        for line in _lines(steps[at], None):
            yield f"{line} ({count} times)" if count > 1 else line
        if count > 1:
            yield from _lines(steps[at + 1], None)
        at = end if count > 1 else at + 1


def _short(trace: Trace) -> Iterator[str]:
    """The lines without the steps of calls that meet no cycle; tables have the orders reached."""
    steps, ends = trace.steps, _ends(trace.steps)
    seen = set[str]()
    at = cut = 0
    while at < len(steps):
        step = steps[at]
        if isinstance(step, Call):
            seen = {trace.orders[step.order]} | (seen if step.depth else set())
        inside = steps[at : ends.get(at, at) + 1]
        line = _in_one_line(inside)
        if line:
            yield line
            seen |= {trace.orders[one.order] for one in inside if isinstance(one, Call)}
            cut += len(inside) > len((Call, Return))
        else:
            yield from _lines(step, seen)
        at += len(inside) if line else 1
    yield f"Cut: the steps of {cut} calls of resolve that met no cycle."


def _ends(steps: Sequence[Step]) -> dict[int, int]:
    """The index of each call of resolve that returned -> the index of its return."""
    found, calls = dict[int, int](), list[int]()
    for at, step in enumerate(steps):
        if isinstance(step, Call) and step.function == "resolve":
            calls.append(at)
        elif isinstance(step, Return) and step.function == "resolve":
            found[calls.pop()] = at
    return found


def _in_one_line(steps: Sequence[Step]) -> str:
    """A call and all its steps in one line, "" if they need more."""
    call, inside, end = steps[0], steps[1:-1], steps[-1]
    if not isinstance(call, Call) or not isinstance(end, Return):
        return ""
    calls = [step for step in inside if isinstance(step, Call | Return)]
    if len(calls) < len(inside) or any(isinstance(step, Call) and step.is_open for step in calls):
        return ""
    why = "resolved before" if call.is_resolved else "no cycle"
    why = call.state.lower() if call.is_open else why
    return f"{_indent(call)}{_named(call)}: {in_words(end.value)}, {why}"


def _counted(lines: Iterable[str]) -> Iterator[str]:
    """The lines; equal consecutive ones are written once, with their number."""
    for line, same in groupby(lines):
        count = len(list(same))
        yield f"{line} ({count} times)" if line and count > 1 else line


def _lines(step: Step, seen: set[str] | None) -> Iterator[str]:
    match step:
        case Call():
            yield f"{_indent(step)}{_named(step)}"
        case Return():
            value = in_words(step.value)
            yield f"{_indent(step)}return {value} (for {step.function}({step.order}))"
        case Table():
            yield from ("", step.moment, "", *_table(step, seen), "")
        case Rule():
            sets = [
                f"{name} {in_words(value) if isinstance(value, bool) else value}"
                for name, value in step.sets.items()
            ]
            about = f"The rule '{step.name}' settles the cycle {', '.join(step.cycle)}:"
            yield from _wrapped(about, sets)


def _wrapped(about: str, listed: Iterable[str]) -> Iterator[str]:
    """A sentence with a list, in lines that never break inside an item."""
    items = ", ".join(item.replace(" ", _KEPT) for item in listed)
    lines = wrap(
        f"{about} {items}", _WIDTH,
        subsequent_indent=_INDENT, break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    for line in lines:
        yield line.replace(_KEPT, " ")


def _indent(step: Call | Return) -> str:
    return _INDENT * step.depth


def _named(call: Call) -> str:
    scenario = f", {call.scenario}" if call.scenario else ""
    return f"{call.function}({call.order}{scenario})"


def _table(table: Table, seen: set[str] | None) -> Iterator[str]:
    """The table as lines, in columns that are as wide as needed."""
    rows = [row for row in table.rows if seen is None or row[0] in seen]
    heads = tuple(head.capitalize() for head in table.columns)
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        yield "  ".join(map(str.ljust, row, widths)).rstrip()
    if len(rows) < len(table.rows):
        yield f"... and {len(table.rows) - len(rows)} more that the recursion has not reached"
    for name, note in table.notes.items():
        yield f"{name.capitalize().replace('_', ' ')}: {_noted(note)}"


def _noted(note: Note) -> str:
    match note:
        case bool():
            return "yes" if note else "no"
        case int():
            return str(note)
        case _:
            return ", ".join(note) or "empty"
