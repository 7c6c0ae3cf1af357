"""The server's log: one JSON object a line, on standard error."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any


def log(event: str, level: str = "info", **members: Any) -> None:
    """Write one line: the time (UTC), the level, the event, and what else is known of it."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = {"time": now, "level": level, "event": event, **members}
    sys.stderr.write(f"{json.dumps(line)}\n")
    sys.stderr.flush()


class JsonLines(logging.Handler):
    """Writes what libraries log in the same way."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else None
        more = {} if trace is None else {"trace": trace}
        log(record.name, record.levelname.lower(), message=record.getMessage(), **more)
