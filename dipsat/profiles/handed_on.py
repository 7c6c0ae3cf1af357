"""Rules as they are handed to another process."""

from __future__ import annotations

from contextlib import suppress

from dipsat.errors import DipsatError
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile


def handed_on(rules: Profile) -> str | Profile:
    """The name of shipped rules, which every process has already; other rules themselves."""
    if all(layer.is_shipped for layer in rules.layers):  # a name of a user's own may be a path
        with suppress(DipsatError):
            return rules.name if load_profile(rules.name) is rules else rules
    return rules
