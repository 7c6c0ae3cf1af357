"""The value of a ground term where a function tells the values of its unknowns."""

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
    Unknown,
    reach,
)

Scenario: TypeAlias = bool | None
"""Which value of uncertain information is meant: true the greatest, false the least; None where
everything has one value (DATC 3.0 5.E, the parameter `optimistic`)."""

Ask: TypeAlias = Callable[[Key, Scenario], int]
"""Tells the value of a decision in a scenario, truth values as 0 and 1."""

_OPPOSITE: dict[Scenario, Scenario] = {True: False, False: True, None: None}


def evaluate(term: Term, ask: Ask, scenario: Scenario = None) -> int:
    """The value of a term in a scenario.

    Only what is needed is asked for, from left to right; but of a convoy path every fleet, before
    the search for a path begins (seed 003, its final note). Loops instead of `all` and `any` keep
    deep recursions on Python's own stack.
    """
    match term:
        case Unknown(key=key):
            return ask(key, scenario)
        case int():
            return int(term)
        case Negation(part=part):
            return 1 - evaluate(part, ask, _OPPOSITE[scenario])
        case All(parts=parts) | Any(parts=parts):
            ending = isinstance(term, Any)
            for part in parts:
                if bool(evaluate(part, ask, scenario)) is ending:
                    return int(ending)
            return int(not ending)
        case Greater(left=left, right=right):
            other = _OPPOSITE[scenario]
            return int(evaluate(left, ask, scenario) > evaluate(right, ask, other))
        case Sum():
            total = term.constant
            for part in term.added:
                total += evaluate(part, ask, scenario)
            for part in term.taken:
                total -= evaluate(part, ask, _OPPOSITE[scenario])
            return total
        case IfElse():
            return _choice(term, ask, scenario)
        case Reach():
            return _path(term, ask, scenario)


def _choice(term: IfElse, ask: Ask, scenario: Scenario) -> int:
    """A branch; where the condition is uncertain, the better or the worse of both."""
    surely = evaluate(term.condition, ask, None if scenario is None else False)
    maybe = surely if scenario is None or surely else evaluate(term.condition, ask, True)
    if surely == maybe:
        return evaluate(term.then if surely else term.otherwise, ask, scenario)
    then = evaluate(term.then, ask, scenario)
    otherwise = evaluate(term.otherwise, ask, scenario)
    return max(then, otherwise) if scenario else min(then, otherwise)


def _path(term: Reach, ask: Ask, scenario: Scenario) -> int:
    """Whether a chain of available fleets leads across. Each fleet is visited once, so the time is
    polynomial however many routes there are."""
    available: list[Term] = []
    for condition in term.conditions:
        available.append(bool(evaluate(condition, ask, scenario)))
    borders = [list(around) for around in term.borders]
    return int(reach(available, list(term.starts), list(term.ends), borders) is True)
