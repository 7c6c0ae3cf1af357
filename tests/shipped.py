"""The shipped profiles, which are more than dipsat keeps in memory."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from dipsat.profiles.load import load_profile
from dipsat.profiles.names import shipped_names, short_name
from dipsat.profiles.profile import Profile


@cache
def shipped_profiles() -> Mapping[str, Profile]:
    """Name -> the profile, loaded by its short name; for tests that look at all of them."""
    known = shipped_names()
    return {name: load_profile(short_name(name, known)) for name in known}
