"""The commands `dipsat search`: searches over all orders."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from dipsat.cli.completion import complete_rules
from dipsat.cli.parameters import (
    NOWHERE,
    Elsewhere,
    Whole,
    json_option,
    map_option,
    named_rules,
    position_options,
    rules_option,
    solver_option,
    timeout_option,
    workers_options,
)
from dipsat.cli.picture_files import svg_option
from dipsat.cli.search_lines import hold, lines
from dipsat.limits import Limits
from dipsat.profiles.defaults import DEFAULT_RULES

if TYPE_CHECKING:
    from dipsat.executors.workers import Workers
    from dipsat.formats.order_places import OrderPlaces
    from dipsat.searches.answer import SearchResult
    from dipsat.searches.ask import Posed
    from dipsat.searches.question import Question
    from dipsat.svg.markup import Svg

_F = TypeVar("_F", bound=Callable[..., Any])


class _Searches(click.Group):
    """Has a command for each kind of questions, made when it is asked for: that takes a while."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        self._fill()
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _ABOUT_LINES:
            self._fill()
        return super().get_command(ctx, cmd_name)

    def _fill(self) -> None:
        from dipsat.searches import QUESTIONS

        self.commands = _ABOUT_LINES | {kind._command: _command(kind) for kind in QUESTIONS}


_ABOUT_LINES: dict[str, click.Command] = {"hold": hold, "lines": lines}


@click.group(cls=_Searches, commands=_ABOUT_LINES)
def search() -> None:
    """Search all orders of open units, or of every enemy that a line could meet.

    FILE is as for `dipsat adjudicate`, except that not every unit needs an order: those without one
    are open, and may be ordered anything. Exit status 0 if orders are found, 1 if it is proven that
    there are none, 2 for bad input, 3 if the time was too short (docs/search.md). Of several files,
    each is answered, side by side, and the greatest status counts; 2 before all.
    """


def _asking(command: _F) -> _F:
    """Add the argument and the options of every search over open orders; only `--smallest` needs
    no FILE."""
    options = [
        click.argument("files", nargs=-1, metavar="FILE..."),
        map_option,
        position_options,
        click.option(
            "--open", "opened", multiple=True, metavar="UNIT-OR-POWER",
            help="Open these orders, whatever FILE says; `all` for every unit. Repeatable.",
        ),
        json_option,
        svg_option,
        timeout_option,
        solver_option,
        workers_options,
        click.option(
            "--smallest", is_flag=True,
            help="Find the fewest units anywhere on the map, and prove that fewer are not enough. "
            "With FILE, the fewest that join its units.",
        ),
        click.option(
            "--most", type=Whole(1, 8), metavar="N",
            help="With --smallest, the most units to try.  [default: 8]",
        ),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


_power_option = click.option(
    "--for", "power", metavar="POWER",
    help="Of the units that stand somewhere for certain, only this power's are open; with "
    "--smallest, those that join belong to it.",
)  # fmt: skip
_both_rules_option = click.option(
    "--rules", "names", multiple=True, required=True, metavar="NAME-OR-FILE",
    shell_complete=complete_rules,
    help="A rule profile; give this option twice. With one, it is compared with that of FILE.",
)  # fmt: skip


def _command(kind: type[Question]) -> click.Command:
    """The command that asks a kind of questions, with its arguments."""
    from dipsat.searches.question import arguments_of

    arguments = list(arguments_of(kind))
    other = next((one.name for one in arguments if one.is_rules), None)
    plain = [one for one in arguments if not (one.is_rules or one.option)]
    named = [one for one in arguments if one.option]

    def ask(names: tuple[str, ...] = (), rules: str | None = None, **options: Any) -> None:
        given = {one.name: options.pop(one.name) for one in (*plain, *named)}
        if len(names) > 2:
            raise click.UsageError("give --rules at most twice")
        if other is not None:
            given[other], rules = names[-1], names[0] if len(names) == 2 else None
        if kind._opens_for_power and options["power"] is not None and options["opened"]:
            raise click.UsageError("--for already says which orders are open; leave out --open")
        _answer(kind(**given), rules, **options)

    ask.__doc__ = kind._find.__doc__
    decorators = [
        click.command(kind._command),
        _asking,
        *(click.argument(one.name, metavar=one.name.upper()) for one in plain),
        rules_option if other is None else _both_rules_option,
        *(
            click.option(
                one.option, one.name, metavar=one.name.upper(), required=bool(one.wanted),
                help=one.help,
            )
            for one in named
        ),
    ]  # fmt: skip
    if kind._opens_for_power:
        decorators.append(_power_option)
    command: Any = ask
    for decorate in reversed(decorators):
        command = decorate(command)
    return cast("click.Command", command)


def _answer(
    question: Question,
    rules: str | None,
    files: tuple[str, ...],
    map_name: str | None,
    opened: tuple[str, ...],
    as_json: bool,
    picture_file: str | None,
    limits: Limits,
    solver: str,
    elsewhere: Elsewhere,
    workers: Workers,
    smallest: bool,
    most: int | None,
    power: str | None = None,
) -> None:
    """Print the answer to a question, and end with its status."""
    from dipsat.cli.files import phase_and_rules, refuse_same, show_remarks
    from dipsat.cli.many_files import Asked, Ticker, show_answer, show_answers
    from dipsat.profiles.load import load_profile
    from dipsat.searches.ask import Posed
    from dipsat.searches.smallest import search_smallest

    if most is not None and not smallest:
        raise click.UsageError("--most goes with --smallest")
    number = 8 if most is None else most

    def read(file: str) -> tuple[OrderPlaces, Posed]:
        phase, chosen = phase_and_rules(file, map_name, rules, True, elsewhere)
        refuse_same((chosen, *question._other_rules))
        position = phase.anywhere or phase.position
        joining = number if smallest else None
        opens = opened or phase.open
        return phase.places, Posed(position, phase.orders, chosen, opens, power, joining)

    if files:
        ask = partial(answer_of, question=question, limits=limits, solver=solver)
        show_answers(files, Asked(read, ask, _drawn), as_json, picture_file, workers)
    if not smallest:
        raise click.UsageError("name a FILE, or ask for the --smallest position on the map")
    if opened or elsewhere != NOWHERE:
        problem = "without FILE, --smallest is about every position of the map"
        raise click.UsageError(f"{problem}; leave out --open, --position and --phase")
    profile = load_profile(named_rules(rules) or DEFAULT_RULES)
    show_remarks(profile)
    refuse_same((profile, *question._other_rules))
    board = map_name or profile.map or "standard"
    found = search_smallest(
        question, board, power=power, most=number, rules=profile, limits=limits,
        progress=Ticker(), solver=solver,
    )  # fmt: skip
    show_answer(found, as_json, picture_file, _drawn)


def answer_of(
    asking: tuple[OrderPlaces, Posed],
    question: Question,
    limits: Limits,
    solver: str,
    progress: Callable[[str], None] | None = None,
) -> SearchResult:
    """The answer to a question about the board of a file with the places of its orders; runs in any
    process."""
    from dipsat.formats.order_places import naming_orders

    places, posed = asking
    with naming_orders(places):
        return posed.answer(question, limits, solver, progress)


def _drawn(found: SearchResult) -> Svg:
    from dipsat import svg

    return svg.search(found)
