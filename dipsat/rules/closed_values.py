"""Look up what expressions refer to, and evaluate closed expressions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from dipsat.board import Map
from dipsat.rules import syntax
from dipsat.rules.syntax import POWER, Expression, Fact, Variable

Scope: TypeAlias = Mapping[str, Any]
"""Variable name -> the object it stands for."""


class Surroundings(Protocol):
    """What `phase`, type names and features refer to. The facts of the vocabulary are its
    attributes and those of all objects."""

    @property
    def map(self) -> Map:
        """The map, which marks features."""

    def domain(self, kind: str) -> Sequence[Any]:
        """All objects of a type of the vocabulary."""


def scope_of(indices: Iterable[Variable], objects: Iterable[Any]) -> dict[str, Any]:
    """The scope that binds these indices to these objects."""
    return {index.name: one for index, one in zip(indices, objects, strict=True)}


def thing(node: Expression, scope: Scope, around: Surroundings) -> Any:
    """Look up the meaning of an expression without operators: an object, a set, a power, a text, a
    fact, a relation or a feature."""
    if isinstance(node, Variable):  # most frequent, so first: grounding spends most time here
        return scope[node.name]
    if isinstance(node, Fact):
        whose = node.of
        owner = scope[whose.name] if isinstance(whose, Variable) else thing(whose, scope, around)
        return owner.attribute(node.name) if node.declared else getattr(owner, node.name)
    match node:
        case syntax.Constant(value=value):
            return value
        case syntax.CurrentPhase():
            return around
        case syntax.AllOf(of=of):
            return of.members or around.domain(of.name)
        case syntax.Related(arguments=arguments, rows=rows):
            return tuple(thing(part, scope, around) for part in arguments) in rows
        case syntax.Feature(name=name, arguments=arguments):
            marked = [thing(part, scope, around) for part in arguments]
            if arguments[0].type == POWER:
                return around.map.has_power_feature(name, *marked)
            return around.map.has_feature(name, *(place.code for place in marked))
    raise AssertionError(f"no reading for {type(node).__name__}")


def value_of(node: Expression, scope: Scope, around: Surroundings) -> Any:
    """The value of a closed expression whose variables stand for the objects in `scope`."""
    match node:
        case syntax.Not(part=part):
            return not value_of(part, scope, around)
        case syntax.Junction(op=op, parts=parts):
            join = all if op == "and" else any
            return join(value_of(part, scope, around) for part in parts)
        case syntax.Choice(condition=condition, then=then, otherwise=otherwise):
            chosen = then if value_of(condition, scope, around) else otherwise
            return value_of(chosen, scope, around)
        case syntax.Predicate(domains=(domain,)):
            return bool(thing(domain, scope, around))
        case syntax.Compare() | syntax.Arithmetic():
            left, right = (value_of(part, scope, around) for part in (node.left, node.right))
            return _BINARY[node.op](left, right)
        case syntax.Quantifier():
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


@dataclass(frozen=True, slots=True)
class Formula:
    """A named truth value about objects: `expression` over `indices`, stated in the file `origin`.
    It is a condition on single orders, or a result that is read off at the end (`contested(p)`)."""

    name: str
    indices: tuple[Variable, ...]
    expression: Expression
    origin: str = field(compare=False)

    def holds(self, around: Surroundings, *objects: Any) -> bool:
        """Whether it holds for these objects; the expression must be closed."""
        return bool(value_of(self.expression, scope_of(self.indices, objects), around))
