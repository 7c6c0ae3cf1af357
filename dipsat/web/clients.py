"""Who asks, and what one client may hold of what all share."""

from __future__ import annotations

from collections import Counter
from ipaddress import IPv6Address, ip_address, ip_network


def client_at(host: str) -> str:
    """The client at an address: the address, or its network in IPv6, where everybody has many."""
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
        """The bytes that are taken."""
        return self._taken.total()

    def take(self, client: str, size: int) -> bool:
        """Take so many bytes, if there is room."""
        if self.taken + size > self.most or 2 * (self._taken[client] + size) > self.most:
            return False
        self._taken[client] += size
        return True

    def give(self, client: str, size: int) -> None:
        """Give bytes back."""
        self._taken[client] -= size
        if not self._taken[client]:
            del self._taken[client]
