"""Why a profile, a map or a board is not for the kernel."""

from __future__ import annotations


class DeclinedError(Exception):
    """Stops the compiling of a profile, or the encoding of a board; dipsat's Python answers then.
    `reason` says what the kernel cannot express."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
