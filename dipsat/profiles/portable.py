"""Rules and maps as values that other processes and computers understand."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from dipsat.board.load import is_shipped, load_map
from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile


def portable_rules(rules: str | Path | Profile) -> str | Profile:
    """The name of rules that are shipped, since every dipsat has them; others whole, since a path
    means nothing elsewhere. Raises what `load_profile` raises."""
    profile = load_profile(rules)
    if all(layer.is_shipped for layer in profile.layers):  # a name of a user's own may be a path
        with suppress(DipsatError):
            if load_profile(profile.name) is profile:
                return profile.name
    return profile


def portable_map(board: str | Path | Map) -> str | Map:
    """The same for a map. Raises what `load_map` raises."""
    found = load_map(board)
    return found.name if is_shipped(found) else found
