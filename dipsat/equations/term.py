"""Ground terms: equations after all facts are substituted.

Constants are Python's `bool` and `int`; everything else is one of the classes below. The builder
functions fold constants, so a term that depends on no unknown is a constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeAlias

_FEW = 16  # parts of a junction that are compared with each other
Key = tuple[str, int]
"""A decision: its family's name and the index of its object."""
Range: TypeAlias = tuple[int, int]
"""The least and the greatest value of a decision."""
Ranges: TypeAlias = Callable[[Key], Range]
"""What is known about each decision."""
ORDER = "order"
"""The family of the guards: `("order", n)` is whether the n-th choice is made."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A decision."""

    key: Key
    is_truth: bool


@dataclass(frozen=True, slots=True)
class Negation:
    """Not `part`."""

    part: Term


@dataclass(frozen=True, slots=True)
class Conjunction:
    """Every part holds."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """Some part holds."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Greater:
    """`left > right`."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Unequal:
    """`left != right`. Two comparisons would hold both sides twice, and nested ones would double
    the term with each level."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Sum:
    """`constant` plus the `added` terms minus the `taken` ones; a truth value counts 1."""

    constant: int
    added: tuple[Term, ...]
    taken: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class IfElse:
    """`then` if `condition` holds, else `otherwise`."""

    condition: Term
    then: Term
    otherwise: Term


@dataclass(frozen=True, slots=True)
class Reach:
    """Whether a chain leads from a start node to an end node over nodes whose condition holds.

    `conditions` has a term per node; `starts` and `ends` are node numbers; `borders` lists the
    neighbours of each node.
    """

    conditions: tuple[Term, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    borders: tuple[tuple[int, ...], ...]


Connective: TypeAlias = Negation | Conjunction | Disjunction
Term: TypeAlias = bool | int | Unknown | Connective | Greater | Unequal | Sum | IfElse | Reach


Equations: TypeAlias = Mapping[Key, tuple[Term, bool]]
"""Decision -> the right-hand side of its equation, and whether it is a truth value."""


def negation(part: Term) -> Term:
    """Not `part`."""
    if isinstance(part, bool):
        return not part
    return part.part if isinstance(part, Negation) else Negation(part)


def all_of(parts: Iterable[Term]) -> Term:
    """Every part holds."""
    left = _distinct(parts, False)
    if left is None:
        return False
    if not left:
        return True
    return left[0] if len(left) == 1 else Conjunction(tuple(left))


def both(one: Term, other: Term) -> Term:
    """`all_of` for two, most often one of them known to hold."""
    if one is True:
        return other
    return one if other is True else all_of([one, other])


def any_of(parts: Iterable[Term]) -> Term:
    """Some part holds."""
    left = _distinct(parts, True)
    if left is None:
        return True
    if not left:
        return False
    return left[0] if len(left) == 1 else Disjunction(tuple(left))


def _distinct(parts: Iterable[Term], ends: bool) -> list[Term] | None:
    """The distinct parts of a junction, without constants; None if one of them is `ends`, the
    constant that decides it. A few parts are compared with each other, which is quicker than
    hashing."""
    left: list[Term] = []
    seen: set[Term] | None = None
    for part in parts:
        if part is ends:
            return None
        if part is True or part is False:
            continue
        if seen is not None:
            if part not in seen:
                seen.add(part)
                left.append(part)
        elif part not in left:
            left.append(part)
            if len(left) == _FEW:
                seen = set(left)
    return left


def greater(left: Term, right: Term) -> Term:
    """`left > right`."""
    if isinstance(left, int) and isinstance(right, int):
        return left > right
    return Greater(left, right)


def unequal(left: Term, right: Term) -> Term:
    """`left != right`."""
    if isinstance(left, int) and isinstance(right, int):
        return left != right
    return Unequal(left, right)


def sum_of(added: Iterable[Term], taken: Iterable[Term] = ()) -> Term:
    """The `added` terms minus the `taken` ones."""
    constant = 0
    plus: list[Term] = []
    minus: list[Term] = []
    for terms, same, other, sign in ((added, plus, minus, 1), (taken, minus, plus, -1)):
        for term in terms:
            if isinstance(term, int):
                constant += sign * term
            elif isinstance(term, Sum):
                constant += sign * term.constant
                same += term.added
                other += term.taken
            else:
                same.append(term)
    if not plus and not minus:
        return constant
    return Sum(constant, tuple(plus), tuple(minus))


def if_else(condition: Term, then: Term, otherwise: Term) -> Term:
    """`then` if `condition`, else `otherwise`."""
    if condition is True:
        return then
    if condition is False:
        return otherwise
    if then == otherwise and type(then) is type(otherwise):
        return then
    return IfElse(condition, then, otherwise)


def parts_of(term: Term) -> tuple[Term, ...]:
    """The direct parts of a term."""
    find = _PARTS.get(type(term))
    return () if find is None else find(term)


_PARTS: Mapping[type, Callable[[Any], tuple[Term, ...]]] = {
    Negation: lambda term: (term.part,),
    Conjunction: attrgetter("parts"),
    Disjunction: attrgetter("parts"),
    Greater: attrgetter("left", "right"),
    Unequal: attrgetter("left", "right"),
    Sum: lambda term: term.added + term.taken,
    IfElse: attrgetter("condition", "then", "otherwise"),
    Reach: attrgetter("conditions"),
}
"""A look-up, as in `dipsat.equations.folding`."""


def size_of(term: Term) -> int:
    """The number of parts of a term, itself included. A part that occurs twice counts twice."""
    count, stack = 0, [term]
    while stack:
        count += 1
        stack += parts_of(stack.pop())
    return count


def unknowns(term: Term) -> set[Key]:
    """The decisions that a term depends on."""
    found: set[Key] = set()
    waiting: list[Term] = [term]
    parts_of_type = _PARTS
    while waiting:
        part = waiting.pop()
        if type(part) is Unknown:
            found.add(part.key)
        elif (find := parts_of_type.get(type(part))) is not None:
            waiting += find(part)
    return found
