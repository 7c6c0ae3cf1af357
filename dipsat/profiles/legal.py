"""The conditions of a profile on single orders, and on places: section `legal`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dipsat.documents import Node
from dipsat.errors import ProfileError
from dipsat.profiles.check import Checker
from dipsat.profiles.closed import BoardFacts, value_of
from dipsat.profiles.known import Term
from dipsat.profiles.syntax import (
    AllOf,
    Chain,
    CurrentPhase,
    Expression,
    Fact,
    Predicate,
    Variable,
    children,
)
from dipsat.profiles.types import (
    BUILD,
    CONVOY,
    ENTITIES,
    MOVE,
    POWER,
    PROVINCE,
    RETREAT,
    SUPPORT,
    TRUTH,
    UNIT,
)
from dipsat.profiles.vocabulary import FIXED, KNOWN_EARLY

CONVOYS_IN, BUILDS_IN, COUNTS_FOR = "convoys_in", "builds_in", "counts_for"
CAPTURES = "captures"
PLACES = {
    CONVOYS_IN: (PROVINCE,),
    BUILDS_IN: (POWER, PROVINCE),
    COUNTS_FOR: (POWER, PROVINCE),
    CAPTURES: (UNIT, PROVINCE),
}
"""The conditions that say where a fleet may convoy, where a power may build, whether a centre
counts for the power that owns it, and whether a unit that stands in one after fall takes it."""

_ORDERS = (MOVE, SUPPORT, CONVOY, RETREAT, BUILD)


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold of each order of a kind (the type of the one index) for it to be legal; or one
    of `PLACES`."""

    name: str
    indices: tuple[Variable, ...]
    expression: Expression
    origin: str = field(compare=False)

    def holds(self, around: BoardFacts, *objects: Any) -> bool:
        """Whether it holds of an order, or of a place, and for a power."""
        names = (index.name for index in self.indices)
        return bool(value_of(self.expression, dict(zip(names, objects, strict=True)), around))


def read_condition(checker: Checker, term: Term, section: Node, key: str) -> Condition:
    """The checked condition of an entry. Raises `ProfileError`."""
    types = tuple(index.type for index in term.indices)
    if term.name in PLACES and types != PLACES[term.name]:
        about = " and a ".join(str(kind) for kind in PLACES[term.name])
        section.fail_at_key(key, f"{term.name} is about a {about}", ProfileError)
    if term.name not in PLACES and (len(types) != 1 or types[0] not in _ORDERS):
        kinds = ", ".join(str(kind) for kind in _ORDERS)
        section.fail_at_key(key, f"a condition is about one order: {kinds}", ProfileError)
    if term.name in checker.names.decisions or term.name in checker.names.defines:
        section.fail_at_key(key, f"{term.name!r} means something else already", ProfileError)
    expression = checker.check(term.source, term.indices, TRUTH)
    known = FIXED if term.name == CONVOYS_IN else KNOWN_EARLY
    for fault in _unknown_then(expression, known):
        term.source.node.fail(fault, ProfileError)
    return Condition(term.name, term.indices, expression, term.source.node.path)


def _unknown_then(node: Expression, known: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """What is not known yet when a single order is judged, in words."""
    if node.open:
        yield "this depends on decisions, but orders are judged before anything is decided"
    elif isinstance(node, Chain) or (isinstance(node, Predicate) and node.op == "ring"):
        yield "rings and chains are of several orders, but here each is judged by itself"
    elif isinstance(node, AllOf) and str(node.of) in ENTITIES:
        if node.of not in (UNIT, PROVINCE) or str(node.of) not in known:
            yield f"the other objects of type {node.of} are not known when this is judged"
    elif isinstance(node, Fact) and not node.type.members:
        told = known.get(str(node.of.type), ())
        if node.name not in told:
            one_of = f"; known are {', '.join(told)}" if told else ""
            yield f"the fact {node.name} is not known when this is judged{one_of}"
    for part in children(node):
        yield from _unknown_then(part, known)


def is_lasting(node: Expression) -> bool:
    """Whether a condition is the same of the same unit and place wherever units stand."""
    if isinstance(node, AllOf | CurrentPhase) and not node.type.members:
        return False
    if isinstance(node, Fact) and not node.type.members:
        lasting = _LASTING.get(str(node.of.type), ())
        if node.name not in lasting:
            return False
    return all(map(is_lasting, children(node)))


_LASTING = {"Unit": ("power", "kind"), "Province": FIXED["Province"]}


class Conditions:
    """The conditions of a profile; `reasons` are what people read. What they are for is told in
    `dipsat.game.settings`. They are equal if they say the same."""

    def __init__(self, conditions: Mapping[str, Condition], reasons: Mapping[str, str]) -> None:
        self.reasons = reasons
        self._all = dict(conditions)
        self._by_kind: dict[str, list[Condition]] = {kind: [] for kind in ENTITIES}
        for condition in conditions.values():
            if condition.name not in PLACES:
                self._by_kind[str(condition.indices[0].type)].append(condition)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Conditions):
            return NotImplemented
        return self._all == other._all and self.reasons == other.reasons

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._all)))

    def are_about(self, kind: str) -> bool:
        """Whether there is a condition on orders of a type of the vocabulary."""
        return bool(self._by_kind[kind])

    def refusal(self, kind: str, order: object, around: BoardFacts) -> tuple[str, str] | None:
        """Name and reason of the first condition that an order of this type breaks."""
        for condition in self._by_kind[kind]:
            if not condition.holds(around, order):
                return condition.name, self.reason(condition.name)
        return None

    @property
    def say_where_to_convoy(self) -> bool:
        """Whether they say in which provinces fleets may convoy."""
        return CONVOYS_IN in self._all

    def convoys_in(self, place: object, around: BoardFacts) -> bool:
        """Whether a fleet may convoy in a province."""
        return self._all[CONVOYS_IN].holds(around, place)

    def counts_for(self, power: str, place: object, around: BoardFacts) -> bool:
        """Whether a supply centre counts for the power that owns it: for builds and victory."""
        return COUNTS_FOR not in self._all or self._all[COUNTS_FOR].holds(around, power, place)

    @property
    def count_whatever_stands(self) -> bool:
        """Whether which centres count does not hang on the units of the board."""
        return COUNTS_FOR not in self._all or is_lasting(self._all[COUNTS_FOR].expression)

    @property
    def say_who_captures(self) -> bool:
        """Whether they say which units take the centres in which they stand."""
        return CAPTURES in self._all

    def captures(self, unit: object, place: object, around: BoardFacts) -> bool:
        """Whether a unit that stands in a supply centre after fall takes it."""
        return self._all[CAPTURES].holds(around, unit, place)

    @property
    def say_where_to_build(self) -> bool:
        """Whether they say in which provinces a power may build."""
        return BUILDS_IN in self._all

    def builds_in(self, power: str, place: object, around: BoardFacts) -> bool:
        """Whether a power may build in a province that is vacant."""
        return self._all[BUILDS_IN].holds(around, power, place)

    def reason(self, name: str) -> str:
        """What people read where a condition does not hold."""
        return self.reasons.get(name, name.replace("_", " "))
