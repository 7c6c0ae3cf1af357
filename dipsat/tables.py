"""Texts in lines, counts in words, and tables as HTML: what pages are made of (`dipsat.pages`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from dipsat.errors import escaped

WIDTH = 80
"""Columns of plain text."""
GAP = 2
"""Columns between two columns of a table."""
LEAST = 20
"""Columns for an entry of several lines, however long the others are."""

Row = Sequence[str]


def counted(count: int, what: str, several: str = "") -> str:
    """A number of things: `1 phase`, `2 phases`."""
    return f"{count} {what}" if count == 1 else f"{count} {several or f'{what}s'}"


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """A text in lines that are no longer than a width, unless a word is."""
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


def html_lines(lines: Iterable[str]) -> str:
    """Lines of text as HTML, with everything escaped."""
    return "".join(f"<p>{_safe(line)}</p>" for line in lines)


def html_tree(text: str, children: Iterable[str]) -> str:
    """An entry of a list as HTML, with the entries below it, which are HTML already."""
    below = "".join(children)
    return f"<li>{_safe(text)}{f'<ul>{below}</ul>' if below else ''}</li>"


def _safe(text: str) -> str:
    from html import escape  # only notebooks need it, and it takes 3 ms to load

    return escape(one_line(text))
