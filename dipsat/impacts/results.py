"""What counts as the result of a phase, and where two results differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dipsat.proof.comparison import Key, keyed_orders
from dipsat.proof.movement import MovementOutcome
from dipsat.proof.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a phase: for each order its verdict and the fate of its unit, and what comes
    next, with the winner. How an order was read, and why it fails, does not count."""

    orders: Mapping[Key, tuple[str, str]]
    next: tuple[object, ...]

    @staticmethod
    def of(outcome: Outcome) -> Result:
        """The result in an outcome."""
        orders = {key: (order.verdict, order.fate) for key, order in keyed_orders(outcome.orders)}
        after = outcome.next
        following = after.phase, after.units, after.dislodged, after.centers, outcome.winner
        return Result(orders, following)

    def orders_changed(self, other: Result) -> int:
        """How many orders have another verdict, or a unit with another fate."""
        mine, theirs = self.orders, other.orders
        return sum(mine.get(key) != theirs.get(key) for key in {**mine, **theirs})


def cycle_rules(outcome: Outcome) -> tuple[str, ...]:
    """The rules for decision cycles that were applied, in alphabetical order."""
    if not isinstance(outcome, MovementOutcome):
        return ()
    applied = (record.applied for record in outcome.solution.records)
    return tuple(sorted({rule for one in applied if one is not None for rule in one.rules}))
