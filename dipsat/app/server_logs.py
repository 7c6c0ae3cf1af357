"""The log of the server, one JSON object a line on standard error, and its metrics.

Logging never blocks, because a thread writes the lines. If nobody reads the log fast enough, lines
for which there is no room are counted and dropped."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from queue import Empty, Full, Queue
from threading import Thread
from typing import Any

_PLACES = 1000  # lines waiting to be written
_LAST_WORDS = 1.0  # seconds that the server waits for its last lines to be read
_LONGEST = 4000  # characters of a line that others print


def line_of(event: str, level: str = "info", **members: Any) -> bytes:
    """A line of the log: the time (UTC), the level, the event, and its other members."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = {"time": now, "level": level, "event": event, **members}
    return f"{json.dumps(line)}\n".encode()


def write_line(event: str, level: str = "info", **members: Any) -> None:
    """Write a line at once to the standard error of a worker, which the server reads."""
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
        """Whether there is room for another line, after one about dropped lines if there are
        any."""
        before = self.dropped > self._told
        return self._lines.qsize() + before < self._lines.maxsize

    def write(self, event: str, level: str = "info", **members: Any) -> None:
        """Queue a line to be written."""
        lines = self.dropped - self._told
        if lines and self._put(line_of("log lines dropped", "warning", lines=lines)):
            self._told += lines
        self._keep(line_of(event, level, **members))

    def pass_on(self, printed: bytes) -> None:
        """Queue a line that a worker printed: a line of its log, or any other text."""
        with suppress(ValueError, RecursionError):
            if isinstance(found := json.loads(printed), dict) and "event" in found:
                self._keep(printed.rstrip() + b"\n")
                return
        text = printed.decode(errors="replace").strip()
        if text:
            self.write("worker", "warning", message=text[:_LONGEST])

    def close(self) -> None:
        """Write the waiting lines if somebody reads them soon."""
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
            except OSError:  # the reader has gone
                self.dropped += 1


class JsonLines(logging.Handler):
    """Writes the logs of libraries in the same format."""

    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        info, form = record.exc_info, logging.Formatter()
        more = {"trace": form.formatException(info)} if info else {}
        self._log.write(record.name, record.levelname.lower(), message=record.getMessage(), **more)


# --- counts ---------------------------------------------------------------------------------------

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BOUNDS = (0.005, 0.015, 0.05, 0.15, 0.5, 1.5, 5.0, 15.0)  # seconds


class Metrics:
    """Counts since the start of the server."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.seconds: Counter[str] = Counter()
        self.within: Counter[tuple[str, float]] = Counter()
        self.restarts: Counter[str] = Counter()

    def answered(self, kind: str, status: int, seconds: float) -> None:
        """Count a request answered with this HTTP status after this many seconds."""
        self.requests[kind, status] += 1
        self.seconds[kind] += seconds  # type: ignore[assignment]  # a Counter adds floats, too
        for bound in _BOUNDS:
            self.within[kind, bound] += seconds <= bound

    def restarted(self, reason: str) -> None:
        """Count a worker that is replaced."""
        self.restarts[reason] += 1

    def text(self, gauges: Mapping[str, tuple[str, int]]) -> str:
        """The text of all counts and of the `gauges`, measured now: name -> its meaning and its
        value. Names that end in `_total` are counters."""
        return "".join(f"{line}\n" for line in self._lines(gauges))

    def _lines(self, gauges: Mapping[str, tuple[str, int]]) -> Iterator[str]:
        yield from _head("requests_total", "Requests by kind and status.")
        for (kind, status), count in sorted(self.requests.items()):
            yield f'dipsat_requests_total{{kind="{kind}",status="{status}"}} {count}'
        yield from _head("request_seconds", "Seconds of a request, with its waiting.", "histogram")
        for kind, seconds in sorted(self.seconds.items()):
            total = sum(count for (one, _), count in self.requests.items() if one == kind)
            name = "dipsat_request_seconds"
            for bound in _BOUNDS:
                yield f'{name}_bucket{{kind="{kind}",le="{bound}"}} {self.within[kind, bound]}'
            yield f'{name}_bucket{{kind="{kind}",le="+Inf"}} {total}'
            yield f'{name}_sum{{kind="{kind}"}} {seconds:.6f}'
            yield f'{name}_count{{kind="{kind}"}} {total}'
        yield from _head("workers_restarted_total", "Workers replaced, by reason.")
        for reason, count in sorted(self.restarts.items()):
            yield f'dipsat_workers_restarted_total{{reason="{reason}"}} {count}'
        for name, (meaning, value) in gauges.items():
            yield from (*_head(name, meaning), f"dipsat_{name} {value}")


def _head(name: str, meaning: str, kind: str = "") -> tuple[str, str]:
    kind = kind or ("counter" if name.endswith("_total") else "gauge")
    return f"# HELP dipsat_{name} {meaning}", f"# TYPE dipsat_{name} {kind}"
