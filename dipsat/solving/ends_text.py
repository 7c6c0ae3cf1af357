"""The walk through an expression to what fixed its value, as Python source.

`dipsat.proof.decisive` says what the walk is, and takes it step by step; a generated function takes
a walk that is often taken, and finds the same ends in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from dipsat.language.syntax import (
    Arithmetic,
    Chain,
    Choice,
    Expression,
    Junction,
    Not,
    Quantifier,
    children,
)
from dipsat.profiles.profile import Decision
from dipsat.solving.bounds_text import LEAST, BoundsText
from dipsat.solving.python_source import PythonSource

_MAX_DEPTH, _MAX_PARTS = 16, 300
"""Of an expression whose walk is generated: the source repeats a part for each level above it, and
Python allows 100 levels of indentation. Of 1,352 shipped equations, two have more; they are walked
step by step."""

Ends: TypeAlias = Callable[..., None]
"""A function of a phase, the values of all decisions, a scope, the members on the way, what makes
an end, and the list to which the ends are added."""


class EndsText:
    """Writes the walk into `source`; `text` writes the values of expressions there."""

    def __init__(self, source: PythonSource, decisions: Mapping[str, Decision]) -> None:
        self.source = source
        self.text = BoundsText(source, decisions)

    def walk(self, node: Expression, value: bool | None, scope: str, members: str) -> None:
        """Write the statements that add the ends of a part that has this value, None if it is a
        number; `scope` and `members` are the names of those of the part."""
        line = self.source.line
        match node:
            case Junction() if value is not None:
                with self._unless_found(node, value, scope, members):
                    for part in node.parts:
                        line(f"if {'' if value else 'not '}{self.text.value(part, LEAST)}:")
                        with self.source.indented():
                            self.walk(part, value, scope, members)
            case Choice():
                line(f"if {self.text.value(node.condition, LEAST)}:")
                with self.source.indented():
                    self.walk(node.then, value, scope, members)
                line("else:")
                with self.source.indented():
                    self.walk(node.otherwise, value, scope, members)
            case Not() if value is not None:
                self.walk(node.part, not value, scope, members)
            case Arithmetic():
                self.walk(node.left, None, scope, members)
                self.walk(node.right, None, scope, members)
            case Quantifier() | Chain() if _leads_on(node, value):
                with self._unless_found(node, value, scope, members):
                    self._members(node, value, scope, members)
            case _:
                self._end(node, value, scope, members)

    def _end(self, node: Expression, value: bool | None, scope: str, members: str) -> None:
        name = self.source.constant(node)
        self.source.line(f"found.append(part({name}, {scope}, {value}, {members}))")

    def _unless_found(self, node: Expression, value: bool | None, scope: str, members: str) -> Any:
        return _Otherwise(self, node, value, scope, members)

    def _members(
        self, node: Quantifier | Chain, value: bool | None, scope: str, members: str
    ) -> None:
        source, text = self.source, self.text
        variable = text.variable(node.variable)
        source.line(f"for {variable} in {text.value(node.domain, LEAST)}:")
        with source.indented():
            if node.condition is not None:
                source.line(f"if not {text.value(node.condition, LEAST)}: continue")
            if value is not None:
                unless = "not " if value else ""
                source.line(f"if {unless}{text.value(node.body, LEAST)}: continue")
            name = source.constant(node.variable.name)
            inner = source.assigned(f"{{**{scope}, {name}: {variable}}}")
            self.walk(node.body, value, inner, source.assigned(f"(*{members}, {variable})"))


class _Otherwise:
    """A block of source after which the whole is the end, if the block has found none."""

    def __init__(self, text: EndsText, *end: Any) -> None:
        self._text = text
        self._end = end

    def __enter__(self) -> None:
        self._before = self._text.source.assigned("len(found)")

    def __exit__(self, *_: object) -> None:
        self._text.source.line(f"if len(found) == {self._before}:")
        with self._text.source.indented():
            self._text._end(*self._end)


def _leads_on(node: Quantifier | Chain, value: bool | None) -> bool:
    """Whether the members of a domain are on the walk."""
    if (value is None) is node.type.is_truth:
        return False
    is_nobody = isinstance(node, Quantifier) and node.op == "any" and value is False
    return node.open or not is_nobody


def is_walkable(node: Expression) -> bool:
    """Whether the walk through an expression can be generated."""
    level, parts = [node], 0
    for _ in range(_MAX_DEPTH):
        parts += len(level)
        if not level or parts > _MAX_PARTS:
            break
        level = [part for one in level for part in children(one)]
    return not level
