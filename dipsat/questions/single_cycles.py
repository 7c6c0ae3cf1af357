"""What is known of the decision cycles that there can be under a profile."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache, lru_cache

from dipsat.documents import parse_yaml, read_text
from dipsat.profiles.difference import equation_forms
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.profiles.syntax import Constant, decision_calls
from dipsat.profiles.types import TRUTH
from dipsat.resources import data_folder


@lru_cache(maxsize=64)
def cycles_are_single(profile: Profile) -> bool:
    """Whether its decisions have the same equations as those of a profile for which that is proven
    (`rules/searches/single-cycles.yaml`); cycle rules do not matter."""
    return any(_decisions(profile) == known for known in _proven())


@cache
def _proven() -> tuple[Mapping[str, object], ...]:
    path = data_folder("rules") / "searches" / "single-cycles.yaml"
    listed = parse_yaml(read_text(path), str(path)).mapping()["checked"].texts()
    return tuple(_decisions(load_profile(name)) for name in listed)


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
        rule.when == Constant(True, TRUTH) and not rule.where and _is_acyclic(needs, rule.pins)
        for rule in profile.cycles
    )


def _is_acyclic(needs: Mapping[str, set[str]], without: Collection[str]) -> bool:
    """Whether no family needs itself, directly or through others, when some are left out."""
    left = {name: needed - set(without) for name, needed in needs.items() if name not in without}
    while left:
        leaves = [name for name, needed in left.items() if not needed & left.keys()]
        if not leaves:
            return False
        for name in leaves:
            del left[name]
    return True
