"""Boards on which two rule profiles differ, made smaller one unit, order or centre at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dipsat.errors import DipsatError
from dipsat.game import PhaseKind, Position
from dipsat.rules import load_profile
from dipsat.studies import Sheet
from dipsat.studies.sheet import sheet_of, shrunk
from tools.differences.boards import Judged, judged

_Board = tuple[Mapping[str, Any], Mapping[str, Any]]


def smallest(found: Judged, one: str, other: str) -> Judged:
    """A board that still differs, but from which nothing more can be removed."""
    if found.position.phase.kind is PhaseKind.MOVEMENT:
        return _smallest_sheet(found, one, other)
    board: _Board = (found.position.to_dict(), dict(found.orders))
    while (less := _less(board, one, other)) is not None:
        found = less
        board = (found.position.to_dict(), dict(found.orders))
    return found


def _smallest_sheet(found: Judged, one: str, other: str) -> Judged:
    def differs(sheet: Sheet) -> bool:
        return judged(sheet.position(), sheet.orders, one, other).differs

    least = shrunk(sheet_of(found.position, found.orders), differs)
    if least is None:
        return found  # the difference depends on more than units and orders
    return judged(least.position(), least.orders, one, other)


def _less(board: _Board, one: str, other: str) -> Judged | None:
    """The first board with one thing less that still differs."""
    for stated, orders in _lesser(*board):
        try:
            position = Position.from_dict(stated, "standard", load_profile(one))
            tried = judged(position, orders, one, other)
        except DipsatError:
            continue
        if tried.differs:
            return tried
    return None


def _lesser(stated: Mapping[str, Any], orders: Mapping[str, Any]) -> Iterator[_Board]:
    for key in ("units", "dislodged", "centers"):
        for less in _without_one(stated[key]):
            yield {**stated, key: less}, orders
    for less in _without_one(orders):
        yield stated, less


def _without_one(given: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The things of the powers, with one left out."""
    for power, things in given.items():
        if not isinstance(things, list | tuple):
            continue
        for at in range(len(things)):
            rest = [*things[:at], *things[at + 1 :]]
            kept = {**given, power: rest}
            yield kept if rest else {name: own for name, own in kept.items() if name != power}
