"""Phases that differ, judged again to be shown."""

from __future__ import annotations

from dipsat.game.position import Position
from dipsat.impacts.findings import ImpactExample
from dipsat.impacts.tally import Found
from dipsat.limits import UNLIMITED
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import decided
from dipsat.proof.comparison import ComparedOrder, Comparison


def example_of(found: Found, base: str | Profile, rules: str | Profile) -> ImpactExample:
    """A phase with the orders whose results differ."""
    position = Position.from_dict(found.position, found.map, load_profile(base))
    profiles = load_profile(base), load_profile(rules)
    outcomes = tuple(decided(position, found.orders, one, UNLIMITED) for one in profiles)
    compared = Comparison((profiles[0].name, profiles[1].name), outcomes)
    return ImpactExample(
        found.source, found.phase, found.position, found.orders, found.cause, _changed(compared),
        False, found.map, (base, rules),
    )  # fmt: skip


def _changed(compared: Comparison) -> tuple[ComparedOrder, ...]:
    """The orders with another result."""
    return tuple(
        row for row in compared.orders
        if len({one and (one.verdict, one.fate) for one in row.results}) > 1
    )  # fmt: skip
