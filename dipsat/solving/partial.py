"""Partial information as terms: what an equation is at least and at most, for open orders.

Every decision becomes two unknowns, its least and its greatest value, and every equation two. The
fixpoint at which propagation ends under some orders fulfils them. So if they cannot be fulfilled
with a decision that is open or has another value, then propagation gives it its value under all
orders, whatever decision cycles there are elsewhere.
"""

from __future__ import annotations

from dipsat.equations.open_facts import ORDER
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
    all_of,
    any_of,
    greater,
    if_else,
    negation,
    reach,
    sum_of,
)

LEAST, MOST = "least", "most"
_OTHER = {LEAST: MOST, MOST: LEAST}


def rail(key: Key, mode: str) -> Key:
    """The unknown for a decision's least or greatest value."""
    return f"{mode} {key[0]}", key[1]


def partial(term: Term, mode: str) -> Term:
    """What a term is at least or at most; guards of orders are known either way."""
    match term:
        case int():
            return term
        case Unknown(key=key, is_truth=is_truth):
            return term if key[0] == ORDER else Unknown(rail(key, mode), is_truth)
        case Negation(part=part):
            return negation(partial(part, _OTHER[mode]))
        case All(parts=parts):
            return all_of(partial(part, mode) for part in parts)
        case Any(parts=parts):
            return any_of(partial(part, mode) for part in parts)
        case Greater(left=left, right=right):
            return greater(partial(left, mode), partial(right, _OTHER[mode]))
        case Sum():
            added = [term.constant, *(partial(part, mode) for part in term.added)]
            return sum_of(added, [partial(part, _OTHER[mode]) for part in term.taken])
        case IfElse():
            return _choice(term, mode)
        case Reach():
            conditions = [partial(part, mode) for part in term.conditions]
            borders = [list(around) for around in term.borders]
            return reach(conditions, list(term.starts), list(term.ends), borders)


def _choice(term: IfElse, mode: str) -> Term:
    """A branch if the condition is known, else the worse of the two."""
    surely, maybe = partial(term.condition, LEAST), partial(term.condition, MOST)
    then, otherwise = partial(term.then, mode), partial(term.otherwise, mode)
    then_is_worse = greater(otherwise, then) if mode == LEAST else greater(then, otherwise)
    worse = if_else(then_is_worse, then, otherwise)
    return if_else(surely, then, if_else(negation(maybe), otherwise, worse))
