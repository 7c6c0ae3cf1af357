"""Rule profiles: reading `rules/*.yaml`, checking what they say, composing and comparing them."""

from dipsat.profiles.load import (
    combined_profile,
    load_profile,
    parse_profile,
    profile_names,
    shipped_names,
)
from dipsat.profiles.profile import CycleRule, Decision, Profile

__all__ = [
    "CycleRule",
    "Decision",
    "Profile",
    "combined_profile",
    "load_profile",
    "parse_profile",
    "profile_names",
    "shipped_names",
]
