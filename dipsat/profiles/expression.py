"""An expression that is no part of a profile, in the words of one: a goal, say."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from dipsat.documents import Node, read_text
from dipsat.profiles.compose import Composer
from dipsat.profiles.layers import Layer, Layers, parse_layer
from dipsat.profiles.profile import Profile
from dipsat.profiles.syntax import Expression, Variable
from dipsat.resources import data_folder


def goal_expression(profile: Profile, node: Node, names: Iterable[Variable]) -> Expression:
    """The truth value that a text states in the words of a profile, in those of
    `rules/searches/goals.yaml`, and in `names`.

    Raises `ProfileError` at the place of a fault.
    """
    return Composer(Layers((_goal_words(), *profile.layers))).expression(node, names)


@cache
def _goal_words() -> Layer:
    path = str(data_folder("rules") / "searches" / "goals.yaml")
    return parse_layer(read_text(path), path)
