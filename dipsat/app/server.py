"""The server's addresses and the handling of requests. Everything that depends on the contents of a
request is done by a worker."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from mimetypes import guess_type
from typing import Any, TypeAlias, cast

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from dipsat.app.address_page import docs_page
from dipsat.app.connections import (
    IDLE,
    SLOWEST,
    Connections,
    Peer,
    Room,
    Sites,
    Transport,
    client_at,
)
from dipsat.app.messages import KINDS, refusal
from dipsat.app.schema import description
from dipsat.app.server_logs import CONTENT_TYPE, Log, Metrics
from dipsat.app.server_worker import BODY, GODIP, WITH_OPTIONS
from dipsat.app.worker_pool import Pool, QueueFullError, first_of
from dipsat.base import __version__
from dipsat.errors import DipsatError, FileError, InputLimitError, LimitError, WorkerError, readable
from dipsat.formats import godip_table

# --- asking ---------------------------------------------------------------------------------------

_BODY_SECONDS = 15.0
_READ_ON = 8  # times the limit; clients read why they are refused only when they have sent it all
_BODIES = 96  # of the largest size; there is room for this many at a time
_RETRY = "2"  # seconds, until a few usual requests are done
_CLIENT_LEFT = 499  # as other servers log it; nobody receives it
_CLOSE = {"connection": "close"}  # the rest of a body would be read as another request
_JSON = "application/json"


_Answerer: TypeAlias = Callable[[Request, str, bytes], Awaitable[Response]]


class Asking:
    """Has requests answered by the workers of a pool."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._most = pool.terms.body
        self._room = Room(_BODIES * self._most)

    async def answer(self, request: Request, name: str, then: _Answerer | None = None) -> Response:
        """The answer to a request with a JSON body, which workers know by this name; from `then` if
        one worker alone cannot answer."""
        sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if sent != _JSON:
            return failed(name, 415, FileError(BODY, f"should have the Content-Type {_JSON}"))
        client, stated = _client(request), request.headers.get("content-length", "")
        # Bytes above the limit are not kept.
        size = min(int(stated), self._most) if stated.isdecimal() else self._most
        if not self._room.take(client, size):
            return _full(name)
        try:
            body = await self._body(request)
            if isinstance(body, Response):
                return body
            if not body:
                return failed(name, 400, FileError(BODY, "is empty, not JSON"))
            return await (then or self.ask)(request, name, body)
        except InputLimitError as error:
            return failed(name, 413, error, _CLOSE)
        except TimeoutError:
            late = LimitError("seconds", _BODY_SECONDS, "was not enough to send the body")
            return failed(name, 408, late, _CLOSE)
        finally:
            self._room.give(client, size)

    async def _body(self, request: Request) -> bytes | Response:
        """The body of a request, or an answer that nobody receives if the client has left. Raises
        `InputLimitError`, and `TimeoutError` if the body arrives too slowly."""
        found, size = bytearray(), 0
        async with asyncio.timeout(_BODY_SECONDS):
            while size <= _READ_ON * self._most:
                message = await request.receive()
                if message["type"] == "http.disconnect":
                    return Response(status_code=_CLIENT_LEFT)
                size += len(message.get("body", b""))
                if size <= self._most:
                    found += message.get("body", b"")
                if not message.get("more_body"):
                    break
        if size > self._most:
            raise InputLimitError(BODY, "bytes in a request", size, self._most)
        return bytes(found)

    async def ask(self, request: Request, name: str, body: bytes) -> Response:
        """The reply of a worker, whose work ends if the client leaves."""
        try:
            job = self.pool.submit(_client(request), name, body)
        except QueueFullError:
            return _full(name)
        leaving = asyncio.create_task(_leaving(request))
        try:
            await first_of(job.reply, leaving)
        finally:
            leaving.cancel()
            job.reply.cancel()  # no effect once the reply is there
        if job.reply.cancelled():
            if leaving.done() and not leaving.cancelled():
                return Response(status_code=_CLIENT_LEFT)
            return failed(name, 503, WorkerError("the server stops"))
        status, found = job.reply.result()
        return Response(found, status, media_type=_JSON)


