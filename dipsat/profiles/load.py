"""Loading rule profiles by name or path."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from dipsat.documents import parse_yaml, read_text
from dipsat.errors import ProfileError
from dipsat.profiles.compose import Composer
from dipsat.profiles.layers import Layers, profile_names, read_shipped
from dipsat.profiles.profile import Profile

__all__ = ["load_profile", "parse_profile", "profile_names"]


def load_profile(name: str | Path | Profile) -> Profile:
    """The profile `name`: a shipped profile's name, or the path of a file.

    A loaded profile is given back as it is. Raises `UnknownNameError`, `FileError`,
    `DocumentError`, `ProfileError`, or `ProblemsError` with all faults of the profile.
    """
    if isinstance(name, Profile):
        return name
    text = str(name)
    if isinstance(name, Path) or text.endswith((".yaml", ".yml")):
        return parse_profile(read_text(text), text)
    return _shipped_profile(text)


@lru_cache(maxsize=64)
def _shipped_profile(name: str) -> Profile:
    shown, text = read_shipped(name)
    return parse_profile(text, shown)


def parse_profile(text: str, path: str) -> Profile:
    """The profile that a YAML text states; `path` names it in errors and is where the files that
    it extends are looked for."""
    root = parse_yaml(text, path)
    layers = Layers()
    layers.read(root, ())
    try:
        return Composer(layers).profile()
    except RecursionError:  # the bounds on nesting make this unlikely
        root.fail("the profile's terms refer to each other through too many steps", ProfileError)
