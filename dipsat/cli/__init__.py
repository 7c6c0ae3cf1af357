"""The command line: a thin face on the public API. Exit status 0 done, 1 a DATC case differs,
2 bad input."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

import dipsat
from dipsat.errors import DipsatError

if TYPE_CHECKING:
    from dipsat.replay.run import Result


class _Group(click.Group):
    """Shows dipsat's own errors as one message on standard error, with exit status 2."""

    def invoke(self, ctx: click.Context) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # letters that the terminal cannot show
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().invoke(ctx)
        except DipsatError as error:
            for line in str(error).splitlines():
                click.echo(f"error: {line}", err=True)
            ctx.exit(2)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(dipsat.__version__, prog_name="dipsat")
def main() -> None:
    """Adjudicate Diplomacy, and prove that the answer is the only one.

    \b
    Start here:
      dipsat adjudicate orders.txt     what happens, why, and what is proven
      dipsat replay game.json          judge a saved game again, and compare
      dipsat datc 6.F.14               run one of the DATC test cases
      dipsat rules list                the rule profiles

    An order sheet is plain text:

    \b
      England:
        F North Sea Convoys A London - Belgium
        A London - Belgium
    """


@main.command()
@click.argument("file", metavar="FILE")
@click.option("--rules", metavar="NAME-OR-FILE", help="The rule profile.  [default: datc]")
@click.option("--map", "map_name", metavar="NAME-OR-FILE", help="The map.  [default: standard]")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option(
    "--lenient",
    is_flag=True,
    help="Judge orders for missing units, several orders for one unit and orders of another kind "
    "of phase by the rules (DATC 4.D.3, 4.E.1) instead of refusing the file.",
)
@click.option("--presolve/--no-presolve", default=True, help="Propagate before asking Z3.")
def adjudicate(
    file: str, rules: str | None, map_name: str | None, as_json: bool, lenient: bool, presolve: bool
) -> None:
    """Say what happens in a phase.

    FILE is an order sheet (plain text with a heading per power), or YAML or JSON with `orders`
    and perhaps `units`, `map`, `rules`, `phase` (such as F1901R), `centers` and `dislodged`; `-`
    reads standard input. Without `units`, the units are those that the orders name.

    \b
    Example:
      printf 'England:\\n F Lon - Nth\\n' | dipsat adjudicate -
    """
    from dipsat.formats.phase_file import check_faults, read_phase, read_phase_bytes

    if file == "-":
        from dipsat.documents import MAX_BYTES

        data = sys.stdin.buffer.read(MAX_BYTES + 1)
        phase = read_phase_bytes(data, "standard input", map_name)
    else:
        phase = read_phase(file, map_name)
    chosen = rules or phase.rules or "datc"
    outcome = dipsat.adjudicate(phase.position, phase.orders, chosen, presolve=presolve)
    if not lenient:
        check_faults(phase, outcome.rulings)
    if as_json:
        import json

        click.echo(json.dumps(outcome.to_dict(), indent=2, ensure_ascii=False))
    else:
        from dipsat.cli.view import show_outcome

        show_outcome(outcome)


@main.command()
@click.argument("cases", nargs=-1, metavar="[CASE]...")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option("--presolve/--no-presolve", default=True, help="Propagate before asking Z3.")
def datc(cases: tuple[str, ...], as_json: bool, presolve: bool) -> None:
    """Run the DATC cases and compare every order with the document.

    CASE is a case (6.F.14) or a section (6.F); without any, all cases run. A single case is
    shown in full. Exit status 1 if something differs.
    """
    from dipsat.cli.view import show_cases
    from dipsat.datc import load_cases, run_case

    results = [run_case(case, presolve=presolve) for case in load_cases(cases)]
    if as_json:
        import json

        rows = [
            {
                "case": result.case.name,
                "title": result.case.title,
                "passed": result.passed,
                "differences": [
                    {"about": d.about, "expected": d.expected, "found": d.found}
                    for d in result.differences
                ],
                "outcome": result.outcome.to_dict(),
            }
            for result in results
        ]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        show_cases(results)
    if not all(result.passed for result in results):
        click.get_current_context().exit(1)


@main.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--rules", metavar="NAME-OR-FILE", help="The rule profile.  [default: datc]")
@click.option("--map", "map_name", metavar="NAME-OR-FILE", help="The map, whatever a file names.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a game.")
@click.option("--summary", is_flag=True, help="Print only how many phases differ, and why.")
@click.option(
    "--jobs", "-j", type=click.IntRange(1, 1024), help="Processes.  [default: one a core]"
)
def replay(
    files: tuple[str, ...],
    rules: str | None,
    map_name: str | None,
    as_json: bool,
    summary: bool,
    jobs: int | None,
) -> None:
    """Judge recorded games again, and say where their judge decided otherwise, and why.

    FILE holds saved games of the `diplomacy` package (JSON, or JSON Lines with one game a line),
    games that dipsat saved, JSON Lines of phases, or jDip cases; it may be compressed with gzip.
    Causes are named as in docs/judges.md.

    Exit status 1 if a difference has no known cause, 2 if a file is bad (the others are replayed).
    """
    import os

    from dipsat.cli.replay_view import run_replay
    from dipsat.replay.run import replay_files

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()

    def results(progress: Callable[[str, int], None]) -> Iterator[Result]:
        return replay_files(files, rules, map_name, jobs or cores or 1, progress)

    status = run_replay(files, results, as_json, summary)
    click.get_current_context().exit(status)


@main.group()
def rules() -> None:
    """List and check rule profiles."""


@rules.command("list")
def rules_list() -> None:
    """List the shipped rule profiles."""
    from dipsat.cli.view import show_profiles

    show_profiles([(name, dipsat.load_profile(name).title) for name in dipsat.profile_names()])


@rules.command("check")
@click.argument("file", metavar="FILE")
def rules_check(file: str) -> None:
    """Check a rule profile: all its problems at once, each with file, line and column.

    FILE is a path, or the name of a shipped profile.
    """
    from pathlib import Path

    from dipsat.documents import read_text
    from dipsat.profiles.load import parse_profile

    is_shipped = file in dipsat.profile_names() and not Path(file).is_file()
    if not is_shipped and (Path(file).exists() or Path(file).suffix[1:].isalpha()):
        profile = parse_profile(read_text(file), file)
    else:
        profile = dipsat.load_profile(file)
    click.echo(
        f"{profile.name}: {len(profile.decisions)} decisions, {len(profile.cycles)} cycle rules, "
        f"no problems"
    )
