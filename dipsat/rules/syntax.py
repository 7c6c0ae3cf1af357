"""Expressions of the rule language after checking: typed, total, and without loops.

All code that reads equations (grounding, explanations, the kernel ...) interprets only these nodes.
There are no calls of defined terms: the checker replaces each by the term's body.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

# --- types ----------------------------------------------------------------------------------------

# The types of the rule language.


@dataclass(frozen=True, slots=True)
class Type:
    """A type, by name. `item` is the member type of a set. `members` are the values of a declared
    domain as written in orders, and `keys` are their names in rule files if these differ."""

    name: str
    item: Type | None = None
    members: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"set of {self.item}" if self.item else self.name

    @property
    def names(self) -> tuple[str, ...]:
        """The members' names in rule files."""
        return self.keys or self.members

    def member(self, text: str) -> str | None:
        """The member that a rule file calls `text`, None if there is none. If a domain has keys,
        rule files cannot use its words, because another file may give its members other words."""
        return self.members[self.names.index(text)] if text in self.names else None

    @property
    def is_truth(self) -> bool:
        """Whether it is a truth value."""
        return self.name == "truth"

    @property
    def is_number(self) -> bool:
        """Whether it is a number; a truth value counts as 0 or 1 in a sum."""
        return self.name in ("number", "truth")


TRUTH = Type("truth")
NUMBER = Type("number")
TEXT = Type("text")
POWER = Type("Power")
PROVINCE = Type("Province")
UNIT = Type("Unit")
MOVE = Type("Move")
SUPPORT = Type("Support")
CONVOY = Type("Convoy")
RETREAT = Type("Retreat")
BUILD = Type("Build")
PHASE = Type("Phase")
CYCLE = Type("Cycle")

ENTITIES = {
    entity.name: entity for entity in (PROVINCE, UNIT, MOVE, SUPPORT, CONVOY, RETREAT, BUILD)
}

INDEX_TYPES = {**ENTITIES, POWER.name: POWER}
"""The types that a variable of a defined term can have."""


def set_of(item: Type) -> Type:
    """The type of sets of `item`."""
    return Type("set", item)


# --- syntax ---------------------------------------------------------------------------------------


class Expression:
    """A node. Its parts are `children`."""

    type: Type

    @cached_property
    def has_decision(self) -> bool:
        """Whether it contains a decision, which is an unknown."""
        return any(part.has_decision for part in children(self))

    @cached_property
    def compares(self) -> bool:
        """Whether it contains a comparison of numbers that depend on decisions."""
        return any(part.compares for part in children(self))


class _Truth(Expression):
    type = TRUTH


@dataclass(frozen=True)
class Constant(Expression):
    """A number, a truth value or a text."""

    value: int | bool | str
    type: Type


@dataclass(frozen=True)
class Variable(Expression):
    """An index of the equation, or the variable of a quantifier."""

    name: str
    type: Type


@dataclass(frozen=True)
class Fact(Expression):
    """`of.name`: a fact of the vocabulary, or one that the profile declares (`declared`)."""

    of: Expression
    name: str
    type: Type
    declared: bool = False


@dataclass(frozen=True)
class DecisionCall(Expression):
    """The value of a decision: `attack_strength(m)`."""

    name: str
    arguments: tuple[Expression, ...]
    type: Type
    has_decision = True


@dataclass(frozen=True)
class CurrentPhase(Expression):
    """`phase`: the phase being adjudicated."""

    type = PHASE


@dataclass(frozen=True)
class AllOf(Expression):
    """A type name used as a set: all objects of the type, or the members of a domain."""

    of: Type

    @cached_property
    def type(self) -> Type:  # type: ignore[override]
        """The type of sets of these."""
        return set_of(self.of)


@dataclass(frozen=True)
class Related(_Truth):
    """Whether the arguments are a row of a declared relation."""

    name: str
    arguments: tuple[Expression, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Feature(_Truth):
    """Whether the map marks a province, a border (two arguments) or a power with a feature."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Not(_Truth):
    """Negation."""

    part: Expression


@dataclass(frozen=True)
class Junction(_Truth):
    """Two or more parts joined by `and` or `or` (`op`)."""

    op: str
    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Compare(_Truth):
    """`left op right`; `op` is one of == != < <= > >=."""

    op: str
    left: Expression
    right: Expression

    @cached_property
    def compares(self) -> bool:
        """Whether it is itself one."""
        return self.has_decision and self.left.type.is_number


@dataclass(frozen=True)
class Arithmetic(Expression):
    """`left + right` or `left - right`."""

    op: str
    left: Expression
    right: Expression
    type = NUMBER


@dataclass(frozen=True)
class Choice(Expression):
    """`then if condition else otherwise`."""

    condition: Expression
    then: Expression
    otherwise: Expression
    type: Type


@dataclass(frozen=True)
class Quantifier(Expression):
    """`op(body for variable in domain if condition)`; `op` is all, any or sum."""

    op: str
    variable: Variable
    domain: Expression
    condition: Expression | None
    body: Expression
    type: Type


@dataclass(frozen=True)
class Predicate(_Truth):
    """`some(domain)` or `ring(domain, more)`: a fact about one set of candidates, or about several
    sets taken together."""

    op: str
    domains: tuple[Expression, ...]


@dataclass(frozen=True)
class Chain(_Truth):
    """`chain(start, end, (body for variable in domain if condition))`."""

    start: Expression
    end: Expression
    variable: Variable
    domain: Expression
    condition: Expression | None
    body: Expression


def children(node: Expression) -> tuple[Expression, ...]:
    """The immediate parts of a node."""
    match node:
        case Fact(of=part) | Not(part=part):
            return (part,)
        case DecisionCall(arguments=parts) | Related(arguments=parts) | Feature(arguments=parts):
            return parts
        case Junction(parts=parts):
            return parts
        case Compare(left=left, right=right) | Arithmetic(left=left, right=right):
            return (left, right)
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case Predicate(domains=domains):
            return domains
        case Quantifier():
            return tuple(p for p in (node.domain, node.condition, node.body) if p is not None)
        case Chain():
            inner = (node.start, node.end, node.domain, node.condition, node.body)
            return tuple(p for p in inner if p is not None)
    return ()


def parts_of_all(expressions: Iterable[Expression]) -> Iterator[Expression]:
    """All nodes of the expressions."""
    waiting = list(expressions)
    while waiting:
        node = waiting.pop()
        yield node
        waiting += children(node)


def decision_calls(node: Expression) -> frozenset[str]:
    """The names of the decisions that an expression mentions."""
    found = {node.name} if isinstance(node, DecisionCall) else set()
    for part in children(node):
        found |= decision_calls(part)
    return frozenset(found)
