"""Maps by name or from a file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from dipsat.board.map import Map
from dipsat.board.merge import extended, is_path, map_names, shipped_document
from dipsat.board.read import read_map
from dipsat.board.remarks import Remark, remarks
from dipsat.documents import Node, parse_yaml, read_text
from dipsat.errors import UnknownNameError

__all__ = ["check_map", "load_map", "map_names", "parse_map"]

DEFAULT_MAP = "standard"
"""The map where none is named."""


def load_map(name: str | Path) -> Map:
    """The map `name`: a shipped map's name, or the path of a map file.

    The same name gives the same object. Raises `UnknownNameError`, `FileError`,
    `DocumentError`, or `ProblemsError` with all contradictions of the file.
    """
    text = str(name)
    if isinstance(name, Path) or is_path(text):
        return parse_map(read_text(text), text)
    return _shipped_map(text)


@lru_cache(maxsize=64)
def _shipped_map(name: str) -> Map:
    return read_map(_shipped(name))


def _shipped(name: str) -> Node:
    if name not in map_names():
        raise UnknownNameError("map", name, map_names())
    return extended(shipped_document(name))


def parse_map(text: str, path: str) -> Map:
    """The map that a YAML text describes; `path` names it in errors, and what it extends is looked
    for beside it. Raises what `load_map` does."""
    return read_map(extended(parse_yaml(text, path)))


def check_map(name: str | Path) -> tuple[Map, tuple[str, ...]]:
    """A map as `load_map` gives it, and what is odd about it but no contradiction: places that no
    unit can reach, powers that have nothing, and the like, each with file, line and column.

    Raises what `load_map` does.
    """
    text = str(name)
    by_path = isinstance(name, Path) or is_path(text)
    root = extended(parse_yaml(read_text(text), text)) if by_path else _shipped(text)
    board = read_map(root)
    return board, tuple(_placed(root, remark) for remark in remarks(board))


def _placed(root: Node, remark: Remark) -> str:
    section = root.value[remark.section]
    node = section.value.get(remark.key, section) if remark.key else section
    return f"{node.path}:{node.line}:{node.column}: {remark.text}"
