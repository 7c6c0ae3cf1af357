"""Printing untrusted text so that it cannot control the terminal, and writing rows into files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dipsat.app.help_pages import rare
from dipsat.base import ANYWHERE, is_named_file, one_line
from dipsat.errors import DipsatError, FileError

if TYPE_CHECKING:
    from dipsat.studies import RowKind, RowsFile


def printable_lines(text: str) -> str:
    """Untrusted text of several lines, without characters that would control the terminal."""
    return "\n".join(map(one_line, text.split("\n")))


def json_text(value: object, indent: int | None = None) -> str:
    """Plain values as JSON; characters that are not printable are escaped."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return "\n".join(map(_json_line, text.split("\n")))


def _json_line(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


def echo(text: str = "", nl: bool = True, err: bool = False) -> None:
    """Print text like `click.echo`, but escape characters that would control the terminal."""
    click.echo(printable_lines(text), nl=nl, err=err)


# --- row files ------------------------------------------------------------------------------------

_Command = TypeVar("_Command", bound=Callable[..., Any])


def rows_option(what: str) -> Callable[[_Command], _Command]:
    """Add `--rows`, which writes a row for each of `what`."""
    return rare(
        "--rows", "rows_file", metavar="FILE",
        help=f"Write a row for each {what} into FILE, whose name ends in .jsonl, .jsonl.gz, "
        ".jsonl.zst or .parquet (docs/data.md).",
    )  # fmt: skip


@contextmanager
def written_rows(file: str | None, kind: RowKind) -> Iterator[RowsFile | None]:
    """Open `file` for rows of a kind, as `rows_file` does; without a file, yield None.

    An existing file must have rows of this kind. Raises `FileError`.
    """
    if file is None:
        yield None
        return
    from dipsat.studies import rows_file

    refuse_other_rows(file, kind)
    try:
        with rows_file(file, kind) as rows:
            yield rows
        if rows.kept:
            echo(f"remark: {rows.kept}", err=True)
    except BaseException as stop:
        for note in getattr(stop, "__notes__", ()):  # says which rows of the file are kept
            echo(f"remark: {note}", err=True)
        raise


def refuse_other_rows(file: str, kind: RowKind) -> None:
    """Raise `FileError` if the file exists without rows of this kind (it may hold games), or if
    such a file cannot be written at all."""
    from dipsat.studies import read_rows, refuse_unwritable

    refuse_unwritable(file)
    if not is_named_file(ANYWHERE, file):
        return
    try:
        first = next(read_rows(file), None)
    except DipsatError:
        first = {}
    if first is not None and not kind.fits(first):
        problem = f"already exists, and has no rows of `dipsat {kind.name}`; name another file"
        raise FileError(file, problem)
