"""The least and the greatest value of a term while decisions are open, each coded separately.

DATC 2.4, 5.C: "all decisions have to be programmed twice". DATC 3.0, 5.E has a trick that avoids
this; `dipsat.engines.evaluation` uses it. Here the minimum, the maximum and that trick share no
code, so that each can check the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

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


class Current(Protocol):
    """What is known about decisions, truth values as 0 and 1 (DATC 2.4, 5.C: the functions
    `current_...`)."""

    def least(self, key: Key) -> int:
        """The smallest value that a decision may still have."""

    def greatest(self, key: Key) -> int:
        """The largest value that a decision may still have."""


def minimum(term: Term, current: Current) -> int:
    """The least value of a term: 1 for a truth value that is certainly true."""
    match term:
        case Unknown(key=key):
            return current.least(key)
        case int():
            return int(term)
        case Negation(part=part):
            return 1 - maximum(part, current)
        case All(parts=parts):
            return int(all(minimum(part, current) for part in parts))
        case Any(parts=parts):
            return int(any(minimum(part, current) for part in parts))
        case Greater(left=left, right=right):
            return int(minimum(left, current) > maximum(right, current))
        case Sum(constant=constant, added=added, taken=taken):
            least = sum(minimum(part, current) for part in added)
            return constant + least - sum(maximum(part, current) for part in taken)
        case IfElse(condition=condition, then=then, otherwise=otherwise):
            if minimum(condition, current):
                return minimum(then, current)
            if not maximum(condition, current):
                return minimum(otherwise, current)
            return min(minimum(then, current), minimum(otherwise, current))
        case Reach(conditions=conditions):
            return _joined(term, [minimum(part, current) for part in conditions])


def maximum(term: Term, current: Current) -> int:
    """The greatest value of a term: 0 for a truth value that is certainly false."""
    match term:
        case Unknown(key=key):
            return current.greatest(key)
        case int():
            return int(term)
        case Negation(part=part):
            return 1 - minimum(part, current)
        case All(parts=parts):
            return int(all(maximum(part, current) for part in parts))
        case Any(parts=parts):
            return int(any(maximum(part, current) for part in parts))
        case Greater(left=left, right=right):
            return int(maximum(left, current) > minimum(right, current))
        case Sum(constant=constant, added=added, taken=taken):
            greatest = sum(maximum(part, current) for part in added)
            return constant + greatest - sum(minimum(part, current) for part in taken)
        case IfElse(condition=condition, then=then, otherwise=otherwise):
            if not maximum(condition, current):
                return maximum(otherwise, current)
            if minimum(condition, current):
                return maximum(then, current)
            return max(maximum(then, current), maximum(otherwise, current))
        case Reach(conditions=conditions):
            return _joined(term, [maximum(part, current) for part in conditions])


def _joined(term: Reach, available: Sequence[int]) -> int:
    """Whether the available fleets make a chain."""
    conditions: list[Term] = [bool(one) for one in available]
    borders = [list(around) for around in term.borders]
    return int(reach(conditions, list(term.starts), list(term.ends), borders) is True)
