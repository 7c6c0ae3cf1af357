"""The shipped profiles, more than dipsat keeps in memory. Each is loaded once, when needed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from dipsat.rules import Profile, load_profile, shipped_names, short_name


@cache
def shipped_profile(name: str) -> Profile:
    """A profile by one of `shipped_names()`, loaded by its short name."""
    return load_profile(short_name(name, shipped_names()))


def shipped_profiles() -> Mapping[str, Profile]:
    """Name -> the profile; for tests that look at all of them."""
    return {name: shipped_profile(name) for name in shipped_names()}
