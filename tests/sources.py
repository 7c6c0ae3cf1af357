"""The sources of the package, parsed once for all tests that look at them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import dipsat

PACKAGE = Path(dipsat.__file__).parent
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))

_NAMES = ("id", "attr", "name", "arg", "asname", "module")
_NAMED = {
    kind: [field for field in kind._fields if field in _NAMES]
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
"""The fields that hold a name, for each kind of node."""


@cache
def text_of(file: str) -> str:
    """The source of a file of the package."""
    return (PACKAGE / file).read_text(encoding="utf-8")


@cache
def tree(file: str) -> ast.Module:
    """The syntax tree of a file of the package."""
    return ast.parse(text_of(file))


@cache
def nodes(file: str) -> tuple[ast.AST, ...]:
    """All nodes of that tree."""
    return tuple(ast.walk(tree(file)))


def imports(parts: Iterable[ast.AST]) -> Iterator[str]:
    """Every module that is imported in nodes of a tree, and every name imported from it."""
    for part in parts:
        if isinstance(part, ast.Import):
            yield from (alias.name for alias in part.names)
        elif isinstance(part, ast.ImportFrom):
            assert part.level == 0
            assert part.module is not None
            yield from (f"{part.module}.{alias.name}" for alias in part.names)


def statements(part: ast.AST) -> Iterator[ast.AST]:
    """All statements within a part of a tree. No import stands in an expression, and there are many
    times as many of these."""
    for field in ("body", "orelse", "handlers", "finalbody", "cases"):
        for one in getattr(part, field, ()):
            yield one
            yield from statements(one)


@cache
def imports_of(file: str) -> tuple[str, ...]:
    """Every module that a file imports anywhere, and every name that it imports from it."""
    return tuple(imports(statements(tree(file))))


def texts_of_code(parts: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """(line, text) of every name and every string of the code that is no docstring, nor a text
    that stands under a name."""
    found = tuple(parts)
    alone = {id(part.value) for part in found if isinstance(part, ast.Expr)}
    for part in found:
        line = getattr(part, "lineno", 0)
        for field in _NAMED[type(part)]:
            if isinstance(getattr(part, field), str):
                yield line, getattr(part, field)
        if (
            isinstance(part, ast.Constant)
            and isinstance(part.value, str | int)
            and id(part) not in alone
        ):
            yield line, str(part.value)


@cache
def texts_of(file: str) -> tuple[tuple[int, str], ...]:
    """What `texts_of_code` finds in a file of the package."""
    return tuple(texts_of_code(nodes(file)))
