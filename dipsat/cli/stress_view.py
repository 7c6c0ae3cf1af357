"""The output of `dipsat rules stress`: faults with their smallest orders, then remarks."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dipsat.cli.printing import printable
from dipsat.cli.view import show_interrupted, terminal
from dipsat.scenarios.sheet import Sheet
from dipsat.stresstests.report import CHECKS, FAULTS, StressFinding, StressReport, verdict_in_words


def show_report(report: StressReport) -> None:
    """Print the report."""
    console = terminal()
    last = report.seed + max(report.boards, 1) - 1
    console.print(
        f"{printable(report.rules)} on the map {printable(report.map)}: {report.boards} random "
        f"boards of {report.units} units, seeds {report.seed} to {last}."
    )
    console.print()
    console.print(_summary(report))
    for check, title in CHECKS.items():
        found = [one for one in report.of(check) if one.about or one.witness]
        if found:
            console.print()
            style = "bold red" if check in FAULTS else "bold"
            console.print(f"{title.capitalize()}:", style=style)
        for finding in found:
            _show(console, finding)
    for note in report.notes:
        console.print()
        console.print(f"{note[:1].upper()}{note[1:]}.", style="yellow")
    if report.is_interrupted:
        show_interrupted(console)


def _summary(report: StressReport) -> Table:
    """A line for each check."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, show_header=False)
    table.add_column("")
    table.add_column("")
    for check, title in CHECKS.items():
        table.add_row(title, _result(report, check))
    return table


def _result(report: StressReport, check: str) -> Text:
    findings = report.of(check)
    faults = [one for one in findings if one.is_fault]
    if faults:
        largest = max(faults, key=lambda one: one.count)
        return Text(verdict_in_words(largest), "bold red")
    if check in FAULTS:
        slow = f" ({report.slow_boards} boards)" if check == "presolve" else ""
        return Text("".join(map(verdict_in_words, findings)) + slow, "green")
    kinds = len(findings)
    return Text("none" if not kinds else f"{kinds}", "" if kinds else "green")


def _show(console: Console, finding: StressFinding) -> None:
    verdict = verdict_in_words(finding)
    line = f"{finding.about}: {verdict}" if finding.about else verdict
    console.print(Padding(printable(line), (0, 0, 0, 2), expand=False))
    if finding.witness is not None:
        console.print(Padding(_orders(finding.witness), (0, 0, 0, 6), expand=False))


def _orders(sheet: Sheet) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    if sheet.phase:
        table.add_row("Phase:", sheet.phase)
    for power, centres in sheet.owned:
        table.add_row(f"{power.title()}:", f"owns {', '.join(centres)}")
    for row in sheet.rows:
        texts = "; ".join(row.orders) or f"{row.unit} without an order"
        if row.orders and row.unit.count(" ") > 1:
            texts = f"{row.unit.rpartition(' ')[0].rpartition(' ')[0]} {texts}"
        table.add_row(f"{row.power.title()}:", printable(texts))
    return table
