"""Calls in a separate process, which is ended when it exceeds its limits.

The process is a fresh Python, not a fork. A fork inherits the locks of other threads, and hangs if
one of these threads is inside Z3.
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

from dipsat.base.limits import MAX_SECONDS, UNLIMITED, Limits, not_enough
from dipsat.errors import LimitError, WorkerError, readable

_T = TypeVar("_T")

_CALL = "from dipsat.base.child_process import answer; answer()"
_MEGABYTE = 2**20
NO_MEMORY = 77
"""The exit status of a process that ran out of memory."""


def run_limited(
    limits: Limits, function: Callable[..., _T], /, *arguments: Any, **named: Any
) -> _T:
    """Call a function in a separate process, and return its result.

    `function` is a public function of dipsat, such as `dipsat.adjudicate`, or your own function in
    a module that can be imported (not in the main program). Its arguments, including named ones,
    and its result are pickled; an iterator is returned as a list. The process is ended after
    `limits.seconds`, and can have at most `limits.megabytes` of memory (not on Windows). It takes
    about half a second to start. If `limits` restrict work or files, the function receives these
    limits as its argument `limits`.

    Raises `LimitError` if the process exceeds the limits, or if the function needs `limits` but has
    no such argument; `WorkerError` if the function or the result cannot be sent, or the process
    ends early; and the errors of the function.
    """
    try:
        sent = pickle.dumps((function, arguments, _with_limits(limits, function, named)))
    except (pickle.PicklingError, AttributeError, TypeError, RecursionError) as error:
        problem = f"the call cannot be sent to another process: {readable(str(error))}"
        raise WorkerError(problem) from None
    if getattr(function, "__module__", "") == "__main__":
        name = getattr(function, "__name__", "the function")
        problem = f"{name} is part of the main program; move it into its own module"
        raise WorkerError(problem)
    done = _run(sent, limits)
    if done.status is None:
        raise not_enough(limits)
    if done.status:
        raise _died(limits, done.status)
    try:
        is_error, found = pickle.loads(done.output)  # written by our own process
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
        raise LimitError(limit, value, f"cannot be enforced: {name} takes no `limits`")
    return {**named, "limits": own}


def _takes_limits(function: Callable[..., Any]) -> bool:
    try:
        return "limits" in signature(function).parameters
    except (TypeError, ValueError):  # some built-in functions have no signature
        return False


def _run(sent: bytes, limits: Limits) -> Finished:
    """Run a fresh Python, which reads `sent`."""
    paths = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-c", _CALL, str(limits.megabytes or 0)]
    seconds = None if limits.seconds is None else min(limits.seconds, MAX_SECONDS)
    return run(command, seconds, None, {**os.environ, "PYTHONPATH": paths}, sent, errors=None)


def _died(limits: Limits, status: int) -> LimitError | WorkerError:
    if limits.megabytes is None:
        return WorkerError(f"the process ended with status {status}")
    problem = "" if status == NO_MEMORY else f"ended the process (status {status})"
    return LimitError("megabytes", limits.megabytes, problem)


def answer() -> None:
    """The main function of the process of `run_limited`: read a call from standard input, and write
    whether it raised an error, with the error or the result."""
    limit_memory(int(sys.argv[1]))
    output, sys.stdout = sys.stdout.buffer, sys.stderr
    try:
        function, arguments, named = pickle.loads(sys.stdin.buffer.read())  # from our own process
        result = function(*arguments, **named)
        found = (False, list(result) if isinstance(result, Iterator) else result)
    except MemoryError:
        sys.exit(NO_MEMORY)
    except Exception as error:  # any error goes to the caller
        found = (True, error)
    output.write(_pickled(found))


def _pickled(found: tuple[bool, Any]) -> bytes:
    """The pickled answer, or an error if the answer cannot be sent."""
    try:
        sent = pickle.dumps(found)
        pickle.loads(sent)  # an error with its own constructor may fail here
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
            raise LimitError("megabytes", megabytes, "cannot be enforced on this system") from None

        most = megabytes * _MEGABYTE
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def lift_memory_limit() -> None:
    """Undo `limit_memory`, so that a process that ran out of memory can end properly."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def end_after(seconds: float, message: str) -> None:
    """End this process after this many seconds, with a message on standard error and status 3."""

    def end() -> None:
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()
        from multiprocessing import active_children  # loaded only if needed

        for worker in active_children():
            worker.kill()
        os._exit(3)  # without waiting for other threads

    watch = threading.Timer(min(seconds, threading.TIMEOUT_MAX), end)
    watch.daemon = True
    watch.start()


@dataclass(frozen=True, slots=True)
class Finished:
    """A program that has ended."""

    status: int | None
    """Its exit status; None if its time was up."""
    output: bytes
    """What it printed to standard output, and to standard error if requested."""


def run(
    command: Sequence[str],
    seconds: float | None,
    folder: str | None = None,
    environment: Mapping[str, str] | None = None,
    sent: bytes = b"",
    errors: int | None = subprocess.STDOUT,
) -> Finished:
    """Run a program that reads `sent`. It has its own session, so it can be ended with its
    children: after `seconds`, or when this process ends. `errors` says where its standard error
    goes. Raises `OSError` or `ValueError` if it cannot be started."""
    with subprocess.Popen(
        command, cwd=folder, env=environment, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
    ) as process:  # fmt: skip
        starter, ended = os.getpid(), threading.Event()

        def end_with_this_process() -> None:
            if os.getpid() == starter:  # not a fork made meanwhile
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
            if ended.is_set():  # this thread stops here while the main thread ends the process
                threading.Event().wait()
    return Finished(process.returncode, output)


def end_all(process: subprocess.Popen[bytes]) -> None:
    """End a process that has its own session, if it still runs, and all processes that it has
    started."""
    if hasattr(os, "killpg"):
        end_session(process.pid)
    elif process.poll() is None:
        process.kill()


def end_session(leader: int) -> None:
    """End all processes of a session, given the number of its leader. Not on Windows."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
