"""The command line: a thin layer over the public API. Exit status 0 if done, 1 if something
differs, 2 for bad input, 3 if undecided in the time given."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import click

import dipsat
from dipsat.app import parameters as cli
from dipsat.app.help_pages import Command, rare
from dipsat.app.named_files import (
    AskedPhase,
    check_orders,
    game_files,
    name_phase,
    phase_for_all,
    phase_from,
    phase_options,
    refuse_same,
    remark_on_missing_units,
    show_remarks,
    text_from,
    write_position,
)
from dipsat.app.printing import echo, rows_option, written_rows
from dipsat.base import Limits, Table, end_after, lift_memory_limit, limit_memory, titled
from dipsat.errors import DipsatError, LimitError
from dipsat.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from dipsat.formats import Case
    from dipsat.outcomes import Outcome
    from dipsat.studies import Result, Workers


_COMMANDS = {
    "Play and judge": {
        "adjudicate": "say what happens in a phase, and why",
        "explain": "say why an order came out as it did, and by which rules",
        "compare": "judge the same orders by several rules",
        "draw": "draw a board, or a whole game",
        "play": "play a game on the terminal",
        "game": "run a game whose players send their orders by mail",
        "replay": "judge recorded games again, and say where they differ",
        "convert": "write games of any program in another format",
    },
    "Rules and maps": {
        "rules": "list, show, compare, check and write rules",
        "maps": "list, show, check and write maps",
        "datc": "run the DATC test cases, or find those about a topic",
    },
    "Research": {
        "prove": "prove that orders have exactly one resolution",
        "search": "ask about all orders, and about stalemate lines",
        "crosscheck": "compare algorithms, and rules, on many boards",
    },
    "Programs": {
        "serve": "answer other programs over HTTP",
        "mcp": "give language models tools to judge and play with",
        "lab": "write a web page for trying rules",
        "kernel": "compile rules, so that they judge faster",
    },
}
"""The commands, grouped by who needs them, with a summary of each. A command that is not in this
file has its own module, which is loaded on demand."""
_START = """\
dipsat adjudicates Diplomacy, and proves that the answer is the only one.

  dipsat adjudicate orders.txt        what happens, and why
  dipsat explain orders.txt "A PAR"   why an order came out as it did
  dipsat play game.json               play a game on the terminal
  dipsat datc head to head            find the test cases about a dispute
  dipsat rules list                   the rules to play by, and choices to make

orders.txt has a heading for each power, and a line for each order:
  England:
    F North Sea Convoys A London - Belgium
    A London - Belgium
