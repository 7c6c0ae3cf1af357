"""The sources of the package: what tests look for in them, found once for all tests.

Syntax trees of the whole package would take 150 MB, so only what is found in them is kept.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Source:
    """What is in a piece of Python code."""

    imports: tuple[str, ...]
    """Every module that is imported anywhere, and every name imported from it."""
    imports_at_top: tuple[str, ...]
    """The imports outside of functions and classes."""
    calls: tuple[tuple[str, str], ...]
    """(name, on) of every call: `on` is the name before the dot, if there is one."""
    texts: dict[str, int]
    """The first line of every name, and of every string and number that is not a statement of its
    own, as docstrings are."""


def text_of(file: str) -> str:
    """The source of a file of the package."""
    return (PACKAGE / file).read_text(encoding="utf-8")


@cache
def source_of(file: str) -> Source:
    """What is in a file of the package, and in its stub if it has one."""
    stub = (PACKAGE / file).with_suffix(".pyi")
    return found_in(text_of(file) + (stub.read_text(encoding="utf-8") if stub.exists() else ""))


def found_in(text: str) -> Source:
    """What is in Python code."""
    tree = ast.parse(text)
    parts = tuple(ast.walk(tree))
    outside = (part for part in tree.body if not isinstance(part, ast.FunctionDef | ast.ClassDef))
    return Source(
        tuple(_imports(parts)),
        tuple(_imports(inner for part in outside for inner in ast.walk(part))),
        tuple(_calls(parts)),
        _texts(parts),
    )


def _imports(parts: Iterable[ast.AST]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, ast.Import):
            yield from (alias.name for alias in part.names)
        elif isinstance(part, ast.ImportFrom):
            assert part.level == 0
            assert part.module is not None
            yield from (f"{part.module}.{alias.name}" for alias in part.names)


def _calls(parts: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    for part in parts:
        function = part.func if isinstance(part, ast.Call) else None
        if isinstance(function, ast.Name):
            yield function.id, ""
        elif isinstance(function, ast.Attribute):
            yield function.attr, getattr(function.value, "id", ".")


def _texts(parts: Sequence[ast.AST]) -> dict[str, int]:
    alone = {id(part.value) for part in parts if isinstance(part, ast.Expr)}
    found: dict[str, int] = {}
    for part in parts:
        line = getattr(part, "lineno", 0)
        for field in _NAMED[type(part)]:
            if isinstance(getattr(part, field), str):
                found.setdefault(getattr(part, field), line)
        if (
            isinstance(part, ast.Constant)
            and isinstance(part.value, str | int)
            and id(part) not in alone
        ):
            found.setdefault(str(part.value), line)
    return found
