"""What a profile says of extra phases and of what phases change: checked when all else is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dipsat.documents import Node
from dipsat.errors import ProfileError
from dipsat.language.parse import parse_expression
from dipsat.language.syntax import Constant, Expression
from dipsat.language.types import TRUTH, UNIT
from dipsat.profiles.check import Checker
from dipsat.profiles.declared import Declared
from dipsat.profiles.layers import Layers
from dipsat.profiles.noting import Try
from dipsat.profiles.order_kinds import DeclaredKind
from dipsat.profiles.profile import Result


def kinds_in_force(layers: Layers, checker: Checker, attempt: Try) -> dict[str, DeclaredKind]:
    """The declared kinds of orders, each with whether its `when` holds; faults go to `attempt`."""
    found = dict(checker.names.declared.kinds)
    for name, _, _, node in layers.section("orders"):
        when = node.value.get("when") if isinstance(node.value, dict) else None
        if when is None or name not in found:
            continue

        holds = attempt(_holds, checker, when)
        switch = _switch(checker, when) if holds is False else ""
        found[name] = replace(found[name], in_force=holds is not False, switch=switch)
    return found


def _holds(checker: Checker, when: Node) -> bool:
    value: Expression = checker.check(parse_expression(when), (), TRUTH)
    if not isinstance(value, Constant):
        when.fail("`when` may only use declared options", ProfileError)
    return bool(value.value)


def _switch(checker: Checker, when: Node) -> str:
    """The first choice of an option that makes a condition hold, "" if none does by itself."""
    declared = checker.names.declared
    for option, values in declared.options.items():
        for value in values:
            chosen = replace(declared, chosen={**declared.chosen, option: value})
            if _holds(Checker(replace(checker.names, declared=chosen)), when):
                return f"{option}={value}"
    return ""


def check_becoming(
    layers: Layers, declared: Declared, results: Mapping[str, Result], attempt: Try
) -> None:
    """The results that attributes name under `becomes` must be over units and values."""
    stated = {name for name, *_ in layers.section("results")}
    for name, key, section, _ in layers.section("attributes"):
        attribute = declared.attributes.get(name)
        if attribute is None or not attribute.becomes:
            continue
        result = results.get(attribute.becomes)
        if result is None and attribute.becomes in stated:
            continue  # it has a fault of its own
        found = () if result is None else tuple(index.type for index in result.indices)
        if found != (UNIT, attribute.domain):
            problem = f"there is no result {attribute.becomes} over Unit, {attribute.domain}"
            attempt(section.fail_at_key, key, problem, ProfileError)
