"""Options that several commands share, and the functions that read them."""

from __future__ import annotations

import functools
import math
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from inspect import signature
from pathlib import Path
from types import FrameType
from typing import IO, TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar, cast

import click
from click.shell_completion import CompletionItem

from dipsat.app.help_pages import option, rare
from dipsat.app.printing import echo, json_text
from dipsat.base import (
    ANYWHERE,
    PICTURE_BYTES,
    SOLVER,
    Limits,
    is_named_file,
    parts_of,
    read_named,
    write_bytes,
    write_text,
)
from dipsat.errors import (
    DipsatError,
    EngineError,
    FileError,
    UnknownNameError,
    hint,
    readable,
    shortened,
)
from dipsat.rules import DEFAULT_RULES
from dipsat.studies import ENGINES, MOST_JOBS, TRACED

if TYPE_CHECKING:
    from dipsat.draw import Picture, Svg
    from dipsat.orders import Order
    from dipsat.outcomes import OrderOutcome, Outcome
    from dipsat.studies import Workers


# --- completion -----------------------------------------------------------------------------------


def complete_rules(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Completions for a shell: the shipped profiles, also after a `+`, and rule files."""
    from dipsat.rules import shipped_names, short_name

    known = shipped_names()
    before, plus, last = typed.rpartition("+")
    names = [short_name(name, known) for name in known]
    return [*_beginning(names, last, before + plus), CompletionItem(typed, type="file")]


def complete_maps(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Completions for a shell: the shipped maps, and map files."""
    from dipsat.board import map_names

    return [*_beginning(map_names(), typed), CompletionItem(typed, type="file")]


def _beginning(names: Iterable[str], typed: str, before: str = "") -> list[CompletionItem]:
    """The names that begin with the typed text, ignoring case."""
    wanted = typed.casefold()
    return [CompletionItem(before + name) for name in names if name.casefold().startswith(wanted)]


# --- parameters -----------------------------------------------------------------------------------


_F = TypeVar("_F", bound=Callable[..., Any])


class Whole(click.IntRange):
    """A whole number, in a range."""

    name = "whole number"


class Chosen(click.Choice):  # type: ignore[type-arg, unused-ignore]  # generic from 8.2 on
    """One of a few words. The error for a misspelt word suggests the nearest one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word. Raises `click.BadParameter`."""
        try:
            return str(super().convert(value, param, ctx))
        except click.BadParameter:
            choices = [str(one) for one in self.choices]
            end = hint(str(value), choices, "choose from")
            self.fail(f"{shortened(str(value))!r} is not a choice{end}", param, ctx)


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


def processes(jobs: int | None) -> int:
    """The requested number of processes, by default the number of usable cores."""
    import os

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return jobs or cores or 1


def _read_chosen(_: click.Context, __: click.Parameter, typed: tuple[str, ...]) -> tuple[str, ...]:
    for text in typed:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise click.BadParameter(f"{text!r} should be NAME=VALUE, such as waive=illegal")
    return typed


force_option = rare("--force", is_flag=True, help="Write into DIR even if it is not empty.")


def together(*options: Callable[..., Any]) -> Callable[[_F], _F]:
    """Combine several options, or other decorators of commands, into one."""

    def add(command: _F) -> _F:
        for one in reversed(options):
            command = one(command)
        return command

    return add


def gathered(
    name: str, make: Callable[..., Any], *options: Callable[..., Any]
) -> Callable[[_F], _F]:
    """Combine several options, or other decorators of commands, into one parameter: its value is
    what `make` returns for their values."""
    taken = tuple(signature(make).parameters)

    def add(command: _F) -> _F:
        @functools.wraps(command)
        def with_one(*args: Any, **given: Any) -> Any:
            made = make(**{one: given.pop(one) for one in taken})
            return command(*args, **{name: made}, **given)

        return together(*options)(cast("_F", with_one))

    return add


def save_options(about: str) -> Callable[[_F], _F]:
    """Add `--save` and `--force`: the folder for order files."""
    return together(click.option("--save", "folder", metavar="DIR", help=about), force_option)


def _rules_with(rules: str | None, chosen: tuple[str, ...]) -> str | None:
    return "+".join((rules or "", *chosen)) if chosen else rules


with_set = gathered(
    "rules", _rules_with,
    click.option(
        "--set", "chosen", multiple=True, metavar="NAME=VALUE", callback=_read_chosen,
        help="Choose a setting or an option of the rules. Repeatable.",
    ),
)  # fmt: skip
"""`--set`, which becomes part of the name after `--rules` (`+waive=illegal` without `--rules`)."""


def rules_named(about: str, several: str | None = None) -> Callable[[_F], _F]:
    """`--rules`. With a name for `several` profiles, it is required and may be repeated."""
    return click.option(
        "--rules", several or "rules", metavar="NAME-OR-FILE", shell_complete=complete_rules,
        help=about, multiple=several is not None, required=several is not None,
    )  # fmt: skip


def map_named(about: str, *names: str) -> Callable[[_F], _F]:
    """`--map`, or an option for a map with another name."""
    names = names or ("--map", "map_name")
    return click.option(*names, metavar="NAME-OR-FILE", shell_complete=complete_maps, help=about)


rules_option = together(rules_named(f"The rule profile.  [default: {DEFAULT_RULES}]"), with_set)
"""`--rules` and `--set`; `rules` is then a name, None, or settings alone (`+waive=illegal`)."""


def named_rules(rules: str | None) -> str | None:
    """The value of `rules_option`. Raises `UsageError` for settings alone."""
    if rules is not None and rules.startswith("+"):
        raise click.UsageError("--set goes with --rules in this command")
    return rules


solver_option = rare(
    "--solver", type=Chosen(["auto", "z3", "sat"]), default="auto",
    help="Z3, or the faster SAT solver of the package python-sat.",
)  # fmt: skip

map_option = map_named("The map.  [default: the rules' map, or standard]")


class NewGame(NamedTuple):
    """How a new game begins: its map or variant, and its rules."""

    board: str | None = None
    rules: str | None = None


def _new_game(variant: str | None, map_name: str | None, rules: str | None) -> NewGame:
    if variant and map_name:
        problem = "has its own map; give one of --variant and --map"
        raise click.UsageError(f"the variant {variant!r} {problem}, and --rules for other rules")
    if variant and variant.isidentifier():
        from dipsat.board import language_names, map_names
        from dipsat.rules import LISTED_BY, variant_names

        known = (*variant_names(), *map_names())
        if variant not in (*known, *language_names()):
            raise UnknownNameError("variant", variant, known, listed_by=LISTED_BY)
    return NewGame(variant or map_name, rules)


new_game_options = gathered(
    "begins", _new_game,
    map_named("Begin a game of this variant.  [default: standard]", "--variant"),
    map_named("Begin a game on this map; not with --variant, which has its own map."),
    rules_named("Begin it with these rules."),
)  # fmt: skip
"""`--variant`, `--map` and `--rules` of a new game, which become the parameter `begins`."""


class Elsewhere(NamedTuple):
    """Options that complete a file of orders: the file of the position, and the phase."""

    board: str | None = None
    phase: str | None = None


NOWHERE = Elsewhere()


position_options = gathered(
    "elsewhere", Elsewhere,
    click.option(
        "--position", "board", metavar="FILE-OR-MAP",
        help="Take the position from this file, and only the orders from FILE. It may be the file "
        "that --next wrote, a saved game (its last phase), the output of --json (its next phase), "
        "YAML with `units`, or a map, such as `standard` (its start).",
    ),
    click.option(
        "--phase", metavar="NAME",
        help="The phase, such as F1901M or 'Fall 1901', if the orders do not state it; or one "
        "phase of a game.",
    ),
)  # fmt: skip
"""`--position` and `--phase`, which become the parameter `elsewhere`."""


def check_file_name(file: str, kind: str, *suffixes: str) -> str:
    """The suffix of a file to be written, in lower case. Raises `UsageError` for a wrong suffix, so
    that a file of orders is not overwritten, and for a missing folder, before any long work."""
    suffix = Path(file).suffix.lower()
    if suffix not in suffixes:
        *others, last = suffixes
        known = f"{', '.join(others)} or {last}" if others else last
        raise click.UsageError(f"{file!r} is not a file for {kind}; its name should end in {known}")
    if not Path(file).parent.is_dir():
        raise click.UsageError(
            f"{file!r} cannot be written: there is no folder {Path(file).parent}"
        )
    return suffix


def file_for(
    kind: str, *suffixes: str
) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """The callback of an option that names a file of this kind, with one of these suffixes."""

    def read(_: click.Context, __: click.Parameter, typed: str | None) -> str | None:
        if typed is not None:
            check_file_name(typed, f"a {kind}", *suffixes)
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
    "--timeout", "limits", metavar="SECONDS", callback=lambda *given: Limits(read_seconds(*given)),
    help="Stop after this time.",
)  # fmt: skip
lenient_option = click.option("--lenient", is_flag=True, help="As for `dipsat adjudicate`.")


