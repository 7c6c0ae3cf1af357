"""The walk through an expression to what fixed its value, as Python source.

`dipsat.proof.decisive` defines the walk, and takes it step by step. Source is generated for walks
that are often taken. It knows the value of the expression in which the walk begins: if a
conjunction holds, for example, it does not evaluate the parts again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from dipsat.language.syntax import (
    Arithmetic,
    Chain,
    Choice,
    DecisionCall,
    Expression,
    Junction,
    Not,
    Quantifier,
    Variable,
    children,
)
from dipsat.profiles.profile import Decision
from dipsat.solving.bounds_text import LEAST, BoundsText
from dipsat.solving.python_source import PythonSource

_MAX_DEPTH, _MAX_PARTS = 16, 300
"""Of an expression whose walk is generated: the source repeats a part for each level above it, and
Python allows 100 levels of indentation. Of 1,352 shipped equations, two have more; they are walked
step by step."""


class Way(Protocol):
    """The purpose of a walk: it writes what to do where the walk enters a member of a set, and
    where it ends. Where it writes nothing, the walk is left out."""

    def into(self, variable: Variable) -> Way:
        """Enter a member; return the way on from there."""

    def end(self, node: Expression, value: bool | None) -> None:
        """End at a part with this value, None if it is a number."""


class WalkText:
    """Writes walks into `source`; `text` writes the values of expressions there."""

    def __init__(self, source: PythonSource, families: Mapping[str, Decision]) -> None:
        self.source = source
        self.text = BoundsText(source, families)

    def value(self, node: Expression) -> str:
        """The value of an expression when all decisions are made."""
        return self.text.value(node, LEAST)

    def number_of(self, node: DecisionCall) -> str:
        """The number of a decision in its family."""
        return self.text.number_of(node, LEAST)

    def walk(self, node: Expression, value: bool | None, way: Way) -> None:
        """Write the walk through a part that has this value, None if it is a number."""
        match node:
            case Junction() if value is not None:
                for part in node.parts:
                    if (node.op == "and") is value:  # every part has the value
                        self.walk(part, value, way)
                    else:
                        self._part(part, value, way)
            case Choice():
                self._choice(node, value, way)
            case Not() if value is not None:
                self.walk(node.part, not value, way)
            case Arithmetic():
                self.walk(node.left, None, way)
                self.walk(node.right, None, way)
            case Quantifier() | Chain() if _leads_on(node, value):
                self._members(node, value, way)
            case _:
                way.end(node, value)

    def _part(self, part: Expression, value: bool, way: Way) -> None:
        """Walk on through a part if it has this value."""
        with self.source.apart() as found:
            self.walk(part, value, way)
        if found:
            self.source.line(f"if {'' if value else 'not '}{self.value(part)}:")
            self.source.insert(found)

    def _choice(self, node: Choice, value: bool | None, way: Way) -> None:
        with self.source.apart() as then:
            self.walk(node.then, value, way)
        with self.source.apart() as otherwise:
            self.walk(node.otherwise, value, way)
        if then:
            self.source.line(f"if {self.value(node.condition)}:")
            self.source.insert(then)
        if otherwise:
            self.source.line("else:" if then else f"if not {self.value(node.condition)}:")
            self.source.insert(otherwise)

    def _members(self, node: Quantifier | Chain, value: bool | None, way: Way) -> None:
        source, variable = self.source, self.text.variable(node.variable)
        with source.apart() as found:
            self.walk(node.body, value, way.into(node.variable))
        if not found:
            return
        source.line(f"for {variable} in {self.value(node.domain)}:")
        with source.indented():
            if node.condition is not None:
                source.line(f"if not {self.value(node.condition)}: continue")
            if value is not None and not _is_of_all(node, value):
                unless = "not " if value else ""
                source.line(f"if {unless}{self.value(node.body)}: continue")
        source.insert(found)


def _leads_on(node: Quantifier | Chain, value: bool | None) -> bool:
    """Whether the members of a domain are on the walk."""
    if (value is None) is node.type.is_truth:
        return False
    is_nobody = isinstance(node, Quantifier) and node.op == "any" and value is False
    return node.open or not is_nobody


def _is_of_all(node: Quantifier | Chain, value: bool) -> bool:
    """Whether every member that belongs has the value that the whole has."""
    return isinstance(node, Quantifier) and (node.op == "all") is value


def is_walkable(node: Expression) -> bool:
    """Whether the walk through an expression can be generated."""
    level, parts = [node], 0
    for _ in range(_MAX_DEPTH):
        parts += len(level)
        if not level or parts > _MAX_PARTS:
            break
        level = [part for one in level for part in children(one)]
    return not level
