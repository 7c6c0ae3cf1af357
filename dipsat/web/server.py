"""The server's addresses. All that depends on a request's contents is done by a worker."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from http import HTTPStatus
from mimetypes import guess_type
from typing import Any

from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

from dipsat.errors import FileError, readable
from dipsat.version import __version__
from dipsat.web.asking import Asking, failed
from dipsat.web.connections import Connections
from dipsat.web.godip_names import table
from dipsat.web.messages import KINDS
from dipsat.web.metrics import CONTENT_TYPE, Metrics
from dipsat.web.pool import Pool
from dipsat.web.schema import EXAMPLES, FAILURES, components, meaning_of, name_of, reference
from dipsat.web.shapes import variant_paths
from dipsat.web.sites import Sites
from dipsat.web.watching import Watched
from dipsat.web.worker import GODIP, WITH_OPTIONS
from dipsat.web.written import docs_page

_IN_SHAPE = "godip"


def create_app(
    pool: Pool,
    metrics: Metrics,
    connections: Connections,
    sites: Sites,
    page: Mapping[str, bytes],
) -> FastAPI:
    """The application. `page` has the files of the lab's page by name."""
    app = FastAPI(
        title="dipsat",
        version=__version__,
        description="The Diplomacy adjudicator that proves its answers.",
        docs_url=None,  # these pages would load programs from another host
        redoc_url=None,
        redirect_slashes=False,  # it would lead to whatever host the request names
    )
    app.add_exception_handler(HTTPException, _refused)
    asking = Asking(pool)
    _add_kinds(app, asking)
    _add_states(app, pool, metrics, connections)

    async def read_docs() -> HTMLResponse:
        return HTMLResponse(docs)

    app.add_api_route("/docs", read_docs, include_in_schema=False)
    for name, content in page.items():
        read = _reader(name, content)
        path, read = ("/", _front(read, asking)) if name == "index.html" else (f"/{name}", read)
        app.add_api_route(path, read, include_in_schema=False)
    _add_variants(app, asking)
    described = _described(app)
    app.openapi = lambda: described
    docs = docs_page(described)
    if sites.origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=list(sites.origins), allow_methods=["GET", "POST"],
            allow_headers=["content-type"], expose_headers=["retry-after"], max_age=3600,
        )  # fmt: skip
    app.add_middleware(Watched, sites=sites, metrics=metrics, connections=connections, log=pool.log)
    return app


def _add_kinds(app: FastAPI, asking: Asking) -> None:
    """An address for each kind of requests."""
    failures = _failures()
    for kind in KINDS:
        examples = {name: {"value": value} for name, value in EXAMPLES[kind].items()}
        body = {"schema": reference(name_of(kind, "Request")), "examples": examples}
        app.add_api_route(
            f"/api/{kind}",
            _asker(kind, asking),
            methods=["POST"],
            operation_id=kind,
            summary=f"dipsat.answer, {kind}",
            description=meaning_of(kind),
            response_class=JSONResponse,
            responses={
                200: {"description": "The answer.", "content": _content(name_of(kind, "Answer"))},
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


def _failures() -> dict[int | str, dict[str, Any]]:
    return {status: _failure(text) for status, text in FAILURES.items()}


def _failure(text: str) -> dict[str, Any]:
    return {"description": text, "content": _content("Failure")}


def _content(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": reference(name)}}


def _described(app: FastAPI) -> dict[str, Any]:
    """The application in OpenAPI."""
    found: dict[str, Any] = app.openapi()
    found["components"] = {"schemas": components()}
    failures = {str(status): said for status, said in _failures().items()}
    failures["404"] = _failure("There is no such variant.")
    found["paths"] |= variant_paths(list(table().variants), failures)
    return found


def _asker(kind: str, asking: Asking) -> Any:
    async def ask(request: Request) -> Response:
        request.scope["dipsat.kind"] = kind
        return await asking.answer(request, kind)

    return ask


def _add_variants(app: FastAPI, asking: Asking) -> None:
    """Addresses in the shape of godip's web service."""
    for variant in table().variants:
        for path, shape, methods in (
            (f"/{variant}", GODIP, ["GET", "POST"]),
            (f"/start-with-options/{variant}", WITH_OPTIONS, ["GET"]),
            (f"/resolve-with-options/{variant}", WITH_OPTIONS, ["POST"]),
        ):
            ask = _shaper(shape + variant, asking)
            app.add_api_route(path, ask, methods=methods, include_in_schema=False)


def _shaper(name: str, asking: Asking) -> Any:
    async def ask(request: Request) -> Response:
        request.scope["dipsat.kind"] = _IN_SHAPE
        if request.method == "GET":
            return await asking.ask(request, name, b"")
        return await asking.answer(request, name)

    return ask


def _front(read: Any, asking: Asking) -> Any:
    """What answers at `/`: the page, or the variants if JSON is wanted, as with godip."""

    async def choose(request: Request) -> Response:
        wanted = request.headers.get("accept", "")
        if "json" in wanted and "html" not in wanted:
            request.scope["dipsat.kind"] = _IN_SHAPE
            answer: Response = await asking.ask(request, GODIP, b"")
        else:
            answer = await read(request)
        answer.headers["vary"] = "accept"
        return answer

    return choose


async def _refused(request: Request, error: Exception) -> Response:
    """The answer to a request for what is not there, or in a way that is not known."""
    assert isinstance(error, HTTPException)
    problem = error.detail.lower()
    if error.status_code == HTTPStatus.NOT_FOUND:
        problem = "no such address; /docs lists them all"
    fault = FileError(f"{request.method} {readable(request.url.path)}", problem)
    return failed(None, error.status_code, fault, error.headers)


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
