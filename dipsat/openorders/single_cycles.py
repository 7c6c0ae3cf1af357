"""What is known of the decision cycles that there can be under a profile."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from dipsat.language.syntax import Constant, decision_calls
from dipsat.language.types import TRUTH
from dipsat.openorders.checked_rules import checked_profiles
from dipsat.profiles.difference import equation_forms
from dipsat.profiles.profile import Profile
from dipsat.solving.graph import has_cycle


@lru_cache(maxsize=64)
def cycles_are_single(profile: Profile) -> bool:
    """Whether its decisions have the same equations as those of a profile for which that is proven
    (`rules/searches/single-cycles.yaml`); cycle rules do not matter."""
    # The proof has fleets that convoy armies, at sea only, and units that move or stay.
    own_ways = "convoys_in" in profile.legal or profile.words.have_own_units
    own_ways = own_ways or any(kind.line for kind in profile.words.kinds)
    return not own_ways and any(_decisions(profile) == known for known in _proven())


@cache
def _proven() -> tuple[Mapping[str, object], ...]:
    return tuple(_decisions(profile) for profile in checked_profiles("single-cycles"))


def _decisions(profile: Profile) -> Mapping[str, object]:
    forms = equation_forms(profile)
    return {name: form for (section, name), form in forms.items() if section == "decisions"}


@lru_cache(maxsize=64)
def settles_every_cycle(profile: Profile) -> bool:
    """Whether it is certain that no decision cycle is left without a rule: one applies to every
    cycle, and sets some decision of each that there can be."""
    needs = {
        name: set(decision_calls(decision.equation)) for name, decision in profile.decisions.items()
    }
    return any(
        rule.when == Constant(True, TRUTH) and not rule.where and not has_cycle(needs, rule.pins)
        for rule in profile.cycles
    )
