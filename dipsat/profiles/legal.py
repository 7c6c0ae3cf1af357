"""The conditions of a profile on single orders: section `legal`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dipsat.documents import Node
from dipsat.errors import ProfileError
from dipsat.profiles.check import Checker
from dipsat.profiles.closed import Surroundings, value_of
from dipsat.profiles.known import Term
from dipsat.profiles.syntax import AllOf, Chain, Expression, Fact, Predicate, Variable, children
from dipsat.profiles.types import (
    BUILD,
    CONVOY,
    ENTITIES,
    MOVE,
    PROVINCE,
    RETREAT,
    SUPPORT,
    TRUTH,
    UNIT,
    Type,
)
from dipsat.profiles.vocabulary import FIXED, KNOWN_EARLY

CONVOYS_IN = "convoys_in"
"""The condition that says where a fleet may convoy."""

COUNTS = "counts_as_centre"
"""The condition that says whether a supply centre counts for its owner."""

_OF_PROVINCES = (CONVOYS_IN, COUNTS)

_ORDERS = (MOVE, SUPPORT, CONVOY, RETREAT, BUILD)


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold of each order of a kind (the type of the index) for it to be legal."""

    name: str
    index: Variable
    expression: Expression
    origin: str

    def holds(self, order: Any, around: Surroundings) -> bool:
        """Whether it holds of an order."""
        return bool(value_of(self.expression, {self.index.name: order}, around))


def read_condition(checker: Checker, term: Term, section: Node, key: str) -> Condition:
    """The checked condition of an entry. Raises `ProfileError`."""
    kinds = ", ".join(kind.name for kind in _ORDERS)
    of_province = term.name in _OF_PROVINCES
    wanted = (PROVINCE,) if of_province else _ORDERS
    if len(term.indices) != 1 or term.indices[0].type not in wanted:
        problem = f"a condition is about one order: {kinds}"
        if of_province:
            problem = f"{term.name} is about a Province"
        section.fail_at_key(key, problem, ProfileError)
    if term.name in checker.names.decisions or term.name in checker.names.defines:
        section.fail_at_key(key, f"{term.name!r} means something else already", ProfileError)
    expression = checker.check(term.source, term.indices, TRUTH)
    known = FIXED if term.name == CONVOYS_IN else KNOWN_EARLY
    for fault in _unknown_then(expression, known):
        term.source.node.fail(fault, ProfileError)
    return Condition(term.name, term.indices[0], expression, term.source.node.path)


def _unknown_then(node: Expression, known: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """What is not known yet when a single order is judged, in words."""
    if node.open:
        yield "this depends on decisions, but orders are judged before anything is decided"
    elif isinstance(node, Chain) or (isinstance(node, Predicate) and node.op == "ring"):
        yield "rings and chains are of several orders, but here each is judged by itself"
    elif isinstance(node, AllOf) and node.of in (UNIT, *_ORDERS):
        if node.of != UNIT or UNIT.name not in known:
            yield f"the other objects of type {node.of} are not known when this is judged"
    elif isinstance(node, Fact) and not node.type.members:
        told = known.get(node.of.type.name, ())
        if node.name not in told:
            one_of = f"; known are {', '.join(told)}" if told else ""
            yield f"the fact {node.name} is not known when this is judged{one_of}"
    for part in children(node):
        yield from _unknown_then(part, known)


class Conditions:
    """The conditions of a profile; `reasons` are what people read. What it is for is told in
    `dipsat.game.conditions`."""

    def __init__(self, conditions: Mapping[str, Condition], reasons: Mapping[str, str]) -> None:
        self.reasons = reasons
        self._convoys_in = conditions.get(CONVOYS_IN)
        self._counts = conditions.get(COUNTS)
        self._by_kind: dict[str, list[Condition]] = {kind: [] for kind in ENTITIES}
        for condition in conditions.values():
            if condition.name not in _OF_PROVINCES:
                self._by_kind[condition.index.type.name].append(condition)

    def are_about(self, kind: Type | str) -> bool:
        """Whether there is a condition on orders of a type of the vocabulary."""
        return bool(self._by_kind[str(kind)])

    def refusal(self, kind: str, order: object, around: Surroundings) -> tuple[str, str] | None:
        """Name and reason of the first condition that an order of this type breaks."""
        for condition in self._by_kind[kind]:
            if not condition.holds(order, around):
                return condition.name, self._reason(condition.name)
        return None

    @property
    def say_where_to_convoy(self) -> bool:
        """Whether they say in which provinces fleets may convoy."""
        return self._convoys_in is not None

    def convoys_in(self, place: object, around: Surroundings) -> bool:
        """Whether a fleet may convoy in a province."""
        assert self._convoys_in is not None
        return self._convoys_in.holds(place, around)

    def counts(self, place: object, around: Surroundings) -> bool:
        """Whether a supply centre counts for its owner."""
        return self._counts is None or self._counts.holds(place, around)

    def no_convoy(self) -> str:
        """Why a fleet may not convoy where it stands."""
        return self._reason(CONVOYS_IN)

    def _reason(self, name: str) -> str:
        return self.reasons.get(name, name.replace("_", " "))
