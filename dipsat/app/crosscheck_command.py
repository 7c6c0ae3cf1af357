"""The command `dipsat crosscheck`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dipsat.app.help_pages import command, option, rare
from dipsat.app.parameters import (
    BOARDS,
    ENGINES_PAGE,
    NOWHERE,
    Chosen,
    Elsewhere,
    Whole,
    board_options,
    complete_maps,
    complete_rules,
    ended,
    json_option,
    lenient_option,
    position_options,
    save_options,
    workers_options,
)
from dipsat.app.printing import echo, rows_option, written_rows
from dipsat.base import SOLVER
from dipsat.studies import DEFAULT_SMALLEST, ENGINES, EXTENTS

if TYPE_CHECKING:
    from dipsat.studies import Extent, Source, Workers


@command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--engine", "-e", "engines", multiple=True, required=True, metavar="ENGINE[:PROFILE]",
    help=f"A judge; repeat the option for each. A single one is compared with the {SOLVER}. "
    f"Engines: {', '.join(ENGINES)}; {ENGINES_PAGE}.",
)  # fmt: skip
@click.option(
    "--rules", metavar="NAME-OR-FILE", shell_complete=complete_rules,
    help="The rules of judges that name none.  [default: those of the first judge with any, else "
    "those of the file, else datc]",
)  # fmt: skip
@click.option(
    "--map", "map_name", metavar="NAME-OR-FILE", shell_complete=complete_maps,
    help="The map of random boards, and of files even if they name another.",
)  # fmt: skip
@click.option(
    "--datc", "cases", multiple=True, is_flag=False, flag_value="all", metavar="[SELECTION]",
    help="DATC cases: 6.F.14, a section 6.F, or without SELECTION all of them.",
)  # fmt: skip
@option("--random", heading=BOARDS, type=Whole(1), metavar="N", help="Also compare on N boards.")
@board_options("random board", 1)
@rare(
    "--compare", "extent", type=Chosen(EXTENTS), default="auto", show_default=True,
    help="`moves`: who moves where, who is dislodged, standoffs. `all`: also retreats and every "
    "verdict. `auto`: all, but only moves for an engine with its own rules.",
)  # fmt: skip
@rare(
    "--smallest", type=Whole(0), default=DEFAULT_SMALLEST, show_default=True, metavar="N",
    help="For this many disagreements of two judges, find the smallest orders that differ.",
)  # fmt: skip
@save_options("Write the smallest orders into this folder.")
@rows_option("disagreement")
@workers_options
@position_options
@json_option
@lenient_option
def crosscheck(
    files: tuple[str, ...],
    engines: tuple[str, ...],
    rules: str | None,
    map_name: str | None,
    cases: tuple[str, ...],
    random: int | None,
    seed: int,
    units: int,
    extent: Extent,
    smallest: int,
    folder: str | None,
    force: bool,
    rows_file: str | None,
    workers: Workers,
    elsewhere: Elsewhere,
    as_json: bool,
    lenient: bool,
) -> None:
    """Compare judges: on how many phases they agree, and why they disagree on the others.

    FILE is an order file as for `dipsat adjudicate`, or a file of games as for `dipsat replay`.
    Disagreements are shrunk to a smallest set of orders and grouped by its shape
    (docs/crosscheck.md).

    Exit status 0 if all agree, 1 if any two disagree, 2 for bad input (the rest is compared), 3 if
    interrupted before anything differed.

    \b
    Example:
      dipsat crosscheck --random 2000 -e solver:rulebooks/1982 -e dip_eval
    """
    from dipsat.app.view import Bar
    from dipsat.base import counted
    from dipsat.outcomes import write_files
    from dipsat.studies import (
        CROSSCHECK,
        check_judges,
        crosscheck as compare,
        crosscheck_files,
        crosscheck_rows,
    )

    sources = _sources(files, cases, random, seed, units, elsewhere)
    judges = check_judges(engines, rules)
    if folder is not None:
        write_files(folder, {}, force)  # check before the long work that it can be written
    with written_rows(rows_file, CROSSCHECK) as rows, Bar("comparing") as bar:
        report = compare(
            judges, sources,
            map=map_name, compare=extent, smallest=smallest,
            jobs=workers, lenient=lenient, progress=bar,
        )  # fmt: skip
        if rows is not None:
            rows.add_all(crosscheck_rows(report))
            if report.is_interrupted:
                rows.cut_short()
    if rows_file is not None and report.ungrouped:
        rest = counted(report.ungrouped, "more disagreement")
        echo(f"remark: {rows_file} has those that the report keeps; {rest} have no row", err=True)
    with ended(report, report.differs, as_json):
        if folder is not None:
            write_files(folder, crosscheck_files(report, judges), force)


def _sources(
    files: tuple[str, ...],
    cases: tuple[str, ...],
    random: int | None,
    seed: int,
    units: int,
    elsewhere: Elsewhere,
) -> list[Source]:
    from dipsat.studies import DatcCases, OrdersApart, RandomBoards

    sources: list[Source] = list(files)
    if elsewhere != NOWHERE:
        sources = [OrdersApart(file, elsewhere.board, elsewhere.phase) for file in files]
    if cases:
        sources.append(DatcCases(() if "all" in cases else cases))
    if random is not None:
        sources.append(RandomBoards(random, seed, units))
    if not sources:
        raise click.UsageError("name files, or give --datc or --random N")
    return sources
