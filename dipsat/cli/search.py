"""The commands `dipsat search`: questions about all orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dipsat.cli.output import print_json
from dipsat.cli.parameters import (
    json_option,
    map_option,
    named_rules,
    rules_option,
    timeout_option,
)

if TYPE_CHECKING:
    from dipsat.formats.phase_file import PhaseFile
    from dipsat.searches.ask import Question

_F = TypeVar("_F", bound=Callable[..., Any])


@click.group()
def search() -> None:
    """Ask about all orders: of open units, or of every enemy that a line could meet.

    A FILE is as for `dipsat adjudicate`, but that not every unit needs an order: those without one
    are open, and may be ordered anything. Exit status 0 if orders are found, 1 if it is proven
    that there are none, 2 for bad input, 3 if the time did not suffice (docs/search.md).
    """


def _asking(command: _F) -> _F:
    """The argument and the options that every question about open orders has."""
    options = [
        click.argument("file", metavar="FILE"),
        map_option,
        click.option(
            "--open", "opened", multiple=True, metavar="UNIT-OR-POWER",
            help="Whose orders are open, whatever FILE says; `all` for every unit. Repeatable.",
        ),
        json_option,
        timeout_option,
        click.option(
            "--solver", type=click.Choice(["auto", "z3", "sat"]), default="auto",
            help="Z3, or the SAT solver of the package python-sat, which is quicker.",
        ),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@search.command()
@_asking
@rules_option
@click.option("--kind", metavar="KIND", help="none, several, or the name of a cycle rule.")
def paradox(kind: str | None, **options: Any) -> None:
    """Find orders whose decisions have no or several resolutions.

    \b
    Example:
      dipsat search paradox board.yaml --kind none
    """
    from dipsat.searches.ask import Paradox

    _answer(Paradox(kind), **options)


@search.command()
@_asking
@click.option(
    "--rules", "names", multiple=True, required=True, metavar="NAME-OR-FILE",
    help="A rule profile; give this option twice. With one, it is compared with that of FILE.",
)  # fmt: skip
def differ(names: tuple[str, ...], **options: Any) -> None:
    """Find orders after which the board differs under two rule profiles.

    \b
    Example:
      dipsat search differ board.yaml --rules datc --rules rulebooks/1982
    """
    from dipsat.searches.ask import Differ

    if len(names) > 2:
        raise click.UsageError("--rules is given at most twice")
    rules = names[0] if len(names) == 2 else None
    _answer(Differ(names[-1]), rules=rules, **options)


@search.command()
@_asking
@click.argument("goal", metavar="GOAL")
@rules_option
@click.option("--for", "power", metavar="POWER", help="Only this power's units are open.")
def achieve(goal: str, power: str | None, opened: tuple[str, ...], **options: Any) -> None:
    """Find orders that reach a goal, such as "enters(MUN) and not dislodged(BUR)".

    \b
    Example:
      dipsat search achieve board.yaml "owner(SER, AUSTRIA)" --for Austria
    """
    from dipsat.searches.ask import Achieve

    if power is not None and opened:
        raise click.UsageError("--for already says whose orders are open; leave out --open")
    _answer(Achieve(goal), opened=opened, power=power, **options)


@search.command()
@_asking
@click.argument("goal", metavar="GOAL")
@rules_option
@click.option("--for", "power", required=True, metavar="POWER", help="Whose orders are looked for.")
def guarantee(goal: str, power: str, **options: Any) -> None:
    """Find orders of a power that reach a goal whatever the other open units are ordered.

    \b
    Example:
      dipsat search guarantee board.yaml "stands(GAL, AUSTRIA)" --for Austria
    """
    from dipsat.searches.ask import Guarantee

    _answer(Guarantee(goal, power), **options)


@search.command()
@click.argument("file", metavar="FILE")
@rules_option
@json_option
@timeout_option
def hold(file: str, rules: str | None, as_json: bool, timeout: float | None) -> None:
    """Prove that a line of units holds whatever the enemy has and orders, or show what breaks it.

    FILE is YAML with `units`, their standing `orders`, and `protect` or `behind`: the provinces
    that no enemy may enter (docs/holding-lines.md).

    Exit status 0 if the line holds, 1 if it breaks, 2 for bad input, 3 if it is not known.

    \b
    Example:
      dipsat search hold docs/examples/line-south.yaml
    """
    _exit_with(lambda: _hold(file, rules, as_json, timeout))


def _exit_with(run: Callable[[], int]) -> None:
    try:
        status = run()
    except KeyboardInterrupt:
        click.echo("error: interrupted before there was anything to show", err=True)
        status = 3
    click.get_current_context().exit(status)


def _answer(question: Question, **options: Any) -> None:
    _exit_with(lambda: _ask(question, **options))


def _ask(
    question: Question,
    file: str,
    rules: str | None,
    map_name: str | None,
    opened: tuple[str, ...],
    as_json: bool,
    timeout: float | None,
    solver: str,
    power: str | None = None,
) -> int:
    from dipsat.cli.files import phase_and_rules
    from dipsat.cli.search_view import EXIT_STATUS, show_answer
    from dipsat.cli.ticker import Ticker
    from dipsat.searches.ask import search as ask

    phase, chosen = phase_and_rules(file, map_name, rules, asking=True)
    result = ask(
        phase.position,
        question,
        phase.orders,
        open=_open(phase, opened, power),
        rules=chosen,
        time_limit_ms=_milliseconds(timeout),
        progress=Ticker(),
        solver=solver,
    )
    if as_json:
        print_json(result.to_dict())
    else:
        show_answer(result)
    return EXIT_STATUS[result.verdict]


def _open(phase: PhaseFile, opened: tuple[str, ...], power: str | None) -> Iterable[str] | None:
    """Whose orders are open: what the options say, else what the file says."""
    if power is not None:
        return (phase.position.map.names.power(power),)
    return opened or phase.open


def _hold(file: str, rules: str | None, as_json: bool, timeout: float | None) -> int:
    from dipsat.cli.hold_view import EXIT_STATUS, show_hold
    from dipsat.cli.ticker import Ticker
    from dipsat.profiles.load import load_profile
    from dipsat.searches import hold_line, read_line

    named = named_rules(rules)
    line = read_line(file, load_profile(named) if named else None)
    result = hold_line(line, time_limit_ms=_milliseconds(timeout), progress=Ticker())
    if as_json:
        print_json(result.to_dict())
    else:
        show_hold(result)
    return EXIT_STATUS[result.verdict]


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else int(seconds * 1000)
