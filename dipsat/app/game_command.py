"""The commands `dipsat game`: the work of a game master, who gets orders by mail."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dipsat.app import parameters as cli
from dipsat.app.named_files import show_faults, text_from
from dipsat.app.printing import echo
from dipsat.base import Table, titled, write_bytes, write_text
from dipsat.errors import DipsatError, FileError, GameError

if TYPE_CHECKING:
    from dipsat.formats import Game
    from dipsat.game import PhaseName

_FILE = click.argument("file", metavar="FILE")
_MAILS = click.argument("mails", nargs=-1, required=True, metavar="MAIL...")
_RESULTS = (".txt", ".html", ".eml", ".png", ".svg")


@click.group()
def game() -> None:
    """Run a game whose players send their orders by mail.

    \b
    A season (docs/year-by-mail.md has a whole year):
      dipsat game new game.json --player "FRANCE=Anna <anna@example.org>"
      dipsat game read game.json mails/*.txt     enter orders
      dipsat game status game.json               who has not sent any
      dipsat game advance game.json              adjudicate
      dipsat game results game.json -o S1901M.eml
                                                 the results, to be sent
      dipsat game correct game.json --phase S1901M late.txt
                                                 change the past

    FILE is a game that dipsat has saved; `dipsat play FILE` takes it, too.
    """


@game.command()
@_FILE
@cli.new_game_options
@click.option(
    "--player", "players", multiple=True, metavar="POWER=PLAYER",
    help='Who plays a power, as in "ENGLAND=Anna Smith <anna@example.org>". Repeatable.',
)  # fmt: skip
def new(file: str, begins: cli.NewGame, players: tuple[str, ...]) -> None:
    """Begin a game in a new FILE, whose name is that of the game."""
    from dipsat.formats import Game

    _check_format(file)
    if os.path.lexists(file):
        raise FileError(file, "is there already; a new game needs a file of its own")
    begun = Game.new(*begins)
    begun.name = Path(file).stem
    begun.players = _named(players)
    begun.save(file)
    _show_players(begun)


@game.command()
@_FILE
@click.argument("changes", nargs=-1, metavar="[POWER=PLAYER]...")
def players(file: str, changes: tuple[str, ...]) -> None:
    """Show who plays which power, or change it.

    An empty PLAYER, as in FRANCE=, is nobody.
    """
    from dipsat.formats import power_named

    found = _game(file)
    if changes:
        board = found.position.map
        given = {power_named(board, name): player for name, player in _named(changes).items()}
        found.players = {**found.players, **given}
        found.save(file)
    _show_players(found)


@game.command()
@_FILE
@_MAILS
@click.option(
    "--lenient", is_flag=True,
    help="Enter what can be read of a mail, in spite of its faults, which are reported.",
)  # fmt: skip
def read(file: str, mails: tuple[str, ...], lenient: bool) -> None:
    """Enter the orders of mails or order sheets; `-` reads standard input.

    A later mail replaces earlier orders of the same units, and in winter all that the power has
    sent. Orders for later phases, such as retreats sent with moves, are kept until these begin. A
    mail with a fault changes nothing. Exit status 0 if all mails were entered, otherwise 2.
    """
    from dipsat.formats import lines_of_status

    found, faults = _game(file), 0
    for mail in mails:
        try:
            found = _entered(found, mail, lenient)
        except DipsatError as error:
            cli.print_error(error)
            faults += 1
    if faults < len(mails):
        found.save(file)
        for line in lines_of_status(found):
            echo(line)
    if faults:
        click.get_current_context().exit(2)


@game.command()
@_FILE
@cli.json_option
def status(file: str, as_json: bool) -> None:
    """Show who has sent orders for the current phase, and what is still to be done."""
    from dipsat.formats import status_of

    cli.print_report(status_of(_game(file)), as_json)


@game.command()
@_FILE
@click.option("--deadline", default="", metavar="TEXT", help="When the next orders are due.")
@click.option(
    "--allow-missing", is_flag=True,
    help="Advance though powers have sent nothing: units hold, dislodged units disband, nothing is "
    "built, and the rules say which units are removed.",
)  # fmt: skip
def advance(file: str, deadline: str, allow_missing: bool) -> None:
    """Adjudicate the current phase, save the game, and print the results.

    If a power has sent nothing, nothing happens, and the exit status is 2, unless --allow-missing
    is given. Phases in which nothing can be ordered are skipped.
    """
    from dipsat.formats import waiting_for

    found = _game(file)
    if found.missing and not allow_missing:
        problem = f"{found.phase}: {waiting_for(found.missing)}"
        raise GameError(f"{problem} Advance without them: --allow-missing")
    found.advance()
    found.deadline = deadline
    found.save(file)
    for line in found.turn.left_out:
        echo(f"remark: {line}", err=True)
    cli.print_report(found.results(), as_json=False)


@game.command()
@_FILE
@click.option("--phase", metavar="NAME", help="The phase, such as F1901M.  [default: the last]")
@click.option(
    "--output", "-o", metavar="FILE",
    help="Write them into FILE, whose name ends in .txt, .html (a page for a mail), .eml (a whole "
    "message with text, page and picture), .png or .svg.  [default: text on standard output]",
)  # fmt: skip
def results(file: str, phase: str | None, output: str | None) -> None:
    """Print the results of a phase for the players, or write them into a file.

    A message is for all players whose addresses are known; none of them sees the others' addresses.
    """
    suffix = "" if output is None else cli.check_file_name(output, "results", *_RESULTS)
    found = _game(file).results(phase)
    if output is None:
        cli.print_report(found, as_json=False)
    elif suffix == ".txt":
        write_text(output, f"{found}\n")
    elif suffix == ".html":
        from dipsat.draw import results_page

        write_text(output, results_page(found))
    elif suffix == ".eml":
        from dipsat.draw import results_mail

        data, why = results_mail(found)
        write_bytes(output, data)
        if why:
            echo(f"remark: the picture is attached in SVG: {why}", err=True)
    else:
        from dipsat.draw import results_board

        cli.write_picture(results_board(found), output)


@game.command()
@_FILE
@_MAILS
@click.option("--phase", required=True, metavar="NAME", help="The phase, such as F1901M.")
@click.option(
    "--output", "-o", metavar="FILE",
    help="Write the corrected game into FILE, and leave the other as it is.",
)  # fmt: skip
def correct(file: str, mails: tuple[str, ...], phase: str, output: str | None) -> None:
    """Replace orders of a past phase, play again from there, and say what changes.

    MAIL is as for `dipsat game read`. Orders of later phases stay; those whose units are elsewhere
    now are left out, and named. Where orders are missing that nobody needed before, as for a unit
    that is dislodged now, the game stops. The game as it was is kept beside FILE, with the phase in
    its name.
    """
    from dipsat.formats import caught_up

    before = _game(file)
    if output is not None:
        _check_format(output)
    changed = before.copy().back_to(phase)
    past = changed.phase
    if past == before.phase:
        raise GameError(f"{past} is not played yet; `dipsat game read` enters its orders")
    for mail in mails:
        changed = _entered(changed, mail)
    found, report = caught_up(changed, before)
    if output is None:
        kept = _keep(before, file, past)
        found.save(file)
        cli.print_report(report, as_json=False)
        echo(f"The game as it was is in {kept}.")
    else:
        found.save(output)
        cli.print_report(report, as_json=False)


# --- steps ----------------------------------------------------------------------------------------


def _check_format(file: str) -> None:
    """Raise `FileError` for a file whose format cannot keep players and orders for later phases."""
    from dipsat.formats import format_of

    if format_of(file) != "dipsat":
        raise FileError(file, "cannot hold players; the name should end in .json or .yaml")


def _game(file: str) -> Game:
    """The game of a file that dipsat wrote. Raises what `begun` raises, and `FileError` for the
    game of another program or a position, with the command that makes such a game of it."""
    from dipsat.formats import begun

    found, own = begun(file)
    if own and found.may_replace_its_file:
        return found
    made = Path(file).with_suffix(".json")
    if made.exists():
        made = made.with_suffix(".game.json")
    command = f"echo save {shlex.quote(str(made))} | dipsat play {shlex.quote(file)}"
    raise FileError(file, f"is not a game that dipsat saved; make one of it: `{command}`")


def _named(texts: Iterable[str]) -> dict[str, str]:
    """Power -> player, as they are typed."""
    found = {}
    for text in texts:
        power, sign, player = text.partition("=")
        if not sign or not power.strip():
            raise click.UsageError(f"{text!r} is not like POWER=PLAYER, such as FRANCE=Anna")
        found[power.strip()] = player
    return found


def _show_players(found: Game) -> None:
    from dipsat.app.view import show

    powers = (one for one in found.position.map.powers if one not in found.position.map.neutrals)
    show([Table(tuple((titled(power), found.players.get(power, "nobody")) for power in powers))])


def _entered(found: Game, mail: str, lenient: bool = False) -> Game:
    """The game with the orders of a mail, about which it prints what there is to say."""
    from dipsat.formats import enter_mail

    text, shown = text_from(mail)
    reply = enter_mail(found, text, shown, lenient)
    show_faults(reply.remarks, "remarks")
    for line in reply.lines:
        echo(line)
    return reply.game


def _keep(before: Game, file: str, phase: PhaseName) -> str:
    """Save a game beside its file, under a name that is free, and return that."""
    path, number = Path(file), 1
    while True:
        end = f"-{number}" if number > 1 else ""
        kept = path.with_name(f"{path.stem}.before-{phase}{end}{path.suffix}")
        if not os.path.lexists(kept):
            before.save(kept)
            return str(kept)
        number += 1
