"""The facts of a movement phase under a profile, without the orders that its rules forbid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dipsat.equations.build_facts import build_phase
from dipsat.equations.declared_facts import DeclaredFacts, Fault, Referents, by_type, order_facts
from dipsat.equations.facts import Mismatch, Phase
from dipsat.equations.ground import Grounder
from dipsat.game.position import Position
from dipsat.game.ruling import Ruling
from dipsat.game.settings import Settings
from dipsat.orders.order import DeclaredOrder
from dipsat.profiles.places import asks_for_places
from dipsat.profiles.profile import Profile


def phase_of(
    profile: Profile,
    position: Position,
    rulings: Sequence[Ruling],
    settings: Settings | None = None,
) -> Phase:
    """The facts of a phase. Orders of declared kinds that are not lawful do not count; whether
    one is, is judged while all of them are there. `settings` are those that the orders were judged
    by, if not those of the profile."""
    settings, kinds = settings or profile.settings, profile.declared.kinds
    every = asks_for_places(profile)
    phase = build_phase(position, rulings, settings, kinds, every_province=every)
    if not phase.declared:
        return phase
    seen = phase if every else build_phase(position, rulings, settings, kinds, every_province=True)
    refused = _unlawful(profile, seen)
    return build_phase(position, rulings, settings, kinds, refused, every) if refused else phase


class AloneJudge:
    """Tells of orders of declared kinds in a position whether each is lawful if it is given alone.

    The facts of the position are made once, not once an order.
    """

    def __init__(self, profile: Profile, position: Position) -> None:
        self.profile = profile
        kinds = profile.declared.kinds
        self.phase = build_phase(position, (), profile.settings, kinds, every_province=True)
        places = {place.code: place for place in self.phase.provinces}
        units = {unit.province.code: unit for unit in self.phase.units}
        self._where = Referents(position.map, units, places.__getitem__)

    def is_lawful(self, ruling: Ruling) -> bool:
        """Whether no condition of the kind refuses the order, which is of a declared kind."""
        order = ruling.order
        assert isinstance(order, DeclaredOrder)
        declared = self.profile.declared.kinds[order.kind]
        facts = order_facts(declared.kind, declared.legs, ruling, self._where, {})
        if isinstance(facts, Fault):
            return False
        phase = replace(self.phase, declared=by_type([facts]))
        return _broken(self.profile, Grounder(self.profile, phase), order.kind, facts) == ""


def _unlawful(profile: Profile, phase: Phase) -> list[tuple[Ruling, Mismatch]]:
    grounder = Grounder(profile, phase)
    found = []
    for name in profile.lawful:
        for order in phase.domain(name):
            code = _broken(profile, grounder, name, order)
            if code:
                reason = profile.reasons.get(code, code.replace("_", " "))
                found.append((order.ruling, Mismatch(code, reason)))
    return found


def _broken(profile: Profile, grounder: Grounder, kind: str, order: DeclaredFacts) -> str:
    """The first condition of the kind that an order breaks, "" if it meets all."""
    if kind not in profile.lawful:
        return ""
    variable, conditions = profile.lawful[kind]
    for code, condition in conditions:
        if grounder.term(condition, {variable.name: order}) is not True:
            return code
    return ""
