"""The command `dipsat mcp`: tools for language models, over standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from dipsat.app.help_pages import command
from dipsat.app.parameters import NewGame, new_game_options, read_seconds
from dipsat.errors import FileError, WorkerError

if TYPE_CHECKING:
    from dipsat.app.mcp_server import Games

EXTRA = "pip install 'dipsat[mcp]'"
_MEGABYTES = 1000
_PLACES = 100  # for calls that wait


@command()
@click.argument("file", required=False, metavar="[FILE]")
@new_game_options
@click.option(
    "--seconds", default="10", show_default=True, callback=read_seconds, metavar="SECONDS",
    help="The time of an answer; what is not decided then is unknown.",
)  # fmt: skip
def mcp(file: str | None, begins: NewGame, seconds: float) -> None:
    """Give language models tools to judge and play with.

    It speaks the Model Context Protocol over standard input and output, for a client on this
    computer, which starts it (docs/mcp.md). `dipsat serve --mcp` does so over HTTP.

    FILE is a game that the model may play, besides those that it begins itself: a game that dipsat
    saved, or a new file. No tool reads or writes any other file. This takes the extra `mcp`:
    pip install 'dipsat[mcp]'.
    """
    if find_spec("mcp") is None:
        raise WorkerError(f"`dipsat mcp` needs the package mcp: {EXTRA}")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # it could not wait for the thread that reads
    asyncio.run(_talk(_games(file, begins), seconds))


def _games(file: str | None, begins: NewGame) -> Games:
    """The games at the start: that of the file. Raises `FileError`."""
    from dipsat.app.mcp_server import Games
    from dipsat.formats import Game, format_of

    if file is None:
        if any(begins):
            raise click.UsageError("--variant, --map and --rules are for a new game in FILE")
        return Games()
    if not os.path.lexists(file):
        format_of(file)
        Game.new(*begins).save(file)
    elif any(begins):
        problem = "has a game already; --variant, --map and --rules are for a new one"
        raise FileError(file, problem)
    game = Game.load(file)
    if not game.may_replace_its_file:
        raise FileError(file, "is no game that dipsat saved; `dipsat convert` makes one of it")

    def save(text: str) -> None:
        Game.from_dict(json.loads(text)).save(file)

    return Games(json.dumps(game.to_dict()), save)


async def _talk(games: Games, seconds: float) -> None:
    from mcp.server.stdio import stdio_server

    from dipsat.app.mcp_server import tools_server
    from dipsat.app.server_logs import Log, Metrics
    from dipsat.app.worker_pool import Pool, QueueFullError, Terms

    log = Log()
    megabytes = 0 if sys.platform == "win32" else _MEGABYTES
    pool = Pool(Terms(1, seconds, megabytes, 0, _PLACES, 0), Metrics(), log)

    async def ask(_: Any, name: str, body: bytes) -> bytes:
        try:
            return (await pool.submit("", name, body).reply)[1]
        except QueueFullError:
            raise WorkerError("too many calls wait already") from None

    server = tools_server(ask, games)
    pool.start()
    try:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
    finally:
        await pool.stop()
        log.close()
