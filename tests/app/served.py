"""`dipsat serve` started for tests and measurements, and asked over real sockets."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tests.checkout import ROOT

_Found = TypeVar("_Found")
JSON = {"Content-Type": "application/json"}
SECONDS = 60

ORDERS = "France:\n A Par - Bur\nGermany:\n A Mun - Bur\n"
# Proving that two wordings mean the same on every board of twenty units takes minutes.
SAME = "extends: datc\ndecisions:\n  hold_strength(p): base + (0 if some(p.units) else 0)\n"
UNITS = {
    "ENGLAND": ["F ENG", "F LON", "A BEL", "F HEL", "A HOL"],
    "FRANCE": ["A BUR", "A RUH", "F NTH", "A MAR", "A PIC"],
    "GERMANY": ["A MUN", "A KIE", "F DEN", "A BER", "A BOH"],
    "ITALY": ["A TYR", "A VEN", "F LYO", "F WES", "A PIE"],
}
LONG = {
    "question": "differ", "other": {"text": SAME}, "open": ["all"], "position": {"units": UNITS},
}  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """A server's answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The value in the body."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Server:
    """A running server: its process and its port."""

    process: subprocess.Popen[bytes]
    port: int

    def ask(
        self, method: str, path: str, body: Any = None, headers: Any = JSON, source: str = "",
    ) -> Answer:  # fmt: skip
        """The answer to a request that is sent from an address of this computer."""
        link = http.client.HTTPConnection(
            "127.0.0.1", self.port, SECONDS, (source, 0) if source else None
        )
        try:
            sent = body if isinstance(body, bytes) or body is None else json.dumps(body)
            link.request(method, path, sent, headers)
            answer = link.getresponse()
            return Answer(
                answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
            )
        finally:
            link.close()

    def post(self, kind: str, body: Any, headers: Any = JSON, source: str = "") -> Answer:
        """The answer to a request of this kind."""
        return self.ask("POST", f"/api/{kind}", body, headers, source)

    def measured(self, name: str) -> float:
        """A count in /metrics."""
        lines = self.ask("GET", "/metrics").body.decode().splitlines()
        values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return float(values.get(f"dipsat_{name}", 0))

    def wait_until(self, name: str, least: float) -> None:
        """Wait until a count in /metrics is at least this large."""
        waited_for(lambda: self.measured(name) >= least)

    def open(self, kind: str, body: Any, source: str = "127.0.0.1") -> socket.socket:
        """A connection with a request whose answer nobody reads."""
        sent = json.dumps(body).encode()
        link = self.connect(source)
        head = f"POST /api/{kind} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        link.sendall(f"{head}Content-Length: {len(sent)}\r\n\r\n".encode() + sent)
        return link

    def connect(self, source: str) -> socket.socket:
        """An idle connection from an address of this computer."""
        return socket.create_connection(("127.0.0.1", self.port), SECONDS, (source, 0))


@contextmanager
def started(log: Path | None, *options: str) -> Iterator[Server]:
    """A server with a ready worker; its log is a file, or a pipe that nobody reads."""
    command = [sys.executable, "-m", "dipsat", "serve", "--port", "0", *options]
    with log.open("w", encoding="utf-8") if log else nullcontext(subprocess.PIPE) as file:
        process = subprocess.Popen(command, cwd=ROOT, stderr=file)
    try:
        if log is None:
            assert process.stderr is not None
            listening = json.loads(process.stderr.readline())
        else:
            listening = waited_for(lambda: lines_of(log))[0]
        assert listening["event"] == "listening", listening
        server = Server(process, listening["port"])
        waited_for(lambda: server.ask("GET", "/healthz").status == 200)
        yield server
    finally:
        process.kill()
        process.wait(SECONDS)
        if process.stderr is not None:
            process.stderr.close()


def lines_of(log: Path) -> list[dict[str, Any]]:
    """The lines of a log."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def waited_for(found: Callable[[], _Found | None], pause: float = 0.02) -> _Found:
    """The first true value that a function returns. Raises `AssertionError` if that is late."""
    for _ in range(int(SECONDS / pause)):
        if value := found():
            return value
        time.sleep(pause)
    raise AssertionError("nothing was found in time")


def processor_seconds(server: Server) -> float:
    """The processor time of a server and its workers so far (Linux)."""
    ticks = 0
    for process in (server.process.pid, *workers_of(server)):
        state = (Path("/proc") / str(process) / "stat").read_text(encoding="utf-8")
        ticks += sum(map(int, state.rpartition(")")[2].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def workers_of(server: Server) -> list[int]:
    """The processes that the server has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # the process has ended meanwhile
            state = (folder / "stat").read_text(encoding="utf-8")
            if int(state.rpartition(")")[2].split()[1]) == server.process.pid:
                found.append(int(folder.name))
    return found
