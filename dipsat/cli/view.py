"""Output for people: tables that fit 80 columns, colour only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import IO, Any, TextIO, cast

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

from dipsat.cli.printing import printable_lines
from dipsat.proof.outcome import OrderOutcome, Outcome
from dipsat.proof.report import head_of, parts_below, result_of, row_of

STYLES = {
    "succeeds": "green", "given": "green", "available": "green", "stands": "",
    "fails": "red", "cut": "red", "disrupted": "red", "illegal": "magenta", "invalid": "yellow",
}  # fmt: skip
_PLAIN_WIDTH = 80  # columns when the output is not a terminal


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
    return _SafeConsole(
        file=trimmed, width=_PLAIN_WIDTH, highlight=False, emoji=False, markup=False
    )


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


def show_interrupted(console: Console) -> None:
    """Print that a report has only what was found so far."""
    console.print()
    console.print("Interrupted; this is what was found until then.", style="bold red")


def show_outcome(outcome: Outcome, marks: bool = False) -> None:
    """Print an outcome: a row per order, then dislodgements, standoffs and what is proven. With
    `marks`, rows show the algorithm's marks instead of the results."""
    console = terminal()
    console.print(_orders_table(outcome.orders, marks))
    for part in parts_below(outcome):
        if isinstance(part, str):
            console.print(part)
            continue
        table = Table.grid(padding=(0, 2, 0, 0))
        for row in part:
            table.add_row(*row)
        console.print(table)


def _orders_table(orders: Sequence[OrderOutcome], marks: bool) -> Table:
    order_head, result_head, why_head = head_of(marks)
    table = plain_table(
        Column(order_head, no_wrap=True), Column(result_head, no_wrap=True), why_head
    )
    power = None
    for order in orders:
        if order.power != power:
            power = order.power
            table.add_row(Text(power.title(), style="bold"))
        shown, result, why = row_of(order, marks)
        table.add_row(f"  {shown}", Text(result, style=STYLES.get(order.verdict, "")), why)
    return table


def verdict_text(verdict: str, fate: str) -> Text:
    """An order's verdict and its unit's fate; only the fate if it just stands."""
    return Text(result_of(verdict, fate), style=STYLES.get(verdict, ""))
