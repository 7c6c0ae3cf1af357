"""The server's addresses. All that depends on a request's contents is done by a worker."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from hashlib import sha256
from http import HTTPStatus
from mimetypes import guess_type
from typing import Any

from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

from dipsat.errors import (
    DipsatError,
    FileError,
    InputLimitError,
    LimitError,
    WorkerError,
    readable,
)
from dipsat.version import __version__
from dipsat.web.clients import Room, client_at
from dipsat.web.connections import Connections
from dipsat.web.messages import KINDS, refusal
from dipsat.web.metrics import CONTENT_TYPE, Metrics
from dipsat.web.pool import Pool
from dipsat.web.schema import COMPONENTS, EXAMPLES, FAILURES, meaning_of, schema_of
from dipsat.web.waiting import Job, QueueFullError
from dipsat.web.watching import Watched
from dipsat.web.worker import BODY
from dipsat.web.written import docs_page

_BODY_SECONDS = 15.0
_READ_ON = 8  # times the limit; clients read why they are refused only when they have sent it all
_BODIES = 96  # of the largest size; so many there is room for at a time
_RETRY = "2"  # seconds, until a few usual requests are done
_CLIENT_LEFT = 499  # as other servers log it; nobody gets it
_CLOSE = {"connection": "close"}  # what is left of a body would be taken for another request


def create_app(
    pool: Pool,
    metrics: Metrics,
    connections: Connections,
    origins: Sequence[str],
    page: Mapping[str, bytes],
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
    _add_states(app, pool, metrics, connections)
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
    app.add_middleware(Watched, metrics=metrics, connections=connections, log=pool.log)
    return app


def _add_kinds(app: FastAPI, pool: Pool) -> None:
    """An address for each kind of requests."""
    failures: dict[int | str, dict[str, Any]] = {
        status: {"description": text, "content": _content("Failure")}
        for status, text in FAILURES.items()
    }
    room = Room(_BODIES * pool.terms.body)
    for kind in KINDS:
        examples = {name: {"value": value} for name, value in EXAMPLES[kind].items()}
        body = {"schema": schema_of(kind), "examples": examples}
        app.add_api_route(
            f"/api/{kind}",
            _asker(kind, pool, room),
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

    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    app.add_api_route("/api/{path:path}", refuse, methods=methods, include_in_schema=False)


def _content(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}


def _described(app: FastAPI) -> dict[str, Any]:
    """The application in OpenAPI."""
    found: dict[str, Any] = app.openapi()
    found["components"] = {"schemas": COMPONENTS}
    return found


def _asker(kind: str, pool: Pool, room: Room) -> Any:
    async def ask(request: Request) -> Response:
        request.scope["dipsat.kind"] = kind
        sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if sent != "application/json":
            fault = FileError(BODY, "should have the Content-Type application/json")
            return _failed(kind, 415, fault)
        client = client_at(request.client.host if request.client else "")
        size = _stated_size(request, pool.terms.body)
        if not room.take(client, size):
            return _full(kind)
        try:
            return await _answered(request, pool, kind, client)
        finally:
            room.give(client, size)

    return ask


def _stated_size(request: Request, most: int) -> int:
    """The bytes that the body may take here; those above the limit are not kept."""
    stated = request.headers.get("content-length", "")
    return min(int(stated), most) if stated.isdecimal() else most


async def _answered(request: Request, pool: Pool, kind: str, client: str) -> Response:
    try:
        body = await _body(request, pool.terms.body)
    except InputLimitError as error:
        return _failed(kind, 413, error, _CLOSE)
    except TimeoutError:
        late = LimitError("seconds", _BODY_SECONDS, "was not enough to send the body")
        return _failed(kind, 408, late, _CLOSE)
    if body is None:
        return Response(status_code=_CLIENT_LEFT)
    try:
        job = pool.submit(client, kind, body)
    except QueueFullError:
        return _full(kind)
    return await _reply(request, job, kind)


def _full(kind: str) -> Response:
    full = WorkerError("too many requests wait already; try again in some seconds")
    return _failed(kind, 429, full, {"retry-after": _RETRY})


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


def _add_states(app: FastAPI, pool: Pool, metrics: Metrics, connections: Connections) -> None:
    """What those ask who run the server."""

    async def health() -> JSONResponse:
        state = {"status": "ok" if pool.ready else "starting", "workers": pool.ready}
        return JSONResponse({**state, "dipsat": __version__}, 200 if pool.ready else 503)

    async def measures() -> Response:
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

    starting = {503: {"description": "No worker is ready."}}
    app.add_api_route(
        "/healthz", health, summary="Whether the server answers", responses=starting,
        response_class=JSONResponse,
    )  # fmt: skip
    app.add_api_route(
        "/metrics", measures, summary="Counts for Prometheus", response_class=PlainTextResponse
    )
