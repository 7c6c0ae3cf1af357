"""The command `dipsat serve`: requests and answers in JSON over HTTP, and the lab's page."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from dipsat.app.help_pages import command, option
from dipsat.app.parameters import Whole, print_error, processes, read_seconds

_limit = partial(option, heading="Limits")
_asker = partial(option, heading="Who may ask")


@command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=Whole(0, 65535), default=8125, show_default=True,
    help="The port; 0 for any free port, which the log names.",
)  # fmt: skip
@click.option(
    "--mcp", "has_tools", is_flag=True,
    help="Also give language models tools, at /mcp (docs/mcp.md; extra `mcp`).",
)  # fmt: skip
@_limit(
    "--workers", type=Whole(1, 256),
    help="Processes that answer.  [default: one more than cores]",
)  # fmt: skip
@_limit(
    "--seconds", default="10", show_default=True, callback=read_seconds, metavar="SECONDS",
    help="The time for a request. A worker that exceeds it is ended three seconds later.",
)  # fmt: skip
@_limit(
    "--megabytes", type=Whole(200, 1_000_000), default=1000, show_default=True,
    help="The memory of a worker (not on Windows).",
)  # fmt: skip
@_limit(
    "--work", type=Whole(1, 2**31), metavar="STEPS",
    help="The steps of the solver for a request.  [default: dipsat's own bound]",
)  # fmt: skip
@_limit(
    "--queue", "places", type=Whole(1, 100_000), default=128, show_default=True,
    help="Requests that may wait for a worker; others get the status 429.",
)  # fmt: skip
@_limit(
    "--body", type=Whole(1000, 2**24), default=2**20, show_default=True, metavar="BYTES",
    help="The size of a request; larger ones get the status 413.",
)  # fmt: skip
@_asker(
    "--cors", "origins", multiple=True, metavar="ORIGIN",
    help="A site whose pages may send requests, such as https://example.org. Repeatable.  "
    "[default: none]",
)  # fmt: skip
@_asker(
    "--name", "names", multiple=True, metavar="NAME",
    help="A name of the server besides localhost, if a proxy on this computer passes it on. "
    "Repeatable.  [default: none]",
)  # fmt: skip
def serve(
    host: str, port: int, has_tools: bool, origins: tuple[str, ...], names: tuple[str, ...],
    **terms: Any,
) -> None:  # fmt: skip
    """Answer requests over HTTP, for pages and other programs.

    Every request is one of `dipsat.answer` in JSON (docs/web.md), sent by POST to /api/adjudicate,
    /api/explain and so on; /docs describes them. Each runs in a process with limits of time, memory
    and work. The log is on standard error, one JSON object a line. SIGTERM and Ctrl-C stop the
    server when the requests that have begun are answered. Needs the extra `serve`: pip install
    'dipsat[serve]'.
    """
    import sys

    from dipsat.app import server_run as serving
    from dipsat.app.worker_pool import Terms

    terms["workers"] = terms["workers"] or processes(None) + 1
    terms["work"] = terms["work"] or 0
    if sys.platform == "win32":
        terms["megabytes"] = 0
    try:
        serving.serve(host, port, Terms(**terms), origins, names, has_tools)
    except OSError as error:
        print_error(f"{host}, port {port}: the server cannot listen there: {error.strerror}")
        click.get_current_context().exit(2)
