"""The codes of provinces in rules: those that no province of the map has."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from dipsat.board.map import Map
from dipsat.documents import Node
from dipsat.errors import DipsatError, did_you_mean, shortened
from dipsat.language.parse import parse_expression

_FACT = "code"
_SECTIONS = ("define", "legal", "decisions", "results", "orders", "cycles", "cycles_before")
_ELSEWHERE = " (for the provinces of another map, write map: NAME in this file)"

Oddity = tuple[tuple[str, int, int], str]
"""A place in a file, and what is odd there."""


def unknown_codes(root: Node, board: Map, is_own_map: bool) -> Iterator[Oddity]:
    """Every text that a rule file compares with the code of a province, and that is none on the
    map: the comparison is never true there. Without a map of its own, the file may mean another."""
    sections = root.mapping()
    for section in _SECTIONS:
        for node in _expressions(sections[section]) if section in sections else ():
            try:
                source = parse_expression(node)
            except DipsatError:  # an entry that another file replaces is not checked
                continue
            for part in _compared(source.tree):
                text = str(part.value)
                if text not in board.provinces:
                    what = f"no province of the map {board.name} has the code {shortened(text)!r}"
                    hint = _hint(text, board) + ("" if is_own_map else _ELSEWHERE)
                    yield source.place_of(part), what + hint


def _expressions(node: Node) -> Iterator[Node]:
    """The scalars of a section that speak of codes."""
    if isinstance(node.value, Mapping):
        for part in node.value.values():
            yield from _expressions(part)
    elif isinstance(node.value, tuple):
        for part in node.value:
            yield from _expressions(part)
    elif node.value is not None and f".{_FACT}" in node.raw:
        yield node


def _compared(tree: ast.expr) -> Iterator[ast.Constant]:
    """The texts that are compared with a code."""
    for part in ast.walk(tree):
        if isinstance(part, ast.Compare):
            both = [part.left, *part.comparators]
            if any(isinstance(one, ast.Attribute) and one.attr == _FACT for one in both):
                for one in both:
                    if isinstance(one, ast.Constant) and isinstance(one.value, str):
                        yield one


def _hint(text: str, board: Map) -> str:
    """The code of the province that a text may stand for."""
    try:
        hint = f"did you mean {board.names.province(text)!r}?"
    except DipsatError:
        hint = did_you_mean(text, board.provinces)
    return hint and f"; {hint}"
