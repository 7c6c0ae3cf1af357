"""Which rules for decision cycles apply to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from dipsat.equations.ground import Grounder, Scope
from dipsat.equations.terms import Key
from dipsat.profiles.profile import CycleRule


def rules_that_apply(
    rules: Iterable[CycleRule],
    grounder: Grounder,
    scope: Scope,
    pins_of: Callable[[CycleRule], Mapping[Key, int]],
) -> tuple[list[tuple[CycleRule, Mapping[Key, int]]], list[str]]:
    """The rules that settle a cycle, each with the decisions that it sets: the first that applies,
    and if it is marked `together`, all others that are and apply; and the names of those before
    them that came to nothing. `pins_of` tells what a rule sets."""
    applied: list[tuple[CycleRule, Mapping[Key, int]]] = []
    idle = []
    for rule in rules:
        if applied and not rule.together:
            continue
        if grounder.term(rule.when, scope) is not True:
            continue
        pins = pins_of(rule)
        if pins:
            applied.append((rule, pins))
            if not rule.together:
                break
        elif not applied:
            idle.append(rule.name)
    return applied, idle
