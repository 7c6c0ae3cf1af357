"""Which pages may ask the server: its own, and those of sites that were named.

A browser sends what any page wants to any address, those of this computer too. A page whose own
name its owner suddenly points to 127.0.0.1 would even pass for a page of this server (DNS
rebinding): so a server for this computer alone answers only to names that no stranger has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address

from dipsat.errors import DipsatError, FileError

_HOME = "localhost"
_AUTHORITY = re.compile(r"(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d*)?", re.ASCII | re.IGNORECASE)
_NOT_CROSS_SITE = ("same-origin", "same-site", "none")  # values of Sec-Fetch-Site
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
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None:
            is_strange = site not in _NOT_CROSS_SITE
        else:  # an older browser, or a page without encryption
            is_strange = origin is not None and not self._is_of_server(origin, host or "")
        is_link = headers.get("sec-fetch-mode") == "navigate" and origin is None  # forms have one
        if is_strange and not is_link and origin not in self.origins:
            return _FORBIDDEN, FileError("Origin", "is a site that may not ask this server")
        return None

    def _is_own(self, host: str) -> bool:
        """Whether a name is that of this computer, an address, or one of the `names`."""
        name = _name_in(host)
        return (
            name == _HOME or name.endswith(f".{_HOME}") or self._is_told(name) or is_address(name)
        )

    def _is_of_server(self, origin: str, host: str) -> bool:
        """Whether an origin is a page of this server, which was asked as `host`; a proxy may have
        changed that."""
        name = _name_in(origin.partition("://")[2])
        return bool(name) and (name == _name_in(host) or self._is_told(name))

    def _is_told(self, name: str) -> bool:
        return name in map(str.lower, self.names or ())


def _name_in(authority: str) -> str:
    """The name or address in `name:port`, "" if it is anything else."""
    found = _AUTHORITY.fullmatch(authority)
    return (found[1] or found[2]).lower().removesuffix(".") if found else ""


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
