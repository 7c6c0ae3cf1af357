"""Options that several commands share, and how they are read."""

from __future__ import annotations

import functools
import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

import click

from dipsat.cli.completion import complete_maps, complete_rules
from dipsat.cli.printing import echo, json_text
from dipsat.errors import DipsatError, did_you_mean, shortened
from dipsat.executors.defaults import MOST_JOBS, RETRIES
from dipsat.limits import Limits
from dipsat.profiles.defaults import DEFAULT_RULES

_F = TypeVar("_F", bound=Callable[..., Any])


if TYPE_CHECKING:
    _Choice = click.Choice[str]  # before click 8.2, the class is not generic
else:
    _Choice = click.Choice


class Whole(click.IntRange):
    """A whole number, in a range."""

    name = "whole number"


class Chosen(_Choice):
    """One of a few words. The error for a misspelt one names the word that was meant."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word. Raises `click.BadParameter`."""
        try:
            return str(super().convert(value, param, ctx))
        except click.BadParameter:
            choices = [str(one) for one in self.choices]
            hint = did_you_mean(str(value), choices, f"choose from {', '.join(choices)}")
            self.fail(f"{shortened(str(value))!r} is no choice; {hint}", param, ctx)


def read_seconds(_: click.Context, __: click.Parameter, typed: str | None) -> float | None:
    """A positive, finite number of seconds; None if the option was not given."""
    if typed is None:
        return None
    try:
        seconds = float(typed)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise click.BadParameter(f"{typed!r} is not a positive number of seconds, such as 10")
    return seconds


def _read_limits(context: click.Context, parameter: click.Parameter, typed: str | None) -> Limits:
    return Limits(seconds=read_seconds(context, parameter, typed))


def processes(jobs: int | None) -> int:
    """The number of processes asked for, otherwise that of the cores that may be used."""
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


def save_options(about: str) -> Callable[[_F], _F]:
    """Add `--save` and `--force`: the folder for order files."""
    save = click.option("--save", "folder", metavar="DIR", help=about)
    force = click.option("--force", is_flag=True, help="Write into DIR even if it is not empty.")
    return lambda command: save(force(command))


def with_set(command: _F) -> _F:
    """Add `--set`, which becomes part of the name after `--rules` (`+waive=illegal` without
    `--rules`)."""

    @functools.wraps(command)
    def with_chosen(*args: Any, rules: str | None, chosen: tuple[str, ...], **others: Any) -> Any:
        named = "+".join((rules or "", *chosen)) if chosen else rules
        return command(*args, rules=named, **others)

    return cast("_F", set_option(with_chosen))


def rules_option(command: _F) -> _F:
    """Add `--rules` and `--set`; `rules` is then a name, None, or settings alone
    (`+waive=illegal`)."""
    option = click.option(
        "--rules",
        metavar="NAME-OR-FILE",
        shell_complete=complete_rules,
        help=f"The rule profile.  [default: {DEFAULT_RULES}]",
    )
    return option(with_set(command))


def named_rules(rules: str | None) -> str | None:
    """The value of `rules_option` for commands in which settings alone mean nothing."""
    if rules is not None and rules.startswith("+"):
        raise click.UsageError("--set goes with --rules in this command")
    return rules


solver_option = click.option(
    "--solver", type=Chosen(["auto", "z3", "sat"]), default="auto",
    help="Z3, or the faster SAT solver of the package python-sat.",
)  # fmt: skip

map_option = click.option(
    "--map", "map_name", metavar="NAME-OR-FILE", shell_complete=complete_maps,
    help="The map.  [default: that of the rules, else standard]",
)  # fmt: skip


@dataclass(frozen=True)
class Elsewhere:
    """What is stated beside a file of orders: the file of the position, and the phase."""

    board: str | None = None
    phase: str | None = None


NOWHERE = Elsewhere()


def position_options(command: _F) -> _F:
    """Add `--position` and `--phase`, which become the parameter `elsewhere`."""

    @functools.wraps(command)
    def with_both(*args: Any, board: str | None, phase: str | None, **others: Any) -> Any:
        return command(*args, elsewhere=Elsewhere(board, phase), **others)

    position = click.option(
        "--position", "board", metavar="FILE-OR-MAP",
        help="Take the position from FILE, and the orders from the other: what --next has written, "
        "a saved game (its last phase), what --json prints (its next phase), YAML with `units`, or "
        "a map, such as `standard`, for its start.",
    )  # fmt: skip
    named = click.option(
        "--phase", metavar="NAME",
        help="The phase, such as F1901M or 'Fall 1901', if the file of the orders does not say it.",
    )  # fmt: skip
    return position(named(cast("_F", with_both)))


