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
from dipsat.game.board_text import adjustment_lines, board_lines, center_lines
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.proof.engine_outcome import EngineOutcome
from dipsat.proof.outcome import NOBODY_ENTERS, OrderOutcome, Outcome
from dipsat.proof.subgraphs import Subgraph

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


def counted(count: int, what: str, several: str = "") -> str:
    """A number of things: `1 phase`, `2 phases`."""
    return f"{count} {what}" if count == 1 else f"{count} {several or f'{what}s'}"


def show_interrupted(console: Console) -> None:
    """Print that a report has only what was found so far."""
    console.print()
    console.print("Interrupted; this is what was found until then.", style="bold red")


def show_outcome(outcome: Outcome, marks: bool = False) -> None:
    """Print an outcome: a row per order, then dislodgements, standoffs and what is proven. With
    `marks`, rows show the algorithm's marks instead of the results."""
    console = terminal()
    console.print(_orders_table(outcome.orders, marks))
    if outcome.is_decided:
        _show_what_follows(console, outcome)
    else:
        console.print("Not everything is decided, so what follows is not known.")
    if outcome.subgraphs:
        console.print()
        _show_proof(console, outcome.subgraphs)
    if isinstance(outcome, EngineOutcome):
        console.print()
        _show_engine(console, outcome)


def _show_what_follows(console: Console, outcome: Outcome) -> None:
    for unit in outcome.dislodged:
        where = retreats_in_words(unit.retreats)
        cause = f"by {unit.by}" if unit.by else NOBODY_ENTERS
        console.print(f"Dislodged: {unit.unit} ({unit.power.title()}) {cause}; {where}.")
    if outcome.contested:
        console.print(f"Standoff, no retreat to: {', '.join(outcome.contested)}.")
    console.print(f"Next phase: {outcome.next.phase}.")
    if outcome.next.phase.year > outcome.position.phase.year or _is_adjustment(outcome.next):
        _show_year(console, outcome)


def _show_year(console: Console, outcome: Outcome) -> None:
    """Print what the end of the year brings: who owns and has what, and who builds or disbands."""
    before, after = outcome.position, outcome.next
    console.print()
    for line in board_lines(after, bool(before.centers)):
        console.print(line)
    if not before.centers:
        if after.centers:
            console.print(_CENTERS_UNKNOWN)
        return
    for line in (*center_lines(before, after), *adjustment_lines(after, outcome.profile.settings)):
        console.print(line)
    if outcome.winner is not None:
        console.print(f"{outcome.winner.title()} has won.")


_CENTERS_UNKNOWN = (
    "It is not stated who owned which centres before, so only those occupied now count. State it "
    "under `centers:` in YAML, or with --position FILE."
)


def _is_adjustment(position: Position) -> bool:
    return position.phase.kind is PhaseKind.ADJUSTMENT


def _show_engine(console: Console, outcome: EngineOutcome) -> None:
    own = f" by rules of its own, not by the equations of {outcome.rules}"
    by = "" if outcome.reads_equations else own
    console.print(f"Decided by {outcome.engine}{by}; nothing is proven.")
    if outcome.several_cycles:
        orders = ", ".join(outcome.several_cycles)
        console.print(
            f"Warning: the verdicts may be wrong. {outcome.engine} is not made for orders that are "
            f"part of several decision cycles, as these are: {orders}."
        )


def _orders_table(orders: Sequence[OrderOutcome], marks: bool) -> Table:
    result = "Mark" if marks else "Result"
    table = plain_table(Column("Order", no_wrap=True), Column(result, no_wrap=True), "Why")
    power = None
    for order in orders:
        if order.power != power:
            power = order.power
            table.add_row(Text(power.title(), style="bold"))
        why = order.reason.text
        if order.amended:
            why = f"{why} ({order.amended})"
        shown = verdict_text(order.verdict, order.fate)
        if marks:
            shown = Text(", ".join(order.marks) or "none", style=shown.style)
        table.add_row(f"  {order.order}", shown, why)
    return table


def verdict_text(verdict: str, fate: str) -> Text:
    """An order's verdict and its unit's fate; only the fate if it just stands."""
    words = [fate] if verdict == "stands" and fate else [verdict, fate]
    return Text(", ".join(filter(None, words)), style=STYLES.get(verdict, ""))


def retreats_in_words(retreats: Sequence[str]) -> str:
    """Where a dislodged unit may go."""
    return f"may retreat to {', '.join(retreats)}" if retreats else "has no retreat"


def _show_proof(console: Console, subgraphs: Sequence[Subgraph]) -> None:
    unique = [subgraph for subgraph in subgraphs if subgraph.verdict == "unique"]
    count = sum(len(subgraph.decisions) for subgraph in subgraphs)
    if len(unique) == len(subgraphs):
        console.print(
            f"Proven unique: {count} decisions in {len(subgraphs)} subgraphs have exactly one "
            f"consistent resolution."
        )
        return
    console.print(
        f"{len(unique)} of {len(subgraphs)} subgraphs have exactly one consistent resolution."
    )
    for subgraph in subgraphs:
        if subgraph.verdict == "unique":
            continue
        number = {"none": "no", "several": str(subgraph.resolutions)}.get(subgraph.verdict, "?")
        console.print(
            f"A subgraph of {len(subgraph.decisions)} decisions has {number} resolutions "
            f"({subgraph.verdict})."
        )
        rules = ", ".join(dict.fromkeys(rule for rule, _ in subgraph.applications))
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_row("  Decision cycle", ", ".join(subgraph.cycle))
        table.add_row("  Order core", ", ".join(subgraph.core))
        table.add_row("  Rule applied", rules or "none")
        console.print(table)