def _workers(jobs: int | None, cluster: str, resume: str | None) -> Workers:
    from dipsat.studies import Workers

    if jobs is not None and cluster:
        raise click.UsageError("--jobs is for processes of this computer; leave it out")
    click.get_current_context().with_resource(ended_in_order())
    return Workers(processes(jobs), None, cluster, resume)


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Make SIGTERM, with which batch systems end a command, act as Ctrl-C: results so far are
    reported and kept, and no process is left. `timeout` sends it twice; the second is ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread receives signals
        return

    def end(number: int, _: FrameType | None) -> NoReturn:
        signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


workers_options = gathered(
    "workers", _workers,
    click.option(
        "--jobs", "-j", type=Whole(1, MOST_JOBS), metavar="N",
        help="Processes.  [default: one per core]",
    ),
    rare(
        "--cluster", metavar="ADDRESS", default="",
        help="Use the workers of a Dask scheduler, such as tcp://HOST:8786 (docs/cluster.md).",
    ),
    rare(
        "--resume", metavar="FILE",
        help="Save progress in FILE; if stopped, the same command continues from there.",
    ),
)  # fmt: skip
"""The options that say where long work runs, which become the parameter `workers`."""


BOARDS = "Random boards"
"""The heading of the options about random boards."""


def board_options(board: str, least_units: int) -> Callable[[_F], _F]:
    """Add `--seed` and `--units` for random boards, which help calls `board`."""
    about = functools.partial(option, heading=BOARDS, show_default=True)
    seed = about(
        "--seed", type=Whole(0), default=0, metavar="S",
        help=f"The seed of the first {board}; the others follow.",
    )  # fmt: skip
    units = about(
        "--units", type=Whole(least_units), default=27, metavar="N", help=f"Units on a {board}."
    )
    return together(seed, units)


