"""Which orders of declared kinds break a condition that the rules place on their kind."""

from __future__ import annotations

from collections.abc import Iterator

from dipsat.equations.grounding import Grounder
from dipsat.equations.phase import Mismatch, Phase
from dipsat.equations.term import Term
from dipsat.game import DeclaredFacts, Ruling
from dipsat.rules import Profile


def unlawful(profile: Profile, phase: Phase) -> list[tuple[Ruling, Mismatch]]:
    """The orders of declared kinds that break a condition of their kind, each with the reason."""
    grounder = Grounder(profile, phase)
    found = []
    for name in profile.lawful:
        for order in phase.domain(name):
            code = broken_condition(profile, grounder, order)
            if code:
                reason = profile.reasons.get(code, code.replace("_", " "))
                found.append((order.ruling, Mismatch(code, reason)))
    return found


def broken_condition(profile: Profile, grounder: Grounder, order: DeclaredFacts) -> str:
    """The code of the first condition of its kind that an order breaks, "" if it meets all."""
    conditions = conditions_on_order(profile, grounder, order)
    return next((code for code, term in conditions if term is not True), "")


def conditions_on_order(
    profile: Profile, grounder: Grounder, order: DeclaredFacts
) -> Iterator[tuple[str, Term]]:
    """The conditions that its kind places on an order, by code."""
    if order.type in profile.lawful:
        variable, conditions = profile.lawful[order.type]
        grounder.entry = order.type
        for code, condition in conditions:
            yield code, grounder.term(condition, {variable.name: order})
