"""The profiles that were checked for what a proof needs, and whether that of a line is valid."""

from __future__ import annotations

from functools import cache

from dipsat.documents import parse_yaml, read_text
from dipsat.profiles.difference import equation_forms
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.resources import data_folder


def checked_profiles(name: str) -> tuple[Profile, ...]:
    """The profiles that a file of `rules/searches` lists as checked."""
    path = data_folder("rules") / "searches" / f"{name}.yaml"
    listed = parse_yaml(read_text(path), str(path)).mapping()["checked"].texts()
    return tuple(load_profile(one) for one in listed)


def unchecked(profile: Profile) -> tuple[str, ...]:
    """The decisions and cycle rules for which nobody checked what the proof needs, such as
    `decisions: support`: no profile of `rules/searches/holding-lines.yaml` says the same."""
    found = ["units: kinds or convoys of their own"] if profile.words.have_own_units else []
    for (section, name), form in equation_forms(profile).items():
        key = name if section == "decisions" else ""
        if all(form != other for other in _checked().get((section, key), ())):
            found.append(f"{section}: {name}")
    return tuple(found)


@cache
def _checked() -> dict[tuple[str, str], tuple[object, ...]]:
    """What the checked profiles say of each decision, and all their cycle rules."""
    found: dict[tuple[str, str], list[object]] = {}
    for profile in checked_profiles("holding-lines"):
        for (section, name), form in equation_forms(profile).items():
            found.setdefault((section, name if section == "decisions" else ""), []).append(form)
    return {key: tuple(forms) for key, forms in found.items()}
