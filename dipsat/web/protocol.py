"""The protocol of a connection: uvicorn's, with the connections counted and timed."""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from dipsat.web.connections import Connections, Peer, Transport


def protocol_of(connections: Connections) -> type[asyncio.Protocol]:
    """The class of protocols whose connections are among these."""

    class Counted(H11Protocol):  # type: ignore[misc]  # uvicorn is not installed everywhere
        """HTTP/1.1 over a connection."""

        peer: Peer = "", 0

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            host, port = transport.get_extra_info("peername")[:2]
            self.peer = host, port
            connections.opened(self.peer, cast(Transport, transport))

        def connection_lost(self, exc: Exception | None) -> None:
            connections.closed(self.peer)
            super().connection_lost(exc)

    return cast(type[asyncio.Protocol], Counted)
