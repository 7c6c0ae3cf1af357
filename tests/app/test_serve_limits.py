"""What one client may hold of the server: connections, bytes, the attention of its log."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from dataclasses import dataclass, field

import pytest

from dipsat.app.connections import IDLE, SLOWEST, Connections, Room, client_at
from dipsat.app.server_logs import Log
from dipsat.app.worker_pool import Job, Waiting


@dataclass
class Wire:
    """A connection that notes whether it was ended."""

    unread: int = 0
    ended: bool = False

    def abort(self) -> None:
        self.ended = True

    def get_write_buffer_size(self) -> int:
        return self.unread


@dataclass
class Net:
    """Connections with a clock that the test sets."""

    most: int
    now: float = 0.0
    wires: list[Wire] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.all = Connections(self.most, lambda: self.now)

    def open(self, host: str = "10.0.0.1", unread: int = 0) -> tuple[tuple[str, int], Wire]:
        peer, wire = (host, len(self.wires)), Wire(unread)
        self.wires.append(wire)
        self.all.opened(peer, wire)
        return peer, wire

    def answer(self, host: str, unread: int) -> None:
        """A connection to a client that has not read an answer of this many bytes."""
        peer, _ = self.open(host, unread)
        self.all.begun(peer)
        self.all.answered(peer)

    def sweep(self, now: float) -> None:
        self.now = now
        self.all.sweep()

    @property
    def ended(self) -> list[bool]:
        return [wire.ended for wire in self.wires]


def test_a_client_with_too_many_connections_loses_the_idle_ones() -> None:
    net = Net(8)  # of which one client has at most two
    net.all.begun(net.open()[0])
    net.now = 1
    net.open()
    net.open("10.0.0.2")
    net.now = 2
    net.open()
    assert net.ended == [False, True, False, False]
    assert len(net.all) == 3


def test_where_all_are_busy_the_newest_connection_is_refused() -> None:
    net = Net(8)
    for _ in range(2):
        net.all.begun(net.open()[0])
    net.open()
    assert net.ended == [False, False, True]


def test_where_there_is_no_room_the_client_with_most_connections_loses_one() -> None:
    net = Net(8)
    for number in range(2):
        net.open(f"2001:db8::{number}")  # one network, one client
    for number in range(7):
        net.open(f"10.0.0.{number}")
    assert net.ended == [True] + [False] * 8
    assert len(net.all) == 8


def test_connections_without_a_request_end() -> None:
    net = Net(8)
    net.open()
    busy = net.open("10.0.0.2")[0]
    net.all.begun(busy)
    net.sweep(IDLE + 1)
    assert net.ended == [True, False]
    net.all.answered(busy)
    net.sweep(2 * IDLE)
    assert net.ended == [True, False]
    net.sweep(2 * IDLE + 2)
    assert net.all.ended == {"idle": 2}
    net.all.closed(busy)  # as the transport says afterwards
    assert len(net.all) == 0


def test_large_answers_may_be_read_for_longer() -> None:
    net = Net(8)
    net.answer("10.0.0.1", 10 * SLOWEST)
    net.sweep(IDLE + 9)
    assert net.ended == [False]
    net.sweep(IDLE + 11)
    assert net.all.ended == {"slow reader": 1}


def test_a_client_that_leaves_too_much_unread_loses_the_largest_answers() -> None:
    net = Net(100)
    for megabytes in (10, 30, 20):
        net.answer("10.0.0.1", megabytes * 2**20)
    assert net.ended == [False] * 3
    net.answer("10.0.0.2", 60 * 2**20)
    net.answer("10.0.0.1", 10 * 2**20)
    assert net.ended == [False, True, False, False, False]


def test_two_requests_at_once_must_both_be_answered() -> None:
    """A client may send the next request before it has the answer."""
    net = Net(8)
    peer, _ = net.open()
    for note in (net.all.begun, net.all.begun, net.all.answered):
        note(peer)
    net.sweep(10 * IDLE)
    assert net.ended == [False]


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8::5", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("", ""),
    ],
)
def test_a_client_is_an_address_or_a_network(host: str, client: str) -> None:
    assert client_at(host) == client


def test_bodies_take_the_room_that_there_is() -> None:
    room = Room(100)
    asked = [("a", 51), ("a", 50), ("a", 1), ("b", 50), ("c", 1)]
    # No client has more than half.
    assert [room.take(*one) for one in asked] == [False, True, False, True, False]
    room.give("a", 50)
    assert room.take("c", 1)
    assert room.taken == 51


class Desk:
    """Jobs that wait for one of three workers, with a clock that the test sets."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waiting = Waiting(100, 2, lambda: self.now)

    def add(self, *clients: str) -> None:
        for client in clients:
            reply = asyncio.get_running_loop().create_future()
            self.waiting.add(Job(client, "adjudicate", b"", reply))

    async def take(self, seconds: float | None = None) -> str:
        """The client of the next job, "" if none may be done now. The job takes a worker `seconds`,
        or is not done."""
        try:
            async with asyncio.timeout(0):
                job = await self.waiting.take()
        except TimeoutError:
            return ""
        if seconds is not None:
            self.waiting.done(job, seconds)
        return job.client


