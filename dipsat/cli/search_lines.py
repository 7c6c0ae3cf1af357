"""The commands `dipsat search hold` and `dipsat search lines`: stalemate lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from dipsat.cli.parameters import (
    Whole,
    file_for,
    json_option,
    map_option,
    named_rules,
    rules_option,
    solver_option,
    timeout_option,
    workers_options,
)
from dipsat.cli.picture_files import svg_option
from dipsat.cli.printing import echo, json_text
from dipsat.limits import Limits
from dipsat.tables import counted

if TYPE_CHECKING:
    from dipsat.executors.workers import Workers
    from dipsat.lines.found import LinesResult
    from dipsat.lines.hold_result import HoldResult
    from dipsat.lines.question import Lines
    from dipsat.profiles.profile import Profile
    from dipsat.svg.markup import Svg

certificate_option = click.option(
    "--certificate", "certificate_file", metavar="FILE", callback=file_for("certificate", ".json"),
    help="Write the certificates of the lines that hold into FILE, as a list in JSON.",
)  # fmt: skip


@click.command()
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
    from dipsat.profiles.load import load_profile

    named = named_rules(rules)
    profile = load_profile(named) if named else None
    results: list[HoldResult] = []
    asked = Asked(
        lambda file: read_line(file, profile), partial(hold_line, limits=limits), _drawn,
        keep=results.append,
    )  # fmt: skip
    try:
        show_answers(files, asked, as_json, picture_file, workers)
    finally:
        if certificate_file is not None and results:
            _write_certificates(certificate_file, results)


_NAMES, _COUNT = "PROVINCES", Whole(0)


@click.command()
@click.option(
    "--centres",
    multiple=True,
    metavar="N-OR-PROVINCES",
    help="The number of centres that the line holds, or which: 15, or ANK,CON,SMY.  [default: any "
    "number up to one fewer than win the game, or those of --protect and --power if more]",
)
@click.option(
    "--protect", multiple=True, metavar=_NAMES, help="No enemy may enter these, such as ANK,BLA."
)
@click.option("--outside", multiple=True, metavar=_NAMES, help="The line does not hold these.")
@click.option("--power", metavar="POWER", help="The power of the line; it holds its home centres.")
@click.option("--no-home", is_flag=True, help="It need not hold the home centres of its power.")
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
@click.option(
    "--split", type=Whole(1), metavar="N",
    help="A second line holds N centres at the same time; the units of both are counted, for "
    "--units, --armies and --fleets, too.",
)  # fmt: skip
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Find all lines with the fewest units; with --split, all pairs.",
)
@click.option(
    "--enemy", "enemies", multiple=True, metavar="POWERS", help="Only these powers are enemies."
)
@click.option("--enemy-units", type=_COUNT, metavar="N", help="The most units of the enemy.")
@click.option(
    "--no-fleets-in", multiple=True, metavar=_NAMES, help="The enemy has no fleet in these."
)
@click.option(
    "--no-armies-in", multiple=True, metavar=_NAMES, help="The enemy has no army in these."
)
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
    "--line", "line_file", metavar="FILE", callback=file_for("line", ".yaml", ".yml"),
    help="Write the first line into FILE, as `dipsat search hold` reads it.",
)  # fmt: skip
@click.option(
    "--proof", "proof_folder", metavar="DIR",
    help="Prove again by another statement and solver that no line has fewer units, and write that "
    "proof into this folder.",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Write into DIR even if it is not empty.")
@timeout_option
@solver_option
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
    from dipsat.cli.many_files import Ticker, show_answer
    from dipsat.files.writing import write_folder
    from dipsat.lines.confirm import FILES
    from dipsat.lines.find import find_lines
    from dipsat.lines.found import IMPOSSIBLE
    from dipsat.lines.question import Lines
    from dipsat.profiles.load import DEFAULT_RULES, load_profile

    profile = load_profile(named_rules(rules) or DEFAULT_RULES)
    for name in ("protect", "outside", "enemies", "no_fleets_in", "no_armies_in"):
        asked[name] = _listed(asked[name])
    asked["fleets_not_in"], asked["armies_not_in"] = (
        asked.pop("no_fleets_in"), asked.pop("no_armies_in")
    )  # fmt: skip
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
        show_answer(answer, as_json, picture_file, _drawn)
    finally:  # what cannot be written costs no answer
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
    line, there_is = ("line", "there is") if question.split is None else ("two lines", "there are")
    fewer = line if below is None else f"{line} with fewer than {counted(below, 'unit')}"
    if found.verdict == CONFIRMED:
        write_folder(folder, found.files, FILES, force=True)  # it was empty, or may be used
        echo(f"confirmed by Z3 and a proof in {folder}: {there_is} no {fewer}", err=True)
    elif found.verdict == REFUTED:
        echo(
            f"error: {there_is} {'a ' * (line == 'line')}{fewer}, of {', '.join(found.units)}",
            err=True,
        )
    else:
        echo(f"not confirmed that {there_is} no {fewer}: {found.reason}", err=True)


def _write_certificates(file: str, results: Sequence[HoldResult]) -> None:
    """Write the certificates of the lines that hold, and say why there is none of the others. An
    empty list replaces certificates of other lines, which somebody could take for these."""
    from dipsat.errors import CertificateError
    from dipsat.files.writing import write_text
    from dipsat.lines.hold_result import BREAKS, HOLDS

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

    from dipsat.files.writing import write_text
    from dipsat.lines.line_writer import write_line

    if not answer.lines:
        echo(f"{file} is not written: no line was found", err=True)
        return
    write_text(file, write_line(answer.lines[0], Path(file).parent))


def _number_or_names(typed: tuple[str, ...]) -> int | tuple[str, ...]:
    """What is asked about centres: how many, or which."""
    names = _listed(typed)
    numbers = [name for name in names if name.removeprefix("-").isdecimal() and len(name) < 10]
    if numbers and len(names) > 1:
        raise click.UsageError("--centres is one number, or a list of centres")
    return int(numbers[0]) if numbers else names


def _listed(typed: Iterable[str]) -> tuple[str, ...]:
    """The names in lists with commas."""
    names = (name.strip() for text in typed for name in text.split(","))
    return tuple(name for name in names if name)


def _drawn(found: HoldResult | LinesResult) -> Svg:
    from dipsat import svg

    return svg.line(found)
