"""Which pages may ask the server: its own, and those of sites that were named.

A browser sends what any page wants to any address, those of this computer too. A page whose own
name its owner suddenly points to 127.0.0.1 would even pass for a page of this server (DNS
rebinding): so a server for this computer alone answers only to names that no stranger has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from dipsat.errors import DipsatError, FileError

_HOME = "localhost"
_MISDIRECTED, _FORBIDDEN = 421, 403


@dataclass(frozen=True, slots=True)
class Sites:
    """Who may ask."""

    origins: Sequence[str] = ()
    """Other sites whose pages may ask, such as `https://example.org`."""
    names: Sequence[str] | None = None
    """The names of the server besides those of this computer; None if it answers to any name."""

    def refusal(self, headers: Mapping[str, str]) -> tuple[int, DipsatError] | None:
        """Why a request with these headers is not answered: the status of HTTP and the error; None
        if it is."""
        host = headers.get("host")
        if self.names is not None and host is not None and not self._is_own(host):
            wanted = "is not a name of this server; start it with --name to add one"
            return _MISDIRECTED, FileError("Host", wanted)
        is_strange = headers.get("sec-fetch-site") == "cross-site"
        if is_strange and headers.get("sec-fetch-mode") != "navigate":
            origin = headers.get("origin")
            if origin not in self.origins:
                return _FORBIDDEN, FileError("Origin", "is a site that may not ask this server")
        return None

    def _is_own(self, host: str) -> bool:
        """Whether a name is that of this computer, an address, or one of the `names`."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").removesuffix(".")
        except ValueError:
            return False
        if name == _HOME or name.endswith(f".{_HOME}") or name in map(str.lower, self.names or ()):
            return True
        return is_address(name)


def is_address(host: str) -> bool:
    """Whether a host is an address of IP; a page has such a name only if it comes from there."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(address: str) -> bool:
    """Whether only this computer can reach a socket with an address."""
    return is_address(address) and ip_address(address).is_loopback
