"""Builders of typed expressions. They fold constants, so that an option that is not chosen leaves
nothing behind."""

from __future__ import annotations

from collections.abc import Iterable

from dipsat.language.syntax import TRUTH, Choice, Compare, Constant, Expression, Junction, Not, Type


def negation(part: Expression) -> Expression:
    """Not `part`."""
    if isinstance(part, Constant):
        return Constant(not part.value, TRUTH)
    return Not(part, TRUTH, part.open)


def junction(op: str, parts: Iterable[Expression]) -> Expression:
    """The parts joined by `op`; without parts, true for `and` and false for `or`."""
    left: list[Expression] = []
    for part in parts:
        if isinstance(part, Constant):
            if part.value is not (op == "and"):
                return part
            continue
        left.append(part)
    if not left:
        return Constant(op == "and", TRUTH)
    return left[0] if len(left) == 1 else Junction(op, tuple(left), TRUTH, _open(left))


def comparison(sign: str, left: Expression, right: Expression) -> Expression:
    """`left sign right`."""
    if isinstance(left, Constant) and isinstance(right, Constant) and sign in ("==", "!="):
        return Constant((left.value == right.value) is (sign == "=="), TRUTH)
    return Compare(sign, left, right, TRUTH, left.open or right.open)


def choice(
    condition: Expression, then: Expression, otherwise: Expression, kind: Type
) -> Expression:
    """`then if condition else otherwise`."""
    if isinstance(condition, Constant):
        return then if condition.value else otherwise
    return Choice(condition, then, otherwise, kind, _open((condition, then, otherwise)))


def _open(parts: Iterable[Expression]) -> bool:
    return any(part.open for part in parts)
