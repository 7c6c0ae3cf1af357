"""The output of `dipsat crosscheck`: a matrix of agreement, then the groups of disagreements."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from dipsat.cli.printing import printable
from dipsat.cli.view import plain_table, show_interrupted, terminal
from dipsat.crosschecks.report import (
    CrosscheckGroup,
    CrosscheckReport,
    Disagreement,
    allies_in_words,
    in_words,
)
from dipsat.tables import counted


def show_report(report: CrosscheckReport) -> None:
    """Print the report."""
    console = terminal()
    if report.compared:
        console.print(_matrix(report))
    phases = counted(report.compared, "phase")
    console.print(f"They agree on this many of {phases}." if report.compared else "No phase.")
    for reason, count in report.skipped.items():
        console.print(f"Not compared: {count} ({reason}).")
    for judge, count in report.unanswered.items():
        on = counted(count, "phase")
        console.print(f"{printable(judge)} has no answer on {on}.", style="yellow")
    for judge, reasons in report.not_made_for.items():
        _show_not_made_for(console, judge, reasons)
    if report.differs:
        for judge, other in report.alike.items():
            console.print(f"{printable(judge)} agrees with {printable(other)} throughout.")
    shown = None
    for group in report.groups:
        if group.judges != shown:
            shown = group.judges
            _show_heading(console, report, group)
        _show_group(console, group)
    if report.is_interrupted:
        show_interrupted(console)


def _show_not_made_for(console: Console, judge: str, reasons: Mapping[str, int]) -> None:
    """Print how many phases a judge is not made for, and why."""
    phases = counted(sum(reasons.values()), "phase")
    console.print(f"Not made for {phases}: {printable(judge)}.", style="yellow")
    for reason, count in reasons.items():
        console.print(f"  {count}: {printable(reason)}.")


def _matrix(report: CrosscheckReport) -> Table:
    numbers = map(str, range(1, len(report.judges) + 1))
    columns = (Column(number, justify="right", no_wrap=True) for number in numbers)
    table = plain_table("", "Judge", *columns)
    for number, judge in enumerate(report.judges, 1):
        cells = [
            Text("") if other == judge else _agreement(report, judge, other)
            for other in report.judges
        ]
        table.add_row(str(number), printable(judge), *cells)
    return table


def _agreement(report: CrosscheckReport, one: str, other: str) -> Text:
    pair = report.pair(one, other)
    count = str(pair.agree)
    if pair.compared < report.compared:
        count = f"{count} of {pair.compared}" if pair.compared else "none"
    return Text(count, style="green" if pair.agree == pair.compared else "bold red")


def _show_heading(console: Console, report: CrosscheckReport, group: CrosscheckGroup) -> None:
    pair = report.pair(*group.judges)
    one, other = map(printable, group.judges)
    console.print()
    console.print(f"{one} and {other} differ on {pair.compared - pair.agree}:", style="bold")


def _show_group(console: Console, group: CrosscheckGroup) -> None:
    count, example = len(group.disagreements), group.example
    unshrunk = "" if group.is_shrunk else " (not shrunk)"
    console.print()
    console.print(Text.assemble((f"{count:>5}  ", "yellow"), f"{group.title}{unshrunk}"))
    such = "such as " if count > 1 else ""
    console.print(Padding(f"{such}{printable(example.source)}:", (0, 0, 0, 7), expand=False))
    console.print(Padding(_orders(example), (0, 0, 0, 9), expand=False))
    allied = allies_in_words(example.shown.allies)
    if allied:
        console.print(Padding(f"{allied}.", (0, 0, 0, 7), expand=False))
    console.print(Padding(_differences(example), (0, 0, 0, 7), expand=False))


def _orders(one: Disagreement) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    for row in one.shown.sheet.rows:
        texts = "; ".join(row.orders) or f"{row.unit} without an order"
        shown = texts if row.sets is None else "several sets of orders"
        table.add_row(f"{row.power.title()}:", printable(shown))
    return table


def _differences(one: Disagreement) -> Table:
    table = plain_table("", *map(printable, one.judges))
    for difference in one.shown.differences:
        table.add_row(difference.about, *in_words(difference))
    return table