async def _leaving(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _client(request: Request) -> str:
    return client_at(request.client.host if request.client else "")


def _full(name: str) -> Response:
    full = WorkerError("too many requests wait already; try again in a few seconds")
    return failed(name, 429, full, {"retry-after": _RETRY})


def failed(
    name: str | None, status: int, error: DipsatError, headers: Mapping[str, str] | None = None
) -> Response:
    """The answer to a request of the kind with this name that ended in an error."""
    return JSONResponse(refusal(name, error), status, headers)


# --- watching -------------------------------------------------------------------------------------

_LONGEST_PATH = 200  # characters of a path in the log

_PAGE_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_API_POLICY = "default-src 'none'; frame-ancestors 'none'"
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass
class Watched:
    """The application, wrapped so that every request is counted, timed and logged, and every answer
    has the security headers for browsers."""

    app: ASGIApp
    sites: Sites
    metrics: Metrics
    connections: Connections
    log: Log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()
        status, begun_to_answer = 500, False
        peer = tuple(scope.get("client") or ("", 0))
        # HEAD is allowed wherever GET is; uvicorn leaves out the body.
        inner = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope

        async def send_on(message: Message) -> None:
            nonlocal status, begun_to_answer
            if message["type"] == "http.response.start":
                status, begun_to_answer = message["status"], True
                _secure(inner, MutableHeaders(scope=message))
            try:
                # Sending waits until the client has read earlier answers on the connection.
                async with asyncio.timeout(IDLE + len(message.get("body", b"")) / SLOWEST):
                    await send(message)
            except TimeoutError:
                self.connections.end(peer, "slow reader")

        self.connections.begun(peer)
        try:
            refusal = self.sites.refusal(Headers(scope=scope))
            answer = self.app if refusal is None else failed(None, *refusal)
            await answer(inner, receive, send_on)
        except asyncio.CancelledError:  # the server is stopping and no longer waits
            if not begun_to_answer:
                stops = failed(None, 503, WorkerError("the server stops"), {"connection": "close"})
                await stops(inner, receive, send_on)
        finally:
            self.connections.answered(peer)
            seconds = time.perf_counter() - begun
            kind = inner.get("dipsat.kind", "other")
            self.metrics.answered(kind, status, seconds)
            self.log.write(
                "request", kind=kind, method=scope["method"][:_LONGEST_PATH],
                path=scope["path"][:_LONGEST_PATH], status=status, seconds=round(seconds, 4),
                client=peer[0],
            )  # fmt: skip


def _secure(scope: Scope, headers: MutableHeaders) -> None:
    path = scope["path"]
    is_api = path.startswith("/api/") or path in ("/healthz", "/metrics", "/openapi.json")
    is_api = is_api or "dipsat.kind" in scope  # answered by a worker
    headers.update(_HEADERS)
    headers["content-security-policy"] = _API_POLICY if is_api else _PAGE_POLICY
    if is_api:
        headers["cache-control"] = "no-store"


# --- protocol -------------------------------------------------------------------------------------


def protocol_of(connections: Connections) -> type[asyncio.Protocol]:
    """A protocol class that records its connections in `connections`."""

    class Counted(H11Protocol):  # type: ignore[misc]  # uvicorn is not installed everywhere
        """HTTP/1.1 over a connection."""

        peer: Peer = "", 0

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            host, port = transport.get_extra_info("peername")[:2]
            self.peer = host, port
            connections.opened(self.peer, cast(Transport, transport))

        def connection_lost(self, exc: Exception | None) -> None:
            connections.closed(self.peer)
            super().connection_lost(exc)

    return cast(type[asyncio.Protocol], Counted)


# --- addresses ------------------------------------------------------------------------------------

_IN_SHAPE = "godip"


def create_app(
    pool: Pool,
    metrics: Metrics,
    connections: Connections,
    sites: Sites,
    page: Mapping[str, bytes],
    others: Sequence[Route] = (),
) -> Starlette:
    """The application, with the routes `others` in addition to its own. `page` has the files of the
    lab's page by name."""
    described = description(list(godip_table().variants))

    async def health(_: Request) -> Response:
        state = {"status": "ok" if pool.ready else "starting", "workers": pool.ready}
        return JSONResponse({**state, "dipsat": __version__}, 200 if pool.ready else 503)

    async def measures(_: Request) -> Response:
        gauges = {
            "queue_length": ("Requests that wait for a worker.", len(pool.waiting)),
            "workers_ready": ("Workers that have started.", pool.ready),
            "workers_busy": ("Requests that workers have.", pool.waiting.busy),
            "connections": ("Connections to the server.", len(connections)),
            "connections_ended_total": (
                "Connections that the server ended.", connections.ended.total(),
            ),
            "log_lines_dropped_total": ("Lines of the log that nobody read.", pool.log.dropped),
        }  # fmt: skip
        return Response(metrics.text(gauges), headers={"content-type": CONTENT_TYPE})

    middleware = [
        Middleware(Watched, sites=sites, metrics=metrics, connections=connections, log=pool.log)
    ]
    if sites.origins:
        middleware.append(
            Middleware(
                CORSMiddleware, allow_origins=list(sites.origins), allow_methods=["GET", "POST"],
                allow_headers=["content-type"], expose_headers=["retry-after"], max_age=3600,
            )
        )  # fmt: skip
    routes = [
        *_routes_of_requests(Asking(pool), page),
        *others,
        Route("/healthz", health),
        Route("/metrics", measures),
        Route("/openapi.json", JSONResponse(described), methods=["GET"]),
        Route("/docs", HTMLResponse(docs_page(described)), methods=["GET"]),
    ]
    app = Starlette(
        routes=routes, middleware=middleware, exception_handlers={HTTPException: _refused}
    )
    app.router.redirect_slashes = False  # it would redirect to any host that the request names
    return app


def _routes_of_requests(asking: Asking, page: Mapping[str, bytes]) -> Iterator[Route]:
    """The addresses for all kinds of requests, the page, and requests in godip's format."""

    def asker(kind: str, name: str) -> Any:
        async def ask(request: Request) -> Response:
            request.scope["dipsat.kind"] = kind
            if request.method == "GET":
                return await asking.ask(request, name, b"")
            return await asking.answer(request, name)

        return ask

    front, variants = _reader("index.html", page["index.html"]), asker(_IN_SHAPE, GODIP)

    async def choose(request: Request) -> Response:
        """The page, or, as in godip, the variants if the client prefers JSON."""
        wanted = request.headers.get("accept", "")
        is_json = "json" in wanted and "html" not in wanted
        answer: Response = await (variants if is_json else front)(request)
        answer.headers["vary"] = "accept"
        return answer

    yield from (Route(f"/api/{kind}", asker(kind, kind), methods=["POST"]) for kind in KINDS)
    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    yield Route("/api/{path:path}", _no_kind, methods=methods)
    yield Route("/", choose)
    for name, content in page.items():
        if name != "index.html":
            yield Route(f"/{name}", _reader(name, content))
    for variant in godip_table().variants:
        for path, shape, methods in (
            ("", GODIP, ["GET", "POST"]),
            ("/start-with-options", WITH_OPTIONS, ["GET"]),
            ("/resolve-with-options", WITH_OPTIONS, ["POST"]),
        ):
            yield Route(f"{path}/{variant}", asker(_IN_SHAPE, shape + variant), methods=methods)


async def _no_kind(request: Request) -> Response:
    if request.path_params["path"] in KINDS:
        raise HTTPException(405, headers={"allow": "POST"})
    raise HTTPException(404)


async def _refused(request: Request, error: Exception) -> Response:
    """The answer to a request for an unknown address or with a wrong method."""
    assert isinstance(error, HTTPException)
    problem = error.detail.lower()
    if error.status_code == HTTPStatus.NOT_FOUND:
        problem = f"no such address; /docs lists all, and after /api/ are {', '.join(KINDS)}"
    fault = FileError(f"{request.method} {readable(request.url.path)}", problem)
    headers = dict(error.headers or {})
    if allowed := headers.get("Allow"):  # Starlette joins a set, in random order
        headers["Allow"] = ", ".join(sorted(allowed.split(", ")))
    return failed(None, error.status_code, fault, headers)


def _reader(name: str, content: bytes) -> Any:
    """A handler that sends a file of the page, or status 304 if the browser has it already."""
    kind = guess_type(name)[0] or "application/octet-stream"
    headers = {"etag": f'"{sha256(content).hexdigest()[:32]}"', "cache-control": "no-cache"}

    async def read(request: Request) -> Response:
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type=kind)

    return read
