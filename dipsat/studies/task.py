"""A task: some pieces of work in one process, wherever it is, which must have the same dipsat.

Everything is sent as bytes, so that a worker without dipsat, or with another version of it, can be
recognised before anything of it is used.
"""

from __future__ import annotations

import os
import pickle
import platform
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from dipsat.base import __version__, data_folder, open_file
from dipsat.errors import WorkerError

_PACKAGE = Path(__file__).resolve().parents[1]
_SUFFIXES = (".py", ".h", ".yaml", ".txt")


@cache
def own_stamp() -> str:
    """The version of this dipsat, and a digest of its code, shipped rules and cases."""
    digest = sha256()
    for folder in (_PACKAGE, data_folder("rules"), data_folder("datc")):
        for name, path in sorted(_files(folder).items()):
            with open_file(path) as opened:
                digest.update(f"{name}\0{sha256(opened.read()).hexdigest()}\0".encode())
    return f"{__version__} ({digest.hexdigest()[:12]})"


def _files(folder: Path) -> dict[str, Path]:
    """The files of a folder that count, by their paths in it. If the package contains the rules and
    cases, those folders are looked at separately."""
    inner = _PACKAGE / "data" if folder == _PACKAGE else None
    return {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*.*")
        if path.suffix in _SUFFIXES and not (inner and path.is_relative_to(inner))
    }


def place() -> str:
    """The name of this computer, and the number of this process."""
    return f"process {os.getpid()} on {platform.node() or 'this computer'}"


DONE, NO_MEMORY, RAISED = "done", "no memory", "raised"

Answer: TypeAlias = tuple[str, bytes]
"""One of the words above for a piece, and its result or error."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to a task: those to its first pieces (all, unless one raised an error or the
    worker refused it), and the seconds that they took."""

    seconds: float
    given: tuple[Answer, ...]


_ONE_AT_A_TIME = threading.RLock()  # Z3 and compiled rules are for one thread


@contextmanager
def letting_others_work() -> Iterator[None]:
    """If this thread is doing a piece of work, let other threads do theirs until the end of the
    block: it may be waiting for them."""
    try:
        _ONE_AT_A_TIME.release()
    except RuntimeError:  # it is doing none
        yield
        return
    try:
        yield
    finally:
        _ONE_AT_A_TIME.acquire()


def answers(do: bytes, pieces: Sequence[bytes], stamp: str = "") -> Answers:
    """Do pieces of work. `stamp` is the stamp that this dipsat must have; "" for no check."""
    with letting_others_work(), _ONE_AT_A_TIME:  # held once at most
        start = time.perf_counter()
        if stamp and stamp != own_stamp():
            both = f"{place()} has dipsat {own_stamp()}, this computer {stamp}"
            refusal = WorkerError(f"{both}; install the same on both")
            return Answers(0, ((RAISED, pickle.dumps(refusal)),))
        found: list[Answer] = []
        for piece in pieces:
            found.append(_answer(do, piece))
            if found[-1][0] == RAISED:
                break
        return Answers(time.perf_counter() - start, tuple(found))


def _answer(do: bytes, piece: bytes) -> Answer:
    try:
        result = _unpickled(do)(pickle.loads(piece))  # the caller has made both
        return DONE, sent(result, "a result cannot be sent back")
    except MemoryError:
        return NO_MEMORY, b""
    except Exception as error:  # raised again where the results are read
        return RAISED, _fault(error)


def sent(value: object, problem: str) -> bytes:
    """A value as bytes. Raises `WorkerError`, which begins with `problem`, if that is
    impossible."""
    try:
        return pickle.dumps(value)
    except MemoryError:
        raise
    except Exception as error:  # its class can raise anything
        raise WorkerError(f"{problem}: {error}") from None


def _fault(error: Exception) -> bytes:
    """An error as bytes, with its traceback; one that cannot be sent as a `WorkerError`."""
    error.add_note(f"in {place()}:\n{traceback.format_exc()}")
    try:
        data = pickle.dumps(error)
        pickle.loads(data)
    except Exception:  # its class can raise anything
        return pickle.dumps(WorkerError(f"{type(error).__name__}: {error}"))
    return data


@lru_cache(maxsize=2)  # so that a profile's caches last from one task to the next
def _unpickled(do: bytes) -> Callable[[Any], Any]:
    found: Callable[[Any], Any] = pickle.loads(do)
    return found


class Task:
    """A call of `answers`, which `pickle.loads` makes when it reads the bytes of a task.

    So whoever passes it on needs no dipsat, and a worker without dipsat raises an error for the
    task. A worker would break down over a task that it cannot read.
    """

    def __init__(self, do: bytes, pieces: Sequence[bytes], stamp: str) -> None:
        self._arguments = do, list(pieces), stamp

    def __reduce__(self) -> tuple[Any, ...]:
        return answers, self._arguments
