"""Calls in a process of their own, which is ended when it outstays its limits.

The process is a fresh Python, not a fork: a fork inherits the locks of other threads, and hangs if
one of them is inside Z3.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, TypeVar

from dipsat.base.limits import MAX_SECONDS, UNLIMITED, Limits
from dipsat.errors import LimitError, WorkerError, readable

_T = TypeVar("_T")

_CALL = "from dipsat.base.child_process import answer; answer()"
_MEGABYTE = 2**20
NO_MEMORY = 77
"""The exit status of a process that got no memory."""


def run_limited(
    limits: Limits, function: Callable[..., _T], /, *arguments: Any, **named: Any
) -> _T:
    """Return what a function returns, called in a process of its own.

    `function` is a public function of dipsat, such as `dipsat.adjudicate`, or one of your own in a
    module that can be imported (not in the program itself). Its arguments, named ones too, and its
    result are sent from process to process; of an iterator, the list is returned. The process is
    ended after `limits.seconds`, and can have at most `limits.megabytes` of memory (not on
    Windows). It takes about half a second to start. If `limits` say something about work or files,
    the function gets these as its argument `limits`.

    Raises `LimitError` if the process outstays the limits, or if the function takes no `limits`
    though it should get them; `WorkerError` if the function or the result cannot be sent, or the
    process ends otherwise; and the errors of the function.
    """
    try:
        sent = pickle.dumps((function, arguments, _with_limits(limits, function, named)))
    except (pickle.PicklingError, AttributeError, TypeError, RecursionError) as error:
        problem = f"the call cannot be sent to another process: {readable(str(error))}"
        raise WorkerError(problem) from None
    if getattr(function, "__module__", "") == "__main__":
        name = getattr(function, "__name__", "the function")
        problem = f"{name} is part of the program itself; put it into a module of its own"
        raise WorkerError(problem)
    done = _run(sent, limits)
    if done.status is None:
        raise LimitError("seconds", limits.seconds, "was not enough")
    if done.status:
        raise _died(limits, done.status)
    try:
        is_error, found = pickle.loads(done.output)  # our own process has made it
    except (EOFError, pickle.UnpicklingError, ValueError):
        raise WorkerError("the process ended without an answer") from None
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


def _run(sent: bytes, limits: Limits) -> Finished:
    """A fresh Python that has read what is sent."""
    paths = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-c", _CALL, str(limits.megabytes or 0)]
    seconds = None if limits.seconds is None else min(limits.seconds, MAX_SECONDS)
    return run(command, seconds, None, {**os.environ, "PYTHONPATH": paths}, sent, errors=None)


def _died(limits: Limits, status: int) -> LimitError | WorkerError:
    if limits.megabytes is None:
        return WorkerError(f"the process ended with status {status}")
    problem = "was not enough" if status == NO_MEMORY else f"ended the process (status {status})"
    return LimitError("megabytes", limits.megabytes, problem)


def answer() -> None:
    """What the process of `run_limited` does: read a call from standard input, and write whether it
    raised an error, and the error or the result."""
    limit_memory(int(sys.argv[1]))
    output, sys.stdout = sys.stdout.buffer, sys.stderr
    try:
        function, arguments, named = pickle.loads(sys.stdin.buffer.read())  # from our own process
        result = function(*arguments, **named)
        found = (False, list(result) if isinstance(result, Iterator) else result)
    except MemoryError:
        sys.exit(NO_MEMORY)
    except Exception as error:  # the caller gets it, whatever it is
        found = (True, error)
    output.write(_pickled(found))


def _pickled(found: tuple[bool, Any]) -> bytes:
    """The answer as it is sent; if it cannot be, an error that says so."""
    try:
        sent = pickle.dumps(found)
        pickle.loads(sent)  # an error with a constructor of its own may not come back
    except MemoryError:
        sys.exit(NO_MEMORY)
    except Exception as error:
        what = f"the error {found[1]!r}" if found[0] else "the result"
        problem = f"{readable(what)} cannot be sent to another process: {readable(str(error))}"
        return pickle.dumps((True, WorkerError(problem)))
    return sent


def limit_memory(megabytes: int) -> None:
    """Limit the memory of this process; 0 for no limit. Raises `LimitError` on Windows."""
    if megabytes:
        try:
            import resource
        except ImportError:
            raise LimitError("megabytes", megabytes, "cannot be kept on this system") from None

        most = megabytes * _MEGABYTE
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def lift_memory_limit() -> None:
    """Undo `limit_memory`, so that a process that got no memory can end in order."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def end_after(seconds: float, message: str) -> None:
    """End this process after so many seconds with a message on standard error and status 3."""

    def end() -> None:
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()
        from multiprocessing import active_children  # not worth loading for nothing

        for worker in active_children():
            worker.kill()
        os._exit(3)  # whatever the other threads do

    watch = threading.Timer(min(seconds, threading.TIMEOUT_MAX), end)
    watch.daemon = True
    watch.start()


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
    with its children: after `seconds`, or when this process ends. `errors` says where its standard
    error goes. Raises `OSError` or `ValueError` if it cannot be started."""
    with subprocess.Popen(
        command, cwd=folder, env=environment, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
    ) as process:  # fmt: skip
        starter, ended = os.getpid(), threading.Event()

        def end_with_this_process() -> None:
            if os.getpid() == starter:  # not one that was forked meanwhile
                ended.set()
                end_all(process)

        atexit.register(end_with_this_process)
        try:
            output, _ = process.communicate(sent, seconds)
        except subprocess.TimeoutExpired:
            return Finished(None, b"")
        finally:
            atexit.unregister(end_with_this_process)
            end_all(process)
            if ended.is_set():  # nothing goes on in this thread while the main one ends all
                threading.Event().wait()
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
