"""A board with orders, judged under two rule profiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dipsat.base import plain
from dipsat.board import Map
from dipsat.game import OWNERS, Owners, PhaseKind, Position, PowerOrders, are_assumed, legal_orders
from dipsat.orders import SupportMove, write_order
from dipsat.outcomes import MovementOutcome, Outcome, decided
from dipsat.rules import DEFAULT_RULES, load_profile
from dipsat.studies.judgements import Result, next_apart
from dipsat.studies.sheet import movement_order

SEARCH = "search"
"""The source of a board that `dipsat.searches.search_smallest` has found."""
TRIAL = "trial"
"""The source of a board found by judging every board with a number of units."""

Example = dict[str, Any]
"""A board as in docs/atlas/differences.json."""


@dataclass(frozen=True)
class Judged:
    """The outcomes of the same orders under two profiles."""

    position: Position
    orders: Mapping[str, PowerOrders]
    outcomes: tuple[Outcome, Outcome]

    @property
    def differs(self) -> bool:
        """Whether the board differs: the next position with its retreats and centres."""
        one, other = map(after, self.outcomes)
        return one != other

    @property
    def units(self) -> int:
        """The number of units on the board, including dislodged ones."""
        return len(self.position.units) + len(self.position.dislodged)

    def example(self, source: str) -> Example:
        """The board with its orders, and the differences between the next positions."""
        one, other = self.outcomes
        position = self.position
        kept = {key: value for key, value in position.to_dict().items() if value or key == "units"}
        owners = Owners(position.centers, position.unknown_centers)
        if are_assumed(owners, position.map, position.phase):
            kept = {key: value for key, value in kept.items() if key not in OWNERS}
        apart = next_apart(one.next, other.next)
        return {
            "units": self.units,
            "source": source,
            "position": kept,
            "orders": plain(self.orders),
            "boards": plain(apart),
        }


def judged(position: Position, orders: Mapping[str, PowerOrders], one: str, other: str) -> Judged:
    """Judge the orders under both profiles."""
    first, second = (decided(position, orders, rules, lenient=True) for rules in (one, other))
    return Judged(position, orders, (first, second))


def after(outcome: Outcome) -> object:
    """The parts of the next position that count: two that are equal here do not differ."""
    causes: tuple[object, ...] = ()
    if isinstance(outcome, MovementOutcome):
        causes = tuple((str(one.unit), tuple(one.retreats)) for one in outcome.dislodged)
    return Result.of(outcome).next, causes


def example_of(found: Example, one: str, other: str) -> Judged:
    """A board of the table, judged again."""
    position = Position.from_dict(found["position"], "standard", load_profile(one))
    return judged(position, found["orders"], one, other)


def is_in_full(found: Example) -> bool:
    """Whether a search for the smallest board considers a board: it is a movement phase, and each
    unit has one order that is written in full, is legal under the default rules, and, if it is a
    support or a convoy, matches a given order."""
    if found["source"] in (SEARCH, TRIAL):
        return True
    position = Position.from_dict(found["position"], "standard")
    orders = found["orders"]
    if position.phase.kind is not PhaseKind.MOVEMENT or not all(
        isinstance(texts, list) and all(isinstance(text, str) for text in texts)
        for texts in orders.values()
    ):
        return False
    legal = legal_orders(position, load_profile(DEFAULT_RULES).settings)
    written = {unit: {write_order(o, position.map) for o in own} for unit, own in legal.items()}
    texts = sorted(text for given in orders.values() for text in given)
    if len(texts) != len(written) or any(
        sum(text in own or f"{text} VIA" in own for text in texts) != 1 for own in written.values()
    ):
        return False
    judge = decided(position, orders, DEFAULT_RULES, lenient=True)
    return all(order.reason.code != "unmatched" for order in judge.orders) and all(
        _has_coast(position.map, text) for text in texts
    )


def _has_coast(board: Map, text: str) -> bool:
    """Whether an order names a coast if it supports a fleet's move to a province with coasts."""
    order = movement_order(board, text)
    if not isinstance(order, SupportMove) or order.supported.kind == "army":
        return True
    return order.target not in board.provinces or not board.provinces[order.target].coasts
