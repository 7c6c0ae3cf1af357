"""The server's addresses. All that depends on a request's contents is done by a worker."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from mimetypes import guess_type
from typing import Any

from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dipsat.errors import (
    DipsatError,
    FileError,
    InputLimitError,
    LimitError,
    WorkerError,
    readable,
)
from dipsat.version import __version__
from dipsat.web.logs import log
from dipsat.web.messages import KINDS, refusal
from dipsat.web.metrics import CONTENT_TYPE, Metrics
from dipsat.web.pool import Pool
from dipsat.web.schema import COMPONENTS, EXAMPLES, FAILURES, meaning_of, schema_of
from dipsat.web.waiting import Job, QueueFullError
from dipsat.web.worker import BODY
from dipsat.web.written import docs_page

_BODY_SECONDS = 15.0
_READ_ON = 8  # times the limit; clients read why they are refused only when they have sent it all
_RETRY = "2"  # seconds, until a few usual requests are done
_CLIENT_LEFT = 499  # as other servers log it; nobody gets it

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
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


def create_app(
    pool: Pool, metrics: Metrics, origins: Sequence[str], page: Mapping[str, bytes]
) -> FastAPI:
    """The application. `origins` are other sites whose pages may ask, `page` the files of the
    lab's page by name."""
    app = FastAPI(
        title="dipsat",
        version=__version__,
        description="The Diplomacy adjudicator that proves its answers.",
        docs_url=None,  # these pages would load programs from another host
        redoc_url=None,
    )
    app.add_exception_handler(HTTPException, _refused)
    _add_kinds(app, pool)
    _add_states(app, pool, metrics)
    described = _described(app)
    app.openapi = lambda: described
    docs = docs_page(described)

    async def read_docs() -> HTMLResponse:
        return HTMLResponse(docs)

    app.add_api_route("/docs", read_docs, include_in_schema=False)
    for name, content in page.items():
        path = "/" if name == "index.html" else f"/{name}"
        app.add_api_route(path, _reader(name, content), include_in_schema=False)
    if origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=list(origins), allow_methods=["GET", "POST"],
            allow_headers=["content-type"], expose_headers=["retry-after"], max_age=3600,
        )  # fmt: skip
    app.add_middleware(_Watched, metrics=metrics)
    return app


def _add_kinds(app: FastAPI, pool: Pool) -> None:
    """An address for each kind of requests."""
    failures: dict[int | str, dict[str, Any]] = {
        status: {"description": text, "content": _content("Failure")}
        for status, text in FAILURES.items()
    }
    for kind in KINDS:
        examples = {name: {"value": value} for name, value in EXAMPLES[kind].items()}
        body = {"schema": schema_of(kind), "examples": examples}
        app.add_api_route(
            f"/api/{kind}",
            _asker(kind, pool),
            methods=["POST"],
            operation_id=kind,
            summary=f"dipsat.answer, {kind}",
            description=meaning_of(kind),
            response_class=JSONResponse,
            responses={
                200: {"description": "The answer.", "content": _content("Answer")},
                **failures,
            },
            openapi_extra={
                "requestBody": {"required": True, "content": {"application/json": body}}
            },
        )

    async def refuse(path: str) -> Response:
        if path in KINDS:
            raise HTTPException(405, headers={"allow": "POST"})
        raise HTTPException(404)

    methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
    app.add_api_route("/api/{path:path}", refuse, methods=methods, include_in_schema=False)


def _content(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}


def _described(app: FastAPI) -> dict[str, Any]:
    """The application in OpenAPI."""
    found: dict[str, Any] = app.openapi()
    found["components"] = {"schemas": COMPONENTS}
    return found


def _asker(kind: str, pool: Pool) -> Any:
    async def ask(request: Request) -> Response:
        request.scope["dipsat.kind"] = kind
        sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if sent != "application/json":
            fault = FileError(BODY, "should have the Content-Type application/json")
            return _failed(kind, 415, fault)
        try:
            body = await _body(request, pool.terms.body)
        except InputLimitError as error:
            return _failed(kind, 413, error)
        except TimeoutError:
            return _failed(kind, 408, LimitError("seconds", _BODY_SECONDS, "was not enough"))
        if body is None:
            return Response(status_code=_CLIENT_LEFT)
        try:
            job = pool.submit(_client(request), kind, body)
        except QueueFullError:
            full = WorkerError("too many requests wait already; try again in some seconds")
            return _failed(kind, 429, full, {"retry-after": _RETRY})
        return await _reply(request, job, kind)

    return ask


