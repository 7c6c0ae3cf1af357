"""The commands `dipsat maps`: list, show, check, draw and begin maps."""

from __future__ import annotations

from pathlib import Path

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
from dipsat.base import path_from, write_text
from dipsat.errors import DipsatError

_NAME = "NAME-OR-FILE"


@click.group()
def maps() -> None:
    """List, show, check, draw and write maps.

    \b
    Wherever a map is named, it may be
      standard, fleet_rome  a shipped one (`dipsat maps list`)
      island.yaml           a file; docs/maps.md shows how to write one
    """


@maps.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON.")
def list_maps(as_json: bool) -> None:
    """List the shipped maps: provinces, supply centres, powers, centres that win."""
    from dipsat.app.maps_view import show_list
    from dipsat.game import listed

    if as_json:
        print_json([row.to_dict() for row in listed()])
    else:
        show_list(listed())


@maps.command()
@click.argument("name", metavar=_NAME, shell_complete=complete_maps)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option(
    "--borders", is_flag=True,
    help="Print the borders as JSON, as docs/atlas/check_lines.py reads them.",
)  # fmt: skip
@board_option
def show(name: str, as_json: bool, borders: bool, drawn: bool | None) -> None:
    """Show a map: the board as games begin, the powers with their homes and units, and the
    provinces with their borders."""
    from dipsat.app.maps_view import show_map
    from dipsat.game import map_to_dict

    board = dipsat.load_map(name)
    if borders:
        from dipsat.searches import borders_of

        print_json(borders_of(board))
    elif as_json:
        print_json(map_to_dict(board))
    else:
        show_map(board, drawn)


@maps.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def check(files: tuple[str, ...]) -> None:
    """Check maps: all problems of each at once, with file, line and column.

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
    """Compute the picture of a map, so that it need not be computed each time the map is drawn.

    The picture is JSON. A map uses the one that its file names, `picture: {file: island.json}`;
    whatever file it names, this command draws it anew: in the shapes of its `svg` or of the map
    that it is `like`, or else from its borders. `dipsat draw` draws maps as SVG or PNG.

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
    """Write a small map into FILE, or a change of another map, with comments that show how to try
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
    echo(f"Its comments tell how to try and change it; `dipsat maps show {file}` shows it.")