_OPTIONS = {
    "phase": "--phase NAME states the phase, too; --position FILE names the file of the position",
    "position": "--position FILE names the file of the position",
    "start": "--position standard starts the game from the map, --next FILE continues it",
    "force": "--force writes there anyway",
    "open": "--open UNIT-OR-POWER opens its orders, --open all opens all",
}
"""Remedy as named in errors -> the options that provide it here."""


def print_error(error: DipsatError | str) -> None:
    """Print an error line by line on standard error, and the options that help."""
    for line in str(error).split("\n"):
        echo(f"error: {line}", err=True)
    for remedy in () if isinstance(error, str) else error.remedies:
        echo(f"hint: {_OPTIONS[remedy]}", err=True)


def print_json(value: object) -> None:
    """Print plain values as readable JSON."""
    echo(json_text(value, indent=2))


def print_report(report: Any, as_json: bool) -> None:
    """Print a result as text, or as its plain values in JSON."""
    from dipsat.app.view import show

    if as_json:
        print_json(report.to_dict())
    else:
        show(parts_of(report))


@contextmanager
def ended(report: Any, differs: bool, as_json: bool) -> Iterator[None]:
    """Print the report of long work after the block, even if writing files there fails. Then exit:
    2 for bad input, 1 if something differs, 3 if the work was interrupted before, else 0."""
    failures = getattr(report, "failures", ())
    for problem in failures:
        print_error(problem)
    try:
        yield
    finally:  # the results are not lost if a file cannot be written
        print_report(report, as_json)
    status = 1 if differs else 3 if report.is_interrupted else 0
    click.get_current_context().exit(2 if failures else status)


