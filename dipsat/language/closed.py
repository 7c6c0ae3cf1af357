"""What an expression says of known facts: how anything is looked up, and closed expressions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from dipsat.board.map import Map
from dipsat.language.syntax import (
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
from dipsat.language.types import POWER

Scope: TypeAlias = Mapping[str, Any]
"""What each variable stands for."""


class Surroundings(Protocol):
    """What `phase`, the names of types and features stand for. Its attributes, and those of all
    objects, are the facts of the vocabulary."""

    @property
    def map(self) -> Map:
        """The map, which marks features."""

    def domain(self, kind: str) -> Sequence[Any]:
        """All objects of a type of the vocabulary."""


def thing(node: Expression, scope: Scope, around: Surroundings) -> Any:
    """What an expression stands for that is looked up: an object, a set, a power, a text; or a
    fact, a relation or a feature."""
    if isinstance(node, Variable):  # the commonest first: grounding spends most of its time here
        return scope[node.name]
    if isinstance(node, Fact):
        owner = thing(node.of, scope, around)
        return owner.attribute(node.name) if node.declared else getattr(owner, node.name)
    match node:
        case Constant(value=value):
            return value
        case CurrentPhase():
            return around
        case AllOf(of=of):
            return of.members or around.domain(of.name)
        case Related(arguments=arguments, rows=rows):
            return tuple(thing(part, scope, around) for part in arguments) in rows
        case Feature(name=name, arguments=arguments):
            marked = [thing(part, scope, around) for part in arguments]
            if arguments[0].type == POWER:
                return around.map.has_power_feature(name, *marked)
            return around.map.has_feature(name, *(place.code for place in marked))
    raise AssertionError(f"no reading for {type(node).__name__}")


def value_of(node: Expression, scope: Scope, around: Surroundings) -> Any:
    """The value of a closed expression whose variables stand for the objects in `scope`."""
    match node:
        case Not(part=part):
            return not value_of(part, scope, around)
        case Junction(op=op, parts=parts):
            join = all if op == "and" else any
            return join(value_of(part, scope, around) for part in parts)
        case Choice(condition=condition, then=then, otherwise=otherwise):
            chosen = then if value_of(condition, scope, around) else otherwise
            return value_of(chosen, scope, around)
        case Predicate(domains=(domain,)):
            return bool(thing(domain, scope, around))
        case Compare() | Arithmetic():
            left, right = (value_of(part, scope, around) for part in (node.left, node.right))
            return _BINARY[node.op](left, right)
        case Quantifier():
            found = []
            for member in thing(node.domain, scope, around):
                inner = {**scope, node.variable.name: member}
                if node.condition is None or value_of(node.condition, inner, around):
                    found.append(value_of(node.body, inner, around))
            return _FOLDS[node.op](found)
    return thing(node, scope, around)


_FOLDS: Mapping[str, Callable[[list[Any]], Any]] = {"all": all, "any": any, "sum": sum}


_BINARY: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "+": operator.add, "-": operator.sub,
}  # fmt: skip
