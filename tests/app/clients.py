"""Fifty clients of `dipsat serve` at the same time, some of them hostile."""

from __future__ import annotations

import http.client
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any

from dipsat.app.messages import KINDS
from tests.app.served import LONG, ORDERS, Server

OPTIONS = ("--workers", "3", "--seconds", "2")
"""Options of the server under load: its default number of workers on two cores, and less time."""

CLIENTS = 50
_LATER = 3  # pauses before hostile clients begin
_SILENT = 10  # idle connections of each hostile client
_NAMES = "abcdeg"
_NEST = "any(" * 6 + "true" + "".join(f" for {name} in Province)" for name in _NAMES)
_NESTED = f"""\
extends: datc
variables: {{{", ".join(f"{name}: Province" for name in _NAMES)}}}
decisions:
  x(p): {_NEST}
"""
_ENDLESS = "extends: datc\ndecisions:\n  x(p): not x(p)\n"
_HOSTILE: tuple[tuple[str, Any], ...] = (
    ("search", LONG),
    ("adjudicate", {"orders": ORDERS, "rules": {"text": _ENDLESS}}),
    ("adjudicate", {"orders": ORDERS, "rules": {"text": _NESTED}}),
    ("adjudicate", b"[" * 100_000),
    ("maps", {"map": {"text": "provinces: " + "[" * 5000}}),
    ("adjudicate", b" " * (2**20 + 1)),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: whether a hostile client sent it, its status (0 without an answer), and how long
    the client waited."""

    is_hostile: bool
    status: int
    seconds: float


def load(server: Server, requests: int, hostile: int, pause: float) -> list[Asked]:
    """What 50 clients get, `hostile` of them hostile. Each of the others sends `requests` requests,
    with pauses of `pause` seconds on average. Hostile ones begin a little later, and go on until
    the others have finished."""
    usual = [(kind, one) for kind in KINDS if kind != "cases" for one in _examples(kind)]
    left = Counter(clients=CLIENTS - hostile)

    def behave(client: int) -> list[Asked]:
        chance = random.Random(client)
        found = []
        for kind, body in chance.choices(usual, k=requests):
            time.sleep(chance.expovariate(1 / pause))
            found.append(_ask(server, client, kind, body, is_hostile=False))
        left["clients"] -= 1
        return found

    def harm(client: int) -> list[Asked]:
        found: list[Asked] = []
        time.sleep(_LATER * pause)
        with ExitStack() as held:
            for _ in range(_SILENT):
                held.enter_context(server.connect(_address(client)))
            while left["clients"] > 0 or not found:
                for kind, body in _HOSTILE:
                    found.append(_ask(server, client, kind, body, is_hostile=True))
                server.open("search", LONG, _address(client)).close()  # reads no answer
        return found

    with ThreadPoolExecutor(CLIENTS) as threads:
        tasks = [threads.submit(harm if one < hostile else behave, one) for one in range(CLIENTS)]
        return [asked for task in tasks for asked in task.result()]


def _examples(kind: str) -> list[dict[str, Any]]:
    from dipsat.app.schema import EXAMPLES

    return list(EXAMPLES[kind].values())


def _address(client: int) -> str:
    return f"127.0.1.{client + 1}"


def _ask(server: Server, client: int, kind: str, body: Any, *, is_hostile: bool) -> Asked:
    begun, status = time.perf_counter(), 0
    with suppress(OSError, http.client.HTTPException):
        status = server.post(kind, body, source=_address(client)).status
    return Asked(is_hostile, status, time.perf_counter() - begun)