# --- engine options -------------------------------------------------------------------------------

ENGINES_PAGE = "docs/algorithms.md describes the engines and lists the options of each"


def _read_engine(_: click.Context, __: click.Parameter, typed: str) -> str:
    """The name of an engine, with its options in one spelling."""
    if typed == SOLVER:  # the usual case, without loading the engines, which is slow
        return typed
    from dipsat.outcomes import find_engine

    return find_engine(typed).name


presolve_option = rare(
    "--presolve/--no-presolve",
    default=True,
    help="Propagate first, or leave everything that is not constant to Z3.",
)
engine_option = rare(
    "--engine",
    metavar="NAME",
    callback=_read_engine,
    default=SOLVER,
    show_default=True,
    help=f"The algorithm that decides movement phases: {', '.join(ENGINES)}; only the solver "
    "proves anything. Options go in parentheses, as in 'dpjudge(safe_convoys)'; "
    f"{ENGINES_PAGE}.",
)
options_of_some_engines = together(
    rare(
        "--transformed",
        is_flag=True,
        help="Print the order set that the engine dip_eval turns the orders into; all its orders "
        "can be carried out (`dipsat carry-out`).",
    ),
    rare(
        "--marks",
        is_flag=True,
        help="Show the engine's marks of orders instead of its verdicts: `void`, `no convoy`, "
        "`cut` and `bounce` of dpjudge; `none` for an order without a mark.",
    ),
    rare(
        "--trace",
        is_flag=True,
        help=f"Also show how the engine decided, step by step: {', '.join(TRACED)}.",
    ),
    rare("--full-trace", is_flag=True, help="Like --trace, without cuts."),
)
"""`--transformed`, `--marks`, `--trace` and `--full-trace`."""


def check_presolve(engine: str, presolve: bool) -> None:
    """Refuse `--no-presolve` for engines other than the solver."""
    if engine != SOLVER and not presolve:
        raise click.UsageError(f"--no-presolve is for the engine {SOLVER}, not for {engine}")


def check_given(outcome: Outcome, engine: str, *, marks: bool, transformed: bool) -> None:
    """Refuse `--marks` and `--transformed` where the engine does not give them."""
    if not (marks or transformed):
        return
    from dipsat.game import PhaseKind
    from dipsat.outcomes import EngineOutcome, sets_marks

    phase, option = outcome.position.phase, "--marks" if marks else "--transformed"
    if phase.kind is not PhaseKind.MOVEMENT:
        raise click.UsageError(f"{option} is for movement phases, and this is {phase}")
    if marks and not sets_marks(outcome):
        whom = f"an engine that marks orders; {engine} marks none"
        raise click.UsageError(f"--marks is for {whom}")
    if transformed and not (isinstance(outcome, EngineOutcome) and outcome.transformed is not None):
        raise click.UsageError(f"--transformed is for the engine dip_eval, not for {engine}")


def show_trace(outcome: Outcome, whole: bool) -> None:
    """Print the trace of an outcome that has one."""
    from dipsat.outcomes import EngineOutcome

    if isinstance(outcome, EngineOutcome) and outcome.trace is not None:
        echo(outcome.trace.text(whole))


@contextmanager
def trace_of_failure(whole: bool) -> Iterator[None]:
    """Print the trace of an engine that could not decide."""
    from dipsat.outcomes import Trace

    try:
        yield
    except EngineError as error:
        if isinstance(error.trace, Trace):
            echo(error.trace.text(whole))
        raise


# --- asked order ----------------------------------------------------------------------------------

_NAMED = ("target", "supported", "army")  # how orders of one type can differ


