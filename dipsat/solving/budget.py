"""The cost limits of a search: steps, which are the same on every machine, and a deadline. Also a
way to wait for a solver while still reacting to the clock and the keyboard.

Where no thread can be started, as in a browser, a solver cannot be interrupted. There it works in
slices of steps, and the clock is checked after each.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from dipsat.base import TOO_LATE, ExhaustedError as ExhaustedError, running_deadline, running_limits

_T = TypeVar("_T")

Progress = Callable[[str], None]
"""Called with a description of what a search is trying."""

QUESTION = 500
"""Steps charged for a question to a solver besides those that the solver counts. A step is about a
microsecond."""

PHASE = 3000
"""The least number of steps charged for an adjudication (`Solution.steps`). One takes 600 without a
decision cycle, many more with one."""

INTERRUPTED = "the search was interrupted"
"""The beginning of the reason for an unknown answer after Ctrl-C."""
TOO_MANY = "it would take too many steps"
_GLANCE = 0.02  # seconds between checks of the clock and the keyboard while a solver runs

_SLICE = 50_000  # steps of a solver in its first slice, a fraction of a second


@dataclass(frozen=True, slots=True)
class Slices:
    """How a solver works in slices of steps, as it does where it cannot be interrupted."""

    allow: Callable[[int], None]
    """Allows the next question this many steps."""
    is_open: Callable[[Any], bool]
    """Whether an answer means only that there were too few steps."""


def in_a_thread(work: Callable[[], _T]) -> tuple[threading.Thread, Future[_T]] | None:
    """A thread that does some work, and the future of its result; None where no thread can be
    started."""
    answer: Future[_T] = Future()
    worker = threading.Thread(target=_fulfil, args=(answer, work), daemon=True)
    try:
        worker.start()
    except RuntimeError:  # Python has no special class for this
        return None
    return worker, answer


MOST_STEPS = 2**32 - 1
"""The most steps that Z3 can be allowed: it keeps 32 bits of the number. No question takes more."""


class Budget:
    """The steps left for a search, and a deadline. Code that is given a budget raises
    `ExhaustedError` when it is used up.

    `steps` limits the search in the same way on every machine, so that the same question has the
    same answer; None means no limit. `deadline`, a reading of `time.monotonic()`, stops the search
    earlier; by default, it is that of the running call.
    """

    def __init__(self, steps: int | None = None, deadline: float | None = None) -> None:
        self.left = steps
        self.deadline = running_deadline() if deadline is None else deadline
        self._is_interrupted = False

    def spend(self, steps: int = 0) -> None:
        """Count steps. Raises `ExhaustedError` if none are left, the time is up, or Ctrl-C was
        pressed."""
        self.charge(steps)
        if self._is_interrupted:
            raise ExhaustedError(INTERRUPTED)
        if self.left is not None and self.left <= 0:
            raise ExhaustedError(TOO_MANY)
        if self.is_late():
            raise ExhaustedError(TOO_LATE)

    def spend_later(self, steps: int) -> None:
        """Raise `ExhaustedError` as `spend` does, or if fewer than these steps are left. They are
        charged later."""
        self.spend()
        if self.left is not None and self.left < steps:
            raise ExhaustedError(TOO_MANY)

    def charge(self, steps: int) -> None:
        """Count steps that have already been taken."""
        if self.left is not None:
            self.left -= steps

    @contextmanager
    def share(self, part: int) -> Iterator[Budget]:
        """A budget of 1 / `part` of what is left; the steps it spends are charged here too."""
        steps = None if self.left is None else max(1, self.left // part)
        now = time.monotonic()
        deadline = None if self.deadline is None else now + (self.deadline - now) / part
        given = Budget(steps, deadline)
        yield given
        if steps is not None and given.left is not None:
            self.charge(steps - given.left)

    @contextmanager
    def no_more_than(self, steps: int) -> Iterator[None]:
        """A context in which at most this many steps are left; the steps it spends are charged."""
        before = self.left
        given = steps if before is None else min(steps, before)
        self.left = given
        try:
            yield
        finally:
            self.left = None if before is None else before - (given - self.left)

    def is_over(self) -> bool:
        """Whether no steps are left, the time is up, or Ctrl-C was pressed."""
        return (self.left is not None and self.left <= 0) or self.is_late()

    def is_late(self) -> bool:
        """Whether the time is up, or Ctrl-C was pressed."""
        is_late = self.deadline is not None and time.monotonic() >= self.deadline
        return is_late or self._is_interrupted

    def wait(
        self, check: Callable[[], _T], interrupt: Callable[[], None], slices: Slices | None = None
    ) -> _T:
        """The result of `check`, which runs in a thread; `interrupt` stops it.

        Raises `ExhaustedError` if the time is up first. Ctrl-C does not have to wait for the result
        either: this thread can handle signals, which it could not inside a solver. Where there are
        no threads, `slices` keep to the time; without them, nothing does.
        """
        self.spend()
        started = in_a_thread(check)
        if started is None:
            return check() if slices is None else self._in_slices(check, slices)
        worker, answer = started
        is_stopped = False
        try:
            while worker.is_alive() and not self.is_over():
                worker.join(_GLANCE)
        finally:
            while worker.is_alive():  # an interrupt can be lost if the search has not begun
                is_stopped = True
                interrupt()
                worker.join(0.01)
        if is_stopped:  # even a result would be useless: the solver may refuse to give its model
            raise ExhaustedError(INTERRUPTED if self._is_interrupted else TOO_LATE)
        return answer.result()

    def _in_slices(self, check: Callable[[], _T], slices: Slices) -> _T:
        """The result of `check`, which is called again with more steps as long as there is time.

        A slice is twice the one before, but no longer than fits into the time left at the solver's
        speed so far. Without a deadline, the steps that the caller has allowed are the limit.
        """
        if self.deadline is None:
            return check()
        begun, done, steps = time.monotonic(), 0, _SLICE
        while True:
            left = steps if self.left is None else self.left - done
            steps = min(steps, left)
            slices.allow(max(1, steps))
            answer = check()
            done += steps
            if not slices.is_open(answer):
                return answer
            now = time.monotonic()
            if self.is_late():
                raise ExhaustedError(INTERRUPTED if self._is_interrupted else TOO_LATE)
            if self.left is not None and done >= self.left:
                return answer
            each = (now - begun) / done
            steps = max(1, min(2 * steps, int((self.deadline - now) / each)))

    @contextmanager
    def uninterrupted(self) -> Iterator[None]:
        """A context that Ctrl-C ends cleanly: `wait` stops, and `KeyboardInterrupt` is raised on
        leaving the context, not while a solver's objects are half made."""
        with self.interruptible():
            try:
                yield
            except ExhaustedError:
                if not self._is_interrupted:
                    raise
        if self._is_interrupted:
            raise KeyboardInterrupt

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """A context in which `spend` raises `ExhaustedError` after Ctrl-C.

        Otherwise Python could raise `KeyboardInterrupt` anywhere, and it is lost while a Z3 object
        is being deleted. An application's own signal handler stays in place.
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


def _fulfil(answer: Future[_T], check: Callable[[], _T]) -> None:
    try:
        answer.set_result(check())
    except Exception as error:  # raised again in the thread that waits
        answer.set_exception(error)


def budget_of(steps: int | None = None) -> Budget:
    """The budget of the running call; `steps` is dipsat's own limit, None for no limit."""
    work = running_limits().work
    return Budget(steps if work is None else work)
