"""Asking a worker: from the body of a request over HTTP to the reply."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse, Response

from dipsat.errors import DipsatError, FileError, InputLimitError, LimitError, WorkerError
from dipsat.web.clients import Room, client_at
from dipsat.web.messages import refusal
from dipsat.web.pool import Pool
from dipsat.web.waiting import Job, QueueFullError
from dipsat.web.worker import BODY

_BODY_SECONDS = 15.0
_READ_ON = 8  # times the limit; clients read why they are refused only when they have sent it all
_BODIES = 96  # of the largest size; so many there is room for at a time
_RETRY = "2"  # seconds, until a few usual requests are done
_CLIENT_LEFT = 499  # as other servers log it; nobody gets it
_CLOSE = {"connection": "close"}  # what is left of a body would be taken for another request
_JSON = "application/json"


class Asking:
    """Asks the workers of a pool."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._most = pool.terms.body
        self._room = Room(_BODIES * self._most)

    async def answer(self, request: Request, name: str) -> Response:
        """The answer to a request, which workers know by this name, and whose body is JSON."""
        sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if sent != _JSON:
            fault = FileError(BODY, f"should have the Content-Type {_JSON}")
            return failed(name, 415, fault)
        client = _client(request)
        size = self._stated_size(request)
        if not self._room.take(client, size):
            return _full(name)
        try:
            body = await self._body(request)
            if isinstance(body, Response):
                return body
            if not body:
                return failed(name, 400, FileError(BODY, "is empty, not JSON"))
            return await self.ask(request, name, body)
        except InputLimitError as error:
            return failed(name, 413, error, _CLOSE)
        except TimeoutError:
            late = LimitError("seconds", _BODY_SECONDS, "was not enough to send the body")
            return failed(name, 408, late, _CLOSE)
        finally:
            self._room.give(client, size)

    def _stated_size(self, request: Request) -> int:
        """The bytes that the body may take here; those above the limit are not kept."""
        stated = request.headers.get("content-length", "")
        return min(int(stated), self._most) if stated.isdecimal() else self._most

    async def _body(self, request: Request) -> bytes | Response:
        """The body of a request, or an answer that nobody gets if the client has left. Raises
        `InputLimitError`, and `TimeoutError` if it comes too slowly."""
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
        """The reply of a worker; if the client leaves, it ends, too."""
        try:
            job = self.pool.submit(_client(request), name, body)
        except QueueFullError:
            return _full(name)
        return await _reply(request, job)


async def _reply(request: Request, job: Job) -> Response:
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
        return failed(job.name, 503, WorkerError("the server stops"))
    reply = job.reply.result()
    return Response(reply.body, reply.status, media_type=_JSON)


async def _leaving(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _client(request: Request) -> str:
    return client_at(request.client.host if request.client else "")


def _full(name: str) -> Response:
    full = WorkerError("too many requests wait already; try again in some seconds")
    return failed(name, 429, full, {"retry-after": _RETRY})


def failed(
    name: str | None, status: int, error: DipsatError, headers: Mapping[str, str] | None = None
) -> Response:
    """The answer to a request, of the kind with this name, that ended in an error."""
    return JSONResponse(refusal(name, error), status, headers)