async def _body(request: Request, most: int) -> bytes | None:
    """The body of a request, or None if the client has left. Raises `InputLimitError`, and
    `TimeoutError` if it comes too slowly."""
    found, size = bytearray(), 0
    async with asyncio.timeout(_BODY_SECONDS):
        while size <= _READ_ON * most:
            message = await request.receive()
            if message["type"] == "http.disconnect":
                return None
            size += len(message.get("body", b""))
            if size <= most:
                found += message.get("body", b"")
            if not message.get("more_body"):
                break
    if size > most:
        raise InputLimitError(BODY, "bytes in a request", size, most)
    return bytes(found)


def _client(request: Request) -> str:
    """Who asks: an address, or the network of one in IPv6, where everybody has many."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(ip_network(f"{address.exploded.partition('%')[0]}/64", strict=False))
    return host


async def _reply(request: Request, job: Job, kind: str) -> Response:
    """The reply to a job; if the client leaves, the job ends, too."""
    leaving = asyncio.create_task(_leaving(request))
    try:
        both: set[asyncio.Future[Any]] = {job.reply, leaving}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        leaving.cancel()
        if not job.reply.done():
            job.reply.cancel()
    if job.reply.cancelled():
        if leaving.done() and not leaving.cancelled():
            return Response(status_code=_CLIENT_LEFT)
        return _failed(kind, 503, WorkerError("the server stops"))
    reply = job.reply.result()
    return Response(reply.body, reply.status, media_type="application/json")


async def _leaving(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _failed(
    kind: str | None, status: int, error: DipsatError, headers: Mapping[str, str] | None = None
) -> Response:
    return JSONResponse(refusal(kind, error), status, headers)


async def _refused(request: Request, error: Exception) -> Response:
    """The answer to a request for what is not there, or in a way that is not known."""
    assert isinstance(error, HTTPException)
    problem = error.detail.lower()
    if error.status_code == HTTPStatus.NOT_FOUND:
        problem = "no such address; /docs lists them all"
    fault = FileError(f"{request.method} {readable(request.url.path)}", problem)
    return _failed(None, error.status_code, fault, error.headers)


def _reader(name: str, content: bytes) -> Any:
    """What answers with a file of the page, or that it is the one that the browser has."""
    kind = guess_type(name)[0] or "application/octet-stream"
    headers = {"etag": f'"{sha256(content).hexdigest()[:32]}"', "cache-control": "no-cache"}

    async def read(request: Request) -> Response:
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type=kind)

    return read


def _add_states(app: FastAPI, pool: Pool, metrics: Metrics) -> None:
    """What those ask who run the server."""

    async def health() -> JSONResponse:
        state = {"status": "ok" if pool.ready else "starting", "workers": pool.ready}
        return JSONResponse({**state, "dipsat": __version__}, 200 if pool.ready else 503)

    async def measures() -> Response:
        gauges = {
            "queue_length": ("Requests that wait for a worker.", len(pool.waiting)),
            "workers_ready": ("Workers that have started.", pool.ready),
            "workers_busy": ("Requests that workers have.", pool.waiting.busy),
        }
        return Response(metrics.text(gauges), headers={"content-type": CONTENT_TYPE})

    starting = {503: {"description": "No worker is ready."}}
    app.add_api_route(
        "/healthz", health, summary="Whether the server answers", responses=starting,
        response_class=JSONResponse,
    )  # fmt: skip
    app.add_api_route(
        "/metrics", measures, summary="Counts for Prometheus", response_class=PlainTextResponse
    )


class _Watched:
    """Adds the headers that browsers need for safety, counts requests and logs them."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 500

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _secure(scope["path"], MutableHeaders(scope=message))
            await send(message)

        try:
            with suppress(asyncio.CancelledError):  # the server stops and waits no longer
                await self.app(scope, receive, send_on)
        finally:
            seconds = time.perf_counter() - begun
            kind = scope.get("dipsat.kind", "other")
            self.metrics.answered(kind, status, seconds)
            log(
                "request", kind=kind, method=scope["method"], path=scope["path"][:200],
                status=status, seconds=round(seconds, 4), client=(scope.get("client") or [""])[0],
            )  # fmt: skip


def _secure(path: str, headers: MutableHeaders) -> None:
    is_api = path.startswith("/api/") or path in ("/healthz", "/metrics", "/openapi.json")
    for name, value in _HEADERS.items():
        headers[name] = value
    headers["content-security-policy"] = _API_POLICY if is_api else _PAGE_POLICY
    if is_api:
        headers["cache-control"] = "no-store"
