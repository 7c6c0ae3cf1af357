"""What a call may cost and which files it may read, for input from strangers."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from dipsat.brief import brief
from dipsat.errors import LimitError
from dipsat.errors.arguments import checked_fields
from dipsat.files.named import ANYWHERE, Files, named_by

_Item = TypeVar("_Item")

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
class Running(Limits):
    """The limits of a call inside the caller's process that is running. Functions within dipsat
    hand them on; only `running` starts the clock."""

    deadline: float | None = None
    """The reading of `time.monotonic()` at which the call ends, None for no limit."""

    def check(self) -> None:
        """Raise `ExhaustedError` if the time is up."""
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise ExhaustedError(TOO_LATE)

    def spend(self, _: int) -> None:
        """The same for what counts its steps."""
        self.check()

    def each(self, items: Iterable[_Item]) -> Iterable[_Item]:
        """The items, with a look at the clock before each."""
        return items if self.deadline is None else self._checked(items)

    def _checked(self, items: Iterable[_Item]) -> Iterator[_Item]:
        for item in items:
            self.check()
            yield item

    def reading(self, files: Files) -> Running:
        """The same limits with other files."""
        return replace(self, files=files)

    def named_by(self, document: str | Path) -> Running:
        """The same limits for the names in a document, as in `dipsat.files.named`."""
        return self.reading(named_by(self.files, document))


ENDLESS = Running()
"""No limits, for functions within dipsat."""


@contextmanager
def running(limits: Limits) -> Iterator[Running]:
    """The limits of the call in the block, which begins now. Within a call that is running, they
    are that call's.

    Raises `LimitError` for `megabytes`, and if `Running.check` ends the block because the time is
    up.
    """
    if isinstance(limits, Running):
        yield limits
        return
    if limits is UNLIMITED:
        yield ENDLESS
        return
    if limits.megabytes is not None:
        problem = "needs a process of its own: call dipsat.run_limited"
        raise LimitError("megabytes", limits.megabytes, problem)
    seconds = limits.seconds
    end = None if seconds is None else time.monotonic() + min(seconds, MAX_SECONDS)
    try:
        yield Running(seconds, limits.work, None, limits.files, end)
    except ExhaustedError:
        raise not_enough(limits) from None


def not_enough(limits: Limits) -> LimitError:
    """The error for a call whose time is up before it can give part of an answer."""
    return LimitError("seconds", limits.seconds, "was not enough")
