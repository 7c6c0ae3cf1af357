"""The value of a ground term, given a function for the values of its unknowns."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from dipsat.terms.term import (
    All,
    Any,
    Greater,
    IfElse,
    Key,
    Negation,
    Reach,
    Sum,
    Term,
    Unequal,
    Unknown,
    reach,
)

Scenario: TypeAlias = bool | None
"""Which value uncertain information gets: true for the greatest, false for the least; None where
every decision has one value (DATC 3.0 5.E, the parameter `optimistic`)."""

Ask: TypeAlias = Callable[[Key, Scenario], int]
"""Returns the value of a decision in a scenario, truth values as 0 and 1."""

Search: TypeAlias = Callable[[Reach, Callable[[Term], bool]], bool]
"""Searches for a convoy path, given a function that returns whether a fleet is available."""

Kept: TypeAlias = dict[tuple[int, Scenario], int]
"""The values of the choices and inequalities below one term, by their identity and the scenario.
These ask for their parts in several scenarios, which would double with each level of them."""

_OPPOSITE: dict[Scenario, Scenario] = {True: False, False: True, None: None}


def every_fleet_first(term: Reach, is_available: Callable[[Term], bool]) -> bool:
    """Whether a chain of available fleets leads across. Every fleet is resolved before the search
    for a path begins, so that no other search can begin within it."""
    available: list[Term] = [is_available(condition) for condition in term.conditions]
    borders = [list(around) for around in term.borders]
    return reach(available, list(term.starts), list(term.ends), borders) is True


def with_local_marks(term: Reach, is_available: Callable[[Term], bool]) -> bool:
    """The same by a depth-first search that resolves each fleet when it reaches it, and stops once
    it is across. Its visited marks are its own, not shared with searches that begin within it."""
    marks = set[int]()
    stack = list(reversed(term.starts))
    while stack:
        fleet = stack.pop()
        if fleet in marks:
            continue
        marks.add(fleet)
        if is_available(term.conditions[fleet]):
            if fleet in term.ends:
                return True
            stack += reversed(term.borders[fleet])
    return False


def evaluate(
    term: Term,
    ask: Ask,
    scenario: Scenario = None,
    search: Search = every_fleet_first,
    kept: Kept | None = None,
) -> int:
    """The value of a term in a scenario.

    Only the unknowns that matter are resolved, from left to right; `search` defines how convoy
    paths are found (Kruijswijk, The Math of Adjudication, the final note). Loops instead of `all`
    and `any` keep deep recursions on Python's own stack. `kept` is for inner calls.
    """
    match term:
        case Unknown(key=key):
            return ask(key, scenario)
        case int():
            return int(term)
        case Negation(part=part):
            return 1 - evaluate(part, ask, _OPPOSITE[scenario], search, kept)
        case All(parts=parts) | Any(parts=parts):
            ending = isinstance(term, Any)
            for part in parts:
                if bool(evaluate(part, ask, scenario, search, kept)) is ending:
                    return int(ending)
            return int(not ending)
        case Greater(left=left, right=right):
            found = evaluate(left, ask, scenario, search, kept)
            return int(found > evaluate(right, ask, _OPPOSITE[scenario], search, kept))
        case Sum():
            total = term.constant
            for part in term.added:
                total += evaluate(part, ask, scenario, search, kept)
            for part in term.taken:
                total -= evaluate(part, ask, _OPPOSITE[scenario], search, kept)
            return total
        case IfElse() | Unequal():
            return _kept_value(term, ask, scenario, search, {} if kept is None else kept)
        case Reach():
            return int(search(term, lambda part: bool(evaluate(part, ask, scenario, search, kept))))


def _kept_value(
    term: IfElse | Unequal, ask: Ask, scenario: Scenario, search: Search, kept: Kept
) -> int:
    place = id(term), scenario
    if place not in kept:
        if isinstance(term, IfElse):
            kept[place] = _choice(term, ask, scenario, search, kept)
        else:
            kept[place] = _unequal(term, ask, scenario, search, kept)
    return kept[place]


def _choice(term: IfElse, ask: Ask, scenario: Scenario, search: Search, kept: Kept) -> int:
    """The value of a branch; if the condition is uncertain, the greater or the smaller of both."""
    surely = evaluate(term.condition, ask, None if scenario is None else False, search, kept)
    maybe = surely
    if scenario is not None and not surely:
        maybe = evaluate(term.condition, ask, True, search, kept)
    if surely == maybe:
        return evaluate(term.then if surely else term.otherwise, ask, scenario, search, kept)
    then = evaluate(term.then, ask, scenario, search, kept)
    otherwise = evaluate(term.otherwise, ask, scenario, search, kept)
    return max(then, otherwise) if scenario else min(then, otherwise)


def _unequal(term: Unequal, ask: Ask, scenario: Scenario, search: Search, kept: Kept) -> int:
    """Whether one side is greater than the other."""
    for one, other in ((term.left, term.right), (term.right, term.left)):
        found = evaluate(one, ask, scenario, search, kept)
        if found > evaluate(other, ask, _OPPOSITE[scenario], search, kept):
            return 1
    return 0
