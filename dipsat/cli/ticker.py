"""What a long search shows while it works."""

from __future__ import annotations

import time

import click

_QUIET_SECONDS = 1.0
_PAUSE_SECONDS = 2.0


class Ticker:
    """Writes what is being tried to standard error, once the work has taken a second, and not more
    often than anybody can read."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._shown = -_PAUSE_SECONDS

    def __call__(self, what: str) -> None:
        """Show what is being tried."""
        now = time.monotonic()
        if now - self._start > _QUIET_SECONDS and now - self._shown > _PAUSE_SECONDS:
            self._shown = now
            click.echo(f"{now - self._start:4.0f} s  {what}", err=True)
