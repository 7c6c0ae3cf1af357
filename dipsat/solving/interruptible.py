"""Waiting for a solver without being deaf to the clock and the keyboard."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


def run_until(check: Callable[[], _T], interrupt: Callable[[], None], deadline: float | None) -> _T:
    """The answer of `check`, which is asked in a thread and stopped by `interrupt`.

    `deadline` is a reading of `time.monotonic()`; raises `TimeoutError` if it passes first. An
    interrupt from the keyboard does not have to wait for the answer either.
    """
    if deadline is not None and time.monotonic() >= deadline:
        raise TimeoutError
    answers: list[_T] = []
    worker = threading.Thread(target=lambda: answers.append(check()), daemon=True)
    worker.start()
    try:
        worker.join(None if deadline is None else _wait(deadline))
    except KeyboardInterrupt:
        _stop(worker, interrupt)
        raise
    _stop(worker, interrupt)
    if not answers:
        raise TimeoutError
    return answers[0]


def _wait(deadline: float) -> float:
    """The seconds until then, not more than a thread can wait."""
    return min(max(0.0, deadline - time.monotonic()), threading.TIMEOUT_MAX)


def _stop(worker: threading.Thread, interrupt: Callable[[], None]) -> None:
    """Interrupt until it takes effect: one that comes before the search has begun can be lost."""
    while worker.is_alive():
        interrupt()
        worker.join(0.01)
