"""The command `dipsat mcp`: tools for language models, over standard input and output."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from importlib.util import find_spec
from typing import Any

import click

from dipsat.app.help_pages import command
from dipsat.app.parameters import read_seconds
from dipsat.errors import WorkerError

EXTRA = "pip install 'dipsat[mcp]'"
_MEGABYTES = 1000
_PLACES = 100  # for waiting calls


@command()
@click.option(
    "--seconds", default="30", show_default=True, callback=read_seconds, metavar="SECONDS",
    help="The time for an answer; anything not decided by then is unknown.",
)  # fmt: skip
def mcp(seconds: float) -> None:
    """Offer language models tools to adjudicate and play with.

    The command speaks the Model Context Protocol over standard input and output with the client
    that starts it (docs/mcp.md). `dipsat serve --mcp` does so over HTTP. No tool reads or writes a
    file. Needs the extra `mcp`: pip install 'dipsat[mcp]'.
    """
    if find_spec("mcp") is None:
        raise WorkerError(f"`dipsat mcp` needs the package mcp: {EXTRA}")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # a thread blocked in a read cannot be ended
    asyncio.run(_talk(seconds))


async def _talk(seconds: float) -> None:
    from dipsat.app.server_logs import JsonLines, Log, Metrics
    from dipsat.app.server_worker import encoded
    from dipsat.app.worker_pool import Pool, QueueFullError, Terms

    log = Log()
    logging.basicConfig(handlers=[JsonLines(log)], level=logging.ERROR)
    megabytes = 0 if sys.platform == "win32" else _MEGABYTES
    pool = Pool(Terms(1, seconds, megabytes, 0, _PLACES, 0), Metrics(), log)

    async def ask(_: Any, name: str, body: bytes) -> bytes:
        try:
            return (await pool.submit("", name, body).reply)[1]
        except QueueFullError:
            return encoded({"error": "too many calls wait already"})

    pool.start()
    try:
        await asyncio.sleep(0)  # let the worker start while the package loads here
        from mcp.server.stdio import stdio_server

        from dipsat.app.mcp_server import tools_server

        server = tools_server(ask)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
    finally:
        await pool.stop()
        log.close()
