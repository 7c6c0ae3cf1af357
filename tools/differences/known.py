"""The smallest boards known where no search is possible: from DATC cases and random boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from dipsat import studies
from dipsat.board import Map
from dipsat.errors import DipsatError
from dipsat.formats import Case
from dipsat.game import PhaseKind, Position, PowerOrders
from dipsat.orders import write_order
from dipsat.outcomes import MovementOutcome, adjudicate
from dipsat.rules import load_profile
from dipsat.searches.paradox_goal import cycles_in
from dipsat.studies import Sheet
from dipsat.studies.datc_runs import load_cases
from dipsat.studies.sheet import movement_order, sheet_of, shrunk
from tools.differences.boards import Example, Judged, is_in_full, judged
from tools.differences.shrink import smallest
from tools.differences.written import written

_SHRUNK = 5
"""How many of the cases that differ are made smaller: those with the fewest units."""
_BOARDS, _SEED = 400, 0


def known(one: str, other: str, *, is_random: bool) -> list[Example]:
    """Boards with few units on which two profiles differ: the known ones, made smaller. If none has
    orders in full and `is_random` is set, random boards are tried too."""
    differing = sorted(_differing(one, other), key=lambda found: found[1].units)
    full = [found for found in differing if is_in_full(found[1].example(""))]
    others = [found for found in differing if found not in full]
    chosen = [*full[:_SHRUNK], *others[:_SHRUNK]]
    made = [(name, smallest(found, one, other)) for name, found in chosen]
    boards = [written_short(found, one, other).example(name) for name, found in made]
    if is_random and not any(map(is_in_full, boards)):
        boards += _at_random(one, other)
    return boards


def written_short(found: Judged, one: str, other: str) -> Judged:
    """The same board with orders in short notation, unless that changes the difference."""
    orders = short_orders(found.position.map, found.orders)
    try:
        tried = judged(found.position, orders, one, other)
    except DipsatError:
        return found
    before, after = found.example(""), tried.example("")
    return tried if before["boards"] == after["boards"] else found


def short_orders(board: Map, orders: Mapping[str, PowerOrders]) -> dict[str, Any]:
    """Orders in short notation, as far as they can be read."""
    return {
        power: [_short(board, text) for text in given] if isinstance(given, list | tuple) else given
        for power, given in orders.items()
    }


def _short(board: Map, text: Any) -> Any:
    order = movement_order(board, text)
    return text if order is None else write_order(order, board)


def _differing(one: str, other: str) -> Iterator[tuple[str, Judged]]:
    for name, position, orders in _phases():
        try:
            found = judged(position, orders, one, other)
        except DipsatError:
            continue
        if found.differs:
            yield name, found


@cache
def _phases() -> tuple[tuple[str, Position, dict[str, Any]], ...]:
    """All phases of the DATC cases on the standard map and of boards that people have written, with
    their orders."""
    cases = (phase for case in load_cases(older=True) for phase in _phases_of(case))
    return (*written(), *cases)


def _phases_of(case: Case) -> Iterator[tuple[str, Position, dict[str, Any]]]:
    if case.rules or case.position.map.name != "standard":
        return
    yield f"DATC {case.name}", case.position, dict(case.orders)
    if case.retreat_orders is not None:
        try:
            after = adjudicate(case.position, case.orders).next
        except DipsatError:
            return
        yield f"DATC {case.name} (retreats)", after, dict(case.retreat_orders)


def _at_random(one: str, other: str) -> list[Example]:
    boards = studies.RandomBoards(_BOARDS, _SEED, 27)
    report = studies.impact(other, boards=boards, against=one, examples=_SHRUNK)
    found = []
    for example in report.rules[0].smallest:
        if example.board_differs:
            position = Position.from_dict(example.position, "standard", load_profile(one))
            least = smallest(judged(position, example.orders, one, other), one, other)
            found.append(least.example(example.source))
    return found


def known_cycle(rules: Path, kind: str) -> Example | None:
    """The DATC case that has a decision cycle of a kind with the fewest units, made smaller."""
    profile = load_profile(rules)

    def has_kind(sheet: Sheet) -> bool:
        outcome = adjudicate(sheet.position(), sheet.orders, profile)
        assert isinstance(outcome, MovementOutcome)
        return kind in cycles_in(outcome)

    found = []
    for name, position, orders in _phases():
        if position.phase.kind is PhaseKind.MOVEMENT:
            least = shrunk(sheet_of(position, orders), has_kind)
            if least is not None:
                found.append((name, least))
    if not found:
        return None
    name, sheet = min(found, key=lambda one: len(one[1].rows))
    given = short_orders(sheet.board, sheet.orders)
    units = {"units": sheet.units}
    return {"units": len(sheet.rows), "source": name, "position": units, "orders": given}
