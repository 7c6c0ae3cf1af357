"""Reading the rules for decision cycles from the entries of a profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from dipsat.documents import Node
from dipsat.errors import ProfileError, did_you_mean
from dipsat.language.parse import parse_expression
from dipsat.language.syntax import Expression, Variable
from dipsat.language.types import CYCLE, TRUTH
from dipsat.profiles.check import MAX_NUMBER, Checker
from dipsat.profiles.known import Consequence, Definition
from dipsat.profiles.profile import CycleRule

_KEYS = ("name", "when", "where", "set", "along", "choose", "together")
_CYCLE = Variable("cycle", CYCLE)

Heading = Callable[[str, Node], tuple[str, tuple[Variable, ...]]]
"""Reads a key such as `support(s)`: the name, and its indices with their types."""


Attempt = Callable[..., Any]
"""Calls a function with arguments, and notes its fault; the result is then None."""


def cycle_rule(
    checker: Checker,
    node: Node,
    terms: Mapping[str, Definition],
    heading: Heading,
    attempt: Attempt,
) -> CycleRule:
    """The checked cycle rule of an entry. `attempt` checks each part by itself. Raises
    `DocumentError`, and `Consequence` after faults that are noted."""
    fields = node.mapping(_KEYS, "a cycle rule")
    for key in ("name", "when"):
        if key not in fields:
            node.fail(f"the cycle rule has no {key!r}", ProfileError)
    if ("set" in fields) == ("choose" in fields):
        problem = "either 'set' or 'choose', not both" if "set" in fields else "no 'set'"
        node.fail(f"the cycle rule has {problem}", ProfileError)
    when = attempt(_when, checker, fields["when"])
    name = fields["name"].text("name")
    if "choose" in fields:
        for key in ("where", "along", "together"):
            if key in fields:
                fields[key].fail(f"`{key}` goes with `set`, not with `choose`", ProfileError)
        choose = checker.check(parse_expression(fields["choose"]), (_CYCLE,), TRUTH)
        if when is None:
            raise Consequence
        return CycleRule(name, when, {}, node.path, choose=choose)
    pins = attempt(_pins, checker, fields["set"], terms)
    if when is None or pins is None:
        raise Consequence
    along = _along(checker, fields["along"], pins, terms) if "along" in fields else {}
    where = {}
    if "where" in fields:
        where = _where(checker, fields["where"], pins, terms, heading)
    together = "together" in fields and fields["together"].flag("together")
    return CycleRule(name, when, pins, node.path, where, together=together, along=along)


def _when(checker: Checker, node: Node) -> Expression:
    """The condition under which a rule applies."""
    when = checker.check(parse_expression(node), (_CYCLE,), TRUTH)
    if when.open:
        node.fail("`when` may use only facts of the cycle, not decisions", ProfileError)
    return when


def _pins(
    checker: Checker, node: Node, terms: Mapping[str, Definition], what: str = "set"
) -> dict[str, int | bool]:
    """The values that `set` or `along` gives to families of decisions."""
    if node.value == {}:
        problem = "so the rule can never apply" if what == "set" else "leave it out"
        node.fail(f"`{what}` names no decision, {problem}", ProfileError)
    pins: dict[str, int | bool] = {}
    for name, value in node.mapping(None, what).items():
        if name in checker.names.broken:
            continue
        if name not in terms:
            _unknown(node, name, name, terms, "no decision")
        kind = checker.decision_type(name)
        pins[name] = value.flag(name) if kind.is_truth else value.integer(name)
        if abs(pins[name]) > MAX_NUMBER:
            value.fail(f"numbers range from -{MAX_NUMBER} to {MAX_NUMBER}", ProfileError)
    return pins


def _along(
    checker: Checker, node: Node, pins: Mapping[str, int | bool], terms: Mapping[str, Definition]
) -> dict[str, int | bool]:
    """The values that `along` gives to decisions about the same objects as those of `pins`."""
    found = _pins(checker, node, terms, "along")
    about = {name: [index.type for index in terms[name].indices] for name in (*pins, *found)}
    for name in found:
        if name in pins:
            node.fail_at_key(name, f"{name!r} is already under `set`", ProfileError)
        if about[name] not in [about[other] for other in pins]:
            kinds = ", ".join(f"a {kind}" for kind in about[name])
            problem = f"{name} is about {kinds}, and no decision under `set` is"
            node.fail_at_key(name, problem, ProfileError)
    return found


def _where(
    checker: Checker,
    node: Node,
    pins: Mapping[str, int | bool],
    terms: Mapping[str, Definition],
    heading: Heading,
) -> dict[str, tuple[tuple[Variable, ...], Expression]]:
    """The conditions on the objects of families that are set."""
    found = {}
    for key, value in node.mapping(None, "where").items():
        name, indices = heading(key, node)
        if name in checker.names.broken:
            continue
        if name not in pins:
            _unknown(node, key, name, pins, "under `set`, no decision")
        wanted = [index.type for index in terms[name].indices]
        if [index.type for index in indices] != wanted:
            kinds = ", ".join(f"a {kind}" for kind in wanted)
            count = "one index" if len(wanted) == 1 else f"{len(wanted)} indices"
            node.fail_at_key(key, f"{name} has {count}, {kinds}", ProfileError)
        condition = checker.check(parse_expression(value), (*indices, _CYCLE), TRUTH)
        if condition.open:
            value.fail("`where` may use only facts, not decisions", ProfileError)
        found[name] = (indices, condition)
    return found


def _unknown(
    node: Node, key: str, name: str, known: Mapping[str, object], problem: str
) -> NoReturn:
    hint = did_you_mean(name, known)
    node.fail_at_key(key, f"{problem} is called {name!r}{hint and f'; {hint}'}", ProfileError)
