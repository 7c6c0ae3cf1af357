"""Normal forms: two expressions that say the same in other words get the same one.

Bound variables lose their names, negations move inwards, `and`, `or`, `+` and comparisons lose
their order, and constants are folded. Expressions with equal normal forms mean the same on every
board; in rare cases, so do some whose normal forms differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from dipsat.language.syntax import (
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Expression,
    Junction,
    Not,
    Quantifier,
    Variable,
)

Normal: TypeAlias = tuple[Any, ...]
"""A normal form: nested tuples that can be compared and hashed."""


@dataclass(frozen=True, slots=True)
class _Levels:
    """The levels of the variables, and the forms of the choices found so far, by their identity and
    whether they are negated: a choice needs both forms of its condition, which would double with
    each level of choices."""

    of: Mapping[str, int]
    choices: dict[tuple[int, bool], Normal]

    def within(self, variable: Variable) -> _Levels:
        """The levels inside a quantifier."""
        return _Levels({**self.of, variable.name: len(self.of)}, self.choices)


_TRUE, _FALSE = ("bool", True), ("bool", False)
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_OTHER = {"and": "or", "or": "and", "all": "any", "any": "all"}


def normal_form(expression: Expression, indices: tuple[Variable, ...] = ()) -> Normal:
    """The normal form of an expression over `indices`; only their places and types count."""
    levels = _Levels({index.name: at for at, index in enumerate(indices)}, {})
    return (tuple(str(index.type) for index in indices), _form(expression, levels))


def is_true(form: Normal) -> bool:
    """Whether a normal form is always true."""
    return bool(form[1] == _TRUE)


def _form(node: Expression, levels: _Levels, negated: bool = False) -> Normal:
    match node:
        case Constant(value=bool(value)):
            return ("bool", value is not negated)
        case Constant(value=value):
            return (type(value).__name__, value)
        case Variable(name=name):
            return ("variable", levels.of[name])
        case Not(part=part):
            return _form(part, levels, not negated)
        case Junction():
            op = _OTHER[node.op] if negated else node.op
            return _join(op, [_form(part, levels, negated) for part in node.parts])
        case Compare():
            return _compare(node, levels, negated)
        case Arithmetic():
            return _sum(node, levels)
        case Choice():
            place = id(node), negated
            if place not in levels.choices:
                levels.choices[place] = _choice(node, levels, negated)
            return levels.choices[place]
        case Quantifier():
            return _quantifier(node, levels, negated)
    found = _parts(node, levels)
    return ("not", found) if negated else found


def _parts(node: Any, levels: _Levels) -> Normal:
    """The form of a node that obeys no laws of its own. Its parts, except the domain and the ends
    of a chain, may use its bound variable."""
    variable = getattr(node, "variable", None)
    inner = levels if variable is None else levels.within(variable)
    found: list[Any] = [type(node).__name__]
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name in ("type", "open", "variable"):
            continue
        if isinstance(value, Expression):
            found.append(
                _form(value, levels if field.name in ("domain", "start", "end") else inner)
            )
        elif isinstance(value, tuple):
            forms = (_form(part, inner) if isinstance(part, Expression) else part for part in value)
            found.append(tuple(forms))
        else:
            found.append(value)
    return tuple(found)


def _join(op: str, parts: list[Normal]) -> Normal:
    unit, zero = (_TRUE, _FALSE) if op == "and" else (_FALSE, _TRUE)
    flat = [inner for part in parts for inner in (part[1:] if part[0] == op else (part,))]
    kept = sorted({part for part in flat if part != unit}, key=repr)
    if zero in kept:
        return zero
    if len(kept) < 2:
        return kept[0] if kept else unit
    return (op, *kept)


def _compare(node: Compare, levels: _Levels, negated: bool) -> Normal:
    op = _OPPOSITE[node.op] if negated else node.op
    left, right = _form(node.left, levels), _form(node.right, levels)
    if op in (">", ">="):
        op, left, right = {">": "<", ">=": "<="}[op], right, left
    if op in ("==", "!="):
        left, right = sorted((left, right), key=repr)
    if left[0] == right[0] and left[0] in ("int", "str"):
        sides = left[1], right[1]
        holds = {"==": sides[0] == sides[1], "!=": sides[0] != sides[1]}
        if left[0] == "int":
            holds |= {"<": sides[0] < sides[1], "<=": sides[0] <= sides[1]}
        return ("bool", holds[op])
    return (op, left, right)


def _sum(node: Expression, levels: _Levels) -> Normal:
    """Addends with their signs, and constants added up; a lone constant or addend by itself."""
    constant = 0
    addends: list[tuple[int, Normal]] = []
    waiting: list[tuple[int, Expression]] = [(1, node)]
    while waiting:
        sign, part = waiting.pop()
        if isinstance(part, Arithmetic):
            waiting += [(sign, part.left), (sign if part.op == "+" else -sign, part.right)]
        elif isinstance(part, Constant):
            constant += sign * int(part.value)
        else:
            addends.append((sign, _form(part, levels)))
    kept = tuple(sorted(addends, key=repr))
    if not kept:
        return ("int", constant)
    if constant == 0 and len(kept) == 1 and kept[0][0] == 1:
        return kept[0][1]
    return ("sum of", constant, kept)


def _choice(node: Choice, levels: _Levels, negated: bool) -> Normal:
    condition = _form(node.condition, levels)
    then, otherwise = (_form(part, levels, negated) for part in (node.then, node.otherwise))
    if condition == _TRUE or then == otherwise:
        return then
    if condition == _FALSE:
        return otherwise
    other = ("if", _form(node.condition, levels, True), otherwise, then)
    return min(("if", condition, then, otherwise), other, key=repr)


def _quantifier(node: Quantifier, levels: _Levels, negated: bool) -> Normal:
    inner = levels.within(node.variable)
    domain = _form(node.domain, levels)
    if node.op == "sum":
        condition = _TRUE if node.condition is None else _form(node.condition, inner)
        body = _form(node.body, inner)
        empty = condition == _FALSE or body in (_FALSE, ("int", 0))
        return ("int", 0) if empty else ("sum", domain, condition, body)
    op = _OTHER[node.op] if negated else node.op
    parts = [_form(node.body, inner, negated)]
    if node.condition is not None:
        parts.append(_form(node.condition, inner, op == "all"))
    body = _join("or" if op == "all" else "and", parts)
    if body == (_TRUE if op == "all" else _FALSE):
        return body
    return (op, domain, body)
