"""The facts of a movement phase under a profile, without the orders that its rules forbid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dipsat.equations.build_facts import build_phase
from dipsat.equations.declared_facts import Fault, Referents, by_type, order_facts
from dipsat.equations.ground import MAX_OPEN_STEPS, Grounder
from dipsat.equations.open_facts import Declaring, OpenPhase, open_phase
from dipsat.equations.phase import Mismatch, Phase
from dipsat.game.facts import DeclaredFacts
from dipsat.game.position import Position
from dipsat.game.ruling import Ruling
from dipsat.game.settings import Settings
from dipsat.orders.order import Order
from dipsat.profiles.demands import asks_for_places
from dipsat.profiles.profile import Profile
from dipsat.terms.term import Key, Term, all_of


def phase_of(
    profile: Profile,
    position: Position,
    rulings: Sequence[Ruling],
    settings: Settings | None = None,
) -> Phase:
    """The facts of a phase. Unlawful orders of declared kinds do not count; each is judged with all
    of them present. `settings` are those that the orders were judged by, if not the profile's."""
    settings, kinds = settings or profile.settings, profile.declared.kinds
    every = asks_for_places(profile)
    phase = build_phase(position, rulings, settings, kinds, every_province=every)
    if not phase.declared:
        return phase
    seen = phase if every else build_phase(position, rulings, settings, kinds, every_province=True)
    refused = _unlawful(profile, seen)
    return build_phase(position, rulings, settings, kinds, refused, every) if refused else phase


def open_phase_of(
    profile: Profile,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    every_province: bool = True,
) -> OpenPhase:
    """The facts of a phase with these `orders` open, as `open_phase` takes them. Without
    `every_province`, the phase has only the provinces that the rules or the orders need.

    As in `phase_of`, each order of a declared kind is judged with all given orders present; the
    unit of an unlawful one holds.
    """
    kinds = profile.declared.kinds
    every = every_province or bool(kinds) or asks_for_places(profile)
    submitted = open_phase(position, orders, profile.settings, Declaring(kinds), every)
    lawful = lawful_terms(profile, submitted)
    if all(term is True for term in lawful.values()):
        return submitted
    return open_phase(position, orders, profile.settings, Declaring(kinds, lawful), every)


def lawful_terms(profile: Profile, submitted: OpenPhase) -> Mapping[Key, Term]:
    """Guard of an order of a declared kind -> the condition under which it is lawful if given, over
    the guards of all orders. In `submitted`, every order that is given counts."""
    grounder = Grounder(profile, submitted.phase, most=MAX_OPEN_STEPS)
    return {
        key: all_of(term for _, term in _conditions(profile, grounder, order))
        for key, order in submitted.declared.items()
        if order.type in profile.lawful
    }


class AloneJudge:
    """Judges whether orders of declared kinds in a position are lawful if given alone.

    The facts of the position are made once, not once per order.
    """

    def __init__(self, profile: Profile, position: Position) -> None:
        self.profile = profile
        kinds = profile.declared.kinds
        self.phase = build_phase(position, (), profile.settings, kinds, every_province=True)
        places = {place.code: place for place in self.phase.provinces}
        units = {unit.province.code: unit for unit in self.phase.units}
        self._where = Referents(position.map, units, places.__getitem__)

    def is_lawful(self, ruling: Ruling) -> bool:
        """Whether the order of a declared kind meets all conditions of its kind."""
        facts = order_facts(self.profile.declared.kinds, ruling, self._where, {})
        if isinstance(facts, Fault):
            return False
        phase = replace(self.phase, declared=by_type([facts]))
        return _broken(self.profile, Grounder(self.profile, phase), facts) == ""


def _unlawful(profile: Profile, phase: Phase) -> list[tuple[Ruling, Mismatch]]:
    grounder = Grounder(profile, phase)
    found = []
    for name in profile.lawful:
        for order in phase.domain(name):
            code = _broken(profile, grounder, order)
            if code:
                reason = profile.reasons.get(code, code.replace("_", " "))
                found.append((order.ruling, Mismatch(code, reason)))
    return found


def _broken(profile: Profile, grounder: Grounder, order: DeclaredFacts) -> str:
    """The first condition of its kind that an order breaks, "" if it meets all."""
    conditions = _conditions(profile, grounder, order)
    return next((code for code, term in conditions if term is not True), "")


def _conditions(
    profile: Profile, grounder: Grounder, order: DeclaredFacts
) -> Iterator[tuple[str, Term]]:
    """The conditions that its kind places on an order, by code."""
    if order.type in profile.lawful:
        variable, conditions = profile.lawful[order.type]
        grounder.entry = order.type
        for code, condition in conditions:
            yield code, grounder.term(condition, {variable.name: order})
