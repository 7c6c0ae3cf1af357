"""Whether it is proven that no decision cycle hangs on another under a profile."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from dipsat.documents import parse_yaml, read_text
from dipsat.profiles.difference import equation_forms
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
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
