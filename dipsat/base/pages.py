"""The readable form of results: sentences, tables and trees. They are laid out in one place, so
that the command line, `str` and notebooks show the same.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from textwrap import wrap
from typing import TypeAlias

from dipsat.errors import escaped

# --- tables ---------------------------------------------------------------------------------------

WIDTH = 80
"""The width of plain text, in columns."""
GAP = 2
"""Columns between two columns of a table."""
LEAST = 20
"""The fewest columns for an entry of several lines, unless a table states another number."""

Row = Sequence[str]


def counted(count: int, what: str, several: str = "") -> str:
    """A number of things: `1 phase`, `2 phases`."""
    return f"{count} {what}" if count == 1 else f"{count} {several or f'{what}s'}"


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """A text in lines no longer than `width`, unless a word is longer."""
    return wrap(one_line(text), width, break_long_words=False, break_on_hyphens=False)


def one_line(text: str) -> str:
    """A text without characters that would control a terminal or begin a new line."""
    return text if text.isprintable() else escaped(text)


def html_of(head: Row, rows: Iterable[Row], title: str = "") -> str:
    """A table as HTML, with everything escaped."""
    named = f"<caption>{_safe(title)}</caption>" if title else ""
    top = "".join(f"<th>{_safe(one)}</th>" for one in head)
    body = "".join(f"<tr>{''.join(f'<td>{_safe(one)}</td>' for one in row)}</tr>" for row in rows)
    return f"<table>{named}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _safe(text: str) -> str:
    from html import escape  # only notebooks need it, and it takes 3 ms to load

    return escape(one_line(text))


# --- pages ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Styled:
    """A text, and its style on a terminal: `bold red`."""

    text: str
    style: str


Words: TypeAlias = str | Styled
"""A text, perhaps with a style."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    head: str = ""
    width: int | None = None
    """The characters of a line; None for the length of the longest entry."""
    is_right: bool = False
    """Whether its entries are aligned to the right."""
    wraps: bool = False
    """Whether its entries may take several lines. Entries of the last column always may."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of entries in columns. A row may have fewer entries than there are columns."""

    rows: tuple[tuple[Words, ...], ...]
    columns: tuple[Column, ...] = ()
    """The columns; missing ones have the default format."""
    indent: int = 0
    """Empty columns at the left."""
    gap: int = GAP
    """Empty columns between two columns."""
    edge: int = 0
    """Empty columns at the right."""
    least: int = LEAST
    """The fewest columns for an entry of several lines, even if the others are long."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A text with the trees below it."""

    words: Words
    children: tuple[Tree, ...] = ()


Part: TypeAlias = Words | Table | Tree
"""A sentence, a table or a tree. An empty sentence is an empty line."""
Line: TypeAlias = tuple[Words, ...]
"""A line: texts one after another."""


INTERRUPTED: tuple[Part, ...] = (
    "",
    Styled("Interrupted; this is what was found until then.", "bold red"),
)
"""The lines below a report of work that was interrupted."""


def indented(words: Words, by: int) -> Table:
    """An indented sentence."""
    return Table(((words,),), indent=by)


class Shown(ABC):
    """A result that `str` and notebooks show as the command line does."""

    __slots__ = ()

    @abstractmethod
    def _parts(self) -> Iterable[Part]:
        """The parts that people read."""

    def __str__(self) -> str:
        """Return what the command line prints."""
        return text_of(self._parts())

    def _repr_html_(self) -> str:
        return html_of_parts(self._parts())


def parts_of(result: Shown) -> Iterable[Part]:
    """The parts of a result that people read."""
    return result._parts()


def text_of(parts: Iterable[Part]) -> str:
    """The parts as text of 80 columns."""
    return "\n".join("".join(map(plain_text, line)) for line in lines_of(parts))


def lines_of(parts: Iterable[Part], width: int = WIDTH) -> Iterator[Line]:
    """The lines of the parts, without trailing spaces and at most `width` columns wide. Only words
    longer than their column make a line longer."""
    for part in parts:
        if isinstance(part, Table):
            yield from _table_lines(part, width)
        elif isinstance(part, Tree):
            yield from _tree_lines(part, width, "", "")
        else:
            yield from ((line,) for line in _wrapped(part, width))


def plain_text(words: Words) -> str:
    """A text without its style."""
    return words.text if isinstance(words, Styled) else words


def _like(words: Words, text: str) -> Words:
    """Another text in the style of these words."""
    return Styled(text, words.style) if isinstance(words, Styled) else text


def _wrapped(words: Words, width: int) -> list[Words]:
    """The lines of a text, at least one."""
    return [_like(words, line) for line in wrapped(plain_text(words), width) or [""]]


