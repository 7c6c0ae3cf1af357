"""The commands `dipsat maps`: list, show, check, draw, begin and import maps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

import dipsat
from dipsat.app.parameters import (
    board_option,
    complete_maps,
    print_error,
    print_json,
    write_map_picture,
)
from dipsat.app.printing import echo
from dipsat.base import Column, Part, Styled, Table, path_from, write_text
from dipsat.errors import DipsatError, FileError

if TYPE_CHECKING:
    from dipsat.board import Map

_NAME = "NAME-OR-FILE"


@click.group()
def maps() -> None:
    """List, show, check, draw, write and import maps.

    \b
    Wherever a map is named, it may be
      standard, fleet_rome  a shipped one (`dipsat maps list`)
      island.yaml           a file; docs/maps.md shows how to write one
    """


@maps.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON.")
def list_maps(as_json: bool) -> None:
    """List the shipped maps: provinces, supply centres, powers, centres that win."""
    from dipsat.game import listed

    if as_json:
        print_json([row.to_dict() for row in listed()])
        return
    from dipsat.app.view import show

    columns = (Column("Name"), Column("Title", wraps=True))
    numbers = (Column(head, is_right=True) for head in ("Provinces", "Centres", "Powers", "To win"))
    rows = [
        (row.name, row.title, *map(str, (row.provinces, row.centers, row.powers, row.victory)))
        for row in listed()
    ]
    show([Table(tuple(rows), (*columns, *numbers))])


@maps.command("show")
@click.argument("name", metavar=_NAME, shell_complete=complete_maps)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option(
    "--borders", is_flag=True,
    help="Print the borders as JSON, as docs/atlas/check_lines.py reads them.",
)  # fmt: skip
@board_option
def show_map(name: str, as_json: bool, borders: bool, drawn: bool | None) -> None:
    """Show a map: its starting board, the powers with their homes and units, and the provinces
    with their borders."""
    from dipsat.game import map_to_dict

    board = dipsat.load_map(name)
    if borders:
        from dipsat.searches import borders_of

        print_json(borders_of(board))
    elif as_json:
        print_json(map_to_dict(board))
    else:
        from dipsat.app.board_view import show_board
        from dipsat.app.view import show

        show(_heading(board))
        show_board(dipsat.Position.start(board), drawn)
        show(_contents(board))


def _heading(board: Map) -> Iterator[Part]:
    from dipsat.game import row_of

    row = row_of(board)
    yield Styled(f"{row.title} ({row.name})", "bold")
    yield (
        f"{row.provinces} provinces, {row.centers} supply centres, {row.powers} powers; "
        f"{row.victory} centres win; from {board.first_phase}; builds: {board.build}"
    )
    yield from (*board.notes, "")


def _contents(board: Map) -> Iterator[Part]:
    """The powers of a map, its provinces, features and lines."""
    rows = []
    for power in board.powers.values():
        home = ", ".join(power.home)
        if set(power.centers) != set(power.home):
            home = f"{home}; owns {', '.join(power.centers) or 'none'}".removeprefix("; ")
        name = f"{power.name} (neutral)" if power.neutral else power.name
        rows.append((name, home, ", ".join(power.start)))
    yield _table(rows, "Power", "Home", "Starts with")
    yield ""
    places = []
    for code, province in board.provinces.items():
        kind = (province.kind, "centre" if province.supply else "", *sorted(province.features))
        fleets = "; ".join(
            f"{place.partition('/')[2]} {', '.join(sorted(board.fleet.get(place, ())))}".strip()
            for place in province.locations
        )
        armies = ", ".join(sorted(board.army.get(code, ())))
        places.append((code, province.name, ", ".join(filter(None, kind)), armies, fleets))
    yield _table(places, "Code", "Province", "Kind", "Armies go to", "Fleets go to")
    for feature, borders in board.border_features.items():
        pairs = sorted(" - ".join(sorted(border)) for border in borders)
        yield from ("", f"{feature}: {', '.join(pairs)}")
    for line in board.lines.values():
        yield from ("", f"{line.name}: {' - '.join(line.provinces)} {line.power}".rstrip())
    if board.impassable:
        lands = (f"{land} ({code})" for code, land in board.impassable.items())
        yield from ("", f"impassable: {', '.join(lands)}")


def _table(rows: Iterable[tuple[str, ...]], *heads: str) -> Table:
    first, *others = heads
    columns = Column(first), *(Column(head, wraps=True) for head in others)
    return Table(tuple(rows), columns, least=16)


@maps.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def check(files: tuple[str, ...]) -> None:
    """Check maps, and report the problems of each with file, line and column.

    FILE is a path or the name of a shipped map. Problems are contradictions, such as a border that
    only one side states, or a picture that does not fit; remarks point out oddities, such as a
    coast that no fleet can reach. Exit status 0 if there are neither, 1 if there are only remarks,
    2 if there is a problem.
    """
    from dipsat.board import check_map
    from dipsat.draw import check_picture

    status = 0
    for file in files:
        try:
            board, remarks = check_map(file)
            on_picture = check_picture(board)
        except DipsatError as error:
            status = 2
            print_error(error)
            continue
        for remark in filter(None, (*remarks, on_picture)):
            status = max(status, 1)
            echo(f"remark: {remark}", err=True)
        echo(
            f"{board.name}: {len(board.provinces)} provinces, {len(board.centers)} supply centres, "
            f"{len(board.players)} powers, no problems"
        )
    if status:
        click.get_current_context().exit(status)


@maps.command("draw")
@click.argument("name", metavar=_NAME, shell_complete=complete_maps)
@click.option(
    "--output", "-o", metavar="FILE",
    help="Write the picture into FILE, whose name ends in .json.  [default: standard output]",
)  # fmt: skip
def draw_map(name: str, output: str | None) -> None:
    """Compute the picture of a map, so that it is not computed each time the map is drawn.

    The picture is JSON. A map uses the picture that its file names (`picture: {file:
    island.json}`). This command draws it anew anyway: in the shapes of its `svg` or of the map that
    it is `like`, or else from its borders. `dipsat draw` draws maps as SVG or PNG.

    \b
    Example:
      dipsat maps draw island.yaml -o island.json
    """
    from dipsat.base import is_yaml_path
    from dipsat.draw import new_picture, write_picture

    if output is None:
        echo(write_picture(new_picture(dipsat.load_map(name))), nl=False)
        return
    write_map_picture(output, lambda: new_picture(dipsat.load_map(name)))
    echo(f"{output} is written: the picture of {name}.")
    path = path_from(Path(name).parent, output) if is_yaml_path(name) else output
    echo(f"With `picture: {{file: {path}}}` in its file, the map is drawn like that.")


@maps.command()
@click.argument("file", metavar="FILE")
@click.option("--extends", "base", metavar=_NAME, default="", help="The map that it changes.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def new(file: str, base: str, force: bool) -> None:
    """Write a small map, or a change to another map, into FILE, with comments that show how to try
    and change it.

    \b
    Examples:
      dipsat maps new island.yaml
      dipsat maps new mine.yaml --extends standard
    """
    from dipsat.board import map_start

    write_text(file, map_start(file, base), new=not force)
    what = f"the map {base} with one more supply centre" if base else "a map of a small island"
    echo(f"{file} is written: {what}.")
    echo(f"Its comments explain how to try and change it; `dipsat maps show {file}` shows it.")


@maps.command("import")
@click.argument("source", metavar="SOURCE")
@click.option(
    "--output", "-o", metavar="FOLDER", default=".",
    help="Write the maps into FOLDER, which exists.  [default: the current one]",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Overwrite maps that are there.")
def import_variants(source: str, output: str, force: bool) -> None:
    """Convert the variants of other programs to maps. Each becomes a file NAME.yaml; its `notes`,
    which are also printed, list what a map cannot express.

    \b
    SOURCE is a file or a folder of one variant, or a folder with several of them:
      the folder of a variant of webDiplomacy or vDiplomacy
      a variant of diplicity, in JSON
      a map of the package diplomacy or of DPjudge, such as standard.map

    Exit status 2 if a variant could not be converted.

    \b
    Examples:
      dipsat maps import webDiplomacy/variants -o maps
      dipsat maps import maps/crowded.map
    """
    from dipsat.formats import import_maps

    lost = 0
    sources: dict[Path, str] = {}
    for made in import_maps(source):
        try:
            if isinstance(made, DipsatError):
                raise made
            file = Path(output) / f"{made.map.name}.yaml"
            if file in sources:
                problem = f"its map would overwrite {file}, which was just made of {sources[file]}"
                raise FileError(made.source, problem)
            write_text(file, made.text, new=not force)
        except DipsatError as error:
            lost += 1
            print_error(error)
            continue
        sources[file] = made.source
        board = made.map
        echo(
            f"{file}: {len(board.provinces)} provinces, {len(board.centers)} supply centres, "
            f"{len(board.players)} powers"
        )
        for note in board.notes:
            echo(f"  {note}")
    if len(sources) + lost > 1:
        echo(f"{len(sources)} of {len(sources) + lost} variants are maps now.")
    click.get_current_context().exit(2 if lost else 0)
