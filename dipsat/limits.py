"""What a call may cost and which files it may read, for input from strangers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from dipsat.brief import brief
from dipsat.errors import LimitError
from dipsat.errors.arguments import checked_fields
from dipsat.files.named import ANYWHERE, Files, named_by

MAX_SECONDS = 10**9
"""Longer than anybody waits; a longer limit is no limit."""

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
    _end: float | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse limits that are no numbers above zero."""
        for name in ("seconds", "work", "megabytes"):
            value = getattr(self, name)
            if value is not None and not value > 0:  # not a number is not above zero either
                raise LimitError(name, value, "should be more than 0")

    @contextmanager
    def running(self) -> Iterator[Limits]:
        """These limits for a call inside the caller's process that begins now; those of a call that
        is running already stay as they are.

        When the time is up, `check` ends the block with `LimitError`. Raises it for `megabytes` at
        once.
        """
        if self.megabytes is not None:
            problem = "needs a process of its own: call dipsat.run_limited"
            raise LimitError("megabytes", self.megabytes, problem)
        if self.seconds is None or self._end is not None:
            yield self
            return
        try:
            yield replace(self, _end=time.monotonic() + min(self.seconds, MAX_SECONDS))
        except ExhaustedError:
            raise self.not_enough() from None

    @property
    def deadline(self) -> float | None:
        """The reading of `time.monotonic()` at which a running call ends, None for no limit."""
        return self._end

    @property
    def are_over(self) -> bool:
        """Whether the time of a running call is up."""
        return self._end is not None and time.monotonic() >= self._end

    def check(self) -> None:
        """Raise `ExhaustedError` if the time of a running call is up."""
        if self.are_over:
            raise ExhaustedError(TOO_LATE)

    def not_enough(self) -> LimitError:
        """The error for a call that cannot give part of an answer."""
        return LimitError("seconds", self.seconds, "was not enough")

    def reading(self, files: Files) -> Limits:
        """The same limits with other files."""
        return replace(self, files=files)

    def named_by(self, document: str | Path) -> Limits:
        """The same limits for the names in a document (`dipsat.files.named.named_by`)."""
        return self.reading(named_by(self.files, document))


UNLIMITED = Limits()
"""Nothing but dipsat's own bounds."""
