"""Output for people: tables, progress, texts of strangers, rows in files."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, TextIO, TypeVar, cast

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

from dipsat.pages import WIDTH, Part, Styled, lines_of, one_line

if TYPE_CHECKING:
    from dipsat.datasets.columns import RowKind
    from dipsat.datasets.files import RowsFile


# --- printing -------------------------------------------------------------------------------------

# Printing texts of strangers: nothing in them controls the terminal.


def printable_lines(text: str) -> str:
    """Untrusted text of several lines, without characters that would control the terminal."""
    return "\n".join(map(one_line, text.split("\n")))


def json_text(value: object, indent: int | None = None) -> str:
    """Plain values as JSON; characters that are not printable are escapes in its strings."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return "\n".join(map(_json_line, text.split("\n")))


def _json_line(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


def echo(text: str = "", nl: bool = True, err: bool = False) -> None:
    """Print a text as `click.echo` does, with escapes for characters that would control the
    terminal."""
    click.echo(printable_lines(text), nl=nl, err=err)


# --- view -----------------------------------------------------------------------------------------


class _SafeConsole(Console):
    """A console that writes characters which would control the terminal as escapes."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The parts of what is printed, each with its style."""
        for part in super().render(renderable, options):
            safe = part.control or part.text.isprintable()
            yield part if safe else Segment(printable_lines(part.text), part.style)


def terminal() -> Console:
    """The console for standard output: as wide as the terminal, otherwise 80 columns."""
    if sys.stdout.isatty():
        return _SafeConsole(highlight=False, emoji=False, markup=False)
    trimmed = cast("IO[str]", _Trimmed(sys.stdout))
    return _SafeConsole(file=trimmed, width=WIDTH, highlight=False, emoji=False, markup=False)


class _Trimmed:
    """A stream that is written without the spaces with which tables fill their lines."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write text whose lines are complete."""
        return self._stream.write("\n".join(line.rstrip(" ") for line in text.split("\n")))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def plain_table(*columns: Column | str) -> Table:
    """A table with these columns, without lines between them."""
    return Table(*columns, box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bold")


def show(parts: Iterable[Part]) -> None:
    """Print what a result shows of itself, laid out as `str` does it, but as wide as the
    terminal."""
    console = terminal()
    for line in lines_of(parts, console.width):
        styled = [(one.text, one.style) if isinstance(one, Styled) else one for one in line]
        console.print(Text.assemble(*styled), soft_wrap=True)


# --- bar ------------------------------------------------------------------------------------------

# A progress bar for long work.


class Bar:
    """A bar on standard error, if that is a terminal, for one stage of the work after another.

    It has no thread, so that processes may be forked while it exists.
    """

    def __init__(self, what: str) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %{task.fields[besides]}"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            auto_refresh=False,
            disable=not console.is_terminal,
        )
        self._what = what
        self._task = self._progress.add_task(what, total=None, besides="")

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def __call__(self, what: str, done: float, total: float, besides: str = "") -> None:
        """Show how much of the work is done; `besides` follows the percentage."""
        if what != self._what:
            self._what = what
            self._progress.reset(self._task, description=what, total=total)
        done = min(done, total)
        self._progress.update(
            self._task, completed=done, total=total, besides=besides, refresh=True
        )


# --- row files ------------------------------------------------------------------------------------

# Rows in files: what `--rows` writes.


_Command = TypeVar("_Command", bound=Callable[..., Any])


def rows_option(what: str) -> Callable[[_Command], _Command]:
    """Add `--rows`, which writes a row for each of `what`."""
    return click.option(
        "--rows", "rows_file", metavar="FILE",
        help=f"Write a row for each {what} into FILE, whose name ends in .jsonl, .jsonl.gz, "
        ".jsonl.zst or .parquet (docs/data.md).",
    )  # fmt: skip


@contextmanager
def written_rows(file: str | None, kind: RowKind) -> Iterator[RowsFile | None]:
    """A file for rows of a kind, if one is named; see `datasets.files.rows_file`. A file that is
    there already must have rows of this kind. Raises `FileError`."""
    if file is None:
        yield None
        return
    from dipsat.datasets.files import rows_file

    refuse_other_rows(file, kind)
    try:
        with rows_file(file, kind) as rows:
            yield rows
        if rows.kept:
            echo(f"remark: {rows.kept}", err=True)
    except BaseException as stop:
        for note in getattr(stop, "__notes__", ()):  # which says what of the file is kept
            echo(f"remark: {note}", err=True)
        raise


def refuse_other_rows(file: str, kind: RowKind) -> None:
    """Raise `FileError` if there is a file that has no rows of this kind (it could be one of
    games), or if such a file cannot be written at all."""
    from dipsat.datasets.files import read_rows, refuse_unwritable
    from dipsat.errors import DipsatError, FileError
    from dipsat.files.reading import ANYWHERE, is_named_file

    refuse_unwritable(file)
    if not is_named_file(ANYWHERE, file):
        return
    try:
        first = next(read_rows(file), None)
    except DipsatError:
        first = {}
    if first is not None and not kind.fits(first):
        problem = f"is there already, and has no rows of `dipsat {kind.name}`; name another file"
        raise FileError(file, problem)
