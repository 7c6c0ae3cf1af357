"""What happens with every request: it is counted, timed and logged, and its answer gets the headers
that browsers need for safety."""

from __future__ import annotations

import asyncio
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dipsat.errors import WorkerError
from dipsat.web.asking import failed
from dipsat.web.connections import IDLE, SLOWEST, Connections
from dipsat.web.logs import Log
from dipsat.web.metrics import Metrics
from dipsat.web.sites import Sites

_LONGEST_PATH = 200  # characters of one in the log

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


class Watched:
    """The application with all that."""

    def __init__(
        self, app: ASGIApp, sites: Sites, metrics: Metrics, connections: Connections, log: Log
    ) -> None:
        self.app = app
        self.sites = sites
        self.metrics = metrics
        self.connections = connections
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()
        status, begun_to_answer = 500, False
        peer = tuple(scope.get("client") or ("", 0))
        # Whoever may GET may ask for the head alone; uvicorn leaves the body out.
        inner = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope

        async def send_on(message: Message) -> None:
            nonlocal status, begun_to_answer
            if message["type"] == "http.response.start":
                status, begun_to_answer = message["status"], True
                _secure(inner, MutableHeaders(scope=message))
            try:
                # It waits until an earlier answer of the same connection is read.
                async with asyncio.timeout(IDLE + len(message.get("body", b"")) / SLOWEST):
                    await send(message)
            except TimeoutError:
                self.connections.end(peer, "slow reader")

        self.connections.begun(peer)
        try:
            refusal = self.sites.refusal(Headers(scope=scope))
            answer = self.app if refusal is None else failed(None, *refusal)
            await answer(inner, receive, send_on)
        except asyncio.CancelledError:  # the server stops and waits no longer
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
    is_api = is_api or "dipsat.kind" in scope  # what a worker has answered
    for name, value in _HEADERS.items():
        headers[name] = value
    headers["content-security-policy"] = _API_POLICY if is_api else _PAGE_POLICY
    if is_api:
        headers["cache-control"] = "no-store"
