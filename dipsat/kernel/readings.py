"""How often the innermost parts of an expression are evaluated when one of its readings is."""

from __future__ import annotations

from dipsat.kernel.declined import DeclinedError
from dipsat.language.syntax import Choice, Compare, Expression, Quantifier, children

MOST_READINGS = 32  # five levels that double; shipped rules have one, and seven take gcc seconds


def check_readings(node: Expression) -> None:
    """Raise `DeclinedError` for an expression whose source and evaluation would grow too much.
    Either reading of a choice needs both of an open condition, and so on; each level doubles."""
    if _readings(node, {}) > MOST_READINGS:
        raise DeclinedError("conditions or equalities are nested too deep in an equation")


def _readings(node: Expression, known: dict[int, int]) -> int:
    """`known` is by identity: equal parts are often the same object."""
    found = known.get(id(node))
    if found is None:
        twice = [id(part) for part in _read_twice(node)]
        found = max(
            (_readings(part, known) * (1 + (id(part) in twice)) for part in children(node)),
            default=1,
        )
        known[id(node)] = found
    return found


def _read_twice(node: Expression) -> tuple[Expression, ...]:
    """The parts of which either reading needs both."""
    match node:
        case Choice(condition=condition) if condition.open:
            return (condition,)
        case Compare(op="==" | "!=") if node.open:
            return (node.left, node.right)
        case Quantifier(op="sum", condition=condition) if condition is not None and condition.open:
            return (condition,)
    return ()
