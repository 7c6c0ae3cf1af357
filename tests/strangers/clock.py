"""A clock for tests: no time passes for some readings, and then it is past every deadline."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import dipsat
from dipsat.errors import LimitError
from tests.phases import BY_SOLVER

LIMITS = dipsat.Limits(seconds=1000, work=BY_SOLVER.work)
"""The solver judges, which looks at the clock more often than compiled equations do."""
_LATE = 1e12  # seconds


class Clock:
    """A test's `time.monotonic`. `read` counts its readings, and `calls` the calls of functions in
    a `counting` block; `gap` is the most calls between two readings. It shows `now` until it is
    late."""

    def __init__(self, readings: int | None) -> None:
        self.readings = readings
        self.now = 0.0
        self.read = 0
        self.gap = 0
        self.calls = 0
        self._last = 0

    def __call__(self) -> float:
        self.read += 1
        self._look()
        return _LATE if self.readings is not None and self.read > self.readings else self.now

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count the calls of functions in the block."""

        def note(_: Any, event: str, __: Any) -> None:
            self.calls += event in ("call", "c_call")

        before = sys.getprofile()
        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(before)
        self._look()

    def _look(self) -> None:
        self.gap, self._last = max(self.gap, self.calls - self._last), self.calls


@contextmanager
def late_after(readings: int | None) -> Iterator[Clock]:
    """Let the time be up after this many readings of the clock, or never if it is None."""
    clock = Clock(readings)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(time, "monotonic", clock)
        yield clock


def readings_of(call: Callable[[], object]) -> int:
    """How often a call reads the clock."""
    with late_after(None) as clock:
        call()
    return clock.read


def points(call: Callable[[], object], most: int = 15) -> list[int]:
    """Some numbers of readings of the clock, spread over a call, after which its time is up."""
    readings = readings_of(call)
    assert readings > 2
    return sorted({1, *range(1, readings, max(1, readings // most)), readings - 1})


def in_time(call: Callable[[], Any]) -> Any:
    """The result of a call, None for a `LimitError`."""
    try:
        return call()
    except LimitError:
        return None


def late_results(call: Callable[[], Any], most: int = 15) -> Iterator[Any]:
    """The results of a call, None for a `LimitError`, where its time is up at several points."""
    for point in points(lambda: in_time(call), most):
        with late_after(point):
            found = in_time(call)
        yield found
