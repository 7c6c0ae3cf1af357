"""The same work on many pieces, in several processes, with bounded memory."""

from __future__ import annotations

import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from dipsat.errors import WorkerError

if TYPE_CHECKING:
    from concurrent.futures import Future

_T = TypeVar("_T")
_R = TypeVar("_R")

Progress: TypeAlias = Callable[[str, float, float], None]
"""Called with the name of the current work, how much of it is done, and the total."""


def silent(what: str, done: float, total: float) -> None:
    """Show no progress."""


_MOST_JOBS = 1024  # processes; a computer with as many cores is rare
_LOOKS, _PAUSE = 20, 0.001  # a thread that has ended is still in the system's list for a moment
_AHEAD = 4  # pieces of work per process that are read before they are needed


def results_of(
    do: Callable[[_T], _R], work: Iterable[_T], jobs: int, few: int
) -> Iterator[tuple[_T, _R]]:
    """Return each piece of work with the result of `do`, in the order given.

    `jobs` is the number of processes; more than 1,024 are never started, and no other process is
    for up to `few` pieces. Processes start now, not when the first result is needed, because a
    progress bar may have a thread by then; beside other threads they are spawned, not forked.
    Raises `WorkerError` if a process dies.
    """
    pieces = iter(work)
    first = list(islice(pieces, few + 1))
    everything = chain(first, pieces)
    if jobs < 2 or len(first) <= few:
        return ((piece, do(piece)) for piece in everything)
    pool = _Pool(do, min(jobs, _MOST_JOBS))
    pool.submit(everything, pool.ahead)
    return pool.results(everything)


def watched(results: Iterable[_R], what: str, total: int, show: Progress) -> Iterator[_R]:
    """The results as they come. After the caller has used each, `show` reports how many of `total`
    are done."""
    show(what, 0, total or 1)
    for done, result in enumerate(results, 1):
        yield result
        show(what, done, total)


def can_fork() -> bool:
    """Whether a process that is forked from this one can do anything that this one can.

    It has everything loaded and starts in a few hundredths of a second (two spawned ones take 0.4
    seconds), but it inherits the locks that other threads hold at that moment, such as Z3's, and
    waits for them for ever. So no thread may exist but ours: not one of Python's, nor one that a
    library has started and Python does not know of.
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


class _Pool(Generic[_T, _R]):
    """Worker processes. Only a few pieces of work are in memory at a time."""

    def __init__(self, do: Callable[[_T], _R], jobs: int) -> None:
        # Not every Python has what these need, such as one in a browser.
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        context = get_context("fork" if can_fork() else "spawn")
        self.do = pickle.dumps(do)
        self.ahead = _AHEAD * jobs
        self.pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts)
        self.running: deque[tuple[_T, Future[_R]]] = deque()

    def submit(self, work: Iterator[_T], count: int) -> None:
        """Give `count` pieces to the processes; the first pieces start them."""
        for piece in islice(work, count):
            self.running.append((piece, self.pool.submit(_done, self.do, piece)))

    def results(self, work: Iterator[_T]) -> Iterator[tuple[_T, _R]]:
        """All results, in the order of the work."""
        from concurrent.futures.process import BrokenProcessPool

        try:
            while self.running:
                oldest, future = self.running.popleft()
                yield oldest, future.result()
                self.submit(work, 1)
        except BrokenProcessPool:
            raise WorkerError("a process that did part of the work died; try one job") from None
        finally:
            self.pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts() -> None:
    """Ignore Ctrl-C, which reaches every process of a terminal; only the first one answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _done(do: bytes, piece: Any) -> Any:
    return _unpickled(do)(piece)


@lru_cache(maxsize=1)  # so that caches of a profile last from one piece to the next
def _unpickled(do: bytes) -> Callable[[Any], Any]:
    found: Callable[[Any], Any] = pickle.loads(do)  # our own process has made it
    return found
