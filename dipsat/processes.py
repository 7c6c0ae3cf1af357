"""The same work on many things, on several cores, with bounded memory."""

from __future__ import annotations

import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, Generic, TypeAlias, TypeVar

from dipsat.errors import WorkerError

_T = TypeVar("_T")
_R = TypeVar("_R")

Progress: TypeAlias = Callable[[str, float, float], None]
"""Called with what is being done, how much is done, and of how much."""


def silent(what: str, done: float, total: float) -> None:
    """The progress that nobody looks at."""


_AHEAD = 4  # pieces of work per process that are read before they are needed


def results_of(
    do: Callable[[_T], _R], work: Iterable[_T], jobs: int, few: int
) -> Iterator[tuple[_T, _R]]:
    """Each piece of work with what `do` makes of it, in the order given.

    `jobs` is the number of processes; for no more than `few` pieces no other process is started.
    Where processes are, they start now, not when the first result is asked for: then a progress
    bar may already have a thread. Raises `WorkerError` if a process dies.
    """
    pieces = iter(work)
    first = list(islice(pieces, few + 1))
    everything = chain(first, pieces)
    if jobs < 2 or len(first) <= few:
        return ((piece, do(piece)) for piece in everything)
    pool = _Pool(do, jobs)
    pool.submit(everything, pool.ahead)
    return pool.results(everything)


def watched(results: Iterable[_R], what: str, total: int, show: Progress) -> Iterator[_R]:
    """The results as they come; `show` is told how many of `total` have been made use of."""
    show(what, 0, total or 1)
    for done, result in enumerate(results, 1):
        yield result
        show(what, done, total)


class _Pool(Generic[_T, _R]):
    """Processes that work. Only a few pieces of work at a time are in memory."""

    def __init__(self, do: Callable[[_T], _R], jobs: int) -> None:
        # A forked process has everything loaded already, but must not be forked from a process
        # with threads, whose locks it would inherit.
        can_fork = sys.platform == "linux" and threading.active_count() == 1
        context = get_context("fork" if can_fork else "spawn")
        self.do = pickle.dumps(do)
        self.ahead = _AHEAD * jobs
        self.pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts)
        self.running: deque[tuple[_T, Future[_R]]] = deque()

    def submit(self, work: Iterator[_T], count: int) -> None:
        """Give the processes so many pieces; the first ones start the processes."""
        for piece in islice(work, count):
            self.running.append((piece, self.pool.submit(_done, self.do, piece)))

    def results(self, work: Iterator[_T]) -> Iterator[tuple[_T, _R]]:
        """All results, in the order of the work."""
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
    """Ctrl-C reaches every process of a terminal; only the first one is to answer it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _done(do: bytes, piece: Any) -> Any:
    return _unpickled(do)(piece)


@lru_cache(maxsize=1)  # so that what is kept about a profile is kept from one piece to the next
def _unpickled(do: bytes) -> Callable[[Any], Any]:
    found: Callable[[Any], Any] = pickle.loads(do)  # our own process has made it
    return found
