"""`python -m bench serve`: the speed of `dipsat serve`, alone and with hostile clients.

It starts servers on this computer and measures how long a server takes to start, how long a full
board takes, and how long 50 clients wait for their answers, with and without hostile clients.
Hostile clients send rules that never end, searches of minutes and broken JSON, leave before they
are answered, and hold silent connections. Well-behaved clients pause between requests; hostile ones
do not. Every request must be answered; otherwise the command's status is 1. It needs Linux, since
each client has its own address.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from dipsat.studies import random_board
from tests.app.clients import CLIENTS, OPTIONS, load
from tests.app.served import JSON, SECONDS, Server, processor_seconds, started


@contextmanager
def _running(*options: str) -> Iterator[tuple[Server, float]]:
    """A server, and the seconds until its first worker was ready."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        with started(Path(folder) / "log", *options) as server:
            yield server, time.perf_counter() - begun


def _starts() -> tuple[float, float]:
    """The seconds until a server is ready, and its processor time (medians of three)."""
    found = []
    for _ in range(3):
        with _running("--workers", "1") as (server, seconds):
            found.append((seconds, processor_seconds(server)))
    return statistics.median(one[0] for one in found), statistics.median(one[1] for one in found)


def _full_boards(boards: int) -> tuple[list[float], float]:
    """The milliseconds of each of a number of full boards, one after the other on one connection,
    and the server's processor time for one."""
    bodies = []
    for seed in range(boards):
        board = random_board(seed)
        request = {"position": {"phase": "S1901M", "units": board.units}, "orders": board.orders}
        bodies.append(json.dumps(request, default=list))
    found = []
    with _running("--workers", "1") as (server, _):
        link = http.client.HTTPConnection("127.0.0.1", server.port, SECONDS)
        for number, body in enumerate((*bodies[:20], *bodies)):
            if number == 20:
                before = processor_seconds(server)
            begun = time.perf_counter()
            link.request("POST", "/api/adjudicate", body, JSON)
            answer = link.getresponse()
            answer.read()
            found.append((time.perf_counter() - begun) * 1000)
            assert answer.status == 200
        link.close()
        busy = (processor_seconds(server) - before) / boards
    return found[20:], busy * 1000


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main(arguments: Sequence[str]) -> NoReturn:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench serve", description=__doc__)
    parser.add_argument("--boards", type=int, default=300, help="full boards (300)")
    parser.add_argument("--requests", type=int, default=20, help="requests of a client (20)")
    parser.add_argument("--pause", type=float, default=1.0, help="mean pause in seconds (1.0)")
    parser.add_argument("--hostile", type=int, default=10, help="hostile clients of the 50 (10)")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    given = parser.parse_args(arguments)
    boards, board_busy = _full_boards(given.boards)
    start, start_busy = _starts()
    rows = [
        ("start, until the first worker is ready", f"{start:.1f} s"),
        ("start, processor time", f"{start_busy:.1f} s"),
        ("full board, warm, median", f"{_quantile(boards, 0.5):.1f} ms"),
        ("full board, warm, 99 of 100", f"{_quantile(boards, 0.99):.1f} ms"),
        ("full board, processor time", f"{board_busy:.1f} ms"),
    ]
    lost = 0
    for hostile in (0, given.hostile):
        with _running(*OPTIONS) as (server, _):
            server.wait_until("workers_ready", 3)
            found = load(server, given.requests, hostile, given.pause)
            left = server.measured("queue_length") + server.measured("workers_busy")
        usual = [one.seconds * 1000 for one in found if not one.is_hostile]
        bad = sum(one.status not in (0, 200) for one in found if not one.is_hostile)
        unanswered = sum(one.status == 0 for one in found) + int(left)
        lost += bad + unanswered
        among = f"{CLIENTS} clients, {hostile or 'none'} hostile"
        rows += [
            (f"{among}: requests of hostile ones", str(len(found) - len(usual))),
            (f"{among}: requests of the others", str(len(usual))),
            (f"{among}: not answered at all", str(unanswered)),
            (f"{among}: refused to the others", str(bad)),
            (f"{among}: wait of the others, median", f"{_quantile(usual, 0.5):.0f} ms"),
            (f"{among}: wait of the others, 99 of 100", f"{_quantile(usual, 0.99):.0f} ms"),
            (f"{among}: wait of the others, most", f"{max(usual):.0f} ms"),
        ]
    from bench.__main__ import print_table

    print_table(("measured", "value"), rows, given.markdown)
    print(f"on {os.cpu_count()} cores, with load {os.getloadavg()[0]:.1f} at the end")
    sys.exit(bool(lost))
