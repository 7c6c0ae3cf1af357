"""The command `dipsat play`: reads input line by line and prints the replies."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

import dipsat
from dipsat.app.parameters import NewGame, board_option, new_game_options
from dipsat.app.printing import echo
from dipsat.base import parts_of
from dipsat.errors import DipsatError, FileError

if TYPE_CHECKING:
    from dipsat.formats import Reply, Session

_INPUT = "standard input"


@click.command()
@click.argument("file", required=False, metavar="[FILE]")
@new_game_options
@board_option
def play(file: str | None, begins: NewGame, drawn: bool | None) -> None:
    """Play a game on the terminal, phase by phase.

    Type orders, such as `FRANCE: A PAR - BUR, A MAR S A PAR - BUR`; dipsat says at once whether
    each is legal. `advance` adjudicates, `undo` takes back any step, `help` lists all commands.

    FILE is a saved game, in any format that dipsat reads, or YAML or JSON with a position, from
    which a game begins. If it does not exist, a new game begins, and `save` writes it into FILE.

    If standard input is not a terminal, its lines are commands, too. Exit status 2 then means that
    a line could not be carried out: the lines after it are ignored, and the effect of those before
    it is saved in FILE.

    \b
    Examples:
      dipsat play game.json --variant colonial
      printf 'read spring.txt\\nadvance\\nsave\\n' | dipsat play game.json
    """
    session = _begin(file, begins)
    if sys.stdin.isatty():
        _at_terminal(session, drawn)
    else:
        _by_script(session, drawn)


def _begin(file: str | None, begins: NewGame) -> Session:
    from dipsat.formats import Game, Session, format_of

    if file is not None and os.path.lexists(file):
        if any(begins):
            problem = "has a game already; --variant, --map and --rules are for a new one"
            raise FileError(file, problem)
        from dipsat.formats import begun

        return Session.of(*begun(file))
    if file is not None:
        format_of(file)  # raises if it cannot be saved there
    return Session.of(Game.new(*begins), file or "")


def _by_script(session: Session, drawn: bool | None) -> None:
    """Carry out the lines of standard input up to the first that fails. Save the result of those
    before it, since the line that would have saved it may come later."""
    try:
        for number, line in enumerate(_lines(), 1):
            try:
                reply = _carried_out(session, line, drawn)
            except DipsatError as error:
                raise FileError(f"{_INPUT}:{number}", str(error)) from None
            session = reply.session
            if reply.errors:
                raise FileError(f"{_INPUT}:{number}", "\n".join(reply.errors))
            if reply.ends:
                return
    except (DipsatError, KeyboardInterrupt):
        _keep(session)
        raise
    if not session.is_saved:
        echo("remark: the game is not saved; end with the command `save FILE`", err=True)


def _keep(session: Session) -> None:
    """Save the game of a script that ends early, if it has its own file, and say so."""
    from dipsat.formats import carry_out

    if session.is_saved:
        return
    said = "the game is not saved: no file is known; name one, as in `dipsat play game.json`"
    if session.file:
        try:
            carry_out(session, "save")
            said = f"what was carried out is saved in {session.file}"
        except DipsatError as error:
            said = f"the game is not saved: {error}"
    echo(f"remark: {said}", err=True)


def _lines() -> Iterator[str]:
    from dipsat.base import LINE_BYTES, decode

    lines = iter(lambda: sys.stdin.buffer.readline(LINE_BYTES.most + 1), b"")
    for number, line in enumerate(lines, 1):
        place = f"{_INPUT}:{number}"
        LINE_BYTES.check(len(line), place)
        yield decode(line, place)


def _at_terminal(session: Session, drawn: bool | None = None) -> None:
    """Ask for lines until the user leaves."""
    from dipsat.app.board_view import show_board

    if isinstance(sys.stdin, io.TextIOWrapper):  # for bytes that are not valid text
        sys.stdin.reconfigure(errors="backslashreplace")
    _complete(session.words)
    lines = (*str(session.game).split("\n"), "", "Type `help` for what you can type.")
    show_board(session.game.position, drawn, len(lines))
    for line in lines:
        echo(line)
    leaving = False
    while True:
        prompt = f"{session.game.phase} {session.power}".strip()
        try:
            line = input(f"{prompt}> ")
        except KeyboardInterrupt:
            echo()
            continue
        except EOFError:
            echo()
            if leaving:  # the terminal is gone, or the user insists
                echo("remark: left without saving", err=True)
                return
            line, leaving = "quit", True
        else:
            leaving = False
        try:
            reply = _carried_out(session, line, drawn)
        except DipsatError as error:
            _show_error(str(error))
            continue
        except KeyboardInterrupt:
            _show_error("interrupted; nothing has changed")
            continue
        for problem in reply.errors:
            _show_error(problem)
        session = reply.session
        if reply.ends:
            return


def _show_error(text: str) -> None:
    for line in text.split("\n"):
        echo(f"error: {line}")


def _carried_out(session: Session, line: str, drawn: bool | None) -> Reply:
    """Carry out a line, and print its results."""
    from dipsat.formats import carry_out

    reply = carry_out(session, line)
    if reply.board is not None:
        from dipsat.app.board_view import show_board

        show_board(reply.board, drawn, len(reply.lines))
    for shown in reply.lines:
        echo(shown)
    if reply.outcome is None and reply.explained is None:
        return reply
    from dipsat.app.view import show

    if reply.outcome is not None:
        show(parts_of(reply.outcome))
    if reply.explained is not None:
        show(parts_of(dipsat.explain(*reply.explained)))
    return reply


def _complete(words: Sequence[str]) -> None:
    """Complete words after Tab, if Python has readline."""
    with contextlib.suppress(ImportError):
        import readline

        def offered(typed: str, number: int) -> str | None:
            wanted = typed.casefold()
            found = [word for word in words if word.casefold().startswith(wanted)]
            return f"{found[number]} " if number < len(found) else None

        readline.set_completer(offered)
        readline.set_completer_delims(" ,;:")
        readline.parse_and_bind("tab: complete")
