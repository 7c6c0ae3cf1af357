"""Where long work runs: in this process, in others, or on other computers."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from dipsat.errors import QuestionError
from dipsat.errors.arguments import checked_fields
from dipsat.executors.defaults import RETRIES
from dipsat.values import brief


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Workers:
    """Where long work runs, and what happens if it is stopped (docs/cluster.md). The results are
    the same wherever it runs."""

    jobs: int = 1
    """The number of processes on this computer."""
    executor: Executor | None = None
    """An executor to use instead, of `concurrent.futures` or with its interface (Dask, MPI). It is
    not shut down at the end."""
    cluster: str = ""
    """The address of a Dask scheduler to use instead, such as `tcp://HOST:8786`; "" for none."""
    resume: str | Path | None = None
    """The path of a journal of what is done. If there is one already, the work in it is not done
    again. None: no journal."""
    retries: int = RETRIES
    """How often a piece of work that ended its worker is tried again before it is reported."""

    def __post_init__(self) -> None:
        """Refuse numbers and places that make no sense."""
        if self.jobs < 1 or self.retries < 0:
            raise QuestionError("ask for at least one process, and for 0 or more retries")
        if self.executor is not None and self.cluster:
            raise QuestionError("name an executor or a cluster, not both")

    @property
    def is_local(self) -> bool:
        """Whether the work runs in processes that dipsat starts itself."""
        return self.executor is None and not self.cluster


Jobs: TypeAlias = int | Executor | Workers
"""A number of processes, an executor of `concurrent.futures`, or all that can be said of both."""


def workers_of(jobs: Jobs) -> Workers:
    """The workers that a caller asks for."""
    if isinstance(jobs, Workers):
        return jobs
    return Workers(executor=jobs) if isinstance(jobs, Executor) else Workers(jobs)
