"""What is left of a term when some of its unknowns are known, and which of these it uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    all_of,
    any_of,
    greater,
    if_else,
    negation,
    reach,
    sum_of,
    unequal,
)

Known: TypeAlias = Callable[[Key], int | None]
"""The value of an unknown, None if it is not known."""
Residual: TypeAlias = tuple[Term, frozenset[Key]]
"""A term, and the unknowns whose values were used to get it."""

_NONE: frozenset[Key] = frozenset()


def residual(term: Term, known: Known) -> Residual:
    """The term with the known values substituted. It depends only on the values of the unknowns
    listed with it, whatever the others are."""
    match term:
        case int():
            return term, _NONE
        case Unknown(key=key, is_truth=is_truth):
            value = known(key)
            if value is None:
                return term, _NONE
            return (bool(value) if is_truth else value), frozenset((key,))
        case Negation(part=part):
            inner, used = residual(part, known)
            return negation(inner), used
        case All(parts=parts):
            return _junction(parts, known, ends=False)
        case Any(parts=parts):
            return _junction(parts, known, ends=True)
        case Greater(left=left, right=right):
            (one, used), (other, more) = residual(left, known), residual(right, known)
            return greater(one, other), used | more
        case Unequal(left=left, right=right):
            (one, used), (other, more) = residual(left, known), residual(right, known)
            return unequal(one, other), used | more
        case Sum():
            plus, minus = _each(term.added, known), _each(term.taken, known)
            total = sum_of([term.constant, *_terms(plus)], _terms(minus))
            return total, _used([*plus, *minus])
        case IfElse():
            return _choice(term, known)
        case Reach():
            nodes = _each(term.conditions, known)
            borders = [list(around) for around in term.borders]
            return reach(_terms(nodes), list(term.starts), list(term.ends), borders), _used(nodes)


def _each(terms: Sequence[Term], known: Known) -> list[Residual]:
    return [residual(part, known) for part in terms]


def _terms(parts: Sequence[Residual]) -> list[Term]:
    return [term for term, _ in parts]


def _used(parts: Sequence[Residual]) -> frozenset[Key]:
    return _NONE.union(*(used for _, used in parts))


def _junction(parts: Sequence[Term], known: Known, ends: bool) -> Residual:
    """`and` (which a false part decides) or `or` (which a true one does). One deciding
    part is enough, so take the one that uses the fewest unknowns."""
    found = _each(parts, known)
    ending = [used for term, used in found if term is ends]
    if ending:
        return ends, min(ending, key=lambda used: (len(used), sorted(used)))
    join = any_of if ends else all_of
    return join(_terms(found)), _used(found)


def _choice(term: IfElse, known: Known) -> Residual:
    condition, used = residual(term.condition, known)
    if isinstance(condition, bool):
        branch, more = residual(term.then if condition else term.otherwise, known)
        return branch, used | more
    (then, more), (otherwise, most) = residual(term.then, known), residual(term.otherwise, known)
    return if_else(condition, then, otherwise), used | more | most
