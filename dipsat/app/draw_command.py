"""The command `dipsat draw`: the board of any file that dipsat reads, as a picture."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import dipsat
from dipsat.app import parameters as cli
from dipsat.app.help_pages import command, option, rare
from dipsat.app.named_files import (
    AskedPhase,
    game_in,
    holds_games_in,
    is_so,
    phase_options,
    turn_in,
)
from dipsat.app.printing import echo
from dipsat.base import write_bytes, write_text
from dipsat.errors import DipsatError

if TYPE_CHECKING:
    from dipsat.board import Map
    from dipsat.formats import Game
    from dipsat.game import Position
    from dipsat.outcomes import Outcome

_OF_GAMES = (".html", ".gif")
"""The formats that show all phases of a game."""
_GIF_WIDTH = 800
"""The default width in pixels."""
_FORMATS = (".svg", ".png", *_OF_GAMES)
_look = partial(option, heading="How it looks")


@command()
@click.option(
    "--output", "-o", metavar="FILE",
    help="Write the picture into FILE, whose name ends in .svg or .png, or all phases of a game "
    "into one that ends in .html (a page) or .gif (animated).  [default: SVG on standard output]",
)  # fmt: skip
@phase_options(file=click.argument("file", metavar="FILE-OR-MAP", shell_complete=cli.complete_maps))
@click.option(
    "--game", "number", type=cli.Whole(1), metavar="N",
    help="Which game of a file with several.  [default: 1]",
)  # fmt: skip
@click.option("--start", is_flag=True, help="Draw a map with its starting units.")
@_look("--dark", is_flag=True, help="Draw a dark board.")
@rare("--auto-dark", is_flag=True, help="Make SVG dark where the viewer prefers dark mode.")
@_look("--size", type=cli.Whole(1, 100_000), metavar="PIXELS", help="The width of the picture.")
@_look("--no-labels", is_flag=True, help="Leave out the codes of provinces.")
@_look("--no-holders", is_flag=True, help="Colour supply centres only, not land held last.")
@_look("--caption", is_flag=True, help="Write the map and the phase above the board.")
@_look("--legend", is_flag=True, help="Add a legend of colours below the board.")
@_look("--power", metavar="POWER", help="Draw what this power may see.")
@_look(
    "--highlight", multiple=True, metavar="PROVINCE-OR-UNIT",
    help="Highlight a province or a unit. Repeatable.",
)  # fmt: skip
def draw(
    asked: AskedPhase,
    output: str | None,
    number: int | None,
    start: bool,
    dark: bool,
    auto_dark: bool,
    size: int | None,
    no_labels: bool,
    no_holders: bool,
    **shown: Any,
) -> None:
    """Draw a board as SVG or PNG, or a whole game as an HTML page or an animated GIF.

    FILE-OR-MAP is an order sheet, which is judged and drawn with its results; a position; a game in
    any format that `dipsat replay` reads, drawn at its current phase unless --phase names another;
    or a map, by its name or its file. `-` reads an order sheet or a position from standard input.

    \b
    Examples:
      dipsat draw orders.txt -o board.svg
      dipsat draw game.json --phase F1901M --dark -o fall.png
      dipsat draw game.json -o game.html
      dipsat draw colonial --start > colonial.svg
    """
    if dark and auto_dark:
        raise click.UsageError("--dark and --auto-dark exclude each other; give one of them")
    suffix = "" if output is None else cli.check_file_name(output, "a picture", *_FORMATS)
    file, phase = asked.file, asked.elsewhere.phase
    what = _what_in(asked, number)
    kept: dict[str, Any] = {"labels": not no_labels, "holders": not no_holders}
    if start:
        if not isinstance(what, dipsat.Map):
            raise click.UsageError(f"{file!r} is not a map; --start does not apply to it")
        what = dipsat.Position.start(what)
    if output is not None and suffix in _OF_GAMES:
        if not isinstance(what, dipsat.Game) or phase is not None:
            problem = "is not a game" if phase is None else "is one phase with --phase"
            raise click.UsageError(f"{file!r} {problem}; only whole games are drawn as {suffix}")
        if any(shown.values()) or (size and suffix == ".html"):
            options = "--power, --highlight, --caption"
            options += ", --legend and --size" if suffix == ".html" else " and --legend"
            raise click.UsageError(f"{options} do not apply to {suffix}")
        if suffix == ".gif":
            width = size or _GIF_WIDTH
            data = dipsat.draw.game_gif(what, dark=dark, width=width, **kept)
            write_bytes(output, data)
        else:
            page = dipsat.draw.game_page(what, dark=dark or None, **kept)
            write_text(output, page)
        return
    is_dark = None if auto_dark else dark
    picture = dipsat.draw.board(what, size=size, dark=is_dark, **kept, **shown)
    if output is None:
        echo(picture)
    else:
        cli.write_picture(picture, output)


def _what_in(asked: AskedPhase, number: int | None) -> Map | Position | Outcome | Game:
    """The contents of a file, or the map of a given name."""
    file, phase = asked.file, asked.elsewhere.phase
    board = _map_in(file)
    if board is not None:
        if any(one is not None for one in (asked.rules, asked.map_name, phase, number)):
            nothing = "to which --rules, --map, --phase and --game do not apply"
            raise click.UsageError(f"{file!r} is a map, {nothing}")
        return board
    if asked.elsewhere.board is None and holds_games_in(file):
        if asked.rules is not None:
            raise click.UsageError("a game has its own rules; --rules does not apply to it")
        game = game_in(file, asked.map_name, number)
        turn = turn_in(game, phase) if phase else game.turn
        return game if turn is game.turn else turn.outcome
    found, rules = asked.read(asking=True)
    if number is not None:
        raise click.UsageError(f"{file!r} holds no game, so --game does not apply")
    if not any(found.orders.values()):
        return found.position
    outcome = dipsat.adjudicate(found.position, found.orders, rules, lenient=asked.lenient)
    asked.check(found, outcome.rulings)
    return outcome


def _map_in(file: str) -> Map | None:
    """The map of a given name, or in a file that looks like a map file."""
    from dipsat.base import MAP_FILE, is_yaml_path, kind_of, parse_yaml, read_text
    from dipsat.board import load_map, map_names

    is_name = file != "-" and ("+" in file or not Path(file).suffix)
    is_name = is_name and not is_so(Path.exists, file)
    if file in map_names() or is_name:
        return load_map(file)  # or the error that lists similar names
    if not is_yaml_path(file):
        return None
    try:
        top = parse_yaml(read_text(file), file).value
    except DipsatError:  # the next reader of the file reports the error
        return None
    return load_map(file) if isinstance(top, dict) and kind_of(top) == MAP_FILE else None
