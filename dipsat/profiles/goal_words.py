"""Expressions in the words of a profile that are not part of it, such as goals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from dipsat.documents import Node, read_text
from dipsat.errors import ProfileError
from dipsat.game.conditions import CAPTURES, is_lasting
from dipsat.language.syntax import Expression, Variable
from dipsat.profiles.compose import Composer
from dipsat.profiles.layers import Layer, Layers, parse_layer
from dipsat.profiles.profile import Profile
from dipsat.resources import data_folder

GOALS: Mapping[str, str] = {
    "enters(p)": "a unit enters the province p",
    "dislodged(p)": "the unit in p is dislodged",
    "moves(p)": "the unit in p leaves it",
    "goes(p, q)": "the unit in p goes to q",
    "stays(p)": "the unit in p neither leaves nor is dislodged",
    "stands(p, w)": "a unit of the power w stands in p after the phase, before retreats",
    "occupied(p)": "a unit stands in p after the phase, before retreats",
    "owner(p, w)": "the power w would own p if centres changed hands now",
    "provinces": "all provinces of the map",
    "units": "all units on the board",
}
"""The words of goals besides those of the rules, each with its meaning."""


def goal_expression(profile: Profile, node: Node, names: Iterable[Variable]) -> Expression:
    """The truth value that a text states in the words of a profile, of
    `rules/searches/goals.yaml`, and of `names`.

    Raises `ProfileError` at the place of a fault.
    """
    layers = (_goal_words(), *_line_words(profile), *_own_words(profile, node), *profile.layers)
    return Composer(Layers(layers)).expression(node, names)


def _own_words(profile: Profile, node: Node) -> Iterator[Layer]:
    """What the rules say about the units that take centres. Goals apply it to the board after the
    phase, so it must not depend on the board."""
    condition = profile.legal.get(CAPTURES)
    if condition is None:
        return
    if not is_lasting(condition.expression):
        problem = f"no goal can be read under these rules, because {CAPTURES} depends on the board"
        node.fail(problem, ProfileError)
    for name, key, _, value in Layers(profile.layers).section("legal"):
        if name == CAPTURES:
            text = f"define:\n  {json.dumps(key)}: {json.dumps(value.text(name, lines=True))}\n"
            yield parse_layer(text, value.path)


@cache
def _goal_words() -> Layer:
    path = str(data_folder("rules") / "searches" / "goals.yaml")
    return parse_layer(read_text(path), path)


def _line_words(profile: Profile) -> Iterator[Layer]:
    """The meaning of the goal words about lines under a profile."""
    ends, leaves = [], []
    for kind in profile.declared.kinds.values():
        if kind.lands:
            legs = f"any({kind.lands}(leg) for leg in {kind.legs} if leg.unit == goal_u"
            leaves.append(f"{legs})")
            ends.append(f"{legs} and leg.target == goal_p)")
    if ends:
        words = {
            "ends_on_a_line(goal_u, goal_p)": " or ".join(ends),
            "leaves_along_a_line(goal_u)": " or ".join(leaves),
        }
        yield parse_layer(json.dumps({"define": words}), "the words of goals about lines")
