"""The server's log: one JSON object a line, on standard error.

Whoever logs never waits: a thread writes the lines, and those for which there is no room, because
nobody reads the log fast enough, are counted and left out.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from contextlib import suppress
from datetime import UTC, datetime
from queue import Empty, Full, Queue
from threading import Thread
from typing import Any

_PLACES = 1000  # lines that wait to be written
_LAST_WORDS = 1.0  # seconds; so long the server waits for its last lines to be read
_LONGEST = 4000  # characters of what others print


def line_of(event: str, level: str = "info", **members: Any) -> bytes:
    """A line of the log: the time (UTC), the level, the event, and what else is known of it."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = {"time": now, "level": level, "event": event, **members}
    return f"{json.dumps(line)}\n".encode()


def write_line(event: str, level: str = "info", **members: Any) -> None:
    """Write a line at once, to the standard error of a worker, which the server reads."""
    sys.stderr.buffer.write(line_of(event, level, **members))
    sys.stderr.flush()


class Log:
    """The log of a server. `dropped` counts the lines for which there was no room."""

    def __init__(self, target: int = 2, places: int = _PLACES) -> None:
        self.dropped = 0
        self._told = 0
        self._target = target
        self._lines: Queue[bytes | None] = Queue(places)
        self._thread = Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    @property
    def has_room(self) -> bool:
        """Whether another line would be written now, after the one about dropped lines if there
        are such."""
        before = self.dropped > self._told
        return self._lines.qsize() + before < self._lines.maxsize

    def write(self, event: str, level: str = "info", **members: Any) -> None:
        """Have one line written."""
        lines = self.dropped - self._told
        if lines and self._put(line_of("log lines dropped", "warning", lines=lines)):
            self._told += lines
        self._keep(line_of(event, level, **members))

    def pass_on(self, printed: bytes) -> None:
        """Have a line written that a worker has printed: one of a log, or anything."""
        with suppress(ValueError, RecursionError):
            if isinstance(found := json.loads(printed), dict) and "event" in found:
                self._keep(printed.rstrip() + b"\n")
                return
        text = printed.decode(errors="replace").strip()
        if text:
            self.write("worker", "warning", message=text[:_LONGEST])

    def close(self) -> None:
        """Write what waits, if somebody reads it soon."""
        while self._thread.is_alive():
            with suppress(Full):
                self._lines.put(None, timeout=_LAST_WORDS)
                break
            with suppress(Empty):  # nobody reads: make room for the end
                self._lines.get_nowait()
        self._thread.join(_LAST_WORDS)

    def _keep(self, line: bytes) -> None:
        if not self._put(line):
            self.dropped += 1

    def _put(self, line: bytes) -> bool:
        with suppress(Full):
            self._lines.put_nowait(line)
            return True
        return False

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                while line:
                    line = line[os.write(self._target, line) :]
            except OSError:  # whoever read it has gone
                self.dropped += 1


class JsonLines(logging.Handler):
    """Writes what libraries log in the same way."""

    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else None
        more = {} if trace is None else {"trace": trace}
        self._log.write(record.name, record.levelname.lower(), message=record.getMessage(), **more)
