"""The web site: games, orders and boards over HTTP. Start it with `uvicorn web:app`."""

from __future__ import annotations

import json
from typing import Any

import games
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

LARGEST = 8_000
"""Bytes of a request: the orders of all powers together must fit into a request to the judge."""


async def members(request: Request, **kinds: type) -> list[Any]:
    """The members of the object in a body, each of its kind. Other bodies get the status 400."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            raise HTTPException(413, f"the body has more than {LARGEST} bytes")
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise HTTPException(400, "the body should be a JSON object")
    for key, kind in kinds.items():
        if key not in given:
            raise HTTPException(400, f"{key} is missing")
        if type(given[key]) is not kind:  # True is an int, too.
            raise HTTPException(400, f"{key} should be of the type {kind.__name__}")
    return [given[key] for key in kinds]


async def begin(request: Request) -> Response:
    """A new game: `{"map": "standard", "pace": 86400}`."""
    given = await members(request, map=str, pace=int)
    number = await run_in_threadpool(games.begin, *given)
    return JSONResponse({"game": number}, 201)


async def submit(request: Request) -> Response:
    """Orders: `{"phase": "S1901M", "power": "FRANCE", "orders": ["A PAR - BUR"]}`."""
    given = await members(request, phase=str, power=str, orders=list)
    illegal = await run_in_threadpool(games.submit, request.path_params["game"], *given)
    return JSONResponse({"illegal": illegal})


def show(request: Request) -> Response:
    """The board, and when the phase ends."""
    game = games.show(request.path_params["game"])
    keys = ("map", "rules", "position", "deadline", "winner")
    return JSONResponse({key: getattr(game, key) for key in keys})


def board(request: Request) -> Response:
    """A picture of the board."""
    game = games.show(request.path_params["game"])
    found = games.judge("svg", game, what="position")
    return Response(found["svg"], media_type="image/svg+xml")


def refused(_: Request, error: Any) -> Response:
    """Say what is wrong with a request."""
    if isinstance(error, HTTPException):
        return JSONResponse({"error": error.detail}, error.status_code, error.headers)
    return JSONResponse({"error": str(error)}, 409)


app = Starlette(
    routes=[
        Route("/games", begin, methods=["POST"]),
        Route("/games/{game:int}", show),
        Route("/games/{game:int}/orders", submit, methods=["POST"]),
        Route("/games/{game:int}/board.svg", board),
    ],
    exception_handlers={games.Refused: refused, HTTPException: refused},
)
