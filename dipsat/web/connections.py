"""The connections to the server: how many there may be, and how long one may keep others waiting.

uvicorn waits for ever for the first request of a connection, and for whoever does not read its
answers. Here each connection gets so much time for that, and whoever opens too many loses those
that have been idle for the longest time.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Protocol, TypeAlias

from dipsat.web.clients import client_at

Peer: TypeAlias = tuple[str, int]
"""The address and the port at the other end."""

IDLE = 15.0
"""Seconds that a connection may take for the head of its next request."""
SLOWEST = 32 * 1024
"""Bytes of an answer that a client must read each second, on average, besides those seconds."""
_UNREAD = 64 * 2**20  # bytes of answers that one client may leave unread
_SHARE = 4  # one client has at most this fraction of the connections


class Transport(Protocol):
    """What is asked of a connection."""

    def abort(self) -> None:
        """End it at once."""

    def get_write_buffer_size(self) -> int:
        """How much of the answers the client has not read."""


class _Connection:
    """A connection: whose it is, how many of its requests are being answered, and since when it
    has none."""

    def __init__(self, client: str, transport: Transport, now: float) -> None:
        self.client = client
        self.transport = transport
        self.requests = 0
        self.since = now
        self.patience = IDLE


class Connections:
    """All connections. `most` of them are kept; `ended` counts those that were ended, by reason."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.share = max(1, most // _SHARE)
        self.ended: Counter[str] = Counter()
        self._clock = clock
        self._by_peer: dict[Peer, _Connection] = {}
        self._by_client: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._by_peer)

    def opened(self, peer: Peer, transport: Transport) -> None:
        """Note a connection; if there are too many, end one."""
        client = client_at(peer[0])
        self._by_peer[peer] = _Connection(client, transport, self._clock())
        self._by_client[client] += 1
        if self._by_client[client] > self.share:
            self._make_room(client, peer)
        elif len(self) > self.most:
            self._make_room(self._by_client.most_common(1)[0][0], peer)

    def closed(self, peer: Peer) -> None:
        """Forget a connection."""
        if connection := self._by_peer.pop(peer, None):
            self._by_client[connection.client] -= 1
            if not self._by_client[connection.client]:
                del self._by_client[connection.client]

    def begun(self, peer: Peer) -> None:
        """Note that a request of a connection is being answered."""
        if connection := self._by_peer.get(peer):
            connection.requests += 1

    def answered(self, peer: Peer) -> None:
        """Note that a request was answered, though its client may not have read the answer yet."""
        if connection := self._by_peer.get(peer):
            connection.requests -= 1
            connection.since = self._clock()
            unread = connection.transport.get_write_buffer_size()
            connection.patience = IDLE + unread / SLOWEST
            if unread:
                self._bound(connection.client)

    def sweep(self) -> None:
        """End the connections that have kept the server waiting for too long."""
        now = self._clock()
        for peer, one in list(self._by_peer.items()):
            if not one.requests and now - one.since > one.patience:
                self.end(peer, "slow reader" if one.transport.get_write_buffer_size() else "idle")

    def end(self, peer: Peer, reason: str) -> None:
        """End a connection at once."""
        if connection := self._by_peer.get(peer):
            self.ended[reason] += 1
            self.closed(peer)
            connection.transport.abort()

    def _bound(self, client: str) -> None:
        """End connections of a client, those with most first, if it leaves too much unread."""
        own = {
            peer: one.transport.get_write_buffer_size()
            for peer, one in self._by_peer.items()
            if one.client == client
        }
        total = sum(own.values())
        for peer in sorted(own, key=lambda peer: own[peer], reverse=True):
            if total <= _UNREAD:
                return
            total -= own[peer]
            self.end(peer, "slow reader")

    def _make_room(self, client: str, newest: Peer) -> None:
        """End the connection of a client that has been idle for the longest time, or the newest
        one of all if none of them is."""
        idle = [
            (one.since, peer)
            for peer, one in self._by_peer.items()
            if one.client == client and not one.requests
        ]
        self.end(min(idle)[1] if idle else newest, "too many")
