"""The same orders under several rule profiles: the result of each, and whether it differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from dipsat.brief import brief
from dipsat.errors import CompositionError
from dipsat.game.order_sets import PowerOrders
from dipsat.game.position import Position
from dipsat.limits import UNLIMITED, Limits, running
from dipsat.plain import Plain, fields_of, plain
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import decided
from dipsat.proof.outcome import Dislodgement, OrderOutcome, Outcome

_Key: TypeAlias = tuple[str, str, str, int]


@brief()
@dataclass(frozen=True, slots=True)
class OrderResult(Plain):
    """The result of an order under one profile, in the words of `OrderOutcome`."""

    rules: str
    """The name of the profile."""
    order: str
    """The order as this profile reads it."""
    verdict: str
    """The verdict on the order."""
    fate: str
    """The fate of its unit."""
    reason: str
    """Why, in a sentence."""


@brief()
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
    """Its result under each profile, in their order; None where a profile has no such order (not
    every profile has a result for a unit without one)."""

    @property
    def differs(self) -> bool:
        """Whether the verdict, the unit's fate or the reading of the order differs."""
        found = {one and (one.order, one.verdict, one.fate) for one in self.results}
        return len(found) > 1

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        found = [one for one in self.results if one is not None]
        return {**fields_of(self), "results": plain(found), "differs": self.differs}


@brief()
@dataclass(frozen=True, slots=True)
class ComparedRetreats:
    """A unit that at least one profile dislodges."""

    power: str
    """The power that owns it."""
    unit: str
    """The unit."""
    results: tuple[Dislodgement | None, ...]
    """Its dislodgement under each profile, in their order; None where it is not dislodged."""

    @property
    def differs(self) -> bool:
        """Whether the profiles differ on its dislodgement, the unit that dislodged it, or its
        retreats."""
        return len({one and (one.by, one.retreats) for one in self.results}) > 1


@brief()
@dataclass(frozen=True)
class Comparison:
    """The outcomes of one phase under several profiles. Made by `dipsat.compare`."""

    rules: tuple[str, ...]
    """The names of the profiles, in the order given."""
    outcomes: tuple[Outcome, ...]
    """The outcome under each profile, in the same order."""

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
        """Every unit that is dislodged under at least one profile."""
        rows: dict[tuple[str, str], list[Dislodgement | None]] = {}
        for at, outcome in enumerate(self.outcomes):
            for one in outcome.dislodged:
                rows.setdefault((one.power, one.unit), [None] * len(self.outcomes))[at] = one
        return tuple(ComparedRetreats(*key, tuple(row)) for key, row in sorted(rows.items()))

    @cached_property
    def next(self) -> tuple[Position, ...]:
        """The next position under each profile."""
        return tuple(outcome.next for outcome in self.outcomes)

    @cached_property
    def next_differs(self) -> bool:
        """Whether the next positions differ, including the possible retreats."""
        shown = [position.to_dict() for position in self.next]
        return any(other != shown[0] for other in shown[1:])

    @property
    def differs(self) -> bool:
        """Whether anything differs: an order, a dislodgement, a standoff, the next position or the
        winner."""
        return (
            any(row.differs for row in self.orders)
            or any(row.differs for row in self.dislodged)
            or len({outcome.contested for outcome in self.outcomes}) > 1
            or self.next_differs
            or len({outcome.winner for outcome in self.outcomes}) > 1
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat compare --json` prints them."""
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
    *,
    lenient: bool = False,
    limits: Limits = UNLIMITED,
) -> Comparison:
    """Adjudicate the same orders under several profiles and compare the results.

    `position`, `orders`, `lenient` and each of `rules` are as for `dipsat.adjudicate`;
    `limits.seconds` are for all profiles together. Raises `CompositionError` for fewer than two
    profiles, `LimitError` if the limits are not enough to decide everything, and the errors of
    `adjudicate`.
    """
    if isinstance(rules, str) or len(rules) < 2:
        raise CompositionError(str(rules), "a comparison needs a list of two or more profiles")
    kept = {
        power: given if isinstance(given, Mapping) else tuple(given)
        for power, given in orders.items()
    }
    names = tuple(one.name if isinstance(one, Profile) else str(one).strip() for one in rules)
    with running(limits) as now:
        profiles = [load_profile(one, limits=now) for one in rules]
        outcomes = tuple(decided(position, kept, one, now, lenient) for one in profiles)
        return Comparison(names, outcomes)


def _keyed(orders: Iterable[OrderOutcome]) -> Iterable[tuple[_Key, OrderOutcome]]:
    """The orders, each with what identifies it under every profile: its text, or its unit if there
    was none."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for order in orders:
        unit = order.unit if order.submitted is None else ""
        key = (order.power, order.submitted or "", unit)
        seen[key] += 1
        yield (*key, seen[key]), order
