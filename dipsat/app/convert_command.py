"""The command `dipsat convert`: writes games in another format."""

from __future__ import annotations

from pathlib import Path

import click

from dipsat.app.help_pages import command, option
from dipsat.app.named_files import is_so, show_faults
from dipsat.app.parameters import map_named
from dipsat.app.printing import echo
from dipsat.base import counted
from dipsat.errors import DipsatError, FileError


@command()
@click.argument("file", metavar="IN")
@click.argument("output", metavar="OUT")
@option(
    "--to", "format", metavar="FORMAT",
    help="The format of OUT: dipsat, yaml, diplomacy, jdip, or text in the notation datc, judge or "
    "daide.  [default: by the ending of OUT]",
)  # fmt: skip
@map_named("The map of the games, even if IN names another.")
@click.pass_context
def convert(
    ctx: click.Context, file: str, output: str, format: str | None, map_name: str | None
) -> None:
    """Write the games of a file in another format.

    dipsat recognises the kind of IN by its content, not its name. OUT is replaced if it exists; `-`
    is standard output. Orders and phases that cannot be read are left out, with a remark for each.

    Exit status 2 means that a game could not be read.

    \b
    Examples:
      dipsat convert saved.json game.txt
      dipsat convert games.jsonl games.json --to dipsat
    """
    from dipsat.formats import readable_turns, save_games, written_games

    if is_so(Path.exists, output) and is_so(Path(output).samefile, file):
        raise FileError(output, "is the input file; name another file for the output")
    found = list(readable_turns(file, map_name))
    unread = [one for one in found if isinstance(one, DipsatError)]
    games = [one for one in found if not isinstance(one, DipsatError)]
    if not games:
        raise unread[0]
    if output == "-":
        echo(written_games(games, output, format), nl=False)
    else:
        save_games(games, output, format)
        phases = counted(sum(len(game.turns) for game in games), "phase")
        echo(f"{output}: {counted(len(games), 'game')}, {phases}")
    show_faults([line for game in games for line in game.remarks])
    show_faults(unread, "games that cannot be read")
    ctx.exit(2 if unread else 0)
