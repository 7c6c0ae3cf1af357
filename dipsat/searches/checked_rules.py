"""Properties that are proven only for checked rules: lines hold, cycles are single."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from dipsat.base import Node, data_folder, grouped, kept_on_first, parse_yaml, read_text
from dipsat.rules import (
    TRUTH,
    Constant,
    Profile,
    decision_calls,
    equation_forms,
    load_profile,
    result_forms,
)
from dipsat.solving import has_cycle

_BY_NAME = ("decisions", "results")
"""The sections in which an entry is compared with entries of the same name."""


@cache
def _file(name: str) -> Mapping[str, Node]:
    path = data_folder("rules") / "searches" / f"{name}.yaml"
    return parse_yaml(read_text(path), str(path)).mapping()


@cache
def _allowed_settings(name: str) -> Mapping[str, tuple[str, ...]]:
    """Setting -> the values for which a proof was checked. Any other setting may have any value."""
    settings = _file(name).get("settings")
    return {} if settings is None else {k: v.texts() for k, v in settings.mapping().items()}


def checked_profiles(name: str) -> Iterator[Profile]:
    """The profiles that a file of `rules/searches` lists as checked, each loaded only when its turn
    comes."""
    return map(load_profile, _file(name)["checked"].texts())


def unchecked(profile: Profile, proof: str = "holding-lines") -> tuple[str, ...]:
    """The settings, decisions and cycle rules for which a proof's assumptions were not checked,
    such as `decisions: support`: no profile in the proof's file in `rules/searches` has them."""
    found = [
        f"settings: {name}"
        for name, values in _allowed_settings(proof).items()
        if getattr(profile.settings, name) not in values
    ]
    if profile.words.have_own_units:
        found.append("units: kinds or convoys of their own")
    for (section, name), form in _forms(profile, proof).items():
        key = name if section in _BY_NAME else ""
        if all(form != other for other in _checked(proof).get((section, key), ())):
            found.append(f"{section}: {name}")
    return tuple(found)


def unchecked_rules(profile: Profile, proof: str = "holding-lines") -> str:
    """Why nothing is proven about all lines under a profile; "" if the profile is checked."""
    changes = ", ".join(unchecked(profile, proof))
    what = f"what the rules {profile.name!r} say under {changes}"
    return changes and f"the assumptions of the proof were not checked for {what}"


def _forms(profile: Profile, proof: str) -> dict[tuple[str, str], object]:
    """The parts of a profile that a proof compares: equations, and results that the file names."""
    named = _file(proof).get("results")
    return {
        **equation_forms(profile),
        **({} if named is None else result_forms(profile, named.texts())),
    }


@cache
def _checked(proof: str) -> dict[tuple[str, str], tuple[object, ...]]:
    """The checked profiles' forms of each decision, and all their cycle rules."""
    found = grouped(
        ((section, name if section in _BY_NAME else ""), form)
        for profile in checked_profiles(proof)
        for (section, name), form in _forms(profile, proof).items()
    )
    return {key: tuple(forms) for key, forms in found.items()}


@kept_on_first()
def cycles_are_single(profile: Profile) -> bool:
    """Whether the decisions have the same equations as those of a profile for which single cycles
    are proven (`rules/searches/single-cycles.yaml`); cycle rules do not matter."""
    # The proof assumes that fleets convoy armies, at sea only, and that units move or stay.
    own_ways = "convoys_in" in profile.legal or profile.words.have_own_units
    own_ways = own_ways or any(kind.line for kind in profile.words.kinds)
    if own_ways:
        return False
    mine = _decisions(profile)
    return any(mine == _decisions(known) for known in checked_profiles("single-cycles"))


@kept_on_first()
def _decisions(profile: Profile) -> Mapping[str, object]:
    forms = equation_forms(profile)
    return {name: form for (section, name), form in forms.items() if section == "decisions"}


@kept_on_first()
def settles_every_cycle(profile: Profile) -> bool:
    """Whether some cycle rule certainly settles every decision cycle: one rule applies to all
    cycles and sets some decision of every possible cycle."""
    needs = {
        name: set(decision_calls(decision.equation)) for name, decision in profile.decisions.items()
    }
    return any(
        rule.when == Constant(True, TRUTH) and not rule.where and not has_cycle(needs, rule.pins)
        for rule in profile.cycles
    )
