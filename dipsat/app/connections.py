"""Who may use the server, and how much of it one client may occupy."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Protocol, TypeAlias

from dipsat.errors import DipsatError, FileError

# --- clients --------------------------------------------------------------------------------------


def client_at(host: str) -> str:
    """The client at an address: the address, or its network in IPv6, where a client has many."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        known = address.ipv4_mapped
        return str(known or ip_network(f"{address}/64", strict=False))
    return host


class Room:
    """The bytes that the bodies of all requests may take. No client has more than half of them."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._taken: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """The number of bytes in use."""
        return self._taken.total()

    def take(self, client: str, size: int) -> bool:
        """Reserve this many bytes for a client. Returns whether there was room."""
        if self.taken + size > self.most or 2 * (self._taken[client] + size) > self.most:
            return False
        self._taken[client] += size
        return True

    def give(self, client: str, size: int) -> None:
        """Release bytes of a client."""
        self._taken -= Counter({client: size})


# --- sites ----------------------------------------------------------------------------------------

# Any page can make a browser send requests to any address, including this computer's. By DNS
# rebinding (pointing its own name to 127.0.0.1), it would even pass for a page of this server. So a
# server for this computer alone answers only to names that no stranger can own.


_HOME = "localhost"
_AUTHORITY = re.compile(r"(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d*)?", re.ASCII | re.IGNORECASE)
_NOT_CROSS_SITE = ("same-origin", "same-site", "none")  # values of Sec-Fetch-Site
_MISDIRECTED, _FORBIDDEN = 421, 403


@dataclass(frozen=True, slots=True)
class Sites:
    """The sites that may use the server, and the names it answers to."""

    origins: Sequence[str] = ()
    """Other sites whose pages may ask, such as `https://example.org`."""
    names: Sequence[str] | None = None
    """Names of the server besides those of this computer; None if it answers to any name."""

    def refusal(self, headers: Mapping[str, str]) -> tuple[int, DipsatError] | None:
        """The HTTP status and the error for a request with these headers; None if it may be
        answered."""
        host = headers.get("host")
        if self.names is not None and host is not None and not self._is_own(host):
            wanted = "is not a name of this server; start it with --name to add one"
            return _MISDIRECTED, FileError("Host", wanted)
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None:
            is_strange = site not in _NOT_CROSS_SITE
        else:  # an older browser, or a page without encryption
            is_strange = origin is not None and not self._is_of_server(origin, host or "")
        is_link = headers.get("sec-fetch-mode") == "navigate" and origin is None  # forms have one
        if is_strange and not is_link and origin not in self.origins:
            return _FORBIDDEN, FileError("Origin", "is a site that may not use this server")
        return None

    def _is_own(self, host: str) -> bool:
        """Whether a host is this computer, an IP address, or one of the `names`."""
        name = _name_in(host)
        is_home = name == _HOME or name.endswith(f".{_HOME}")
        return is_home or self._is_told(name) or is_address(name)

    def _is_of_server(self, origin: str, host: str) -> bool:
        """Whether an origin is this server, named `host` by the request or perhaps by a proxy."""
        name = _name_in(origin.partition("://")[2])
        return bool(name) and (name == _name_in(host) or self._is_told(name))

    def _is_told(self, name: str) -> bool:
        return name in map(str.lower, self.names or ())


def _name_in(authority: str) -> str:
    """The name or address in `name:port`, or "" for any other text."""
    found = _AUTHORITY.fullmatch(authority)
    return (found[1] or found[2]).lower().removesuffix(".") if found else ""


def is_address(host: str) -> bool:
    """Whether a host is an IP address. A page has such a host only if it comes from there."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(address: str) -> bool:
    """Whether only this computer can reach a socket with an address."""
    return is_address(address) and ip_address(address).is_loopback


# --- connections ----------------------------------------------------------------------------------

# uvicorn waits for ever for the first request of a connection, and for clients that do not read its
# answers. Here the time for both is limited. A client that opens too many connections loses those
# that have been idle longest.


Peer: TypeAlias = tuple[str, int]
"""The address and the port at the other end."""

IDLE = 15.0
"""Seconds that a connection may take for the head of its next request."""
SLOWEST = 32 * 1024
"""Bytes of an answer that a client must read per second on average, besides the `IDLE` seconds."""
_UNREAD = 64 * 2**20  # bytes of answers that one client may leave unread
_SHARE = 4  # one client has at most this fraction of the connections


class Transport(Protocol):
    """The methods of a connection that are used here."""

    def abort(self) -> None:
        """End it at once."""

    def get_write_buffer_size(self) -> int:
        """The bytes of answers that the client has not read yet."""


@dataclass(slots=True)
class _Connection:
    """A connection: its client, the number of its requests being answered, and since when it has
    had none."""

    client: str
    transport: Transport
    since: float
    requests: int = 0
    patience: float = IDLE


class Connections:
    """At most `most` open connections. `ended` counts those that the server ended, by reason."""

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
            self._by_client -= Counter([connection.client])

    def begun(self, peer: Peer) -> None:
        """Note that a request on a connection is being answered."""
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
        """End the connections that have kept the server waiting too long."""
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
        """If a client leaves too much unread, end its connections, those with the most unread bytes
        first."""
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
        """End the connection of a client that has been idle longest. If none is idle, end the
        newest connection."""
        idle = [
            (one.since, peer)
            for peer, one in self._by_peer.items()
            if one.client == client and not one.requests
        ]
        self.end(min(idle)[1] if idle else newest, "too many")
