"""Calls in a process of their own, which is ended when it outstays its limits.

The process is a fresh Python, not a fork: a fork inherits the locks of other threads, and hangs if
one of them is inside Z3.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from inspect import signature
from typing import Any, TypeVar

from dipsat.errors import DipsatError, LimitError
from dipsat.limits import MAX_SECONDS, UNLIMITED, Limits

_T = TypeVar("_T")

_CALL = "from dipsat.limited import answer; answer()"
_MEGABYTE = 2**20
_NO_MEMORY = 77  # an exit status


def run_limited(
    limits: Limits, function: Callable[..., _T], /, *arguments: Any, **named: Any
) -> _T:
    """Return what a function of dipsat returns, called in a process of its own.

    `function` is any public function, such as `dipsat.adjudicate`. Its arguments, named ones too,
    and its result are sent from process to process. The process is ended after `limits.seconds`,
    and can have at most `limits.megabytes` of memory (not on Windows). It takes about half a second
    to start. `limits.work` and `limits.files` are passed to the function as its `limits`.

    Raises `LimitError` if it outstays the limits, or dies, or if the function takes no `limits` and
    they say something about work or files, and the errors of the function.
    """
    sent = pickle.dumps((function, arguments, _with_limits(limits, function, named)))
    done = _run(sent, limits)
    if done.returncode:
        raise _died(limits, done.returncode)
    is_error, found = pickle.loads(done.stdout)  # our own process has made it
    if is_error:
        raise found
    result: _T = found
    return result


def _with_limits(
    limits: Limits, function: Callable[..., Any], named: dict[str, Any]
) -> dict[str, Any]:
    """The named arguments, with the limits that the function itself must keep."""
    own = replace(limits, seconds=None, megabytes=None)
    if own == UNLIMITED:
        return named
    limit, value = ("work", limits.work) if limits.work is not None else ("files", None)
    if "limits" in named:
        raise LimitError(limit, value, "is given twice: here, and in `limits` of the function")
    if not _takes_limits(function):
        name = getattr(function, "__name__", "the function")
        raise LimitError(limit, value, f"cannot be kept: {name} takes no `limits`")
    return {**named, "limits": own}


def _takes_limits(function: Callable[..., Any]) -> bool:
    try:
        return "limits" in signature(function).parameters
    except (TypeError, ValueError):  # Python does not know the arguments of all its own functions
        return False


def _run(sent: bytes, limits: Limits) -> subprocess.CompletedProcess[bytes]:
    """A fresh Python that has read what is sent."""
    paths = os.pathsep.join(path for path in sys.path if path)
    try:
        return subprocess.run(
            [sys.executable, "-c", _CALL, str(limits.megabytes or 0)],
            input=sent,
            stdout=subprocess.PIPE,
            check=False,
            timeout=None if limits.seconds is None else min(limits.seconds, MAX_SECONDS),
            env={**os.environ, "PYTHONPATH": paths},
        )
    except subprocess.TimeoutExpired:
        raise LimitError("seconds", limits.seconds, "was not enough") from None


def _died(limits: Limits, status: int) -> LimitError:
    problem = "was not enough" if status == _NO_MEMORY else f"ended the process (status {status})"
    return LimitError("megabytes", limits.megabytes, problem)


def answer() -> None:
    """What the process of `run_limited` does: read a call from standard input, and write whether it
    raised an error, and the error or the result."""
    limit_memory(int(sys.argv[1]))
    output, sys.stdout = sys.stdout.buffer, sys.stderr
    try:
        function, arguments, named = pickle.loads(sys.stdin.buffer.read())  # from our own process
        found = (False, function(*arguments, **named))
    except DipsatError as error:
        found = (True, error)
    except MemoryError:
        sys.exit(_NO_MEMORY)
    output.write(pickle.dumps(found))


def limit_memory(megabytes: int) -> None:
    """Limit the memory of this process; 0 for no limit. Raises `LimitError` on Windows."""
    if megabytes:
        try:
            import resource
        except ImportError:
            raise LimitError("megabytes", megabytes, "cannot be kept on this system") from None

        most = megabytes * _MEGABYTE
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def end_after(seconds: float, message: str) -> None:
    """End this process after so many seconds with a message on standard error and status 3."""

    def end() -> None:
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()
        os._exit(3)  # whatever the other threads do

    watch = threading.Timer(min(seconds, threading.TIMEOUT_MAX), end)
    watch.daemon = True
    watch.start()