def test_the_client_that_has_used_workers_least_comes_first() -> None:
    async def act() -> list[str]:
        desk = Desk()
        desk.add(*"aaabbc")
        return [await desk.take(seconds) for seconds in (3, 0.1, 0.1, 0.1, 3, 3)]

    # By then b is known to ask for little, and c is not.
    assert asyncio.run(act()) == ["a", "b", "b", "c", "a", "a"]


def test_clients_that_have_used_workers_much_leave_one_to_others() -> None:
    async def act() -> list[str]:
        desk = Desk()
        for client in "ab":
            desk.add(client)
            await desk.take(6)
        desk.add(*"aabb")
        found = [await desk.take() for _ in range(3)]
        desk.add("c")
        found.append(await desk.take())
        desk.now = 60  # what they have used is forgotten
        return [*found, await desk.take()]

    assert asyncio.run(act()) == ["a", "b", "", "c", "a"]


def test_newcomers_leave_a_worker_to_clients_known_to_ask_for_little() -> None:
    async def act() -> list[str]:
        desk = Desk()
        desk.add("known")
        await desk.take(0.1)
        desk.add("new", "newer", "newest", "known")
        return [await desk.take() for _ in range(4)]

    assert asyncio.run(act()) == ["known", "new", "newer", ""]


def test_logging_never_waits() -> None:
    """Nobody reads the pipe, which has room for some lines."""
    source, target = os.pipe()
    log = Log(target, places=10)
    for _ in range(3000):
        log.write("request", path="x" * 200)
    assert log.dropped > 1000
    text = b""

    def read() -> None:
        nonlocal text
        while piece := os.read(source, 2**20):
            text += piece

    reader = threading.Thread(target=read)
    reader.start()
    while not log.has_room:
        pass
    log.write("last")
    log.close()
    os.close(target)
    reader.join()
    os.close(source)
    lines = [json.loads(line) for line in text.decode().splitlines()]
    told = [line["lines"] for line in lines if line["event"] == "log lines dropped"]
    assert lines[-1]["event"] == "last"
    assert sum(told) == log.dropped
    assert len(lines) == 3001 - log.dropped + len(told)


def test_a_log_whose_reader_has_gone_is_not_a_fault() -> None:
    source, target = os.pipe()
    os.close(source)
    log = Log(target)
    log.write("request")
    log.close()
    os.close(target)
    assert log.dropped == 1


def test_what_a_worker_prints_becomes_lines_of_the_log() -> None:
    source, target = os.pipe()
    log = Log(target)
    log.pass_on(b'{"time": "now", "level": "error", "event": "fault"}\n')
    log.pass_on(b"malloc(): corrupted\x1b[2J\xff\n")
    log.pass_on(b'{"no": "line of a log"}\n')
    log.pass_on(b"[" * 10_000)
    log.pass_on(b"\n")
    log.close()
    os.close(target)
    with os.fdopen(source, encoding="utf-8") as written:
        lines = [json.loads(line) for line in written]
    assert [line["event"] for line in lines] == ["fault", "worker", "worker", "worker"]
    assert lines[1]["message"] == "malloc(): corrupted\x1b[2J\ufffd"
    assert len(lines[3]["message"]) < 10_000