def order_asked(outcome: Outcome, typed: str, record: str = "") -> OrderOutcome:
    """The outcome for the unit that was named, perhaps with an order. Prints a remark if the unit
    had another order. Raises `UnknownNameError`, which mentions other phases of the game in the
    file `record` that have the unit."""
    from dipsat.orders import TEXT_FAULTS, ordered_unit

    reader = outcome.position.reader
    unit, order = ordered_unit(reader, typed)
    try:
        found = outcome.order(unit)
    except UnknownNameError:
        here, phases = str(outcome.position.phase), _phases_with(unit, record)
        if not phases or here in phases:
            raise
        there = ", ".join(phases)
        problem = f"there is no unit {shortened(unit)!r} in {here} of {record}, "
        problem += f"but there is in {there} (--phase)"
        raise UnknownNameError("unit", unit, (), problem=problem) from None
    with suppress(*TEXT_FAULTS):
        if order is not None and _said(order) != _said(reader.read(found.order)):
            problem = f"{found.unit} has another order than {shortened(typed)!r}"
            echo(f"remark: {problem}: {found.order}", err=True)
    return found


def _phases_with(typed: str, record: str) -> list[str]:
    """The phases of a recorded game in which a unit stood."""
    from dipsat.formats import RecordedGame, read_games
    from dipsat.orders import reader_for

    found = []
    with suppress(DipsatError):
        for game in read_games(record) if record else ():
            named = reader_for(game.board).read_unit(typed)
            for phase in game.phases if isinstance(game, RecordedGame) else ():
                units = (*phase.before.units, *phase.before.dislodged)
                kinds = {one.kind for one in units if one.location == named.location}
                if kinds and named.kind in (None, *kinds):
                    found.append(str(phase.before.phase))
    return found


def _said(order: Order) -> list[object]:
    """The contents of an order, without the kinds of its units, which may be left out."""
    from dipsat.board import province_of

    named = (getattr(order, name, "") for name in _NAMED)
    return [type(order), *(province_of(getattr(one, "location", one)) for one in named)]


# --- usage ----------------------------------------------------------------------------------------

_NO_COMMAND: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""Raised by click 8.2 and later for a group without a command; earlier versions raise no error."""


@contextmanager
def readable_usage() -> Iterator[None]:
    """Shorten the messages of click, which repeat the input, and print them like all others."""
    try:
        yield
    except click.UsageError as error:
        if isinstance(error, _NO_COMMAND):
            raise  # click shows the help of the group, which is not a message about a fault
        raise _WrongUsage(readable(error.format_message()), error.ctx) from None


class _WrongUsage(click.UsageError):
    def show(self, file: IO[Any] | None = None) -> None:
        """Print the usage of the command, and the error."""
        if self.ctx is not None:
            echo(
                f"{self.ctx.get_usage()}\nTry '{self.ctx.command_path} --help' for help.\n",
                err=True,
            )
        print_error(self.format_message())


# --- picture files --------------------------------------------------------------------------------

PICTURES = (".svg", ".png")
"""The suffixes of files for one picture."""


picture_option = option(
    "--output", "-o", "picture_file", metavar="FILE",
    callback=file_for("picture", *PICTURES),
    help="Write a picture of the result into FILE, whose name ends in .svg or .png.",
)  # fmt: skip


html_option = click.option(
    "--html", "page_file", metavar="FILE", callback=file_for("page", ".html"),
    help="Write a page with the tables and pictures of the result into FILE, whose name ends in "
    ".html.",
)  # fmt: skip


def write_picture(picture: Svg, file: str) -> None:
    """Write a picture as SVG, or as PNG if the name of the file ends in `.png`. Raises `FileError`,
    `PictureError` or `UsageError`."""
    if check_file_name(file, "a picture", *PICTURES) == ".png":
        write_bytes(file, picture.to_png())
    else:
        write_text(file, picture + "\n")


def write_map_picture(file: str, make: Callable[[], Picture]) -> None:
    """Write the picture of a map as JSON, over an older one but over no other file. Raises
    `FileError` or `UsageError` before the picture is made, and any error of making it."""
    from dipsat.draw import read_picture, write_picture

    check_file_name(file, "a picture", ".json")
    is_new = not is_named_file(ANYWHERE, file)
    if not is_new:
        try:
            read_picture(read_named(ANYWHERE, file, PICTURE_BYTES.most).decode(), file)
        except (DipsatError, UnicodeError):
            problem = "already exists, and is not a picture of a map; name another file"
            raise FileError(file, problem) from None
    write_text(file, write_picture(make()), new=is_new)
