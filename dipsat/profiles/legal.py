"""Read the section `legal`: a profile's conditions on single orders and on places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dipsat.documents import Node
from dipsat.errors import ProfileError, did_you_mean
from dipsat.game.conditions import CONVOYS_IN, PLACES
from dipsat.language.closed import Formula
from dipsat.language.syntax import AllOf, Chain, Expression, Fact, Predicate, children
from dipsat.language.types import (
    BUILD,
    CONVOY,
    ENTITIES,
    MOVE,
    PROVINCE,
    RETREAT,
    SUPPORT,
    TRUTH,
    UNIT,
)
from dipsat.language.vocabulary import FIXED, KNOWN_EARLY
from dipsat.profiles.check import Checker
from dipsat.profiles.known import Definition

_ORDERS = (MOVE, SUPPORT, CONVOY, RETREAT, BUILD)


def read_condition(checker: Checker, term: Definition, section: Node, key: str) -> Formula:
    """The checked condition of an entry. Raises `ProfileError`."""
    types = tuple(index.type for index in term.indices)
    if term.name in PLACES and types != PLACES[term.name]:
        about = " and a ".join(str(kind) for kind in PLACES[term.name])
        section.fail_at_key(key, f"{term.name} is about a {about}", ProfileError)
    if term.name not in PLACES and (len(types) != 1 or types[0] not in _ORDERS):
        kinds = ", ".join(str(kind) for kind in _ORDERS)
        meant = did_you_mean(term.name, PLACES)
        problem = f"a condition is about one order: {kinds}{meant and f'; {meant}'}"
        section.fail_at_key(key, problem, ProfileError)
    expression = checker.check_term(term, term.indices, TRUTH)
    known = FIXED if term.name == CONVOYS_IN else KNOWN_EARLY
    for fault in _unknown_then(expression, known):
        term.source.node.fail(fault, ProfileError)
    return Formula(term.name, term.indices, expression, term.source.node.path)


def _unknown_then(node: Expression, known: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """What an expression uses that is not yet known when a single order is judged, in words."""
    if node.open:
        yield "this depends on decisions, but orders are judged before anything is decided"
    elif isinstance(node, Chain) or (isinstance(node, Predicate) and node.op == "ring"):
        yield "rings and chains need several orders, but here each order is judged alone"
    elif isinstance(node, AllOf) and str(node.of) in ENTITIES:
        if node.of not in (UNIT, PROVINCE) or str(node.of) not in known:
            yield f"the other objects of type {node.of} are not known when this is judged"
    elif isinstance(node, Fact) and not node.type.members:
        facts = known.get(str(node.of.type), ())
        if node.name not in facts:
            one_of = f"; known: {', '.join(facts)}" if facts else ""
            yield f"the fact {node.name} is not known when this is judged{one_of}"
    for part in children(node):
        yield from _unknown_then(part, known)
