"""Programs that dipsat starts: ended in time, with all that they have started themselves."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finished:
    """A program that has ended."""

    status: int | None
    """Its exit status, or None if it was ended because its time was up."""
    output: bytes
    """What it printed to standard output, and to standard error if that was asked for."""


def run(
    command: Sequence[str],
    seconds: float | None,
    folder: str | None = None,
    environment: Mapping[str, str] | None = None,
    sent: bytes = b"",
    errors: int | None = subprocess.STDOUT,
) -> Finished:
    """Run a program that reads what is sent, with a session of its own, so that it can be ended
    with its children. It is ended after so many seconds. `errors` says where its standard error
    goes. Raises `OSError` or `ValueError` if it cannot be started."""
    with subprocess.Popen(
        command, cwd=folder, env=environment, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
    ) as process:  # fmt: skip
        try:
            output, _ = process.communicate(sent, seconds)
        except subprocess.TimeoutExpired:
            return Finished(None, b"")
        finally:
            end_all(process)
    return Finished(process.returncode, output)


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
