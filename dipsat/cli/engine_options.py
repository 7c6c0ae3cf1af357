"""Options for the choice of an engine, and for what only some engines give: a trace, the marks of
orders, an order set whose orders can all be carried out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dipsat.cli.printing import echo
from dipsat.engines.names import ENGINES, SOLVER, TRACED
from dipsat.errors import EngineError, UnknownNameError

if TYPE_CHECKING:
    from dipsat.proof.outcome import Outcome

ENGINES_PAGE = "docs/algorithms.md describes the engines and lists the options of each"

_F = TypeVar("_F", bound=Callable[..., Any])


def _read_engine(_: click.Context, __: click.Parameter, typed: str) -> str:
    """The name of an engine, with its options in one spelling."""
    if typed == SOLVER:  # as nearly always; loading engines takes a while
        return typed
    from dipsat.engines.engine import find_engine

    try:
        return find_engine(typed).name
    except UnknownNameError as error:
        if error.nearest:
            raise
        raise click.BadParameter(f"{error}; engines are {', '.join(ENGINES)}") from None


presolve_option = click.option(
    "--presolve/--no-presolve",
    default=True,
    help="Propagate first, or leave to Z3 all that is not constant.",
)
engine_option = click.option(
    "--engine",
    metavar="NAME",
    callback=_read_engine,
    default=SOLVER,
    show_default=True,
    help=f"The algorithm that decides movement phases: {', '.join(ENGINES)}; only the solver "
    "proves anything. Options go in parentheses, as in 'dpjudge(safe_convoys)'; "
    f"{ENGINES_PAGE}.",
)
_ONLY_OF_SOME = (
    click.option(
        "--transformed",
        is_flag=True,
        help="Print the order set that the engine dip_eval turns the orders into; all its orders "
        "can be carried out (`dipsat carry-out`).",
    ),
    click.option(
        "--marks",
        is_flag=True,
        help="Show the engine's marks of orders instead of its verdicts: `void`, `no convoy`, "
        "`cut` and `bounce` of dpjudge; `none` for an order without a mark.",
    ),
    click.option(
        "--trace",
        is_flag=True,
        help=f"Also show how the engine decided, step by step: {', '.join(TRACED)}.",
    ),
    click.option("--full-trace", is_flag=True, help="As --trace, with nothing cut."),
)


def options_of_some_engines(command: _F) -> _F:
    """Add `--transformed`, `--marks`, `--trace` and `--full-trace`."""
    for option in reversed(_ONLY_OF_SOME):
        command = option(command)
    return command


def check_presolve(engine: str, presolve: bool) -> None:
    """Refuse `--no-presolve` for engines other than the solver."""
    if engine != SOLVER and not presolve:
        raise click.UsageError(f"--no-presolve is for the engine {SOLVER}, not for {engine}")


def check_given(outcome: Outcome, engine: str, *, marks: bool, transformed: bool) -> None:
    """Refuse `--marks` and `--transformed` where the engine does not give them."""
    from dipsat.game.phase_name import PhaseKind
    from dipsat.proof.engine_outcome import EngineOutcome, sets_marks

    phase = outcome.position.phase
    is_transformed = isinstance(outcome, EngineOutcome) and outcome.transformed is not None
    whom = f"an engine that marks orders; {engine} marks none"
    for option, is_wanted, is_there, of_whom in (
        ("--marks", marks, sets_marks(outcome), whom),
        ("--transformed", transformed, is_transformed, f"the engine dip_eval, not for {engine}"),
    ):
        if is_wanted and phase.kind is not PhaseKind.MOVEMENT:
            raise click.UsageError(f"{option} is for movement phases, and this is {phase}")
        if is_wanted and not is_there:
            raise click.UsageError(f"{option} is for {of_whom}")


def show_trace(outcome: Outcome, whole: bool) -> None:
    """Print the trace of an outcome that has one."""
    from dipsat.proof.engine_outcome import EngineOutcome

    if isinstance(outcome, EngineOutcome) and outcome.trace is not None:
        echo(outcome.trace.text(whole))


@contextmanager
def trace_of_failure(whole: bool) -> Iterator[None]:
    """Print how far an engine got that could not decide."""
    from dipsat.engines.trace import Trace

    try:
        yield
    except EngineError as error:
        if isinstance(error.trace, Trace):
            echo(error.trace.text(whole))
        raise
