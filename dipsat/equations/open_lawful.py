"""The facts of a movement phase with open orders under a profile: an order of a declared kind that
the rules forbid does not count, which may depend on what else is ordered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dipsat.equations.ground import Grounder
from dipsat.equations.open_declared import Declaring
from dipsat.equations.open_facts import OpenPhase, open_phase
from dipsat.equations.terms import Key, Term, all_of
from dipsat.game.position import Position
from dipsat.orders.order import Order
from dipsat.profiles.profile import Profile


def open_phase_of(
    profile: Profile, position: Position, orders: Mapping[str, Sequence[Order]]
) -> OpenPhase:
    """The facts of a phase with these `orders` open, as `open_phase` takes them.

    Whether an order of a declared kind is lawful is judged while all that are given are there, as
    `dipsat.equations.lawful.phase_of` does for known orders; one that is not leaves its unit
    holding.
    """
    kinds = profile.declared.kinds
    submitted = open_phase(position, orders, profile.settings, Declaring(kinds))
    lawful = lawful_terms(profile, submitted)
    if all(term is True for term in lawful.values()):
        return submitted
    return open_phase(position, orders, profile.settings, Declaring(kinds, lawful))


def lawful_terms(profile: Profile, submitted: OpenPhase) -> Mapping[Key, Term]:
    """Guard of an order of a declared kind -> on what condition it is lawful if it is given, over
    the guards of all orders. In `submitted` every order counts that is given."""
    grounder = Grounder(profile, submitted.phase)
    found: dict[Key, Term] = {}
    for key, order in submitted.declared.items():
        if order.type in profile.lawful:
            variable, conditions = profile.lawful[order.type]
            terms = (grounder.term(part, {variable.name: order}) for _, part in conditions)
            found[key] = all_of(terms)
    return found
