"""C compilers that are short shell scripts, and what they do."""

from __future__ import annotations

import time
from pathlib import Path

SOURCE = "int number(void) { return 3; }"
COMPILES = 'exec cc "$@"'
"""The command of a fake compiler that compiles."""


def script(folder: Path, name: str, does: str = COMPILES) -> Path:
    """A program that writes a line to `calls` and then runs a command."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho x >> {folder}/calls\n{does}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def fake(folder: Path, does: str = COMPILES) -> tuple[str, ...]:
    """The command line of a fake compiler that runs `does`."""
    return (str(script(folder, "fakecc", does)),)


def calls(folder: Path) -> int:
    """How often the compilers of a folder have compiled."""
    path = folder / "calls"
    return len(path.read_text(encoding="utf-8").split()) if path.exists() else 0


def lives(pid: int) -> bool:
    """Whether a process still runs; a dead one may not be collected yet."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def ends(pid: int) -> bool:
    """Whether a process has ended, or does so within two seconds: a signal takes a moment."""
    for _ in range(200):
        if not lives(pid):
            return True
        time.sleep(0.01)
    return False
