"""Programs that dipsat starts: ended in time, with all that they have started themselves."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO
from typing import cast

_MOST_OUTPUT = 2**20  # bytes; a program that prints more than this is out of order
_PIECE = 2**16
_UMASK = 0o077 if os.name == "posix" else -1  # what it writes is for this user alone
_LAST_WORDS = 1.0  # seconds; what a killed program printed is in its pipe already


@dataclass(frozen=True, slots=True)
class Finished:
    """A program that has ended."""

    status: int | None
    """Its exit status, or None if it was ended because its time was up."""
    output: bytes
    """What it printed to standard output and standard error, up to a megabyte."""


def run(
    command: tuple[str, ...],
    seconds: float,
    folder: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Finished:
    """Run a program without input, and with a session of its own, so that it can be ended with its
    children. It is ended after so many seconds, or when it has printed a megabyte. Raises `OSError`
    or `ValueError` if it cannot be started."""
    latest = time.monotonic() + seconds
    process = subprocess.Popen(
        command, cwd=folder, env=environment, bufsize=0, start_new_session=True, umask=_UMASK,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    output = bytearray()
    # A thread, since whatever the program leaves behind may keep the pipe open for ever.
    reader = threading.Thread(target=_read, args=(process, output), daemon=True)
    late = False
    try:
        reader.start()
        reader.join(seconds)
        process.wait(max(0.0, latest - time.monotonic()))
    except subprocess.TimeoutExpired:
        late = True
    finally:
        end_all(process)
        process.wait()
        reader.join(_LAST_WORDS)
    return Finished(None if late else process.returncode, bytes(output))


def _read(process: subprocess.Popen[bytes], output: bytearray) -> None:
    with cast(FileIO, process.stdout) as stream, suppress(OSError):
        while piece := stream.read(_PIECE):
            output += piece
            if len(output) >= _MOST_OUTPUT:
                end_all(process)
                return


def end_all(process: subprocess.Popen[bytes]) -> None:
    """End a process that has a session of its own, if it has not ended, and all that it has
    started."""
    if hasattr(os, "killpg"):
        end_session(process.pid)
    elif process.poll() is None:
        process.kill()


def end_session(leader: int) -> None:
    """End all processes of a session, by the number of the one that leads it. Not on Windows."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
