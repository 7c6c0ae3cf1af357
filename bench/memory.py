"""How much memory a process has used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def peak_mb() -> int:
    """The most memory that this process has had at once, in megabytes.

    Where there is a `/proc`, it says this of the program that runs now. `getrusage` also counts the
    process that started it, before that became another program.
    """
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) // 1024


def peak_of(code: str) -> int:
    """The most memory that a new Python needs for a program, in megabytes."""
    program = f"{code}\nfrom bench.memory import peak_mb\nprint(peak_mb())"
    run = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    return int(run.stdout.split()[-1])
