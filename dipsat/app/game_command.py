"""The commands `dipsat game`, for a game master who receives orders by mail."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dipsat.app import parameters as cli
from dipsat.app.named_files import show_faults, text_from
from dipsat.app.printing import echo
from dipsat.base import Table, alone, read_text, titled, write_bytes, write_text
from dipsat.errors import DipsatError, FileError, GameError

if TYPE_CHECKING:
    from dipsat.formats import Game, MailReply, Results
    from dipsat.game import PhaseName

_FILE = click.argument("file", metavar="FILE")
_MAILS = click.argument("mails", nargs=-1, required=True, metavar="MAIL...")
_MOST_SECONDS = 60.0  # to wait for another command
_T = TypeVar("_T")
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
    """Begin a game in a new FILE. The game has the name of the file."""
    from dipsat.formats import Game

    _check_new(file)
    begun = Game.new(*begins)
    begun.name = Path(file).stem
    begun.players = _named(players, begun)
    begun.save(file)
    _show_players(begun)


@game.command()
@_FILE
@click.argument("changes", nargs=-1, metavar="[POWER=PLAYER]...")
def players(file: str, changes: tuple[str, ...]) -> None:
    """Show who plays which power, or change it.

    With an empty PLAYER, as in FRANCE=, nobody plays the power.
    """
    with _alone(file):
        found = _game(file)
        if changes:
            found.players = {**found.players, **_named(changes, found)}
            found.save(file)
    _show_players(found)


@game.command()
@_FILE
@_MAILS
@click.option(
    "--lenient", is_flag=True,
    help="Enter the readable orders of a mail, and report its faults.",
)  # fmt: skip
def read(file: str, mails: tuple[str, ...], lenient: bool) -> None:
    """Enter the orders of mails or order sheets; `-` reads standard input.

    A later mail replaces earlier orders of the same units, and in winter all orders of the power.
    Orders for later phases, such as retreats sent with moves, are kept until those phases begin. A
    mail with a fault changes nothing. Exit status 0 if all mails were entered, otherwise 2.
    """
    from dipsat.formats import lines_of_status

    texts = [_tried(text_from, mail) for mail in mails]  # before the lock: input may be typed
    told: list[MailReply | DipsatError] = []
    with _alone(file):
        found = _game(file)
        for text in texts:
            reply = _tried(_entered, found, text, lenient)
            told.append(reply)
            found = found if isinstance(reply, DipsatError) else reply.game
        faults = sum(isinstance(one, DipsatError) for one in told)
        if faults < len(told):
            found.save(file)
    for one in told:  # after saving, because printing fails if the reader has gone
        _tell(one)
    for line in lines_of_status(found) if faults < len(told) else ():
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
    help="Advance even if powers have sent nothing: units hold, dislodged units disband, nothing "
    "is built, and the rules say which units are removed.",
)  # fmt: skip
def advance(file: str, deadline: str, allow_missing: bool) -> None:
    """Adjudicate the current phase, save the game, and print the results.

    If a power has sent nothing, nothing happens, and the exit status is 2, unless --allow-missing
    is given. Phases in which nothing can be ordered are skipped.
    """
    from dipsat.formats import status_of, waiting_for

    with _alone(file):
        found = _game(file)
        if found.missing and not allow_missing:
            problem = f"{found.phase}: {waiting_for(found.missing)}"
            raise GameError(f"{problem} Advance without them: --allow-missing")
        found.advance()
        found.deadline = deadline
        found.save(file)
    illegal = (
        f"{titled(one.power)}: {text}" for one in status_of(found).powers for text in one.illegal
    )
    for line in (*found.turn.left_out, *(f"ILLEGAL: {text}" for text in illegal)):
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
    if output is not None:
        _check_results(output, suffix, found)
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
    help="Write the corrected game into FILE, and leave the original unchanged.",
)  # fmt: skip
def correct(file: str, mails: tuple[str, ...], phase: str, output: str | None) -> None:
    """Replace orders of a past phase, play again from there, and say what changes.

    MAIL is as for `dipsat game read`. Orders of later phases stay. Those whose units are now
    elsewhere are left out, and listed. The game stops where new orders are needed, such as for a
    unit that is now dislodged. The original game is saved beside FILE, with the phase in its name.
    """
    from dipsat.formats import caught_up

    texts = [_tried(text_from, mail) for mail in mails]
    if output is not None:
        _check_new(output)
    with _alone(file):
        before = _game(file)
        changed = before.copy().back_to(phase)
        past = changed.phase
        if past == before.phase:
            raise GameError(f"{past} is not played yet; `dipsat game read` enters its orders")
        replies: list[MailReply] = []
        for text in texts:
            replies.append(_entered(changed, text))
            changed = replies[-1].game
        found, report = caught_up(changed, before)
        kept = "" if output else _keep(before, file, past)
        found.save(output or file)
    for one in replies:
        _tell(one)
    cli.print_report(report, as_json=False)
    if kept:
        echo(f"The original game is in {kept}.")


# --- steps ----------------------------------------------------------------------------------------


def _check_new(file: str) -> None:
    """Raise `FileError` if a file exists, or if its format cannot keep players and orders for later
    phases."""
    from dipsat.formats import format_of

    if format_of(file) != "dipsat":
        raise FileError(file, "cannot hold players; the name should end in .json or .yaml")
    if os.path.lexists(file):
        raise FileError(file, "already exists; a new game needs its own file")


def _check_results(file: str, suffix: str, found: Results) -> None:
    """Raise `FileError` for an existing file that has no results of this game, such as a mail."""
    from html import escape

    if suffix not in (".txt", ".html", ".eml") or not os.path.lexists(file):
        return
    text, begin = read_text(file), f"{found.name}: " if found.name else found.title
    is_own = {
        ".txt": text.startswith(begin),
        ".html": f"<title>{escape(begin)}" in text,
        ".eml": "\nX-Unsent: 1" in text,
    }
    if not is_own[suffix]:
        raise FileError(file, "already exists, and has no results of this game; name another file")


def _alone(file: str) -> AbstractContextManager[None]:
    """Wait until no other command changes a game in this folder; otherwise the last to save would
    undo the work of the others. Where folders cannot be locked, the block runs without a lock."""
    return alone(Path(file).resolve().parent, _MOST_SECONDS)


def _tried(do: Callable[..., _T], *given: Any) -> _T | DipsatError:
    """Return what a function returns or the error that it raises."""
    try:
        return do(*given)
    except DipsatError as error:
        return error


def _game(file: str) -> Game:
    """The game in a file that dipsat wrote. Raises what `begun` raises, and `FileError` for a
    position or the game of another program; its message has the command that converts it."""
    from dipsat.formats import begun

    found, own = begun(file)
    if own and found.may_replace_its_file:
        return found
    made = Path(file).with_suffix(".json")
    if made.exists():
        made = made.with_suffix(".game.json")
    old, new = shlex.quote(file), shlex.quote(str(made))
    command = f"dipsat convert {old} {new}" if own else f"echo save {new} | dipsat play {old}"
    raise FileError(file, f"is not a game that dipsat saved; make one of it: `{command}`")


def _named(texts: Iterable[str], found: Game) -> dict[str, str]:
    """Power -> player, from the typed options. Raises `UsageError` if a power is named twice."""
    from dipsat.formats import power_named

    named = dict[str, str]()
    for text in texts:
        typed, sign, player = text.partition("=")
        if not sign or not typed.strip():
            raise click.UsageError(f"{text!r} should be POWER=PLAYER, such as FRANCE=Anna")
        power = power_named(found.position.map, typed.strip())
        if power in named:
            raise click.UsageError(f"{text!r} names a second player of {titled(power)}; keep one")
        named[power] = player
    return named


def _show_players(found: Game) -> None:
    from dipsat.app.view import show

    powers = (one for one in found.position.map.powers if one not in found.position.map.neutrals)
    show([Table(tuple((titled(power), found.players.get(power, "nobody")) for power in powers))])


def _entered(found: Game, text: tuple[str, str] | DipsatError, lenient: bool = False) -> MailReply:
    """Enter the orders of a mail, given by its text and name, into a game. If it could not be read,
    raises the error given in its place; also raises what `enter_mail` raises."""
    from dipsat.formats import enter_mail

    if isinstance(text, DipsatError):
        raise text
    return enter_mail(found, *text, lenient)


def _tell(reply: MailReply | DipsatError) -> None:
    """Print the reply to a mail, or its error."""
    if isinstance(reply, DipsatError):
        cli.print_error(reply)
        return
    show_faults(reply.remarks, "remarks")
    for line in reply.lines:
        echo(line)


def _keep(before: Game, file: str, phase: PhaseName) -> str:
    """Save a game beside its file under an unused name, and return that name."""
    path, number = Path(file), 1
    while True:
        end = f"-{number}" if number > 1 else ""
        kept = path.with_name(f"{path.stem}.before-{phase}{end}{path.suffix}")
        if not os.path.lexists(kept):
            before.save(kept)
            return str(kept)
        number += 1
