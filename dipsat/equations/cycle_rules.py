"""Which cycle rules apply to a decision cycle, and what they set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dipsat.equations.grounding import Grounder
from dipsat.equations.phase import objects_about
from dipsat.equations.term import Key, Term
from dipsat.rules import CycleRule, Scope, scope_of


def rules_that_apply(
    rules: Iterable[CycleRule],
    grounder: Grounder,
    scope: Scope,
    pins_of: Callable[[CycleRule], Mapping[Key, int]],
) -> tuple[tuple[CycleRule, ...], dict[Key, int], list[str]]:
    """The rules that settle a cycle, the decisions that they set, and the names of earlier rules
    that applied but set nothing.

    The first rule that applies settles the cycle. If it is marked `together`, every other rule with
    that mark that applies joins it. If two set the same decision, the first wins. `pins_of` returns
    what a rule sets.
    """
    applied: tuple[CycleRule, ...] = ()
    pins: dict[Key, int] = {}
    idle = []
    for rule in rules:
        if applied and not rule.together:
            continue
        if grounder.term(rule.when, scope) is not True:
            continue
        found = pins_of(rule)
        if found:
            applied, pins = (*applied, rule), {**found, **pins}
            if not rule.together:
                break
        elif not applied:
            idle.append(rule.name)
    return applied, pins, idle


def objects_of_cycle(grounder: Grounder, cycle: Iterable[Key]) -> dict[str, list[Any]]:
    """The meaning of `cycle.move` etc. in a rule's expressions: by family, the objects that the
    cycle's decisions are about. A combination counts as the object of its first index."""
    objects: dict[str, list[Any]] = {name: [] for name in grounder.profile.decisions}
    for key in cycle:
        about = objects_about(grounder.object(key))[0]
        if about not in objects[key[0]]:
            objects[key[0]].append(about)
    return objects


def where_of(rule: CycleRule, grounder: Grounder, key: Key, scope: Scope) -> Term:
    """The condition under which a rule sets this decision, which is of a family that it sets."""
    if key[0] not in rule.where:
        return True
    indices, condition = rule.where[key[0]]
    about = scope_of(indices, objects_about(grounder.object(key)))
    return grounder.term(condition, {**scope, **about})


def pins_along(
    rule: CycleRule, grounder: Grounder, pins: Iterable[Key], is_open: Callable[[Key], bool]
) -> dict[Key, int]:
    """The open decisions that a rule sets along with `pins`, the cycle's decisions that it sets.
    They are decisions of other families about the same object."""
    decisions = grounder.profile.decisions
    kinds = {name: [one.type for one in decisions[name].indices] for name in decisions}
    beside = {
        (name, index): int(value)
        for family, index in pins
        for name, value in rule.along.items()
        if kinds[name] == kinds[family]
    }
    return {key: value for key, value in beside.items() if is_open(key)}


def pins_set(
    rule: CycleRule, grounder: Grounder, cycle: Iterable[Key], scope: Scope
) -> dict[Key, int]:
    """The decisions of a cycle that a rule sets -> their values."""
    return {
        key: int(rule.pins[key[0]])
        for key in cycle
        if key[0] in rule.pins and where_of(rule, grounder, key, scope) is True
    }
