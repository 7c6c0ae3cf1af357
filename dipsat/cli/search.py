"""The commands `dipsat search`: searches over all orders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dipsat.cli.completion import complete_rules
from dipsat.cli.parameters import (
    NOWHERE,
    Elsewhere,
    json_option,
    map_option,
    position_options,
    rules_option,
    solver_option,
    timeout_option,
    workers_options,
)
from dipsat.cli.picture_files import svg_option
from dipsat.cli.search_lines import hold, lines
from dipsat.cli.smallest import answer_smallest, smallest_options
from dipsat.limits import Limits

if TYPE_CHECKING:
    from dipsat.executors.workers import Workers
    from dipsat.formats.phase_file import PhaseFile
    from dipsat.searches.answer import Question, SearchResult
    from dipsat.searches.posed import Posed
    from dipsat.svg.markup import Svg

_F = TypeVar("_F", bound=Callable[..., Any])


@click.group()
def search() -> None:
    """Search all orders of open units, or of every enemy that a line could meet.

    FILE is as for `dipsat adjudicate`, except that not every unit needs an order: those without one
    are open, and may be ordered anything. Exit status 0 if orders are found, 1 if it is proven that
    there are none, 2 for bad input, 3 if the time was too short (docs/search.md). Of several files,
    each is answered, side by side, and the greatest status counts; 2 before all.
    """


search.add_command(hold)
search.add_command(lines)


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
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@search.command()
@_asking
@smallest_options
@rules_option
@click.option("--kind", metavar="KIND", help="none, several, or the name of a cycle rule.")
def paradox(kind: str | None, rules: str | None, **options: Any) -> None:
    """Find orders whose decisions have no or several resolutions.

    \b
    Examples:
      dipsat search paradox board.yaml --kind none
      dipsat search paradox --smallest --kind Szykman
    """
    from dipsat.searches.answer import Paradox

    _answer_or_smallest(Paradox(kind), rules, **options)


@search.command()
@_asking
@smallest_options
@click.option(
    "--rules", "names", multiple=True, required=True, metavar="NAME-OR-FILE",
    shell_complete=complete_rules,
    help="A rule profile; give this option twice. With one, it is compared with that of FILE.",
)  # fmt: skip
def differ(names: tuple[str, ...], **options: Any) -> None:
    """Find orders after which the board differs under two rule profiles.

    \b
    Examples:
      dipsat search differ board.yaml --rules datc --rules rulebooks/1982
      dipsat search differ --smallest --rules datc --rules 4.A.2-all-hold
    """
    from dipsat.searches.answer import Differ

    if len(names) > 2:
        raise click.UsageError("give --rules at most twice")
    rules = names[0] if len(names) == 2 else None
    _answer_or_smallest(Differ(names[-1]), rules, **options)


@search.command()
@_asking
@smallest_options
@click.argument("goal", metavar="GOAL")
@rules_option
@click.option(
    "--for", "power", metavar="POWER",
    help="Of the units that stand somewhere for certain, only this power's are open; with "
    "--smallest, those that join belong to it.",
)  # fmt: skip
def achieve(goal: str, opened: tuple[str, ...], power: str | None, **options: Any) -> None:
    """Find orders that reach a goal, such as "enters(MUN) and not dislodged(BUR)".

    \b
    Examples:
      dipsat search achieve board.yaml "owner(SER, AUSTRIA)" --for Austria
      dipsat search achieve board.yaml "dislodged(VEN)" --smallest
    """
    from dipsat.searches.answer import Achieve

    if power is not None and opened:
        raise click.UsageError("--for already says which orders are open; leave out --open")
    _answer_or_smallest(Achieve(goal), opened=opened, power=power, **options)


@search.command()
@_asking
@smallest_options
@click.argument("goal", metavar="GOAL")
@rules_option
@click.option(
    "--for", "power", required=True, metavar="POWER",
    help="The power to find orders for; with --smallest, the units that join belong to it.",
)  # fmt: skip
def guarantee(goal: str, power: str, **options: Any) -> None:
    """Find orders of a power that reach a goal whatever the other open units are ordered.

    \b
    Examples:
      dipsat search guarantee board.yaml "stands(GAL, AUSTRIA)" --for Austria
      dipsat search guarantee board.yaml "stands(VEN, ITALY)" --for Italy --smallest
    """
    from dipsat.searches.answer import Guarantee

    _answer_or_smallest(Guarantee(goal, power), **options)


def _answer_or_smallest(
    question: Question,
    rules: str | None,
    files: tuple[str, ...],
    smallest: bool,
    most: int | None,
    opened: tuple[str, ...],
    elsewhere: Elsewhere,
    workers: Workers,
    power: str | None = None,
    **options: Any,
) -> None:
    if most is not None and not smallest:
        raise click.UsageError("--most goes with --smallest")
    if files:
        number = (8 if most is None else most) if smallest else None
        _answer(
            question, files, rules, opened=opened, elsewhere=elsewhere, workers=workers,
            power=power, most=number, **options,
        )  # fmt: skip
    elif not smallest:
        raise click.UsageError("name a FILE, or ask for the --smallest position on the map")
    elif opened or elsewhere != NOWHERE:
        problem = "without FILE, --smallest is about every position of the map"
        raise click.UsageError(f"{problem}; leave out --open, --position and --phase")
    else:
        answer_smallest(question, rules, most=most, power=power, **options)


def _answer(
    question: Question,
    files: tuple[str, ...],
    rules: str | None,
    map_name: str | None,
    opened: tuple[str, ...],
    as_json: bool,
    picture_file: str | None,
    limits: Limits,
    solver: str,
    elsewhere: Elsewhere,
    workers: Workers,
    power: str | None = None,
    most: int | None = None,
) -> None:
    from dipsat.cli.files import phase_and_rules, refuse_same
    from dipsat.cli.many_files import Asked, show_answers
    from dipsat.searches.answer import Differ
    from dipsat.searches.posed import Posed

    def read(file: str) -> Asking:
        phase, chosen = phase_and_rules(file, map_name, rules, True, elsewhere)
        if isinstance(question, Differ):
            refuse_same((chosen, question.other))
        position = phase.anywhere or phase.position
        opens = opened or phase.open
        return Asking(phase, Posed(position, phase.orders, chosen, opens, power, most))

    ask = partial(answer_of, question=question, limits=limits, solver=solver)
    show_answers(files, Asked(read, ask, _drawn_search), as_json, picture_file, workers)


@dataclass(frozen=True, slots=True)
class Asking:
    """What a file states, and the board of its question."""

    phase: PhaseFile
    posed: Posed


def answer_of(
    asking: Asking,
    question: Question,
    limits: Limits,
    solver: str,
    progress: Callable[[str], None] | None = None,
) -> SearchResult:
    """The answer to a question about a phase; runs in any process."""
    from dipsat.formats.order_places import naming_orders

    with naming_orders(asking.phase.places):
        return asking.posed.answer(question, limits, solver, progress)


def _drawn_search(result: SearchResult) -> Svg:
    from dipsat.svg import search as drawn

    return drawn(result)
