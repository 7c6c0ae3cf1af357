"""Loading rule profiles by name or path, and laying them over one another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from dipsat.documents import Node, read_text
from dipsat.errors import ProfileError
from dipsat.profiles.compose import Composer
from dipsat.profiles.layers import Layer, Layers, profile_names, read_layer, read_shipped
from dipsat.profiles.profile import Profile

__all__ = ["combined_profile", "load_profile", "parse_profile", "profile_names"]


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
    return _profile(read_shipped(name))


def parse_profile(text: str, path: str) -> Profile:
    """The profile that a YAML text states; `path` names it in errors and is where the files that
    it extends are looked for."""
    return _profile(read_layer(text, path))


def combined_profile(profiles: Sequence[Profile], name: str, title: str = "") -> Profile:
    """The profile that extends all of these, later ones over earlier ones.

    A file that several of them are composed of counts once, where it comes first, just as under
    `extends`. What counts is what the files say: a `Profile` that a program has changed is taken
    as it was loaded. Raises `ProfileError`, or `ProblemsError` for several faults, if the
    profiles do not fit together.
    """
    texts = {"name": name, "title": title}
    nodes = {key: Node(name, 1, 1, text, text) for key, text in texts.items()}
    layers = Layers()
    for profile in profiles:
        for layer in profile.layers:
            layers.add(layer)
    layers.add(Layer(Node(name, 1, 1, nodes, keys=dict.fromkeys(texts, (1, 1))), ("", name)))
    return _composed(layers)


def _profile(layer: Layer) -> Profile:
    layers = Layers()
    layers.read(layer)
    return _composed(layers)


def _composed(layers: Layers) -> Profile:
    try:
        return Composer(layers).profile()
    except RecursionError:  # the bounds on nesting make this unlikely
        problem = "the profile's terms refer to each other through too many steps"
        layers.heads[-1].fail(problem, ProfileError)
