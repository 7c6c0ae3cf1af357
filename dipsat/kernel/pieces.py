"""Work on many boards, in several threads or so that it can be interrupted."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import takewhile

_QUICK = 0.1  # seconds


def work_in_pieces(
    work: Callable[[int, int], object],
    count: int,
    threads: int,
    piece: int,
    large_piece: int,
) -> None:
    """Call `work` with ranges of `count` boards, in several threads; each takes the next range. One
    thread takes larger ranges and can be interrupted after each: twice as many boards as before if
    those were quick, at most `large_piece`.

    Raises the error of the first range that has one.
    """
    threads = min(threads, -(-count // piece))  # no more than there are ranges for
    if threads <= 1:
        first, size = 0, 1
        while first < count:
            end, start = min(first + size, count), time.monotonic()
            work(first, end)
            first = end
            quick = time.monotonic() - start < _QUICK
            size = min(2 * size, large_piece) if quick else max(size // 2, 1)
        return
    pieces = iter(range(0, count, piece))
    faults: list[tuple[int, BaseException]] = []

    def work_on() -> None:
        for first in pieces:
            try:
                work(first, min(first + piece, count))
            except BaseException as error:  # whatever it is, the caller should see it
                faults.append((first, error))
            if faults:
                return

    workers = [threading.Thread(target=work_on) for _ in range(threads)]
    started = list(takewhile(_starts, workers))
    if not started:  # no thread can be started here
        work_on()
    try:
        for worker in started:
            worker.join()
    except BaseException as interrupt:
        faults.append((-1, interrupt))  # the workers end with their pieces
        raise
    if faults:
        raise min(faults, key=lambda fault: fault[0])[1]


def _starts(worker: threading.Thread) -> bool:
    """Whether a thread can be started; it is, if so."""
    try:
        worker.start()
    except RuntimeError:  # Python has no class of its own for that
        return False
    return True
