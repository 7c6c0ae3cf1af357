"""The output of `dipsat maps`: the list of maps, or one map."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Column, Table

from dipsat.app.board_view import show_board
from dipsat.app.view import terminal
from dipsat.board import Map, Province
from dipsat.game import ListedMap, Position, row_of


def show_list(rows: Sequence[ListedMap]) -> None:
    """Print the maps as a table."""
    counted = ("Provinces", "Centres", "Powers", "To win")
    numbers = (Column(heading, justify="right", no_wrap=True) for heading in counted)
    table = _table(Column("Name", no_wrap=True), "Title", *numbers)
    for row in rows:
        counts = (row.provinces, row.centers, row.powers, row.victory)
        table.add_row(row.name, row.title, *map(str, counts))
    terminal().print(table)


def show_map(board: Map, drawn: bool | None) -> None:
    """Print a map: heading, board if that is `drawn` (see `show_board`), powers, provinces,
    features and lines."""
    console = terminal()
    row = row_of(board)
    console.print(f"{row.title} ({row.name})", style="bold")
    console.print(
        f"{row.provinces} provinces, {row.centers} supply centres, {row.powers} powers; "
        f"{row.victory} centres win; from {board.first_phase}; builds: {board.build}"
    )
    for note in board.notes:
        console.print(note)
    console.print()
    show_board(Position.start(board), drawn)
    console.print(_powers(board))
    console.print()
    console.print(_provinces(board))
    for name, borders in board.border_features.items():
        pairs = sorted(" - ".join(sorted(border)) for border in borders)
        console.print(f"\n{name}: {', '.join(pairs)}")
    for line in board.lines.values():
        console.print(f"\n{line.name}: {' - '.join(line.provinces)} {line.power}".rstrip())
    if board.impassable:
        lands = (f"{land} ({code})" for code, land in board.impassable.items())
        console.print(f"\nimpassable: {', '.join(lands)}")


def _table(*columns: Column | str) -> Table:
    return Table(*columns, box=None, header_style="bold", pad_edge=False)


def _powers(board: Map) -> Table:
    table = _table("Power", "Home", "Starts with")
    for power in board.powers.values():
        name = f"{power.name} (neutral)" if power.neutral else power.name
        home = ", ".join(power.home)
        if set(power.centers) != set(power.home):
            home = f"{home}; owns {', '.join(power.centers) or 'none'}".removeprefix("; ")
        table.add_row(name, home, ", ".join(power.start))
    return table


def _provinces(board: Map) -> Table:
    table = _table("Code", "Province", "Kind", "Armies go to", "Fleets go to")
    for code, province in board.provinces.items():
        fleets = "; ".join(
            f"{place.partition('/')[2]} {', '.join(sorted(board.fleet.get(place, ())))}".strip()
            for place in province.locations
        )
        table.add_row(
            code,
            province.name,
            _kind(province),
            ", ".join(sorted(board.army.get(code, ()))),
            fleets,
        )
    return table


def _kind(province: Province) -> str:
    words = (province.kind, "centre" if province.supply else "", *sorted(province.features))
    return ", ".join(filter(None, words))
