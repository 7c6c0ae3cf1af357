"""The command `dipsat rules impact`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dipsat.app.help_pages import command, option, rare
from dipsat.app.named_files import check_no_games, game_files
from dipsat.app.parameters import (
    BOARDS,
    Whole,
    board_options,
    complete_rules,
    ended,
    html_option,
    json_option,
    map_option,
    save_options,
    workers_options,
)
from dipsat.app.printing import rows_option, written_rows
from dipsat.rules import DEFAULT_RULES
from dipsat.studies import DEFAULT_EXAMPLES

if TYPE_CHECKING:
    from dipsat.studies import Workers


@command()
@click.argument(
    "rules", nargs=-1, required=True, metavar="NAME-OR-FILE...", shell_complete=complete_rules
)
@click.option(
    "--games", "files", multiple=True, metavar="FILE",
    help="A file of games, as for `dipsat replay`, or a folder of them; repeat the option for "
    "each.",
)  # fmt: skip
@option("--random", heading=BOARDS, type=Whole(1), metavar="N", help="Also judge N random boards.")
@board_options("random board", 1)
@click.option(
    "--against", metavar="NAME-OR-FILE", default=DEFAULT_RULES, show_default=True,
    shell_complete=complete_rules, help="The rules to compare with.",
)  # fmt: skip
@map_option
@rare(
    "--examples", type=Whole(0), default=DEFAULT_EXAMPLES, show_default=True,
    metavar="N", help="Show the first N phases that differ, and the N smallest.",
)  # fmt: skip
@save_options("Write the examples into this folder, as order files.")
@rows_option("phase, and for each rule set by which it differs,")
@workers_options
@html_option
@json_option
def impact(
    rules: tuple[str, ...],
    files: tuple[str, ...],
    random: int | None,
    seed: int,
    units: int,
    against: str,
    map_name: str | None,
    examples: int,
    folder: str | None,
    force: bool,
    rows_file: str | None,
    workers: Workers,
    page_file: str | None,
    as_json: bool,
) -> None:
    """Say how often rules matter: in how many phases of games the result differs, and why.

    Every recorded phase is judged from its recorded position, under the rules and under those to
    compare with. The table counts phases, games and orders whose result differs, and the phases
    after which the board differs, with the rule entries responsible. --html writes a page with
    boards to show to others (docs/impact.md).

    Exit status 0 if nothing differs, 1 if something does or cannot be judged under the rules, 2
    for bad input (the rest is compared), 3 if interrupted before anything differed.

    \b
    Example:
      dipsat rules impact 4.A.3-b mine.yaml --games games.jsonl.gz
    """
    from dipsat.app.view import Bar
    from dipsat.base import write_text
    from dipsat.outcomes import write_files
    from dipsat.studies import IMPACT, RandomBoards, impact as compare, impact_files

    if not files and random is None:
        raise click.UsageError("name games with --games FILE, or give --random N")
    check_no_games(rules)
    if folder is not None:
        write_files(folder, {}, force)  # check before the long work that it can be written
    boards = None if random is None else RandomBoards(random, seed, units)
    with written_rows(rows_file, IMPACT) as rows_of, Bar("judging") as bar:
        report = compare(
            rules, game_files(files), against, boards=boards, map=map_name, examples=examples,
            jobs=workers, progress=bar, rows=rows_of,
        )  # fmt: skip
    lacks = any(one.not_judged for one in report.rules)
    with ended(report, report.differs or lacks, as_json):
        if folder is not None:
            write_files(folder, impact_files(report, against, rules), force)
        if page_file is not None:
            from dipsat.draw import impact_page

            write_text(page_file, impact_page(report))
