"""How long large work takes on a cluster, and what it costs: the arithmetic of docs/cluster.md."""

from __future__ import annotations

from dataclasses import dataclass

from dipsat.studies.impact_judging import BOARDS_AT_ONCE

_TASKS_A_SECOND = 50  # that finish on a large cluster (dipsat.studies.cluster)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The inputs of a prediction. Times are in seconds."""

    boards: int
    cores: int
    price: float
    """The price of a core for an hour."""
    board: float
    """The time of one core for a board."""
    efficiency: float
    """The share of the workers' time in which they work."""
    piece: float
    """The time of the driver for a piece of `BOARDS_AT_ONCE` boards."""
    task: float
    """The time of the driver for a task."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """The predicted time and cost. `driver` is the load of the process that hands out the work: at
    1 or more, this process determines how long the work takes."""

    core_hours: float
    hours: float
    cost: float
    driver: float


def predicted(given: Inputs) -> Prediction:
    """The arithmetic of docs/cluster.md."""
    core_seconds = given.boards * given.board / given.efficiency
    workers = core_seconds / given.cores
    length = max(1.0, given.cores / _TASKS_A_SECOND)
    driver = given.boards / BOARDS_AT_ONCE * given.piece + core_seconds / length * given.task
    seconds = max(workers, driver)
    hours = seconds / 3600
    return Prediction(
        core_seconds / 3600, hours, hours * given.cores * given.price, driver / workers
    )
