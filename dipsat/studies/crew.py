"""The workers that do tasks: processes of this computer, or an executor that somebody else made."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path

from dipsat.errors import WorkerError
from dipsat.studies.options import MOST_JOBS
from dipsat.studies.task import Answers, Task, answers, own_stamp

_LOOKS, _PAUSE = 20, 0.001  # an ended thread stays in the system's list for a moment
_AHEAD = 4  # tasks per process that are handed out before they are needed
_UNKNOWN_SIZE = 16  # assumed for an executor that does not say how many processes it has
_AT_HAND, _FAR = 0.1, 1.0  # seconds that a task should take


class Crew:
    """The workers of an executor that the caller made. It is not repaired if it breaks, and not
    shut down at the end."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    @property
    def seconds(self) -> float:
        """How long a task should take: long compared with the cost of handing it out."""
        return _FAR

    def room(self) -> int:
        """How many tasks may be handed out at a time. Called at least every second. Raises
        `WorkerError` if no worker is left."""
        return _AHEAD * int(getattr(self._executor, "_max_workers", 0) or _UNKNOWN_SIZE)

    def submit(self, do: bytes, pieces: Sequence[bytes]) -> Future[Answers]:
        """Hand out a task."""
        task = pickle.dumps(Task(do, pieces, own_stamp()))
        try:
            return self._executor.submit(pickle.loads, task)
        except RuntimeError as error:  # it is broken, or has been shut down
            raise self._lost(error) from None

    def deaths(self, error: BaseException, is_alone: bool) -> int | None:
        """How many workers died of a task that failed without an answer. 0: it was not the cause.
        None: it has to be tried alone to find out. Raises `WorkerError` if no worker is left."""
        refuse_other_dipsat(error)
        raise self._lost(error) from None

    def _lost(self, error: BaseException) -> WorkerError:
        text = str(error) or type(error).__name__
        return WorkerError(f"the executor {type(self._executor).__name__} failed: {text}")

    def close(self) -> None:
        """Dismiss the workers; tasks that have not begun are dropped."""


class LocalCrew(Crew):
    """Processes of this computer.

    They share one queue. If one dies, all tasks in the queue are lost, and any of them may be the
    cause, so each is then tried alone, by new processes.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = min(jobs, MOST_JOBS)
        super().__init__(_processes(self._jobs, "fork" if can_fork() else "spawn"))

    @property
    def seconds(self) -> float:
        """How long a task should take."""
        return _AT_HAND

    def submit(self, do: bytes, pieces: Sequence[bytes]) -> Future[Answers]:
        """Hand out a task, to new processes if one has died."""
        try:
            return self._executor.submit(answers, do, pieces)
        except BrokenExecutor:
            self._executor.shutdown(wait=False)
            self._executor = _processes(self._jobs, "spawn")
            return self._executor.submit(answers, do, pieces)

    def deaths(self, error: BaseException, is_alone: bool) -> int | None:
        """How many processes died of a task."""
        if not isinstance(error, BrokenExecutor):
            raise error
        return 1 if is_alone else None

    def close(self) -> None:
        """End the processes."""
        self._executor.shutdown(wait=True, cancel_futures=True)


def refuse_other_dipsat(error: BaseException, where: str = "") -> None:
    """Raise `WorkerError` if an error shows that a worker lacks this version of dipsat. `where`
    says where that was, and ends with a space."""
    if isinstance(error, ImportError | AttributeError):
        problem = f"a worker has another dipsat, or none ({error}); install the same everywhere"
        raise WorkerError(f"{where}{problem}") from None


def _processes(count: int, method: str) -> Executor:
    # Some Pythons, such as one in a browser, lack what these need.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(count, mp_context=get_context(method), initializer=_serve)


def _serve() -> None:
    """Begin as a worker process: end when the main process ends, however it does, and ignore
    Ctrl-C, which reaches every process of a terminal; only the main process answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # whatever the main process does
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def can_fork() -> bool:
    """Whether a process that is forked from this one can do anything that this one can.

    It has everything loaded and starts in a few hundredths of a second (two spawned ones take 0.4
    seconds). But it inherits the locks that other threads hold at that moment, such as Z3's, and
    would wait for them for ever. So ours must be the only thread, counting also those that a
    library started without Python knowing.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        return False
    for _ in range(_LOOKS):
        try:
            if len(list(Path("/proc/self/task").iterdir())) == 1:
                return True
        except OSError:
            return False
        time.sleep(_PAUSE)
    return False
