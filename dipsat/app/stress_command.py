"""The command `dipsat rules stress`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from dipsat.app.help_pages import command, option
from dipsat.app.parameters import (
    BOARDS,
    Whole,
    board_options,
    complete_rules,
    ended,
    json_option,
    map_option,
    read_seconds,
    save_options,
    with_set,
    workers_options,
)

if TYPE_CHECKING:
    from dipsat.studies import Workers


@command()
@click.argument("rules", metavar="NAME-OR-FILE", shell_complete=complete_rules)
@with_set
@map_option
@option(
    "--random", "boards", heading=BOARDS, type=Whole(1), default=500,
    show_default=True, metavar="N", help="This many.",
)  # fmt: skip
@board_options("board", 2)
@click.option(
    "--timeout", metavar="SECONDS", callback=read_seconds, default="30", show_default=True,
    help="How long the solver may search for trouble that no random board has shown.",
)  # fmt: skip
@save_options("Write the smallest orders into this folder.")
@workers_options
@json_option
def stress(
    rules: str,
    map_name: str | None,
    boards: int,
    seed: int,
    units: int,
    timeout: float,
    folder: str | None,
    force: bool,
    workers: Workers,
    as_json: bool,
) -> None:
    """Search rules for trouble, with random boards and with the solver on small positions.

    The search finds decision cycles, with the rules that settle them; cycles that no rule settles;
    two units in one province; results that depend on the order of the input; decisions, conditions,
    cycle rules and entries of the file that change nothing. For each trouble it shows the smallest
    orders found (docs/stress.md).

    Exit status 0 if no fault was found, 1 if any was, 2 for bad input, 3 if interrupted before
    any was.

    \b
    Example:
      dipsat rules stress datc+siege.yaml --random 2000
    """
    from dipsat.app.view import Bar
    from dipsat.outcomes import write_files
    from dipsat.studies import stress as search, stress_files

    if folder is not None:
        write_files(folder, {}, force)  # check before the long work that it can be written
    with Bar(_STAGES["boards"]) as bar:
        report = search(
            rules, boards=boards, seed=seed, units=units, map=map_name, timeout=timeout,
            jobs=workers, progress=_in_words(bar),
        )  # fmt: skip
    with ended(report, bool(report.faults), as_json):
        if folder is not None:
            write_files(folder, stress_files(report, rules), force)


_STAGES = {
    "boards": "judging random boards",
    "shrinking": "shrinking the examples",
    "leaving out": "leaving out each entry of the file",
    "solver": "asking the solver for trouble that no board has shown",
}
"""Stage of the work -> its description for a game master."""


def _in_words(bar: Callable[..., None]) -> Callable[[str, float, float], None]:
    """A progress bar that shows the stage and how much of it is done."""

    def show(what: str, done: float, total: float) -> None:
        bar(_STAGES.get(what, what), done, total, f"  {done:g} of {total:g}")

    return show
