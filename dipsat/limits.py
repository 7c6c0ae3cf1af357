"""What a call may cost and which files it may read, for input from strangers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path

from dipsat.brief import brief
from dipsat.errors import LimitError
from dipsat.errors.arguments import checked_fields
from dipsat.files.named import ANYWHERE, Files, named_by, narrower

MAX_SECONDS = 10**9
"""Longer than anybody waits; a longer limit is no limit."""
MAX_MEGABYTES = 10**9
"""More than any machine has."""

TOO_LATE = "the time limit was not enough"


class ExhaustedError(Exception):
    """A call has used up its steps or its time, or was interrupted; `str` says which.

    It is no `DipsatError`, because what gathers the faults of a document must not take it for one.
    No public function raises it.
    """


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the cost of a call, and the files that it may read. dipsat refuses rules, maps and
    orders that exceed its own bounds on their size in any case (docs/security.md)."""

    seconds: float | None = None
    """The seconds for the whole call. A function that judges leaves `unknown` what it has not
    decided by then; one that reads a file raises `LimitError`. None: no limit."""
    work: int | None = None
    """Steps of the solver, about a million a second, the same on every machine. What is not decided
    with them is `unknown`. None: dipsat's own bound, which no game comes near."""
    megabytes: int | None = None
    """Megabytes of memory. Only a process of its own can keep to it: `dipsat.run_limited`."""
    files: Files = ANYWHERE
    """Which files a name may stand for: a text passed as `rules` or `map`, or a name in a document.
    A `Path` that you pass, and the document itself, are read in any case."""

    def __post_init__(self) -> None:
        """Refuse limits that are no numbers above zero."""
        for name in ("seconds", "work", "megabytes"):
            value = getattr(self, name)
            if value is not None and not value > 0:  # not a number is not above zero either
                shown = max(value, -MAX_SECONDS) if value < 0 else value  # Python may not write it
                raise LimitError(name, shown, "should be more than 0")
            if name == "megabytes" and value is not None and value > MAX_MEGABYTES:
                raise LimitError(name, MAX_MEGABYTES, "is the most that can be kept")


UNLIMITED = Limits()
"""Nothing but dipsat's own bounds."""


@dataclass(frozen=True, slots=True)
class _Running:
    """What holds for the call that is running: its limits, and the reading of `time.monotonic()` at
    which it ends, None for no limit."""

    limits: Limits
    deadline: float | None = None


_WITHOUT = _Running(UNLIMITED)
_RUNNING = ContextVar("_RUNNING", default=_WITHOUT)


@contextmanager
def running(limits: Limits) -> Iterator[None]:
    """A block that begins now and keeps these limits, and those of the call in which it runs.

    Another thread does not know of them, and a generator would leave them to whoever reads it: so
    nothing is yielded inside. Raises `LimitError` for `megabytes`, and if the time is up before the
    block has another answer.
    """
    if limits == UNLIMITED:
        yield
        return
    if limits.megabytes is not None:
        problem = "needs a process of its own: call dipsat.run_limited"
        raise LimitError("megabytes", limits.megabytes, problem)
    outer = _RUNNING.get()
    end, seconds = outer.deadline, outer.limits.seconds
    if limits.seconds is not None:
        own = time.monotonic() + min(limits.seconds, MAX_SECONDS)
        if end is None or own < end:
            end, seconds = own, limits.seconds
    work = min((one for one in (outer.limits.work, limits.work) if one is not None), default=None)
    now = Limits(seconds, work, files=narrower(outer.limits.files, limits.files))
    try:
        with _set(_Running(now, end)):
            yield
    except ExhaustedError:
        raise not_enough(now) from None


def unlimited() -> AbstractContextManager[None]:
    """A block that nothing but dipsat's own bounds limits, for a step of a search that is charged
    for it as a whole."""
    return _set(_WITHOUT)


def reading(files: Files) -> AbstractContextManager[None]:
    """A block in which names stand for other files than outside it."""
    now = _RUNNING.get()
    return _set(replace(now, limits=replace(now.limits, files=files)))


def reading_names_in(document: str | Path) -> AbstractContextManager[None]:
    """A block that reads what a document names, as in `dipsat.files.named`."""
    return reading(named_by(allowed_files(), document))


@contextmanager
def _set(now: _Running) -> Iterator[None]:
    before = _RUNNING.set(now)
    try:
        yield
    finally:
        _RUNNING.reset(before)


def running_limits() -> Limits:
    """The limits of the call that is running."""
    return _RUNNING.get().limits


def running_deadline() -> float | None:
    """The reading of `time.monotonic()` at which the call that is running ends, None for none."""
    return _RUNNING.get().deadline


def allowed_files() -> Files:
    """The files for which a name may stand in the call that is running."""
    return _RUNNING.get().limits.files


def check_time() -> None:
    """Raise `ExhaustedError` if the time of the call that is running is up."""
    deadline = _RUNNING.get().deadline
    if deadline is not None and time.monotonic() >= deadline:
        raise ExhaustedError(TOO_LATE)


def not_enough(limits: Limits) -> LimitError:
    """The error for a call whose time is up before it can give part of an answer."""
    return LimitError("seconds", limits.seconds, "was not enough")
