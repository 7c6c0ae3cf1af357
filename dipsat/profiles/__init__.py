"""Rule profiles: reading `rules/*.yaml`, checking what they say, composing and comparing them."""

from dipsat.profiles.load import (
    combined_profile,
    load_profile,
    parse_profile,
    shipped_names,
)
from dipsat.profiles.profile import Profile

__all__ = ["Profile", "combined_profile", "load_profile", "parse_profile", "shipped_names"]
