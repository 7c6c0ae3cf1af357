"""The lines of a rule file in which an entry is written, with its comments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dipsat.documents import YAML_LINE_ENDS, Node
from dipsat.profiles.layers import Layer


@dataclass(frozen=True, slots=True)
class SourceLines:
    """An entry as a file writes it, without its indentation: the comment above it, and its own
    lines. Without lines, it stands on a line with others."""

    comment: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


NO_LINES = SourceLines()


def lines_of(layer: Layer, section: Node, key: str) -> SourceLines:
    """The lines of an entry, or of a whole section if `section` is the document."""
    text = _text_of(layer)
    if not layer.source[0] or section.keys is None or key not in section.keys:
        return NO_LINES
    line, column = section.keys[key]
    later = [at for at, _ in section.keys.values() if at > line]
    if sum(at == line for at, _ in section.keys.values()) > 1 or _is_flow(text, section):
        return NO_LINES
    end = min(later, default=_end_of(layer.root, section, line, len(text) + 1)) - 1
    return SourceLines(
        _dedented(_above(text, line, column), column),
        _dedented(_without_tail(text[line - 1 : end]), column),
    )


def item_lines(layer: Layer, items: Sequence[Node], at: int) -> SourceLines:
    """The lines of an item of a list of mappings, such as a cycle rule, from its first key on."""
    text = _text_of(layer)
    item = items[at]
    line, column = item.line, item.column
    if not layer.source[0] or _is_flow(text, item) or "- " not in text[line - 1][: column - 1]:
        return NO_LINES
    following = items[at + 1].line if at + 1 < len(items) else None
    end = (following or _end_of(layer.root, item, line, len(text) + 1)) - 1
    dash = text[line - 1].index("- ") + 1
    first, *rest = _without_tail(text[line - 1 : end])
    own = (first[column - 1 :], *_dedented(rest, column))
    return SourceLines(_dedented(_above(text, line, dash), dash), own)


@lru_cache(maxsize=4)
def _text_of(layer: Layer) -> list[str]:
    """The lines of a file, as YAML counts them."""
    return YAML_LINE_ENDS.split(layer.source[1])


def _end_of(root: Node, section: Node, line: int, default: int) -> int:
    """The line of the next key of the document."""
    if root is section or root.keys is None:
        return default
    return min((at for at, _ in root.keys.values() if at > line), default=default)


def _is_flow(text: Sequence[str], node: Node) -> bool:
    """Whether a mapping is written in braces."""
    return text[node.line - 1][node.column - 1 : node.column] == "{"


def _above(text: Sequence[str], line: int, column: int) -> list[str]:
    """The comment directly above a key, indented as it is, and an empty line above that."""
    found: list[str] = []
    for one in reversed(text[: line - 1]):
        if not one.strip():
            return ["", *found[::-1]]
        if not one.startswith(" " * (column - 1) + "#"):
            break
        found.append(one)
    return found[::-1]


def _without_tail(lines: Sequence[str]) -> list[str]:
    """Lines without the empty ones and the comment at their end, which is the next entry's."""
    kept = list(lines)
    while kept and (not kept[-1].strip() or kept[-1].lstrip().startswith("#")):
        kept.pop()
    return [one.rstrip() for one in kept]


def _dedented(lines: Sequence[str], column: int) -> tuple[str, ...]:
    return tuple(one[column - 1 :].rstrip() for one in lines)
