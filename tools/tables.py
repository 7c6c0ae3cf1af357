"""Tables of the docs: in Markdown, or long ones as CSV files in docs/tables, which Git hosts show
as tables and the site inserts into its pages."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "tables"


def row(texts: Iterable[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(texts)} |"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table."""
    yield row(heads)
    yield row("---" for _ in heads)
    yield from map(row, rows)


def read(name: str) -> list[list[str]]:
    """The rows of a file of the folder; the first row has the heads."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def to_csv(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The text of a file of the folder."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows([heads, *rows])
    return text.getvalue()
