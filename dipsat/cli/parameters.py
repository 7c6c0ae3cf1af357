"""Options that several commands have, and kinds of values that are typed."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from dipsat.engines.engine import ENGINES, SOLVER, TRACED
from dipsat.engines.engine import engine as find_engine
from dipsat.errors import UnknownNameError
from dipsat.profiles.load import DEFAULT_RULES

if TYPE_CHECKING:
    from dipsat.game.phase_name import PhaseName

ENGINES_PAGE = "docs/algorithms.md describes the engines and lists the options of each"

_F = TypeVar("_F", bound=Callable[..., Any])


def check_engine(engine: str, presolve: bool) -> None:
    """Refuse `--no-presolve` for engines that have nothing to do with Z3."""
    if engine != SOLVER and not presolve:
        raise click.UsageError(f"--no-presolve is for the engine {SOLVER}, not for {engine}")


def refuse_other_phases(option: str, phase: PhaseName) -> None:
    """Refuse an option for movement phases in a phase of another kind."""
    from dipsat.game.phase_name import PhaseKind

    if phase.kind is not PhaseKind.MOVEMENT:
        raise click.UsageError(f"{option} is for movement phases, and this is {phase}")


def read_engine(_: click.Context, __: click.Parameter, typed: str) -> str:
    """The name of an engine, its options in one spelling."""
    try:
        return find_engine(typed).name
    except UnknownNameError as error:
        if error.nearest:
            raise
        raise click.BadParameter(f"{error}; engines are {', '.join(ENGINES)}") from None


def read_seconds(_: click.Context, __: click.Parameter, typed: str | None) -> float | None:
    """A positive, finite number of seconds; None if the option was not given."""
    if typed is None:
        return None
    try:
        seconds = float(typed)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise click.BadParameter(f"{typed!r} is no positive number of seconds, such as 10")
    return seconds


def processes(jobs: int | None) -> int:
    """The number of processes asked for, else that of the cores that may be used."""
    import os

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return jobs or cores or 1


def _read_chosen(_: click.Context, __: click.Parameter, typed: tuple[str, ...]) -> tuple[str, ...]:
    for text in typed:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise click.BadParameter(f"{text!r} is not like NAME=VALUE, such as waive=illegal")
    return typed


set_option = click.option(
    "--set", "chosen", multiple=True, metavar="NAME=VALUE", callback=_read_chosen,
    help="Choose a setting or an option of the rules. Repeatable.",
)  # fmt: skip


def save_options(command: _F) -> _F:
    """Add `--save` and `--force`: where the smallest orders are written."""
    save = click.option(
        "--save", "folder", metavar="DIR", help="Write the smallest orders into this folder."
    )
    force = click.option("--force", is_flag=True, help="Write into DIR even if it is not empty.")
    return save(force(command))


def with_set(command: _F) -> _F:
    """Adds `--set`, which becomes part of the name after `--rules` (`+waive=illegal`, if that is
    left out)."""

    @functools.wraps(command)
    def with_chosen(*args: Any, rules: str | None, chosen: tuple[str, ...], **others: Any) -> Any:
        named = "+".join((rules or "", *chosen)) if chosen else rules
        return command(*args, rules=named, **others)

    return cast("_F", set_option(with_chosen))


def rules_option(command: _F) -> _F:
    """Adds `--rules` and `--set`; `rules` is then a name, None, or settings alone
    (`+waive=illegal`)."""
    option = click.option(
        "--rules", metavar="NAME-OR-FILE", help=f"The rule profile.  [default: {DEFAULT_RULES}]"
    )
    return option(with_set(command))


def named_rules(rules: str | None) -> str | None:
    """What `rules_option` gives, where settings alone mean nothing."""
    if rules is not None and rules.startswith("+"):
        raise click.UsageError("--set goes with --rules here")
    return rules


map_option = click.option(
    "--map", "map_name", metavar="NAME-OR-FILE",
    help="The map.  [default: that of the rules, else standard]",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
timeout_option = click.option(
    "--timeout", metavar="SECONDS", callback=read_seconds, help="Give up after this time."
)
lenient_option = click.option("--lenient", is_flag=True, help="As for `dipsat adjudicate`.")
presolve_option = click.option(
    "--presolve/--no-presolve", default=True, help="Propagate before asking Z3."
)
engine_option = click.option(
    "--engine",
    metavar="NAME",
    callback=read_engine,
    default=SOLVER,
    show_default=True,
    help=f"The algorithm that decides movement phases: {', '.join(ENGINES)}; only the solver "
    "proves anything. Options stand in parentheses, as in 'dpjudge(safe_convoys)'; "
    f"{ENGINES_PAGE}.",
)


def trace_options(command: _F) -> _F:
    """Adds `--trace` and `--full-trace`."""
    trace = click.option(
        "--trace", is_flag=True,
        help=f"Also show how the engine decided, step by step: {', '.join(TRACED)}.",
    )  # fmt: skip
    full = click.option("--full-trace", is_flag=True, help="As --trace, with nothing cut.")
    return trace(full(command))


jobs_option = click.option(
    "--jobs", "-j", type=click.IntRange(1, 1024), help="Processes.  [default: one a core]"
)
