"""What a search may cost: steps that are the same on every machine, and the clock beside them."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

QUESTION = 500
"""Steps of a question to Z3 besides those that Z3 counts itself. A step is about a microsecond."""

PHASE = 3000
"""Steps of an adjudication: 600 without a decision cycle, but many times more with one."""


INTERRUPTED = "the search was interrupted"


class ExhaustedError(Exception):
    """A search has used up its steps or its time, or was interrupted; `str` says which."""


class Effort:
    """The steps that are left, and the time at which to stop whatever is left.

    `steps` bounds the search alike on every machine, so the same question has the same answer.
    `deadline`, a reading of `time.monotonic()`, is an outer limit; None for none.
    """

    def __init__(self, steps: int, deadline: float | None = None) -> None:
        self.left = steps
        self.deadline = deadline
        self._is_interrupted = False

    def spend(self, steps: int = 0) -> None:
        """Count steps. Raises `ExhaustedError` when there are no more, the time is over, or
        the keyboard has interrupted."""
        self.left -= steps
        if self._is_interrupted:
            raise ExhaustedError(INTERRUPTED)
        if self.left <= 0:
            raise ExhaustedError("it would take too many steps")
        if self.is_over():
            raise ExhaustedError("the time was not enough")

    def is_over(self) -> bool:
        """Whether the time is over, or the keyboard has interrupted."""
        late = self.deadline is not None and time.monotonic() >= self.deadline
        return late or self._is_interrupted

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Within it an interrupt from the keyboard is raised by `spend`, as `ExhaustedError`.

        Python could raise `KeyboardInterrupt` anywhere, and loses it where an object of Z3 is
        deleted. An application's own handler of the signal is left alone.
        """
        is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if not is_default or threading.current_thread() is not threading.main_thread():
            yield
            return

        def note(*_: object) -> None:
            self._is_interrupted = True

        signal.signal(signal.SIGINT, note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)
