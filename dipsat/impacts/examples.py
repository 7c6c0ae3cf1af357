"""Phases that differ, judged again to be shown, and made smaller where that is cheap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.impacts.findings import ImpactExample
from dipsat.impacts.results import Result, next_apart, words_of
from dipsat.impacts.tally import Found
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import decided
from dipsat.proof.comparison import ComparedOrder, Comparison, OrderResult
from dipsat.scenarios.sheet import Sheet, careful, sheet_of, shrunk

_Change: TypeAlias = tuple[str, tuple[tuple[str, str] | None, ...]]
"""A unit, and what becomes of its order, and of the unit itself, under both rule sets."""


def example_of(found: Found, base: str | Profile, rules: str | Profile) -> ImpactExample:
    """A phase with the orders whose results differ."""
    position = Position.from_dict(found.position, found.map, load_profile(base))
    compared = _compared(position, found.orders, base, rules)
    return ImpactExample(
        found.source, found.phase, found.position, found.orders, found.cause, _changed(compared),
        next_apart(*compared.next), found.board, False, found.map, (base, rules),
    )  # fmt: skip


def smaller(example: ImpactExample) -> ImpactExample:
    """The rest of a movement phase from which nothing can be left out, so that some order still
    differs as it did, and the board if it did; other phases as they are."""
    base, rules = example._rules
    position = Position.from_dict(example.position, example._map, load_profile(base))
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return example
    wanted = _changes(example.changed)

    def differs(sheet: Sheet) -> bool:
        compared = _compared(sheet.position(), sheet.orders, base, rules)
        if wanted and wanted.isdisjoint(_changes(_changed(compared))):
            return False
        one, other = map(Result.of, compared.outcomes)
        return one.next != other.next if example.board_differs else one != other

    sheet = sheet_of(position, example.orders)
    if not careful(differs)(sheet):
        return example  # it depends on more than units and orders
    least = shrunk(sheet, careful(differs))
    after = least.position()
    orders = {power: tuple(texts) for power, texts in least.orders.items()}
    compared = _compared(after, orders, base, rules)
    return replace(
        example,
        position=after.to_dict(),
        orders=orders,
        changed=_changed(compared),
        next=next_apart(*compared.next),
        is_shrunk=True,
    )


def _compared(
    position: Position, orders: Mapping[str, tuple[str, ...]], base: str | Profile,
    rules: str | Profile,
) -> Comparison:  # fmt: skip
    profiles = load_profile(base), load_profile(rules)
    outcomes = tuple(decided(position, orders, one) for one in profiles)
    return Comparison((profiles[0].name, profiles[1].name), outcomes)


def _changed(compared: Comparison) -> tuple[ComparedOrder, ...]:
    """The orders with another result."""
    return tuple(
        row for row in compared.orders
        if len(set(_words(row.results))) > 1
    )  # fmt: skip


def _changes(orders: tuple[ComparedOrder, ...]) -> set[_Change]:
    """What differs: what becomes of units, or where that is the same, all verdicts."""
    found = {(one.unit, _words(one.results)) for one in orders}
    of_units = {change for change in found if _is_of_units(change)}
    return of_units or found


def _words(results: tuple[OrderResult | None, ...]) -> tuple[tuple[str, str] | None, ...]:
    return tuple(None if one is None else words_of(one) for one in results)


def _is_of_units(change: _Change) -> bool:
    """Whether a unit moves, or is dislodged, under only one of both."""
    known = [("", "") if words is None else words for words in change[1]]
    return len({(verdict == "succeeds", fate) for verdict, fate in known}) > 1
