"""What counts as the result of a phase, and where two results differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dipsat.errors import (
    DipsatError,
    EndlessRuleError,
    ImpossibleBoardError,
    NumberRangeError,
    UnresolvedError,
    WorkLimitError,
)
from dipsat.game.position import Position
from dipsat.proof.comparison import Key, OrderResult, keyed_orders
from dipsat.proof.movement import MovementOutcome
from dipsat.proof.outcome import OrderOutcome, Outcome


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a phase: for each order its verdict and the fate of its unit, and what comes
    next, with the winner. How an order was read, and why it fails, does not count, nor whether an
    order that is not carried out is illegal or invalid."""

    orders: Mapping[Key, tuple[str, str]]
    next: tuple[object, ...]

    @staticmethod
    def of(outcome: Outcome) -> Result:
        """The result in an outcome."""
        orders = {key: words_of(order) for key, order in keyed_orders(outcome.orders)}
        after = outcome.next
        following = after.phase, after.units, after.dislodged, after.centers, outcome.winner
        return Result(orders, following)

    def orders_changed(self, other: Result) -> int:
        """How many orders have another verdict, or a unit with another fate."""
        mine, theirs = self.orders, other.orders
        return sum(mine.get(key) != theirs.get(key) for key in {**mine, **theirs})


def words_of(order: OrderOutcome | OrderResult) -> tuple[str, str]:
    """What counts of the result of an order: its verdict, and the fate of its unit. The unit of an
    illegal order stands as that of an invalid one does, so both count as invalid."""
    return "invalid" if order.verdict == "illegal" else order.verdict, order.fate


def cycle_rules(outcome: Outcome) -> tuple[str, ...]:
    """The rules for decision cycles that were applied, in alphabetical order."""
    if not isinstance(outcome, MovementOutcome):
        return ()
    applied = (record.applied for record in outcome.solution.records)
    return tuple(sorted({rule for one in applied if one is not None for rule in one.rules}))


def reason_of(error: DipsatError) -> str:
    """Why a phase cannot be judged, in the same words for all phases that lack the same."""
    found = (words for kind, words in _REASONS.items() if isinstance(error, kind))
    return next(found, str(error))


_REASONS = {
    EndlessRuleError: "a rule for decision cycles settles too little",
    NumberRangeError: "numbers grow without bounds",
    UnresolvedError: "no rule settles a decision cycle",
    ImpossibleBoardError: "two units would stand in one province",
    WorkLimitError: "it would take too many steps",
}
"""Errors that speak of single orders -> what they have in common; kinds before what they are
kinds of."""


def next_apart(one: Position, other: Position) -> tuple[dict[str, Any], dict[str, Any]]:
    """What only one of two next positions has, as parts of `Position.to_dict`: the phase, and by
    power the units, the retreats of dislodged units, and the centres."""
    mine, theirs = _parts(one), _parts(other)
    found: tuple[dict[str, Any], dict[str, Any]] = {}, {}
    for key, own in mine.items():
        if own != theirs[key]:
            found[0][key], found[1][key] = _only(own, theirs[key]), _only(theirs[key], own)
    return found


def _parts(position: Position) -> dict[str, Any]:
    stated = position.to_dict()
    return {key: stated[key] for key in ("phase", "units", "retreats", "centers")}


def _only(own: Any, other: Any) -> Any:
    """What of the values of each power is not among its other values."""
    if isinstance(own, str):
        return own
    found = {power: _apart(own[power], other.get(power, type(own[power])())) for power in own}
    return {power: values for power, values in found.items() if values}


def _apart(own: Any, other: Any) -> Any:
    if isinstance(own, dict):  # unit -> its retreats
        return {unit: places for unit, places in own.items() if other.get(unit) != places}
    return [value for value in own if value not in other]