All commands: dipsat --help. More about one: dipsat COMMAND --help"""


class _Group(click.Group):
    """Shows dipsat's own errors as one message on standard error, with exit status 2."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for commands in _COMMANDS.values() for name in commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.commands or cmd_name not in self.list_commands(ctx):
            return super().get_command(ctx, cmd_name)
        module = import_module(f"dipsat.app.{cmd_name}_command")
        return cast("click.Command", getattr(module, cmd_name))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, commands in _COMMANDS.items():
            with formatter.section(heading):
                formatter.write_dl([*commands.items()])
        click.Command.format_options(self, ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with cli.readable_usage():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # for characters that the terminal cannot show
                stream.reconfigure(errors="backslashreplace")
        try:
            with cli.readable_usage():
                return super().invoke(ctx)
        except DipsatError as error:
            cli.print_error(error)
            ctx.exit(3 if isinstance(error, LimitError) else 2)
        except KeyboardInterrupt:
            click.echo("error: interrupted before there was anything to show", err=True)
            ctx.exit(3)
        except OSError as error:  # such as a full disk; click handles a closed pipe
            if error.errno == errno.EPIPE:
                raise
            click.echo(f"error: the output cannot be written: {error.strerror}", err=True)
            sys.stdout = None  # its remaining output cannot be written at exit either
            ctx.exit(2)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception:  # packages that run out of memory raise errors of any class
            if not ctx.params["memory"]:
                raise
            lift_memory_limit()
            click.echo("error: the command needs more memory than --memory allows", err=True)
            ctx.exit(3)


@click.group(
    cls=_Group,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(dipsat.__version__, prog_name="dipsat")
@click.option(
    "--timeout",
    callback=cli.read_seconds,
    metavar="SECONDS",
    help="End the command after this time, no matter what it is doing. (Some commands have their "
    "own --timeout, after which they show what they have found.)",
)
@click.option(
    "--memory",
    type=cli.Whole(1),
    metavar="MEGABYTES",
    help="End the command if it needs more memory (not on Windows).",
)
@click.pass_context
def main(ctx: click.Context, timeout: float | None, memory: int | None) -> None:
    """Adjudicate Diplomacy, and prove that the answer is the only one.

    `dipsat` alone shows how to begin, and `dipsat COMMAND --help` how to use a command.
    """
    if ctx.invoked_subcommand is None:
        echo(_START)
    if memory:
        limit_memory(memory)
    if timeout is not None:
        end_after(timeout, f"error: the command took longer than {timeout:g} seconds")


@main.command()
@phase_options(
    "Judge the file despite its faults. A unit holds if its order cannot be read; orders for "
    "missing units and orders of another kind of phase are judged by the rules (DATC 4.E.1)."
)
@cli.json_option
@cli.next_option
@cli.picture_option
@cli.presolve_option
@cli.engine_option
@cli.options_of_some_engines
def adjudicate(
    asked: AskedPhase,
    as_json: bool,
    following: str | None,
    picture_file: str | None,
    presolve: bool,
    engine: str,
    transformed: bool,
    marks: bool,
    trace: bool,
    full_trace: bool,
) -> None:
    """Say what happens in a phase.

    FILE is an order sheet (plain text with a heading per power), or YAML or JSON with `orders`
    and perhaps `units`, `map`, `rules`, `phase` (such as F1901R), `centers` and `dislodged`; `-`
    reads standard input. Without `units`, the units are those that the orders name. It may also be
    a game in any format that `dipsat replay` reads; --phase names the phase, by default the last
    one played.

    \b
    Examples:
      printf 'England:\\n F Lon - Nth\\n' | dipsat adjudicate -
      dipsat adjudicate spring.txt --next fall.json
      dipsat adjudicate fall.txt --position fall.json
      dipsat adjudicate game.json --phase F1901M
    """
    cli.check_presolve(engine, presolve)
    with cli.trace_of_failure(full_trace):
        phase, rules, outcome = asked.adjudicated(
            presolve=presolve, engine=engine, trace=trace or full_trace
        )
    cli.check_given(outcome, engine, marks=marks, transformed=transformed)
    if following is not None:
        from dipsat.formats import is_document

        is_stated = asked.elsewhere.board is not None or is_document(asked.file)
        remark_on_missing_units(phase.position, is_stated)
        write_position(outcome.next, rules, following)
    if picture_file is not None:
        cli.write_picture(dipsat.draw.board(outcome, caption=True), picture_file)
    if transformed:
        _print_transformed(outcome, as_json)
    elif as_json:
        cli.print_json(outcome.to_dict())
    else:
        from dipsat.app.view import show
        from dipsat.outcomes import parts_of_outcome

        cli.show_trace(outcome, full_trace)
        name_phase(phase)
        show(parts_of_outcome(outcome, marks))


def _print_transformed(outcome: Outcome, as_json: bool) -> None:
    """Print the order set that an engine has made, as `dipsat carry-out` reads it."""
    from dipsat.outcomes import EngineOutcome
    from dipsat.studies import to_dict, to_text

    assert isinstance(outcome, EngineOutcome)
    assert outcome.transformed is not None
    if as_json:
        cli.print_json(to_dict(outcome.transformed))
    else:
        echo(to_text(outcome.transformed), nl=False)


@main.command("carry-out", hidden=True)
@click.argument("file", metavar="FILE")
@cli.json_option
def carry_out(file: str, as_json: bool) -> None:
    """Carry out an order set, without rules and without a map.

    FILE is the output of `dipsat adjudicate --engine dip_eval --transformed`, as text or JSON; `-`
    reads standard input. Exit status 0, or 2 if an order cannot be carried out.

    \b
    Example:
      dipsat adjudicate orders.txt --engine dip_eval --transformed | dipsat carry-out -
    """
    from dipsat.studies import carry_out as carried_out, read_order_set

    board = carried_out(read_order_set(*text_from(file)))
    if as_json:
        cli.print_json(board.to_dict())
        return
    for power, units in board.to_dict()["units"].items():
        echo(f"{titled(power)}: {', '.join(units)}")
    for lost in board.dislodged:
        echo(f"Dislodged: {lost.unit} ({titled(lost.unit.power)}) by {lost.by.unit}.")
    if board.contested:
        echo(f"Standoff, no retreat to: {', '.join(board.contested)}.")


@main.command()
@phase_options()
@click.argument("unit", required=False, metavar="[UNIT]")
@click.option("--core", is_flag=True, help="Also find the fewest orders that force the verdict.")
@click.option(
    "--change",
    is_flag=True,
    help="Also find the fewest orders that the power must change for the order to succeed.",
)
@cli.timeout_option
@cli.json_option
@cli.picture_option
def explain(
    asked: AskedPhase,
    unit: str | None,
    core: bool,
    change: bool,
    limits: Limits,
    as_json: bool,
    picture_file: str | None,
) -> None:
    """Say why the order of a unit came out as it did, down to the facts.

    FILE is as for `dipsat adjudicate`; UNIT is a unit in any notation, such as "A LON" or Lon,
    or its order. Without it, every order is explained. --core finds orders that are enough to force
    the verdict, no matter what all other units do; --change finds other orders of the unit's power
    that would have made it succeed. At the --timeout or on Ctrl-C, both show what they have found.
    Exit status 0, or 2 for bad input.

    \b
    Example:
      dipsat explain orders.txt "A Lon"
    """
    phase, _, outcome = asked.adjudicated()
    about_one = {"core": core, "change": change, "output": picture_file is not None}
    if unit is None and any(about_one.values()):
        lacking = next(name for name, is_given in about_one.items() if is_given)
        raise click.UsageError(f"--{lacking} needs a UNIT")
    record = asked.file if phase.is_record else ""
    orders = outcome.orders if unit is None else (cli.order_asked(outcome, unit, record),)
    found = [
        dipsat.explain(outcome, order, core=core, change=change, limits=limits) for order in orders
    ]
    if picture_file is not None:
        cli.write_picture(dipsat.draw.explain(found[0]), picture_file)
    if as_json:
        about = {"rules": outcome.rules, "map": outcome.map, "phase": str(outcome.position.phase)}
        cli.print_json({**about, "units": [explanation.to_dict() for explanation in found]})
    else:
        from dipsat.app.view import show
        from dipsat.searches import parts_of_explanations

        name_phase(phase)
        show(parts_of_explanations(found))


@main.command()
@phase_options()
@cli.timeout_option
@cli.json_option
@cli.picture_option
@click.option(
    "--smt2", "folder", metavar="DIR", help="Write the proofs as SMT-LIB 2 into this folder."
)
@cli.force_option
@rare("--all", "every", is_flag=True, help="Also list the subgraphs of one decision.")
def prove(
    asked: AskedPhase,
    limits: Limits,
    as_json: bool,
    picture_file: str | None,
    folder: str | None,
    force: bool,
    every: bool,
) -> None:
    """Prove that the orders of a phase have exactly one consistent resolution, or that they do not.

    FILE is as for `dipsat adjudicate`. Z3, or case analysis where it is not installed, counts the
    resolutions of the equations, without propagation and without cycle rules; strengths with
    only one possible value are inserted first (docs/proofs.md). With --smt2, any SMT solver can
    confirm the verdicts. With --output, the picture shows the decision cycles, or the board if
    there are none.

    Exit status 0 if the resolution is unique, 1 if it is not, 2 for bad input, 3 if the time was
    too short.

    \b
    Example:
      dipsat prove orders.txt --smt2 proof && z3 proof/whole.unique.smt2
    """
    phase, rules = asked.read()
    given = (phase.position, phase.orders, rules)
    proof = dipsat.prove(*given, lenient=asked.lenient, limits=limits)
    asked.check(phase, proof.rulings)
    files = () if folder is None else proof.write_smt2(folder, force)
    if picture_file is not None:
        if any(one.cycle for one in proof.subgraphs):
            picture = dipsat.draw.cycle(proof)
        else:
            outcome = dipsat.adjudicate(*given, lenient=asked.lenient)
            picture = dipsat.draw.board(outcome, caption=True)
        cli.write_picture(picture, picture_file)
    if as_json:
        cli.print_json(proof.to_dict())
    else:
        from dipsat.app.view import show
        from dipsat.outcomes import parts_of_proof

        show(parts_of_proof(proof, every))
        if files:
            first = next((name for name in files if name == "whole.unique.smt2"), files[0])
            written = f"{len(files)} files in {folder}: any SMT solver should give the answer "
            show(("", f"{written}stated in each; begin with {first}."))
    click.get_current_context().exit(_PROVEN[proof.verdict])


_PROVEN = {"unique": 0, "not unique": 1, "unknown": 3}
"""Exit status by the verdict of a proof; 2 is bad input."""


@main.command()
@click.argument("file", metavar="FILE")
@cli.rules_named(
    "A rule profile; give this option once for each. With one, the file's own rules (or datc) are "
    "compared with it.",
    "names",
)
@cli.map_option
@cli.position_options
@cli.json_option
@cli.picture_option
@cli.lenient_option
def compare(
    file: str,
    names: tuple[str, ...],
    map_name: str | None,
    elsewhere: cli.Elsewhere,
    as_json: bool,
    picture_file: str | None,
    lenient: bool,
) -> None:
    """Say what happens to the same orders under several rule profiles, side by side.

    FILE is as for `dipsat adjudicate`. Orders that differ are marked with *, with the reasons
    below. Exit status 0 if nothing differs, 1 if something does, 2 for bad input.

    \b
    Example:
      dipsat compare orders.txt --rules datc --rules datc+4.A.2-1982
    """
    several = len(names) > 1
    if several:
        phase = phase_for_all(file, map_name, names, elsewhere, lenient)
    else:
        phase = phase_from(file, map_name, elsewhere=elsewhere, lenient=lenient)
    chosen = names if several else (phase.rules or DEFAULT_RULES, *names)
    refuse_same(chosen)
    show_remarks(*map(dipsat.load_profile, chosen))
    found = dipsat.compare(phase.position, phase.orders, chosen, lenient=lenient)
    check_orders(phase, found.outcomes[0].rulings, elsewhere, lenient)
    if picture_file is not None:
        cli.write_picture(dipsat.draw.compare(found), picture_file)
    if as_json:
        cli.print_json(found.to_dict())
    else:
        from dipsat.app.view import show, terminal
        from dipsat.outcomes import parts_of_comparison

        show(parts_of_comparison(found, terminal().width))
    if found.differs:
        click.get_current_context().exit(1)


@main.command()
@click.argument("cases", nargs=-1, metavar="[CASE-OR-WORD]...")
@cli.rules_named("Judge by these rules, and compare with the results stated for them.")
@cli.with_set
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@cli.presolve_option
@cli.engine_option
def datc(
    cases: tuple[str, ...], rules: str | None, as_json: bool, presolve: bool, engine: str
) -> None:
    """Run the DATC cases and compare every order with the document, or find cases by words.

    CASE is a case (6.F.14), a section (6.F) or a chapter (9); without any, all cases run. Cases of
    variants (chapters 7 to 12 of DATC 2.4) are judged with the variant laid over the rules. With
    WORDS, matching cases are listed by number and title. A single case is shown in full. Exit
    status 1 if something differs, or if the engine has no answer to a case.

    With --rules, each case is compared with the result that the documents state for the choices
    of that rulebook; a case without one is "not stated". With --engine, a case with rules or orders
    that the engine does not know counts as "not made for" it.

    \b
    Examples:
      dipsat datc head to head
      dipsat datc --rules 1982
    """
    from dipsat.formats import find_cases, load_cases
    from dipsat.studies import run_cases

    cli.check_presolve(engine, presolve)
    numbers = [typed for typed in cases if typed[:1].isdigit()]
    words = [typed for typed in cases if typed not in numbers]
    chosen = load_cases(numbers, older=rules is not None, variants=True)
    if words:
        chosen = find_cases(" ".join(words), chosen)
        if len(chosen) > 1:
            _list_cases(chosen, as_json)
            return
    if rules is not None and rules.startswith("+"):
        rules = DEFAULT_RULES + rules
    profile = None if rules is None else dipsat.load_profile(rules)
    results = run_cases(chosen, profile, presolve, engine)
    if as_json:
        cli.print_json([result.to_dict() for result in results])
    else:
        from dipsat.app.datc_view import parts_of_cases
        from dipsat.app.view import show

        show(parts_of_cases(results, engine))
    if any(result.status in ("differs", "no answer") for result in results):
        click.get_current_context().exit(1)


def _list_cases(cases: Sequence[Case], as_json: bool) -> None:
    """Print the numbers and titles of cases."""
    if as_json:
        cli.print_json([{"case": case.name, "title": case.title} for case in cases])
        return
    from dipsat.app.view import show

    show([Table(tuple((case.name, case.title) for case in cases))])
    echo(f"`dipsat datc {cases[0].name}` shows the first with its results.")


@main.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@cli.rules_option
@cli.map_named("The map, even if a file names another.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game.")
@click.option("--summary", is_flag=True, help="Print only how many phases differ, and why.")
@cli.picture_option
@rows_option("phase")
@cli.workers_options
def replay(
    files: tuple[str, ...],
    rules: str | None,
    map_name: str | None,
    as_json: bool,
    summary: bool,
    picture_file: str | None,
    rows_file: str | None,
    workers: Workers,
) -> None:
    """Judge recorded games again, and say where and why their judge decided differently.

    FILE holds games in any format that docs/files.md lists. A folder stands for the files in it.
    Causes are named as in docs/judges.md.

    --output draws the first difference. Exit status 1 if a difference has no known cause, 2 if a
    file is bad (the others are replayed), 3 if interrupted before either.
    """
    from dipsat.app.replay_view import run_replay
    from dipsat.studies import REPLAY, replay_files

    files = game_files(files)

    def results(progress: Callable[[str, int, int], None]) -> Iterator[Result]:
        return replay_files(files, cli.named_rules(rules), map_name, workers, progress)

    with written_rows(rows_file, REPLAY) as rows:
        status = run_replay(files, results, as_json, summary, picture_file, rows)
    click.get_current_context().exit(status)
