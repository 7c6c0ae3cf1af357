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
    named_rules,
    position_options,
    rules_option,
    timeout_option,
    workers_options,
)
from dipsat.cli.picture_files import svg_option
from dipsat.cli.printing import echo, json_text
from dipsat.cli.smallest import answer_smallest, smallest_options
from dipsat.limits import Limits
from dipsat.tables import counted

if TYPE_CHECKING:
    from dipsat.executors.workers import Workers
    from dipsat.formats.phase_file import PhaseFile
    from dipsat.lines.found import LinesResult
    from dipsat.lines.hold_result import HoldResult
    from dipsat.lines.question import Lines
    from dipsat.profiles.profile import Profile
    from dipsat.searches.answer import Question, SearchResult
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


solver_option = click.option(
    "--solver", type=click.Choice(["auto", "z3", "sat"]), default="auto",
    help="Z3, or the faster SAT solver of the package python-sat.",
)  # fmt: skip


certificate_option = click.option(
    "--certificate", "certificate_file", metavar="FILE",
    help="Write the certificates of the lines that hold into FILE, as a list in JSON.",
)  # fmt: skip


def _asking(command: _F, needs_file: bool = True) -> _F:
    """Add the argument and the options of every search over open orders."""
    options = [
        click.argument("files", nargs=-1, required=needs_file, metavar="FILE..."),
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


def _asking_anywhere(command: _F) -> _F:
    """The same for a search that needs no FILE if units may stand anywhere."""
    return _asking(command, needs_file=False)


@search.command()
@_asking_anywhere
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
@_asking_anywhere
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
@click.argument("goal", metavar="GOAL")
@rules_option
@click.option("--for", "power", metavar="POWER", help="Only this power's units are open.")
def achieve(goal: str, power: str | None, opened: tuple[str, ...], **options: Any) -> None:
    """Find orders that reach a goal, such as "enters(MUN) and not dislodged(BUR)".

    \b
    Example:
      dipsat search achieve board.yaml "owner(SER, AUSTRIA)" --for Austria
    """
    from dipsat.searches.answer import Achieve

    if power is not None and opened:
        raise click.UsageError("--for already says which orders are open; leave out --open")
    _answer(Achieve(goal), opened=opened, power=power, **options)


@search.command()
@_asking
@click.argument("goal", metavar="GOAL")
@rules_option
@click.option(
    "--for", "power", required=True, metavar="POWER", help="The power to find orders for."
)
def guarantee(goal: str, power: str, **options: Any) -> None:
    """Find orders of a power that reach a goal whatever the other open units are ordered.

    \b
    Example:
      dipsat search guarantee board.yaml "stands(GAL, AUSTRIA)" --for Austria
    """
    from dipsat.searches.answer import Guarantee

    _answer(Guarantee(goal, power), **options)


@search.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@rules_option
@json_option
@svg_option
@certificate_option
@timeout_option
@workers_options
def hold(
    files: tuple[str, ...],
    rules: str | None,
    as_json: bool,
    picture_file: str | None,
    certificate_file: str | None,
    limits: Limits,
    workers: Workers,
) -> None:
    """Prove that a line of units holds whatever units the enemy has and orders, or show what breaks
    it.

    FILE is YAML with `units`, their standing `orders`, and `protect` or `behind`: the provinces
    that no enemy may enter (docs/holding-lines.md).

    Exit status 0 if the line holds, 1 if it breaks, 2 for bad input, 3 if undecided.

    \b
    Example:
      dipsat search hold docs/examples/line-south.yaml
    """
    from dipsat.cli.many_files import Asked, show_answers
    from dipsat.lines import hold_line, read_line
    from dipsat.lines.hold_result import HOLDS
    from dipsat.profiles.load import load_profile

    named = named_rules(rules)
    profile = load_profile(named) if named else None
    certificates: list[dict[str, Any]] = []

    def keep(result: HoldResult) -> None:
        if certificate_file is not None and result.verdict == HOLDS:
            if result.line.plan:
                echo("no certificate: only lines whose units stay have one", err=True)
            else:
                certificates.append(result.certificate())

    asked = Asked(
        lambda file: read_line(file, profile), partial(hold_line, limits=limits), _drawn_line,
        keep=keep,
    )  # fmt: skip
    try:
        show_answers(files, asked, as_json, picture_file, workers)
    finally:
        if certificate_file is not None:
            _write_certificates(certificate_file, certificates)


_NAMES, _COUNT = "PROVINCES", click.IntRange(0)


@search.command()
@click.option(
    "--centres",
    metavar="N-OR-PROVINCES",
    help="The number of centres that the line holds, or which: 15, or ANK,CON,SMY.",
)
@click.option("--protect", metavar=_NAMES, help="No enemy may enter these, such as ANK,BLA.")
@click.option("--outside", metavar=_NAMES, help="The line does not hold these.")
@click.option("--power", metavar="POWER", help="The power of the line; it holds its home centres.")
@click.option("--units", type=_COUNT, metavar="N", help="The most units that the line may have.")
@click.option(
    "--unit", "given", multiple=True, metavar="UNIT", help="It has this unit. Repeatable."
)
@click.option(
    "--order",
    "orders",
    multiple=True,
    metavar="ORDER",
    help="It has a unit with this order, such as `F PIE S F LYO`. Repeatable.",
)
@click.option("--armies", type=_COUNT, metavar="N", help="The most armies.")
@click.option("--fleets", type=_COUNT, metavar="N", help="The most fleets.")
@click.option("--self-sufficient", is_flag=True, help="It has no more units than it holds centres.")
@click.option("--sorties", is_flag=True, help="Units may go out and come back in every phase.")
@click.option("--all", "every", is_flag=True, help="Find all lines with the fewest units.")
@click.option("--enemy", "enemies", metavar="POWERS", help="Only these powers are enemies.")
@click.option("--enemy-units", type=_COUNT, metavar="N", help="The most units of the enemy.")
@click.option("--no-fleets-in", metavar=_NAMES, help="The enemy has no fleet in these.")
@click.option("--no-armies-in", metavar=_NAMES, help="The enemy has no army in these.")
@click.option(
    "--fleets-arrive",
    is_flag=True,
    help="Enemy fleets are only where they can come from a centre in which the enemy can build.",
)
@map_option
@rules_option
@json_option
@svg_option
@certificate_option
@click.option(
    "--proof", "proof_folder", metavar="DIR",
    help="Prove again by another statement and solver that no line has fewer units, and write that "
    "proof into this folder.",
)  # fmt: skip
@timeout_option
@solver_option
def lines(
    rules: str | None,
    map_name: str | None,
    as_json: bool,
    picture_file: str | None,
    certificate_file: str | None,
    proof_folder: str | None,
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
    from dipsat.cli.many_files import Ticker, show_answer
    from dipsat.lines.find import find_lines
    from dipsat.lines.found import IMPOSSIBLE
    from dipsat.lines.hold_result import HOLDS
    from dipsat.lines.question import Lines
    from dipsat.profiles.load import DEFAULT_RULES, load_profile

    profile = load_profile(named_rules(rules) or DEFAULT_RULES)
    for name in ("protect", "outside", "enemies", "no_fleets_in", "no_armies_in"):
        asked[name] = _listed(asked[name])
    asked["fleets_not_in"], asked["armies_not_in"] = (
        asked.pop("no_fleets_in"), asked.pop("no_armies_in")
    )  # fmt: skip
    centres = asked.pop("centres")
    if centres is not None:
        is_number = centres.strip().isdecimal() and len(centres) < 10
        asked["centres"] = int(centres) if is_number else _listed(centres)
    question = Lines(**asked, map=map_name)
    answer = find_lines(question, rules=profile, limits=limits, progress=Ticker(), solver=solver)
    if certificate_file is not None:
        held = [one.certificate() for one in answer.held if one.verdict == HOLDS]
        _write_certificates(certificate_file, held)
    if proof_folder is not None:
        below = None if answer.verdict == IMPOSSIBLE else answer.bound
        _confirm(question, below, profile, limits, proof_folder)
    if not answer.held:
        picture_file = None
    show_answer(answer, as_json, picture_file, _drawn_line)


def _confirm(
    question: Lines, below: int | None, rules: Profile, limits: Limits, folder: str
) -> None:
    """Say on standard error whether it is confirmed that no line has fewer units, and write the
    proof."""
    from dipsat.cli.many_files import Ticker
    from dipsat.files.writing import write_folder
    from dipsat.lines.confirm import CONFIRMED, FILES, REFUTED, confirm_fewest

    if below == 0:
        echo("nothing to confirm: it is not proven that any number of units is too few", err=True)
        return
    found = confirm_fewest(
        question, below, rules=rules, limits=limits, progress=Ticker(), with_proof=True
    )
    fewer = "line" if below is None else f"line with fewer than {counted(below, 'unit')}"
    if found.verdict == CONFIRMED:
        write_folder(folder, found.files, FILES)
        echo(f"confirmed by Z3 and a proof in {folder}: there is no {fewer}", err=True)
    elif found.verdict == REFUTED:
        echo(f"error: there is a {fewer}, of {', '.join(found.units)}", err=True)
    else:
        echo(f"not confirmed that there is no {fewer}: {found.reason}", err=True)


def _write_certificates(file: str, certificates: list[dict[str, Any]]) -> None:
    from dipsat.files.writing import write_text

    write_text(file, json_text(certificates, 1) + "\n")


def _listed(names: str | None) -> tuple[str, ...]:
    """The names in a list with commas."""
    return tuple(name.strip() for name in (names or "").split(",") if name.strip())


def _answer_or_smallest(
    question: Question,
    rules: str | None,
    files: tuple[str, ...],
    smallest: bool,
    most: int | None,
    opened: tuple[str, ...],
    elsewhere: Elsewhere,
    workers: Workers,
    **options: Any,
) -> None:
    if smallest:
        if files or opened or elsewhere != NOWHERE:
            problem = "--smallest is about every position of the map: no FILE goes with it"
            raise click.UsageError(problem)
        answer_smallest(question, rules, most=most, **options)
    if most is not None:
        raise click.UsageError("--most goes with --smallest")
    if not files:
        raise click.UsageError("name a FILE, or ask for the --smallest position on the map")
    _answer(question, files, rules, opened=opened, elsewhere=elsewhere, workers=workers, **options)


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
) -> None:
    from dipsat.cli.files import phase_and_rules, refuse_same
    from dipsat.cli.many_files import Asked, show_answers
    from dipsat.searches.answer import IMPOSSIBLE, Differ

    def read(file: str) -> Posed:
        phase, chosen = phase_and_rules(file, map_name, rules, True, elsewhere)
        if isinstance(question, Differ):
            refuse_same((chosen, question.other))
        return Posed(phase, chosen, _open(phase, opened, power))

    def note(posed: Posed, result: SearchResult) -> None:
        if isinstance(question, Differ) and result.verdict == IMPOSSIBLE:
            _note_centers(posed.phase)

    ask = partial(answer_of, question=question, limits=limits, solver=solver)
    show_answers(files, Asked(read, ask, _drawn_search, note), as_json, picture_file, workers)


@dataclass(frozen=True, slots=True)
class Posed:
    """A phase that a question is about, with the rules to judge it by, and what is open in it."""

    phase: PhaseFile
    rules: Profile | str
    open: tuple[str, ...] | None


def answer_of(
    posed: Posed,
    question: Question,
    limits: Limits,
    solver: str,
    progress: Callable[[str], None] | None = None,
) -> SearchResult:
    """The answer to a question about a phase; runs in any process."""
    from dipsat.searches.ask import search as ask

    phase = posed.phase
    position = phase.anywhere or phase.position
    return ask(
        position, question, phase.orders, open=posed.open, rules=posed.rules,
        limits=limits, progress=progress, solver=solver,
    )  # fmt: skip


def _drawn_search(result: SearchResult) -> Svg:
    from dipsat.svg import search as drawn

    return drawn(result)


def _drawn_line(result: HoldResult | LinesResult) -> Svg:
    from dipsat.svg import line as drawn

    return drawn(result)


def _note_centers(phase: PhaseFile) -> None:
    """Say if the rules are compared on boards on which nobody owns a centre."""
    if not phase.position.centers and phase.anywhere is None:
        text = "The file states no `centers`: nobody owns a centre before these orders."
        echo(f"{'':12}{text}")


def _open(phase: PhaseFile, opened: tuple[str, ...], power: str | None) -> tuple[str, ...] | None:
    """The open units or powers: those of the options, otherwise those of the file."""
    if power is not None:
        return (phase.position.map.names.power(power),)
    return opened or phase.open
