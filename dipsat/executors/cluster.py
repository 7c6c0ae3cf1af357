"""A Dask cluster."""

from __future__ import annotations

from dipsat.errors import WorkerError
from dipsat.executors.crew import Crew


def cluster_crew(address: str) -> Crew:
    """The workers of a Dask scheduler."""
    raise WorkerError(f"{address}: not yet")
