"""What an expression without unknowns says of given objects."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from dipsat.profiles.syntax import (
    AllOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    CurrentPhase,
    Expression,
    Fact,
    Feature,
    Junction,
    Not,
    Predicate,
    Quantifier,
    Related,
    Variable,
)
from dipsat.profiles.types import POWER


class BoardFacts(Protocol):
    """The board in a phase: what `phase`, the names of types and features stand for. Its
    attributes, and those of all objects, are the facts of the vocabulary."""

    def domain(self, kind: str) -> Iterable[Any]:
        """All objects of a type of the vocabulary."""

    def has_power_feature(self, name: str, power: str) -> bool:
        """Whether a power is marked with a feature."""

    def has_feature(self, name: str, *codes: str) -> bool:
        """Whether a province, or the border between two, is marked with a feature."""


def value_of(node: Expression, scope: Mapping[str, Any], around: BoardFacts) -> Any:
    """The value of a closed expression whose variables stand for the objects in `scope`."""
    match node:
        case Constant(value=value):
            return value
        case Variable(name=name):
            return scope[name]
        case Fact() | CurrentPhase() | AllOf() | Related() | Feature():
            return _known(node, scope, around)
        case Not(part=part):
            return not value_of(part, scope, around)
        case Junction(op=op, parts=parts):
            join = all if op == "and" else any
            return join(value_of(part, scope, around) for part in parts)
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return value_of(
                then if value_of(condition, scope, around) else otherwise, scope, around
            )
        case Predicate(domains=(domain,)):
            return bool(value_of(domain, scope, around))
        case Compare() | Arithmetic():
            left, right = (value_of(part, scope, around) for part in (node.left, node.right))
            return _BINARY[node.op](left, right)
        case Quantifier():
            return _quantified(node, scope, around)
    raise AssertionError(f"no reading for {type(node).__name__}")


def _known(
    node: Fact | CurrentPhase | AllOf | Related | Feature,
    scope: Mapping[str, Any],
    around: BoardFacts,
) -> Any:
    """What is looked up: facts, relations, features, all objects of a type."""
    match node:
        case Fact(of=of, name=name):
            thing = value_of(of, scope, around)
            return thing.attribute(name) if node.type.members else getattr(thing, name)
        case CurrentPhase():
            return around
        case AllOf(of=of):
            return of.members or around.domain(of.name)
        case Related(arguments=arguments, rows=rows):
            return tuple(value_of(part, scope, around) for part in arguments) in rows
        case Feature(name=name, arguments=arguments):
            marked = [value_of(part, scope, around) for part in arguments]
            if arguments[0].type == POWER:
                return around.has_power_feature(name, *marked)
            return around.has_feature(name, *(place.code for place in marked))


def _quantified(node: Quantifier, scope: Mapping[str, Any], around: BoardFacts) -> Any:
    found = []
    for member in value_of(node.domain, scope, around):
        inner = {**scope, node.variable.name: member}
        if node.condition is None or value_of(node.condition, inner, around):
            found.append(value_of(node.body, inner, around))
    return _FOLDS[node.op](found)


_FOLDS: Mapping[str, Callable[[list[Any]], Any]] = {"all": all, "any": any, "sum": sum}


_BINARY: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "+": operator.add, "-": operator.sub,
}  # fmt: skip
