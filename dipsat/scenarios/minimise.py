"""A smallest part of a phase on which two judges still differ: delta debugging.

Zeller and Hildebrandt's ddmin ("Simplifying and Isolating Failure-Inducing Input", 2002) over the
units with their orders; then single units, orders and pairs of units, until nothing more can go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import TypeAlias, TypeVar

from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.orders.order import Hold
from dipsat.scenarios.sheet import Sheet, SheetRow, movement_order, without

Differs: TypeAlias = Callable[[Sheet], bool]
_Found = TypeVar("_Found")

_PAIRS_UP_TO = 14  # rows; with more, no pairs are taken away


def shrunk(sheet: Sheet, differs: Differs) -> Sheet:
    """Return a smallest part of a sheet for which `differs` still holds.

    No unit and (where few are left) no two units can be removed from it, no order can be left out,
    and none can be replaced by HOLD.
    """
    sheet = replace(sheet, rows=_fewest(sheet, differs))
    smaller: Sheet | None = sheet
    while smaller is not None:
        sheet = smaller
        smaller = next((simpler for simpler in _simpler(sheet) if differs(simpler)), None)
    return sheet


def _fewest(sheet: Sheet, differs: Differs) -> tuple[SheetRow, ...]:
    """ddmin: rows without a removable part of the size last tried."""
    rows, parts = sheet.rows, 2
    while len(rows) > 1:
        found = _part(sheet, rows, min(parts, len(rows)), differs)
        if found is not None:
            rows, parts = found, max(2, parts - 1 if len(found) * 2 > len(rows) else 2)
        elif parts >= len(rows):
            break
        else:
            parts *= 2
    return rows


def _part(
    sheet: Sheet, rows: tuple[SheetRow, ...], parts: int, differs: Differs
) -> tuple[SheetRow, ...] | None:
    """One of `parts` parts of the rows, or all but one of them, that still differs."""
    cuts = [len(rows) * at // parts for at in range(parts + 1)]
    slices = [(cuts[at], cuts[at + 1]) for at in range(parts)]
    tried = [rows[start:end] for start, end in slices]
    if parts > 2:
        tried += [rows[:start] + rows[end:] for start, end in slices]
    return next((part for part in tried if differs(replace(sheet, rows=part))), None)


def _simpler(sheet: Sheet) -> Iterator[Sheet]:
    """The sheets that are one step simpler."""
    for row in sheet.rows:
        yield without(sheet, [row])
    for at, row in enumerate(sheet.rows):
        for other in _simpler_rows(sheet.board, row):
            yield replace(sheet, rows=(*sheet.rows[:at], other, *sheet.rows[at + 1 :]))
    if len(sheet.rows) <= _PAIRS_UP_TO:
        for pair in combinations(sheet.rows, 2):
            yield without(sheet, pair)


def _simpler_rows(board: Map, row: SheetRow) -> Iterator[SheetRow]:
    """A row with fewer orders, or with a HOLD."""
    if len(row.orders) > 1:
        for at in range(len(row.orders)):
            yield replace(row, orders=row.orders[:at] + row.orders[at + 1 :])
    elif row.orders and row.unit and not isinstance(movement_order(board, row.orders[0]), Hold):
        yield replace(row, orders=(f"{row.unit} H",))


def careful(differs: Differs) -> Differs:
    """`differs`, but false for a sheet that cannot be judged."""

    def judged(sheet: Sheet) -> bool:
        try:
            return differs(sheet)
        except DipsatError:
            return False

    return judged


def remembered(judge: Callable[[Sheet], _Found]) -> Callable[[Sheet], _Found]:
    """`judge`, which is asked only once about each of the sheets of a phase: of those that are
    tried in search of a smallest one, two in five have been tried before."""
    known: dict[tuple[SheetRow, ...], _Found] = {}

    def judged(sheet: Sheet) -> _Found:
        if any(row.sets is not None for row in sheet.rows):
            return judge(sheet)  # such rows may have no hash
        if sheet.rows not in known:
            known[sheet.rows] = judge(sheet)
        return known[sheet.rows]

    return judged
