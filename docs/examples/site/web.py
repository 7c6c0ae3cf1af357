"""The web site: games, orders and boards over HTTP. Start it with `uvicorn web:app`."""

from __future__ import annotations

from typing import Any

import games
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


async def begin(request: Request) -> Response:
    """A new game: `{"map": "standard", "pace": 86400}`."""
    given = await request.json()
    number = await run_in_threadpool(games.begin, given["map"], given["pace"])
    return JSONResponse({"game": number}, 201)


async def submit(request: Request) -> Response:
    """Orders: `{"phase": "S1901M", "power": "FRANCE", "orders": ["A PAR - BUR"]}`."""
    given = await request.json()
    parts = (given["phase"], given["power"], given["orders"])
    illegal = await run_in_threadpool(games.submit, request.path_params["game"], *parts)
    return JSONResponse({"illegal": illegal})


def show(request: Request) -> Response:
    """The board, and when the phase ends."""
    game = games.show(request.path_params["game"])
    keys = ("map", "position", "deadline", "winner")
    return JSONResponse({key: getattr(game, key) for key in keys})


def board(request: Request) -> Response:
    """A picture of the board."""
    game = games.show(request.path_params["game"])
    found = games.ask("svg", what="position", map=game.map, position=game.position)
    return Response(found["svg"], media_type="image/svg+xml")


def refused(_: Request, error: Any) -> Response:
    """Say what is wrong with a request."""
    return JSONResponse({"error": str(error)}, 409)


app = Starlette(
    routes=[
        Route("/games", begin, methods=["POST"]),
        Route("/games/{game:int}", show),
        Route("/games/{game:int}/orders", submit, methods=["POST"]),
        Route("/games/{game:int}/board.svg", board),
    ],
    exception_handlers={games.Refused: refused},
)