def check_file_name(file: str, kind: str, *suffixes: str) -> str:
    """The suffix of a file to be written, in small letters. Raises `UsageError` for one that does
    not say the kind of file, so that nothing takes the place of a file of orders, and before long
    work for a folder that does not exist."""
    suffix = Path(file).suffix.lower()
    if suffix not in suffixes:
        *others, last = suffixes
        known = f"{', '.join(others)} or {last}" if others else last
        raise click.UsageError(f"{file!r} is no file for a {kind}; its name should end in {known}")
    if not Path(file).parent.is_dir():
        raise click.UsageError(
            f"{file!r} cannot be written: there is no folder {Path(file).parent}"
        )
    return suffix


def file_for(
    kind: str, *suffixes: str
) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """What reads an option that names a file of a kind, with one of these suffixes."""

    def read(_: click.Context, __: click.Parameter, typed: str | None) -> str | None:
        if typed is not None:
            check_file_name(typed, kind, *suffixes)
        return typed

    return read


next_option = click.option(
    "--next", "following", metavar="FILE", callback=file_for("position", ".json", ".yaml", ".yml"),
    help="Write the position after the phase into FILE, whose name ends in .json or .yaml, for "
    "--position.",
)  # fmt: skip
board_option = click.option(
    "--board/--no-board", "drawn", default=None,
    help="Draw the board.  [default: on a terminal with colours and room]",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
timeout_option = click.option(
    "--timeout", "limits", metavar="SECONDS", callback=_read_limits,
    help="Give up after this time.",
)  # fmt: skip
lenient_option = click.option("--lenient", is_flag=True, help="As for `dipsat adjudicate`.")


def workers_options(command: _F) -> _F:
    """Add the options that say where long work runs, which become the parameter `workers`."""

    @functools.wraps(command)
    def with_workers(
        *args: Any, jobs: int | None, cluster: str, resume: str | None, retries: int, **others: Any
    ) -> Any:
        from dipsat.executors.workers import Workers

        if jobs is not None and cluster:
            raise click.UsageError("--jobs is for processes of this computer; leave it out")
        workers = Workers(processes(jobs), None, cluster, resume, retries)
        with _ended_in_order():
            return command(*args, workers=workers, **others)

    found = cast("_F", with_workers)
    for option in reversed(_WORKERS):
        found = option(found)
    return found


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let SIGTERM, with which batch systems end a command, do what Ctrl-C does: what was found is
    reported and kept, and no process is left. `timeout` sends it twice; the second changes nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears signals
        return

    def end(number: int, _: FrameType | None) -> NoReturn:
        signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


_WORKERS = (
    click.option(
        "--jobs", "-j", type=Whole(1, MOST_JOBS),
        help="Processes.  [default: one per core]",
    ),
    click.option(
        "--cluster", metavar="ADDRESS", default="",
        help="Use the workers of a Dask scheduler, such as tcp://HOST:8786 (docs/cluster.md).",
    ),
    click.option(
        "--resume", metavar="FILE",
        help="Keep what is done in FILE; the same command goes on from there if it is stopped.",
    ),
    click.option(
        "--retries", type=Whole(0), default=RETRIES, show_default=True, metavar="N",
        help="How often work that ends its process is tried again before it is reported.",
    ),
)  # fmt: skip


def board_options(board: str, least_units: int) -> Callable[[_F], _F]:
    """Add `--seed` and `--units` of random boards, which a command calls `board`."""
    seed = click.option(
        "--seed", type=Whole(0), default=0, show_default=True, metavar="S",
        help=f"The seed of the first {board}; the others follow.",
    )  # fmt: skip
    units = click.option(
        "--units", type=Whole(least_units), default=27, show_default=True, metavar="N",
        help=f"Units on a {board}.",
    )  # fmt: skip
    return lambda command: seed(units(command))


_OPTIONS = {
    "phase": "--phase NAME states the phase, too; --position FILE names the file of the position",
    "position": "--position FILE names the file of the position",
    "force": "--force writes there nevertheless",
    "open": "--open UNIT-OR-POWER opens orders, --open all those of every unit",
}
"""What would help, as errors call it -> the options that do it here."""


def print_error(error: DipsatError | str) -> None:
    """Print what is wrong on standard error, line by line, and the options that help."""
    for line in str(error).split("\n"):
        echo(f"error: {line}", err=True)
    for remedy in () if isinstance(error, str) else error.remedies:
        echo(f"hint: {_OPTIONS[remedy]}", err=True)


def print_json(value: object) -> None:
    """Print plain values as readable JSON."""
    echo(json_text(value, indent=2))
