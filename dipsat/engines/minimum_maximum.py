"""The least and the greatest value of a term while decisions are open, each coded separately.

DATC 2.4, 5.C: "all decisions have to be programmed twice". DATC 3.0, 5.E has a trick that avoids
this; `dipsat.engines.evaluation` uses it. Here the minimum, the maximum and that trick share no
code, so that each can check the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

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

Kept: TypeAlias = dict[tuple[int, str], int]
"""The minima and maxima of the choices and inequalities below one term, by their identity. These
ask for both of their parts, which would double with each level of them; inner calls share them."""


class Current(Protocol):
    """What is known about decisions, truth values as 0 and 1 (DATC 2.4, 5.C: the functions
    `current_...`)."""

    def least(self, key: Key) -> int:
        """The smallest value that a decision may still have."""

    def greatest(self, key: Key) -> int:
        """The largest value that a decision may still have."""


def minimum(term: Term, current: Current, kept: Kept | None = None) -> int:
    """The least value of a term: 1 for a truth value that is certainly true."""
    match term:
        case Unknown(key=key):
            return current.least(key)
        case int():
            return int(term)
        case Negation(part=part):
            return 1 - maximum(part, current, kept)
        case All(parts=parts):
            return int(all(minimum(part, current, kept) for part in parts))
        case Any(parts=parts):
            return int(any(minimum(part, current, kept) for part in parts))
        case Greater(left=left, right=right):
            return int(minimum(left, current, kept) > maximum(right, current, kept))
        case Sum(constant=constant, added=added, taken=taken):
            least = sum(minimum(part, current, kept) for part in added)
            return constant + least - sum(maximum(part, current, kept) for part in taken)
        case IfElse() | Unequal():
            kept = {} if kept is None else kept
            place = id(term), "minimum"
            if place not in kept:
                kept[place] = _minimum_of_several(term, current, kept)
            return kept[place]
        case Reach(conditions=conditions):
            return _joined(term, [minimum(part, current, kept) for part in conditions])


def _minimum_of_several(term: IfElse | Unequal, current: Current, kept: Kept) -> int:
    if isinstance(term, Unequal):
        left, right = term.left, term.right
        if minimum(left, current, kept) > maximum(right, current, kept):
            return 1
        return int(minimum(right, current, kept) > maximum(left, current, kept))
    if minimum(term.condition, current, kept):
        return minimum(term.then, current, kept)
    if not maximum(term.condition, current, kept):
        return minimum(term.otherwise, current, kept)
    return min(minimum(term.then, current, kept), minimum(term.otherwise, current, kept))


def maximum(term: Term, current: Current, kept: Kept | None = None) -> int:
    """The greatest value of a term: 0 for a truth value that is certainly false."""
    match term:
        case Unknown(key=key):
            return current.greatest(key)
        case int():
            return int(term)
        case Negation(part=part):
            return 1 - minimum(part, current, kept)
        case All(parts=parts):
            return int(all(maximum(part, current, kept) for part in parts))
        case Any(parts=parts):
            return int(any(maximum(part, current, kept) for part in parts))
        case Greater(left=left, right=right):
            return int(maximum(left, current, kept) > minimum(right, current, kept))
        case Sum(constant=constant, added=added, taken=taken):
            greatest = sum(maximum(part, current, kept) for part in added)
            return constant + greatest - sum(minimum(part, current, kept) for part in taken)
        case IfElse() | Unequal():
            kept = {} if kept is None else kept
            place = id(term), "maximum"
            if place not in kept:
                kept[place] = _maximum_of_several(term, current, kept)
            return kept[place]
        case Reach(conditions=conditions):
            return _joined(term, [maximum(part, current, kept) for part in conditions])


def _maximum_of_several(term: IfElse | Unequal, current: Current, kept: Kept) -> int:
    if isinstance(term, Unequal):
        left, right = term.left, term.right
        if maximum(left, current, kept) > minimum(right, current, kept):
            return 1
        return int(maximum(right, current, kept) > minimum(left, current, kept))
    if not maximum(term.condition, current, kept):
        return maximum(term.otherwise, current, kept)
    if minimum(term.condition, current, kept):
        return maximum(term.then, current, kept)
    return max(maximum(term.then, current, kept), maximum(term.otherwise, current, kept))


def _joined(term: Reach, available: Sequence[int]) -> int:
    """Whether the available fleets make a chain."""
    conditions: list[Term] = [bool(one) for one in available]
    borders = [list(around) for around in term.borders]
    return int(reach(conditions, list(term.starts), list(term.ends), borders) is True)
