"""Parts of expressions that say the same about the same objects, whatever variables they name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

from dipsat.rules import (
    AllOf,
    Arithmetic,
    Chain,
    Choice,
    Compare,
    Constant,
    DecisionCall,
    Expression,
    Fact,
    Feature,
    Junction,
    Not,
    Predicate,
    Quantifier,
    Related,
    Variable,
    children,
)

Part: TypeAlias = tuple[int, tuple[str, ...]]
"""The number of a part's meaning, and the variables it is about, in that meaning's order."""

_KEPT = (Junction, Not, Compare, Arithmetic, Choice, Quantifier, Chain)
"""The nodes that are worth grounding once; the others are look-ups."""


class SharedParts:
    """Numbers the parts of expressions. Two parts have the same number exactly if they differ only
    in the names of variables.

    `of` has, by identity, the nodes that are read more than once, because another node says the
    same or because they are in a quantifier whose variable they are not about. The nodes must live
    as long as this object.
    """

    def __init__(self, expressions: Iterable[Expression]) -> None:
        self._numbers: dict[tuple[object, ...], int] = {}
        self._all: dict[int, Part] = {}
        self._again: set[int] = set()
        seen = Counter[int]()
        for one in expressions:
            self._part(one, ())
        for number, _ in self._all.values():
            seen[number] += 1
        self.of = {
            at: part for at, part in self._all.items() if seen[part[0]] > 1 or at in self._again
        }

    def _part(self, node: Expression, around: tuple[str, ...]) -> Part:
        if isinstance(node, Variable):
            return self._number("variable", node.type), (node.name,)
        bound, inside = None, around
        if isinstance(node, Quantifier | Chain):
            bound = node.variable.name
            inside = (*around, bound)
        parts = [self._part(one, inside) for one in children(node)]
        free = tuple(dict.fromkeys(name for _, names in parts for name in names if name != bound))
        places = {name: at for at, name in enumerate(free)} | {bound: -1}
        inner = tuple((number, *(places[name] for name in names)) for number, names in parts)
        found = self._number(type(node), node.type, _own(node), inner), free
        if node.has_decision and isinstance(node, _KEPT):
            self._all[id(node)] = found
            if not set(around) <= set(free):
                self._again.add(id(node))
        return found

    def _number(self, *form: object) -> int:
        return self._numbers.setdefault(form, len(self._numbers))


def _own(node: Expression) -> tuple[object, ...]:
    """The content of a node besides its parts and its type."""
    match node:
        case Constant(value=value):
            return type(value), value
        case Fact(name=name, declared=declared):
            return name, declared
        case DecisionCall(name=name):
            return (name,)
        case AllOf(of=of):
            return (of,)
        case Related(name=name, rows=rows):
            return name, rows
        case Feature(name=name, arguments=arguments):
            return name, arguments[0].type
        case Junction(op=op) | Compare(op=op) | Arithmetic(op=op) | Predicate(op=op):
            return (op,)
        case Quantifier(op=op):
            return op, node.condition is None
        case Chain():
            return (node.condition is None,)
    return ()
