"""Running the server: from the socket to its end."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib.util import find_spec
from types import FrameType

from dipsat.app.connections import IDLE, Connections, Sites, is_loopback
from dipsat.app.server_logs import JsonLines, Log, Metrics
from dipsat.app.site import page_files
from dipsat.app.worker_pool import Pool, Terms
from dipsat.errors import ArgumentError, WorkerError

EXTRA = "pip install 'dipsat[serve]'"
_CONNECTIONS = 1000
_OTHER_FILES = 64  # that the server has open, in addition to those for each worker:
_FILES_OF_WORKER = 6
_SWEEP = 1.0  # seconds between checks for connections that wait too long


def serve(
    host: str, port: int, terms: Terms, origins: Sequence[str] = (), names: Sequence[str] = (),
    has_tools: bool = False,
) -> None:  # fmt: skip
    """Answer requests until SIGTERM or SIGINT arrives; then finish those that have begun.

    `origins` are the sites whose pages may ask (`https://example.org`). `names` are names besides
    `localhost` for a server for this computer alone. `has_tools` enables the tools for language
    models. Raises `WorkerError` without the packages of the extra `serve`, or `mcp` for tools, and
    `OSError` if the address cannot be used.
    """
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise WorkerError(f"the server needs Starlette and uvicorn: {EXTRA}")
    if has_tools and find_spec("mcp") is None:
        from dipsat.app.mcp_command import EXTRA as EXTRA_MCP

        raise WorkerError(f"--mcp needs the package mcp: {EXTRA_MCP}")
    for origin in origins:
        if not origin.startswith(("http://", "https://")) or origin.count("/") != 2:
            raise ArgumentError("serve", "cors", origin, "like https://example.org")
    asyncio.run(_serve(host, port, terms, Sites(origins, names), has_tools))


async def _serve(host: str, port: int, terms: Terms, sites: Sites, has_tools: bool) -> None:
    metrics, log = Metrics(), Log()
    pool = Pool(terms, metrics, log)
    pool.start()
    await asyncio.sleep(0)  # let the first worker start while the packages load here
    try:
        await _listen(host, port, pool, metrics, sites, has_tools)
    finally:
        await pool.stop()
        log.write("stopped")
        log.close()


async def _listen(
    host: str, port: int, pool: Pool, metrics: Metrics, sites: Sites, has_tools: bool
) -> None:
    bound = _bound(host, port)
    if not is_loopback(bound.getsockname()[0]):
        sites = replace(sites, names=None)
    from uvicorn import Config, Server

    from dipsat.app.server import Asking, create_app, protocol_of

    talk = None
    if has_tools:
        from dipsat.app.mcp_server import Talk

        talk = Talk(Asking(pool))

    logging.basicConfig(handlers=[JsonLines(pool.log)], level=logging.WARNING, force=True)
    connections = Connections(_most_connections(pool.terms.workers))
    config = Config(
        create_app(pool, metrics, connections, sites, page_files(), [talk.route] if talk else ()),
        http=protocol_of(connections),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # any client could claim to be another
        lifespan="off",
        ws="none",
        timeout_keep_alive=int(IDLE),
        timeout_graceful_shutdown=int(pool.terms.latest) + 1,
    )
    server = Server(config)

    def stop(number: int, _: FrameType | None) -> None:
        # A second signal stops at once. uvicorn sends the signal again when it has finished.
        server.should_exit, server.force_exit = True, server.should_exit

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    host, port = bound.getsockname()[:2]
    pool.log.write("listening", host=host, port=port, workers=pool.terms.workers)
    sweeping = asyncio.create_task(_sweep(connections))
    with bound:
        async with talk.run() if talk else nullcontext():
            await server.serve([bound])
    sweeping.cancel()


async def _sweep(connections: Connections) -> None:
    while True:
        await asyncio.sleep(_SWEEP)
        connections.sweep()


def _most_connections(workers: int) -> int:
    """The number of connections for which the process may open enough files."""
    try:
        import resource
    except ImportError:  # on Windows
        return _CONNECTIONS
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files == resource.RLIM_INFINITY:
        return _CONNECTIONS
    return max(16, min(_CONNECTIONS, files - _OTHER_FILES - _FILES_OF_WORKER * workers))


def _bound(host: str, port: int) -> socket.socket:
    """A socket bound to an address. Raises `OSError`."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    # If the protocol is stated, asyncio sends small answers at once, not 40 milliseconds later.
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, os.name == "posix")
        bound.bind(address)
        bound.listen(_CONNECTIONS)
    except OSError:
        bound.close()
        raise
    return bound
