"""The facts of a movement phase under a profile, without the orders that its rules forbid."""

from __future__ import annotations

from collections.abc import Sequence

from dipsat.equations.build_facts import build_phase
from dipsat.equations.facts import Mismatch, Phase
from dipsat.equations.ground import Grounder
from dipsat.game.position import Position
from dipsat.game.ruling import Ruling
from dipsat.game.settings import Settings
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


def _unlawful(profile: Profile, phase: Phase) -> list[tuple[Ruling, Mismatch]]:
    grounder = Grounder(profile, phase)
    found = []
    for name, (variable, conditions) in profile.lawful.items():
        for order in phase.domain(name):
            for code, condition in conditions:
                if grounder.term(condition, {variable.name: order}) is not True:
                    reason = profile.reasons.get(code, code.replace("_", " "))
                    found.append((order.ruling, Mismatch(code, reason)))
                    break
    return found
