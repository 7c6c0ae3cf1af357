"""How many steps an expression takes, known before any is taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import prod
from typing import TypeAlias

from dipsat.language.closed import Surroundings
from dipsat.language.syntax import (
    AllOf,
    Chain,
    Expression,
    Fact,
    Predicate,
    Quantifier,
    Type,
    children,
)

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
