"""Look up what expressions refer to, and evaluate closed expressions."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Protocol, TypeAlias

from dipsat.board.map import Map
from dipsat.language import syntax
from dipsat.language.syntax import (
    POWER,
    AllOf,
    Chain,
    Expression,
    Fact,
    Predicate,
    Quantifier,
    Type,
    Variable,
    children,
)

Scope: TypeAlias = Mapping[str, Any]
"""Variable name -> the object it stands for."""


class Surroundings(Protocol):
    """What `phase`, type names and features refer to. Its attributes, and those of all objects, are
    the facts of the vocabulary."""

    @property
    def map(self) -> Map:
        """The map, which marks features."""

    def domain(self, kind: str) -> Sequence[Any]:
        """All objects of a type of the vocabulary."""


def scope_of(indices: Iterable[Variable], objects: Iterable[Any]) -> dict[str, Any]:
    """The scope that binds these indices to these objects."""
    return dict(zip((index.name for index in indices), objects, strict=True))


def thing(node: Expression, scope: Scope, around: Surroundings) -> Any:
    """Look up what an expression without operators refers to: an object, a set, a power, a text, a
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
    """A named truth value over objects: `expression` over `indices`, stated in the file `origin`.
    It is a condition on single orders, or a result read off at the end (`contested(p)`)."""

    name: str
    indices: tuple[Variable, ...]
    expression: Expression
    origin: str = field(compare=False)

    def holds(self, around: Surroundings, *objects: Any) -> bool:
        """Whether it holds for these objects; the expression must be closed."""
        return bool(value_of(self.expression, scope_of(self.indices, objects), around))


# --- steps ----------------------------------------------------------------------------------------

# How many steps an expression takes, known before any is taken.
#
# A step is the evaluation of one part of an expression. Quantifiers multiply: five nested ones
# over the provinces of the standard map take thousands of millions of steps. The count is an upper
# bound, the same on every machine: a quantifier that could end early counts in full, and every set
# of facts (`u.supports`) counts as the largest one there is.


Domains: TypeAlias = tuple[Expression, ...]
"""The sets over which a part of an expression is evaluated."""


def parts_by_domains(node: Expression, around: Domains = ()) -> Counter[Domains]:
    """How many parts of an expression are evaluated over the same sets; `around` are those over
    which the whole is."""
    return Counter(_domains(node, around))


def _domains(node: Expression, around: Domains) -> Iterator[Domains]:
    yield around
    inside = around
    if isinstance(node, Quantifier | Chain):
        inside = (*around, node.domain)
    elif isinstance(node, Predicate):
        yield from ((*around, domain) for domain in node.domains)
    for part in children(node):
        yield from _domains(part, inside)


class Sizes:
    """The sizes of sets: of all objects of a type, or the largest of a fact's."""

    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self._found: dict[int, int] = {}  # by identity: to hash an expression is to walk it

    def steps(self, parts: Counter[Domains]) -> int:
        """The steps that the parts of an expression take together."""
        return sum(count * prod(map(self._of, domains)) for domains, count in parts.items())

    def _of(self, domain: Expression) -> int:
        found = self._found.get(id(domain))
        if found is None:
            found = self._found[id(domain)] = self._size(domain)
        return found

    def _size(self, domain: Expression) -> int:
        if isinstance(domain, Fact):
            owners = self.around.domain(domain.of.type.name)
            if owners:
                return max(map(len, _sets(owners, domain)))
        return self._all(domain)

    def _all(self, domain: Expression) -> int:
        """The number of all objects that could be in a set."""
        kind = _kind(domain)
        return 1 if kind is None else len(kind.members or self.around.domain(kind.name))


class RoughSizes(Sizes):
    """Upper bounds that are quick to find: a set of facts can have all objects of its type."""

    def _size(self, domain: Expression) -> int:
        return self._all(domain)


def _kind(domain: Expression) -> Type | None:
    """The type of what could be in a set."""
    return domain.of if isinstance(domain, AllOf) else domain.type.item


def _sets(owners: Iterable[object], fact: Fact) -> Iterator[tuple[object, ...]]:
    for owner in owners:
        value = owner.attribute(fact.name) if fact.declared else getattr(owner, fact.name)  # type: ignore[attr-defined]  # objects of declared kinds have it
        yield tuple(value)