def _tree_lines(tree: Tree, width: int, first: str, below: str) -> Iterator[Line]:
    """The lines of a tree, whose first line begins with `first` and the others with `below`."""
    lines = _wrapped(tree.words, max(width - len(below), LEAST))
    yield first, lines[0]
    yield from ((below, line) for line in lines[1:])
    for at, child in enumerate(tree.children, 1):
        is_last = at == len(tree.children)
        branch, trunk = ("└── ", "    ") if is_last else ("├── ", "│   ")
        yield from _tree_lines(child, width, below + branch, below + trunk)


def _table_lines(table: Table, width: int) -> Iterator[Line]:
    rows = [tuple(_like(cell, one_line(plain_text(cell))) for cell in row) for row in table.rows]
    if any(column.head for column in table.columns):
        rows.insert(0, tuple(Styled(column.head, "bold") for column in table.columns))
    count = max(map(len, rows), default=0)
    columns = [*table.columns, *[Column()] * (count - len(table.columns))][:count]
    room = width - table.indent - table.edge - table.gap * (count - 1)
    widths = _widths(rows, columns, room, table.least)
    for row in rows:
        yield from _row_lines(row, columns, widths, table)


def _widths(
    rows: Sequence[Sequence[Words]], columns: Sequence[Column], room: int, least: int
) -> list[int]:
    """The widths of columns: those of their entries if there is room, otherwise the widest of those
    that wrap are made narrower."""
    own = [
        one.width or max(len(plain_text(row[at])) for row in rows if at < len(row))
        for at, one in enumerate(columns)
    ]
    last = len(columns) - 1
    wrapping = [at for at, one in enumerate(columns) if one.wraps or (at == last and not one.width)]
    left = room - sum(width for at, width in enumerate(own) if at not in wrapping)
    for nth, at in enumerate(sorted(wrapping, key=lambda at: own[at])):
        own[at] = min(own[at], max(left // (len(wrapping) - nth), least))
        left -= own[at]
    return own


def _row_lines(
    row: Sequence[Words], columns: Sequence[Column], widths: Sequence[int], table: Table
) -> Iterator[Line]:
    """The lines of a row: as many as its longest entry takes."""
    cells = [
        _wrapped(cell, widths[at])
        if columns[at].wraps or columns[at].width or at == len(columns) - 1
        else [cell]
        for at, cell in enumerate(row)
    ]
    for number in range(max(map(len, cells), default=1)):
        line: list[Words] = []
        free = table.indent  # empty columns before the next text
        for at, cell in enumerate(cells):
            text = cell[number] if number < len(cell) else ""
            spare = max(widths[at] - len(plain_text(text)), 0)
            free += spare * columns[at].is_right
            if plain_text(text):
                line += (" " * free, text)
                free = 0
            free += spare * (not columns[at].is_right) + table.gap
        yield tuple(one for one in line if plain_text(one))


def html_of_parts(parts: Iterable[Part]) -> str:
    """The parts as HTML, with everything escaped."""
    return "".join(map(_html, parts))


def _html(part: Part) -> str:
    if isinstance(part, Tree):
        return f"<ul>{_html_entry(part)}</ul>"
    if isinstance(part, Table):
        heads = [column.head for column in part.columns]
        rows = [tuple(map(plain_text, row)) for row in part.rows]
        return html_of(heads if any(heads) else (), rows)
    text = plain_text(part)
    return f"<p>{_safe(text)}</p>" if text else ""


def _html_entry(tree: Tree) -> str:
    below = "".join(map(_html_entry, tree.children))
    return f"<li>{_safe(plain_text(tree.words))}{f'<ul>{below}</ul>' if below else ''}</li>"


# --- titles ---------------------------------------------------------------------------------------

_SHORT = frozenset({"DDR", "EEC", "EU", "FRG", "GDR", "NATO", "PRC", "UAE", "UAR", "UK", "UN", "US",
                    "USA", "USSR"})  # fmt: skip
"""Abbreviations of powers. No rule distinguishes them from short names such as EIRE and ODA."""
_SMALL = frozenset({"AND", "DE", "OF", "THE"})
"""Words in lower case within a name."""
_TWO_WORDS = {
    "BRITISHCOLUMBIA": "British Columbia",
    "FROZENANTARCTICA": "Frozen Antarctica",
    "NEAREAST": "Near East",
    "NEWYORK": "New York",
    "PACIFICRUSSIA": "Pacific Russia",
    "SOUTHAFRICA": "South Africa",
    "STPETERSBURG": "St. Petersburg",
    "UNITEDSTATES": "United States",
    "WESTERNCANADA": "Western Canada",
}
"""Names that other programs and the files of games write as one word."""


@cache
def titled(power: str) -> str:
    """Return the name of a power for display: `France`, `Kingdom of Denmark`, `USSR`."""
    return re.sub(r"[^\W_]+(?:'[^\W_]+)?", _word, power)


def _word(found: re.Match[str]) -> str:
    word = found[0].upper()
    if word in _SHORT:
        return word
    if word in _TWO_WORDS:
        return _TWO_WORDS[word]
    return word.lower() if word in _SMALL and found.start() else word.capitalize()
