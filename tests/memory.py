"""The most memory that a process has had."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")
_PEAK, _NOW = re.compile(r"VmHWM:\s*(\d+)"), re.compile(r"VmRSS:\s*(\d+)")


def peak_megabytes() -> int:
    """The most memory that this process has had, in megabytes.

    On Linux, `ru_maxrss` is at least what the parent had when it started this process, so there the
    figure comes from `/proc`.
    """
    if _STATUS.exists():
        return _kilobytes(_PEAK) // 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most >> (20 if sys.platform == "darwin" else 10)


def megabytes_now() -> int:
    """The memory that this process has now, in megabytes; the most it has had where unknown."""
    return _kilobytes(_NOW) // 1024 if _STATUS.exists() else peak_megabytes()


def megabytes_of(code: str) -> int:
    """The most memory that a new Python process has while it runs `code`, in megabytes."""
    tail = "\nfrom tests.memory import peak_megabytes\nprint(peak_megabytes())"
    run = subprocess.run(
        [sys.executable, "-c", code + tail], check=True, capture_output=True, text=True
    )
    return int(run.stdout.split()[-1])


def _kilobytes(what: re.Pattern[str]) -> int:
    found = what.search(_STATUS.read_text(encoding="ascii", errors="replace"))
    return int(found[1]) if found else 0
