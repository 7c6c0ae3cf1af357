"""One function on many arguments, wherever there are workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from dipsat.errors import DipsatError, WorkerError
from dipsat.executors.run import Stage, results_of
from dipsat.executors.workers import Jobs
from dipsat.values import brief

_T = TypeVar("_T")
_R = TypeVar("_R")


@brief()
@dataclass(frozen=True, slots=True)
class Done(Generic[_T, _R]):
    """What became of one argument of `dipsat.run_many`."""

    given: _T
    """The argument."""
    result: _R | None
    """What the function returned, None if there is an error."""
    error: DipsatError | None = None
    """The error that it raised, or a `WorkerError` if its process died of it again and again."""


def run_many(
    function: Callable[[_T], _R], work: Iterable[_T], jobs: Jobs = 1
) -> Iterator[Done[_T, _R]]:
    """Call a function with each of many arguments, and return what becomes of each, in their order.

    `function` is one of dipsat, or one of your own in a module that workers can import (not in the
    program itself); further arguments come from `functools.partial`. `work` is read, and results
    are computed, only as they are needed. `jobs` is the number of processes, an executor of
    `concurrent.futures`, or `Workers`, whose journal keeps results that consist of plain values and
    of values of dipsat.

    An error of dipsat is part of the result, and the rest goes on; any other error is raised.
    Raises `WorkerError` if something cannot be sent to workers, or if there are none any more, and
    `JournalError` for a journal that cannot be used.
    """
    stage: Stage[_T, tuple[_R | None, DipsatError | None]] = Stage(
        "calls", partial(_called, function), _lost, depends=function
    )
    return (Done(given, *found) for given, found in results_of(stage, work, jobs, few=1))


def _called(function: Callable[[_T], _R], given: _T) -> tuple[_R | None, DipsatError | None]:
    try:
        return function(given), None
    except DipsatError as error:
        return None, error


def _lost(_: Any, reason: str) -> tuple[None, DipsatError]:
    return None, WorkerError(reason)
