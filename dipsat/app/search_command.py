"""The commands `dipsat search`: searches over all orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import click

import dipsat
from dipsat.app import parameters as cli
from dipsat.app.help_pages import command, option, rare
from dipsat.app.printing import echo, json_text
from dipsat.base import Limits, counted, write_folder, write_text
from dipsat.errors import CertificateError
from dipsat.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from dipsat.draw import Svg
    from dipsat.formats import OrderPlaces
    from dipsat.rules import Profile
    from dipsat.searches import HoldResult, Lines, LinesResult, Posed, Question, SearchResult
    from dipsat.studies import Workers


# --- search lines ---------------------------------------------------------------------------------

# The commands `dipsat search hold` and `dipsat search lines`: stalemate lines.


certificate_option = click.option(
    "--certificate", "certificate_file", metavar="FILE",
    callback=cli.file_for("certificate", ".json"),
    help="Write the certificates of the lines that hold into FILE, as a list in JSON.",
)  # fmt: skip


def _line_drawn(found: HoldResult | LinesResult) -> Svg:
    return dipsat.draw.line(found)  # slow to load


@command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@cli.rules_option
@cli.json_option
@cli.picture_option
@certificate_option
@cli.timeout_option
@cli.workers_options
def hold(
    files: tuple[str, ...],
    rules: str | None,
    as_json: bool,
    picture_file: str | None,
    certificate_file: str | None,
    limits: Limits,
    workers: Workers,
) -> None:
    """Prove that a line of units holds against any units and orders of the enemy, or show what
    breaks it.

    FILE is YAML with `units`, their standing `orders`, and `protect` or `behind`: the provinces
    that no enemy may enter (docs/holding-lines.md).

    Exit status 0 if the line holds, 1 if it breaks, 2 for bad input, 3 if undecided.

    \b
    Example:
      dipsat search hold docs/examples/line-south.yaml
    """
    from dipsat.app.named_files import Asked, show_answers
    from dipsat.searches import hold_line, read_line

    named = cli.named_rules(rules)
    profile = dipsat.load_profile(named) if named else None
    results: list[HoldResult] = []
    asked = Asked(
        lambda file: read_line(file, profile), partial(hold_line, limits=limits), _line_drawn,
        keep=results.append,
    )  # fmt: skip
    try:
        show_answers(files, asked, as_json, picture_file, workers)
    finally:
        if certificate_file is not None and results:
            _write_certificates(certificate_file, results)


_COUNT = cli.Whole(0)


def _names(*, metavar: str = "PROVINCES") -> Mapping[str, Any]:
    """The arguments of an option that takes names in lists with commas."""
    listed = lambda _, __, typed: _listed(typed)  # noqa: E731
    return {"multiple": True, "metavar": metavar, "callback": listed}


_line = partial(option, heading="The line")
_enemy = partial(option, heading="The enemy")


@command()
@_line(
    "--centres",
    multiple=True,
    metavar="N-OR-PROVINCES",
    help="The number of centres that the line holds, or a list: 15, or ANK,CON,SMY.  [default: any "
    "number too small to win the game, or those of --protect and --power if more]",
)
@_line("--protect", help="No enemy may enter these, such as ANK,BLA.", **_names())
@_line("--outside", help="The line does not hold these.", **_names())
@_line("--power", metavar="POWER", help="The power of the line; it holds its home centres.")
@_line("--no-home", is_flag=True, help="It need not hold the home centres of its power.")
@_line("--units", type=_COUNT, metavar="N", help="The most units that the line may have.")
@_line("--unit", "given", multiple=True, metavar="UNIT", help="It has this unit. Repeatable.")
@_line(
    "--order",
    "orders",
    multiple=True,
    metavar="ORDER",
    help="It has a unit with this order, such as `F PIE S F LYO`. Repeatable.",
)
@_line("--armies", type=_COUNT, metavar="N", help="The most armies.")
@_line("--fleets", type=_COUNT, metavar="N", help="The most fleets.")
@_line("--self-sufficient", is_flag=True, help="It has no more units than it holds centres.")
@_line("--sorties", is_flag=True, help="Units may go out and come back in every phase.")
@_line(
    "--split", type=cli.Whole(1), metavar="N",
    help="A second line holds N centres at the same time. The units of both are counted together, "
    "also for --units, --armies and --fleets.",
)  # fmt: skip
@_line(
    "--all",
    "every",
    is_flag=True,
    help="Find all lines with the fewest units; with --split, all pairs.",
)
@_enemy("--enemy", "enemies", help="Only these powers are enemies.", **_names(metavar="POWERS"))
@_enemy("--enemy-units", type=_COUNT, metavar="N", help="The most units of the enemy.")
@_enemy("--no-fleets-in", "fleets_not_in", help="The enemy has no fleet in these.", **_names())
@_enemy("--no-armies-in", "armies_not_in", help="The enemy has no army in these.", **_names())
@_enemy(
    "--fleets-arrive",
    is_flag=True,
    help="Enemy fleets are only where they can go from a centre in which the enemy can build.",
)
@cli.map_option
@cli.rules_option
@cli.json_option
@cli.picture_option
@certificate_option
@click.option(
    "--line", "line_file", metavar="FILE", callback=cli.file_for("line", ".yaml", ".yml"),
    help="Write the first line into FILE, as `dipsat search hold` reads it.",
)  # fmt: skip
@rare(
    "--proof", "proof_folder", metavar="DIR",
    help="Prove again, with another formulation and solver, that no line has fewer units, and "
    "write that proof into this folder.",
)  # fmt: skip
@cli.force_option
@cli.timeout_option
@cli.solver_option
def lines(
    rules: str | None,
    map_name: str | None,
    as_json: bool,
    picture_file: str | None,
    certificate_file: str | None,
    line_file: str | None,
    proof_folder: str | None,
    force: bool,
    limits: Limits,
    solver: str,
    **asked: Any,
) -> None:
    """Find the lines with the fewest units that hold centres or provinces for ever, and prove that
    no line has fewer.

    Exit status 0 if a line is found, 1 if it is proven that there is none, 2 for bad input, 3 if
    undecided: then the best line so far is shown, and how many units are excluded.

    \b
    Examples:
      dipsat search lines --centres 15
      dipsat search lines --power Turkey --self-sufficient
    """
    from dipsat.app.named_files import Ticker, show_answer
    from dipsat.searches import FILES, IMPOSSIBLE, Lines, find_lines

    profile = dipsat.load_profile(cli.named_rules(rules) or DEFAULT_RULES)
    asked["home"] = not asked.pop("no_home")
    centres = asked.pop("centres")
    if centres:
        asked["centres"] = _number_or_names(centres)
    question = Lines(**asked, map=map_name)
    if proof_folder is not None and question.sorties:
        raise click.UsageError("--proof is about lines whose units stay")
    if question.split is not None and not isinstance(question.centres, int):
        raise click.UsageError("--split needs --centres N, how many the first line holds")
    if proof_folder is not None:
        write_folder(proof_folder, {}, FILES, force)  # check that it can be before the long work
    answer = find_lines(question, rules=profile, limits=limits, progress=Ticker(), solver=solver)
    if picture_file is not None and not answer.held:
        echo("no picture: no line was found", err=True)
        picture_file = None
    try:
        show_answer(answer, as_json, picture_file, _line_drawn)
    finally:  # the answer is shown even if a file cannot be written
        if certificate_file is not None:
            _write_certificates(certificate_file, answer.held)
        if line_file is not None:
            _write_line(line_file, answer)
        if proof_folder is not None:
            below = None if answer.verdict == IMPOSSIBLE else answer.bound
            _confirm(question, below, profile, limits, proof_folder)


def _confirm(
    question: Lines, below: int | None, rules: Profile, limits: Limits, folder: str
) -> None:
    """Print on standard error whether a second proof confirms that no line has fewer units, and
    write that proof."""
    from dipsat.app.named_files import Ticker
    from dipsat.searches import CONFIRMED, FILES, REFUTED, confirm_fewest

    if below == 0:
        echo("nothing to confirm: it is not proven that any number of units is too few", err=True)
        return
    found = confirm_fewest(
        question, below, rules=rules, limits=limits, progress=Ticker(), with_proof=True
    )
    line, there_is = ("line", "there is") if question.split is None else ("two lines", "there are")
    fewer = line if below is None else f"{line} with fewer than {counted(below, 'unit')}"
    if found.verdict == CONFIRMED:
        write_folder(folder, found.files, FILES, force=True)  # it was empty, or --force was given
        echo(f"confirmed by Z3 and a proof in {folder}: {there_is} no {fewer}", err=True)
    elif found.verdict == REFUTED:
        echo(
            f"error: {there_is} {'a ' * (line == 'line')}{fewer}, of {', '.join(found.units)}",
            err=True,
        )
    else:
        echo(f"not confirmed that {there_is} no {fewer}: {found.reason}", err=True)


def _write_certificates(file: str, results: Sequence[HoldResult]) -> None:
    """Write the certificates of the lines that hold, and say why the others have none. An empty
    list replaces older certificates, so that nobody takes them for those of these lines."""
    from dipsat.searches import BREAKS, HOLDS

    certificates = []
    if not results:
        echo("no certificate: no line was found", err=True)
    for result in results:
        if result.verdict != HOLDS:
            what = "breaks" if result.verdict == BREAKS else "is not proven to hold"
            echo(f"no certificate: the line {what}", err=True)
            continue
        try:
            certificates.append(result.certificate())
        except CertificateError as error:
            echo(str(error), err=True)
    write_text(file, json_text(certificates, 1) + "\n")


def _write_line(file: str, answer: LinesResult) -> None:
    from pathlib import Path

    from dipsat.searches import write_line

    if not answer.lines:
        echo(f"{file} is not written: no line was found", err=True)
        return
    write_text(file, write_line(answer.lines[0], Path(file).parent))


def _number_or_names(typed: tuple[str, ...]) -> int | tuple[str, ...]:
    """The centres that a line must hold: a number or a list."""
    names = _listed(typed)
    numbers = [name for name in names if name.removeprefix("-").isdecimal() and len(name) < 10]
    if numbers and len(names) > 1:
        raise click.UsageError("--centres is one number, or a list of centres")
    return int(numbers[0]) if numbers else names


def _listed(typed: Iterable[str]) -> tuple[str, ...]:
    """The names in lists with commas."""
    names = (name.strip() for text in typed for name in text.split(","))
    return tuple(name for name in names if name)


# --- search ---------------------------------------------------------------------------------------


class _Searches(click.Group):
    """Commands for all kinds of questions. Each is made on demand, because that is slow."""

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
    """Search all orders of open units, or of any enemy that a line could meet.

    FILE is as for `dipsat adjudicate`, except that units without an order are open: they may have
    any order. Exit status 0 if orders or lines are found, or a line holds; 1 if it is proven that
    there are none, or a line breaks; 2 for bad input, 3 if the time was too short (docs/search.md).
    Several files are answered side by side; the exit status is 2 if any is bad input, else the
    greatest.
    """


_asking = cli.together(
    click.argument("files", nargs=-1, metavar="FILE..."),  # only `--smallest` needs none
    cli.map_option,
    cli.position_options,
    click.option(
        "--open", "opened", multiple=True, metavar="UNIT-OR-POWER",
        help="Open the orders of this unit or power, even if FILE states them; `all` for every "
        "unit. Repeatable.",
    ),
    cli.json_option,
    cli.picture_option,
    cli.timeout_option,
    cli.solver_option,
    cli.workers_options,
    click.option(
        "--smallest", is_flag=True,
        help="Find the fewest units anywhere on the map, and prove that fewer are not enough. "
        "With FILE, the fewest that join its units.",
    ),
    rare(
        "--most", type=cli.Whole(1, 8), metavar="N",
        help="With --smallest, the most units to try.  [default: 8]",
    ),
)  # fmt: skip
"""The argument and the options of every search over open orders."""
_power_option = click.option(
    "--for", "power", metavar="POWER",
    help="Among the units with a known place, only this power's are open; with --smallest, added "
    "units belong to it.",
)  # fmt: skip
_both_rules_option = cli.rules_named(
    "A rule profile; give this option twice. With one, it is compared with that of FILE.", "names"
)


def _command(kind: type[Question]) -> click.Command:
    """The command for a kind of question, with its arguments."""
    from dipsat.searches import arguments_of

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
    made: Any = cli.together(
        command(kind._command),
        _asking,
        *(click.argument(one.name, metavar=one.name.upper()) for one in plain),
        cli.rules_option if other is None else _both_rules_option,
        *(
            click.option(
                one.option, one.name, metavar=one.name.upper(), required=bool(one.wanted),
                help=one.help,
            )
            for one in named
        ),
        *((_power_option,) if kind._opens_for_power else ()),
    )(ask)  # fmt: skip
    return cast("click.Command", made)


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
    elsewhere: cli.Elsewhere,
    workers: Workers,
    smallest: bool,
    most: int | None,
    power: str | None = None,
) -> None:
    """Print the answer to a question, and end with its status."""
    from dipsat.app.named_files import (
        Asked,
        Ticker,
        phase_and_rules,
        refuse_same,
        show_answer,
        show_answers,
        show_remarks,
    )
    from dipsat.searches import Posed, search_smallest

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

    def drawn(found: SearchResult) -> Svg:
        return dipsat.draw.search(found)

    if files:
        ask = partial(answer_of, question=question, limits=limits, solver=solver)
        show_answers(files, Asked(read, ask, drawn), as_json, picture_file, workers)
    if not smallest:
        raise click.UsageError("name a FILE, or ask for the --smallest position on the map")
    if opened or elsewhere != cli.NOWHERE:
        problem = "without FILE, --smallest is about every position of the map"
        raise click.UsageError(f"{problem}; leave out --open, --position and --phase")
    profile = dipsat.load_profile(cli.named_rules(rules) or DEFAULT_RULES)
    show_remarks(profile)
    refuse_same((profile, *question._other_rules))
    board = map_name or profile.map or "standard"
    found = search_smallest(
        question, board, power=power, most=number, rules=profile, limits=limits,
        progress=Ticker(), solver=solver,
    )  # fmt: skip
    show_answer(found, as_json, picture_file, drawn)


def answer_of(
    asking: tuple[OrderPlaces, Posed],
    question: Question,
    limits: Limits,
    solver: str,
    progress: Callable[[str], None] | None = None,
) -> SearchResult:
    """Answer a question about the board of a file, given with the places of its orders. Runs in any
    process."""
    from dipsat.formats import naming_orders

    places, posed = asking
    with naming_orders(places):
        return posed.answer(question, limits, solver, progress)
