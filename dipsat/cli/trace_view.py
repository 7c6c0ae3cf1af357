"""What people see of a trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from dipsat.engines.trace import Trace
from dipsat.errors import EngineError
from dipsat.proof.engine_outcome import EngineOutcome
from dipsat.proof.outcome import Outcome


def show_trace(outcome: Outcome, whole: bool) -> None:
    """Print the trace of an outcome that has one."""
    if isinstance(outcome, EngineOutcome) and outcome.trace is not None:
        click.echo(outcome.trace.text(whole))


@contextmanager
def trace_of_failure(whole: bool) -> Iterator[None]:
    """Print how far an engine came that could not decide."""
    try:
        yield
    except EngineError as error:
        if isinstance(error.trace, Trace):
            click.echo(error.trace.text(whole))
        raise
