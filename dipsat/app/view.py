"""Output for people: tables that fit 80 columns, colour only on a terminal, and progress."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import IO, Any, TextIO, cast

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

from dipsat.app.printing import printable_lines
from dipsat.base import WIDTH, Part, Styled, lines_of


class _SafeConsole(Console):
    """A console that escapes characters which would control the terminal."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The printed parts, each with its style."""
        for part in super().render(renderable, options):
            safe = part.control or part.text.isprintable()
            yield part if safe else Segment(printable_lines(part.text), part.style)


def terminal() -> Console:
    """The console for standard output, as wide as the terminal, or 80 columns without one."""
    if sys.stdout.isatty():
        return _SafeConsole(highlight=False, emoji=False, markup=False)
    trimmed = cast("IO[str]", _Trimmed(sys.stdout))
    return _SafeConsole(file=trimmed, width=WIDTH, highlight=False, emoji=False, markup=False)


class _Trimmed:
    """A stream that drops the spaces with which tables fill their lines."""

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
    """Print the parts of a result, laid out as `str` does it, but as wide as the terminal."""
    console = terminal()
    for line in lines_of(parts, console.width):
        styled = [(one.text, one.style) if isinstance(one, Styled) else one for one in line]
        console.print(Text.assemble(*styled), soft_wrap=True)


# --- bar ------------------------------------------------------------------------------------------


class Bar:
    """A progress bar on standard error, if that is a terminal, for the stages of work one after
    another.

    It has no thread, so processes may be forked while it exists.
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
        """Show how much of the work is done; the text `besides` follows the percentage."""
        if what != self._what:
            self._what = what
            self._progress.reset(self._task, description=what, total=total)
        done = min(done, total)
        self._progress.update(
            self._task, completed=done, total=total, besides=besides, refresh=True
        )
