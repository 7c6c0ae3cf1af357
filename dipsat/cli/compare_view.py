"""The output of `dipsat compare`: a column per profile, or a block for every order that differs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from dipsat.cli.view import plain_table, terminal, verdict_text
from dipsat.proof.comparison import ComparedOrder, Comparison, OrderResult
from dipsat.proof.outcome import Dislodgement
from dipsat.proof.report import retreats_in_words
from dipsat.tables import counted

_MOST_COLUMNS = 3
_LEAST_WIDTH = 14  # of a column that is still readable
_MARK = "* "


def show_comparison(found: Comparison) -> None:
    """Print the comparison; orders that differ are marked, with the reasons under each profile."""
    console = terminal()
    names = _labels(found)
    longest = max((len(row.order) for row in found.orders), default=0) + len(_MARK)
    left = console.width - longest - 2
    if len(names) <= _MOST_COLUMNS and left // len(names) - 2 >= _LEAST_WIDTH:
        console.print(_table(found.orders, names, left // len(names) - 2))
    else:
        for row in found.orders:
            if row.differs:
                _show_block(console, row, names)
    _show_after(console, found, names)


def _labels(found: Comparison) -> list[str]:
    """The names of the profiles, as all commands show them. If two have one name: of a path only
    the file name, if that is unique."""
    named, rules = [outcome.rules for outcome in found.outcomes], found.rules
    if len(set(named)) == len(named):
        return named
    short = [Path(name).stem if name.endswith((".yaml", ".yml")) else name for name in rules]
    unique = [a if short.count(a) == 1 else b for a, b in zip(short, rules, strict=True)]
    return unique if len(set(unique)) == len(unique) else list(rules)


def _table(rows: Sequence[ComparedOrder], names: Sequence[str], width: int) -> Table:
    columns = (Column(name, width=width, overflow="fold") for name in names)
    table = plain_table(Column("Order", no_wrap=True), *columns)
    power = None
    for row in rows:
        if row.power != power:
            power = row.power
            table.add_row(Text(power.title(), style="bold"))
        mark = Text(_MARK if row.differs else "  ", style="bold yellow")
        table.add_row(mark + Text(row.order), *(_verdict(one) for one in row.results))
        if row.differs:
            table.add_row("", *(_reason(row, one) for one in row.results))
    return table


def _show_block(console: Console, row: ComparedOrder, names: Sequence[str]) -> None:
    console.print(Text.assemble((f"{_MARK}{row.order}", "bold yellow"), f" ({row.power.title()})"))
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(max_width=30, overflow="fold")
    grid.add_column()
    grid.add_column()
    for name, one in zip(names, row.results, strict=True):
        grid.add_row(f"    {name}", _verdict(one), _reason(row, one))
    console.print(grid)


def _verdict(one: OrderResult | None) -> Text:
    if one is None:
        return Text("no such order")
    return verdict_text(one.verdict, one.fate)


def _reason(row: ComparedOrder, one: OrderResult | None) -> str:
    if one is None:
        return ""
    return one.reason if one.order == row.order else f"read as {one.order}: {one.reason}"


def _show_after(console: Console, found: Comparison, names: Sequence[str]) -> None:
    """Print what differs besides the orders, and a summary line."""
    for row in found.dislodged:
        if row.differs:
            console.print(f"{_MARK}Retreat of {row.unit} ({row.power.title()})", style="yellow")
            _show_each(console, names, [_retreat(one) for one in row.results])
    contested = [", ".join(outcome.contested) or "none" for outcome in found.outcomes]
    if len(set(contested)) > 1:
        console.print(f"{_MARK}Standoffs, no retreat to", style="yellow")
        _show_each(console, names, contested)
    phases = [str(position.phase) for position in found.next]
    if len(set(phases)) > 1:
        console.print(f"{_MARK}Next phase", style="yellow")
        _show_each(console, names, phases)
    winners = [(outcome.winner or "").title() or "none yet" for outcome in found.outcomes]
    if len(set(winners)) > 1:
        console.print(f"{_MARK}Winner", style="yellow")
        _show_each(console, names, winners)
    orders = counted(len(found.orders), "order")
    differ = sum(row.differs for row in found.orders)
    if not found.differs:
        console.print(f"No difference: {orders}, all retreats and the next position agree.")
        return
    position = "differs" if found.next_differs else "is the same"
    verb = "differs" if differ == 1 else "differ"
    console.print(f"{differ} of {orders} {verb}; the next position {position}.")


def _show_each(console: Console, names: Sequence[str], texts: Sequence[str]) -> None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for name, text in zip(names, texts, strict=True):
        grid.add_row(f"    {name}", text)
    console.print(grid)


def _retreat(one: Dislodgement | None) -> str:
    if one is None:
        return "is not dislodged"
    return f"{one.cause}, {retreats_in_words(one.retreats)}"
