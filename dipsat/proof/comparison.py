"""The same orders under several rule profiles: the result of each, and whether it differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from dipsat.errors import CompositionError
from dipsat.game.order_sets import PowerOrders
from dipsat.game.position import Position
from dipsat.plain import Plain, fields_of, plain
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.outcome import Dislodgement, OrderOutcome, Outcome

_Key: TypeAlias = tuple[str, str, str, int]


@dataclass(frozen=True, slots=True)
class OrderResult(Plain):
    """What becomes of an order under one profile, in the words of `OrderOutcome`."""

    rules: str
    """The name of the profile."""
    order: str
    """The order as that profile reads it."""
    verdict: str
    """Its verdict."""
    fate: str
    """The fate of its unit."""
    reason: str
    """Why, in a sentence."""


@dataclass(frozen=True, slots=True)
class ComparedOrder:
    """One order under every profile."""

    power: str
    """The power that gave it."""
    unit: str
    """The ordered unit."""
    order: str
    """The order as the first profile reads it."""
    results: tuple[OrderResult | None, ...]
    """What becomes of it under each profile, in their order; None where a profile has no such order
    (a unit without one need not have a result)."""

    @property
    def differs(self) -> bool:
        """Whether its verdict, its unit's fate or the way it is read differs."""
        found = {one and (one.order, one.verdict, one.fate) for one in self.results}
        return len(found) > 1

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        found = [one for one in self.results if one is not None]
        return {**fields_of(self), "results": plain(found), "differs": self.differs}


@dataclass(frozen=True, slots=True)
class ComparedRetreats:
    """One unit that some profile dislodges."""

    power: str
    """The power that it belongs to."""
    unit: str
    """The unit."""
    results: tuple[Dislodgement | None, ...]
    """Its dislodgement under each profile, in their order; None where it stays."""

    @property
    def differs(self) -> bool:
        """Whether profiles differ on its being dislodged, on its attacker or on its retreats."""
        return len({one and (one.by, one.retreats) for one in self.results}) > 1


@dataclass(frozen=True)
class Comparison:
    """The outcomes of one phase under several profiles. Made by `dipsat.compare`."""

    rules: tuple[str, ...]
    """The names of the profiles, as they were given."""
    outcomes: tuple[Outcome, ...]
    """The outcome under each, in their order."""

    @cached_property
    def orders(self) -> tuple[ComparedOrder, ...]:
        """Every order, in the sequence of the first outcome that has it."""
        rows: dict[_Key, list[OrderResult | None]] = {}
        first: dict[_Key, OrderOutcome] = {}
        for at, outcome in enumerate(self.outcomes):
            for key, order in _keyed(outcome.orders):
                first.setdefault(key, order)
                row = rows.setdefault(key, [None] * len(self.outcomes))
                row[at] = OrderResult(
                    self.rules[at], order.order, order.verdict, order.fate, order.reason.text
                )
        found = (
            ComparedOrder(first[key].power, first[key].unit, first[key].order, tuple(row))
            for key, row in rows.items()
        )
        return tuple(sorted(found, key=lambda row: row.power))

    @cached_property
    def dislodged(self) -> tuple[ComparedRetreats, ...]:
        """Every unit that is dislodged under some profile."""
        rows: dict[tuple[str, str], list[Dislodgement | None]] = {}
        for at, outcome in enumerate(self.outcomes):
            for one in outcome.dislodged:
                rows.setdefault((one.power, one.unit), [None] * len(self.outcomes))[at] = one
        return tuple(ComparedRetreats(*key, tuple(row)) for key, row in sorted(rows.items()))

    @cached_property
    def next(self) -> tuple[Position, ...]:
        """The next position, by profile."""
        return tuple(outcome.next for outcome in self.outcomes)

    @cached_property
    def next_differs(self) -> bool:
        """Whether the next positions differ, including possible retreats."""
        shown = [position.to_dict() for position in self.next]
        return any(other != shown[0] for other in shown[1:])

    @property
    def differs(self) -> bool:
        """Whether anything differs: an order, a dislodgement, a standoff or the next position."""
        return (
            any(row.differs for row in self.orders)
            or any(row.differs for row in self.dislodged)
            or len({outcome.contested for outcome in self.outcomes}) > 1
            or self.next_differs
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain values; what `dipsat compare --json` prints."""
        return {
            "profiles": list(self.rules),
            "orders": [row.to_dict() for row in self.orders],
            "dislodged": [
                {
                    "power": row.power,
                    "unit": row.unit,
                    "results": [
                        {"rules": name, "by": one.by, "retreats": list(one.retreats)}
                        for name, one in zip(self.rules, row.results, strict=True)
                        if one is not None
                    ],
                    "differs": row.differs,
                }
                for row in self.dislodged
            ],
            "next": [
                {"rules": name, "contested": list(outcome.contested), **outcome.next.to_dict()}
                for name, outcome in zip(self.rules, self.outcomes, strict=True)
            ],
            "differs": self.differs,
        }


def compare(
    position: Position,
    orders: Mapping[str, PowerOrders],
    rules: Sequence[str | Path | Profile],
) -> Comparison:
    """What becomes of the same orders under each of several profiles.

    `position`, `orders` and each of `rules` are as `dipsat.adjudicate` takes them. Raises
    `CompositionError` for fewer than two profiles, and what `adjudicate` raises.
    """
    if isinstance(rules, str) or len(rules) < 2:
        raise CompositionError(str(rules), "a comparison needs a list of two or more profiles")
    kept = {
        power: given if isinstance(given, Mapping) else tuple(given)
        for power, given in orders.items()
    }
    names = tuple(one.name if isinstance(one, Profile) else str(one).strip() for one in rules)
    profiles = [load_profile(one) for one in rules]
    return Comparison(names, tuple(adjudicate(position, kept, one) for one in profiles))


def _keyed(orders: Iterable[OrderOutcome]) -> Iterable[tuple[_Key, OrderOutcome]]:
    """The orders, each with what identifies it under every profile: its text, or its unit if there
    was none."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for order in orders:
        unit = order.unit if order.submitted is None else ""
        key = (order.power, order.submitted or "", unit)
        seen[key] += 1
        yield (*key, seen[key]), order
