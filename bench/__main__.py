"""`python -m bench`: the speed of dipsat and of the packages `diplomacy` and `pydip`, in one run.

Figures are medians over seeded full boards (about 27 units), warm, in processor time on one core;
only the ratios matter, because machines differ. `--markdown` prints the table of docs/speed.md.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module

import dipsat
from bench.batch import batch_figures, unseen_us
from bench.engines import HEADS, engine_rows
from bench.maps import map_figures
from bench.proof import proof_figures
from bench.pydip_peer import pydip_figures
from bench.replay import replay_figures
from bench.search import hold_figures, search_figures
from bench.stand_in import HEADS as STAND_IN_HEADS, stand_in_rows
from bench.startup import startup_figures
from bench.variants import variant_figures
from bench.variations import HEADS as VARIATION_HEADS, variation_rows
from dipsat.equations import Phase, build_phase
from dipsat.errors import DipsatError
from dipsat.game import Submission, judge_orders
from dipsat.orders import reader_for
from dipsat.solving import propagate
from dipsat.studies import RandomBoard, random_board
from tests.mazes import all_seas
from tests.phases import BY_SOLVER
from tools.tables import table

_COMMANDS = {
    "lab": "bench.lab",
    "serve": "bench.serve",
}
"""Section with its own options -> the module that runs it."""
MAZE_SECONDS = 20  # how long a peer may work on the convoy maze before it is stopped
BOARDS_OF_GAME = 20  # about the most phases of a game
SEARCH_SHARE = 30  # one in this many boards of a run is searched with all orders open


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: what was measured, the value as text, and a remark."""

    what: str
    value: str
    remark: str = ""


def median_us(action: Callable[[RandomBoard], object], boards: Sequence[RandomBoard]) -> float:
    """The median processor time of `action` over the boards, in microseconds, after a warm-up."""
    for board in boards[:20]:
        action(board)
    gc.collect()
    times = []
    for board in boards:
        start = time.thread_time()
        action(board)
        times.append(time.thread_time() - start)
    return statistics.median(times) * 1e6


def adjudicate(board: RandomBoard, presolve: bool = True) -> dipsat.Outcome:
    """From strings to outcome, by the solver."""
    position = dipsat.Position.from_units(board.units)
    return dipsat.adjudicate(position, board.orders, presolve=presolve, limits=BY_SOLVER)


def compiled(board: RandomBoard) -> dipsat.Outcome:
    """From strings to verdicts and the next position, by compiled equations where they decide."""
    outcome = dipsat.adjudicate(dipsat.Position.from_units(board.units), board.orders)
    assert all(one.verdict for one in outcome.orders)
    assert outcome.next
    return outcome


def compiled_rows(boards: Sequence[RandomBoard]) -> list[Row]:
    """The same as `dipsat_rows`, by compiled equations."""
    try:
        dipsat.kernel.build()
    except DipsatError as error:
        return [Row("by compiled equations", "not measured", str(error))]
    verdicts = median_us(compiled, boards)
    reasons = median_us(lambda board: [one.reason for one in compiled(board).orders], boards)
    report = median_us(lambda board: compiled(board).to_dict(), boards)
    return [
        Row(
            "by compiled equations, verdicts and next position, unseen boards",
            f"{verdicts:.0f} us",
        ),
        Row("the same, with every reason", f"{reasons:.0f} us"),
        Row("the same, with all reasons and subgraphs (`to_dict`)", f"{report:.0f} us"),
    ]


def phase_of(board: RandomBoard) -> Phase:
    """The facts of a board's phase."""
    profile, position = dipsat.load_profile("datc"), dipsat.Position.from_units(board.units)
    reader = reader_for(position.map)
    submissions = [
        Submission(power, text, reader.read(text))
        for power, texts in board.orders.items()
        for text in texts
    ]
    rulings = judge_orders(position, submissions, profile.settings)
    return build_phase(position, rulings, profile.settings)


def dipsat_rows(boards: Sequence[RandomBoard]) -> tuple[list[Row], float]:
    """Dipsat's own rows, and its time from strings to outcome (microseconds)."""
    profile = dipsat.load_profile("datc")
    phases = {id(board): phase_of(board) for board in boards}
    whole = median_us(adjudicate, boards)
    propagation = median_us(lambda board: propagate(profile, phases[id(board)]), boards)
    report = median_us(lambda board: adjudicate(board).to_dict(), boards)
    pure = median_us(lambda board: adjudicate(board, presolve=False), boards)
    picture = median_us(lambda board: dipsat.draw.board(adjudicate(board)), boards)
    cores = sum(not adjudicate(board).is_proven for board in boards)
    rows = [
        Row("dipsat, strings to outcome", f"{whole:.0f} us"),
        Row("propagation alone", f"{propagation:.0f} us"),
        Row("dipsat, with all reasons and subgraphs (`to_dict`)", f"{report:.0f} us"),
        Row("dipsat, by Z3 without propagation (`presolve=False`)", f"{pure / 1000:.1f} ms"),
        Row(
            "dipsat, strings to the picture of the results",
            f"{picture / 1000:.1f} ms",
            f"{picture / whole:.0f} times as long as to the outcome",
        ),
        Row("boards with a decision cycle", f"{100 * cores / len(boards):.0f} %"),
    ]
    return rows, whole


def peer_rows(
    boards: Sequence[RandomBoard], own: float, unseen: float
) -> tuple[list[Row], float | None]:
    """The `diplomacy` package on the same boards, with the ratio to dipsat, and the time of its
    `process()` alone (microseconds). `unseen` is dipsat's time for boards never seen before."""
    try:
        from diplomacy import Game
    except ImportError:
        return [Row("diplomacy package", "not installed", "pip install diplomacy==1.1.2")], None

    games: dict[int, Game] = {}

    def set_up(board: RandomBoard) -> Game:
        game = Game()
        game.clear_units()
        for power, units in board.units.items():
            game.set_units(power, list(units))
        return game

    def run(board: RandomBoard) -> None:
        game = games.pop(id(board), None) or set_up(board)
        for power, orders in board.orders.items():
            game.set_orders(power, list(orders))
        start = time.thread_time()
        game.process()
        alone.append(time.thread_time() - start)

    alone: list[float] = []
    for board in boards:
        games[id(board)] = set_up(board)
    peer = median_us(run, boards[20:])
    process = statistics.median(alone[20:]) * 1e6
    rows = [
        Row(
            "diplomacy 1.1.2, `set_orders` and `process()`",
            f"{peer:.0f} us",
            f"{peer / own:.1f} times dipsat's; {peer / unseen:.1f} times that of unseen boards",
        ),
        Row("`process()` alone", f"{process:.0f} us"),
    ]
    return rows, process


def maze_rows() -> list[Row]:
    """The convoy maze: dipsat in this process, the peer in one that is stopped after a time."""
    orders = all_seas().orders
    units = {"RUSSIA": tuple(" ".join(text.split()[:2]) for text in orders["RUSSIA"])}
    board = RandomBoard(units=units, orders=dict(orders))
    own = median_us(adjudicate, [board] * 30)
    start = time.perf_counter()
    try:
        subprocess.run(
            [sys.executable, "-m", "bench.maze_peer"],
            timeout=MAZE_SECONDS, check=True, capture_output=True,
        )  # fmt: skip
        peer = f"{time.perf_counter() - start:.1f} s with start-up"
    except subprocess.TimeoutExpired:
        peer = f"stopped after {MAZE_SECONDS} s"
    except subprocess.CalledProcessError as error:
        peer = "failed: " + error.stderr.decode(errors="replace").strip().splitlines()[-1]
    return [
        Row("19 fleets offer one army every route, dipsat", f"{own / 1000:.1f} ms"),
        Row("the same, diplomacy 1.1.2", peer),
    ]


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]], markdown: bool) -> None:
    """Print a table for a terminal or for the docs."""
    if markdown:
        print("\n".join(table(heads, rows)))
        return
    from rich.console import Console
    from rich.table import Table

    shown = Table(box=None, header_style="bold")
    for head in heads:
        shown.add_column(head)
    for row in rows:
        shown.add_row(*row)
    Console().print(shown)


def print_rows(rows: Iterable[Row], markdown: bool) -> None:
    """Print the table of single figures."""
    cells = ((row.what, row.value, row.remark) for row in rows)
    print_table(("measured", "value", ""), cells, markdown)


def main() -> None:
    """Run all measurements."""
    if (module := _COMMANDS.get("".join(sys.argv[1:2]))) is not None:
        import_module(module).main(sys.argv[2:])
        return
    if sys.argv[1:2] == ["scale"]:
        from bench import scale

        scale.main(sys.argv[2:], print_table)
        return
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "section",
        nargs="?",
        choices=[
            "engines",
            "lab",
            "maps",
            "proof",
            "scale",
            "serve",
            "stand-in",
            "variants",
            "variations",
        ],
        help="only these (default: all)",
    )
    parser.add_argument("--boards", type=int, default=300, help="number of boards (300)")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    arguments = parser.parse_args()
    if arguments.section == "maps":
        print_rows((Row(*figure) for figure in map_figures()), arguments.markdown)
        return
    if arguments.section == "variants":
        print_rows((Row(*one) for one in variant_figures(arguments.boards)), arguments.markdown)
        return
    if arguments.section == "stand-in":
        games = max(1, arguments.boards // BOARDS_OF_GAME)
        print_table(STAND_IN_HEADS, stand_in_rows(games), arguments.markdown)
        return
    if arguments.section == "proof":
        figures = (
            *proof_figures(arguments.boards),
            *hold_figures(),
            *search_figures(max(1, arguments.boards // SEARCH_SHARE)),
        )
        print_rows((Row(*figure) for figure in figures), arguments.markdown)
        return
    boards = [random_board(seed) for seed in range(arguments.boards)]
    if arguments.section == "engines":
        print_table(HEADS, engine_rows(boards), arguments.markdown)
        return
    if arguments.section == "variations":
        print_table(VARIATION_HEADS, variation_rows(boards), arguments.markdown)
        return
    rows, own = dipsat_rows(boards)
    unseen = unseen_us([random_board(seed) for seed in range(10_000, 10_000 + len(boards))])
    rows.insert(1, Row("the same, boards never seen before", f"{unseen:.0f} us"))
    peers, process = peer_rows(boards, own, unseen)
    rows += compiled_rows([random_board(seed) for seed in range(20_000, 20_000 + len(boards))])
    rows += peers
    rows += [Row(*figure) for figure in pydip_figures(boards, process)]
    rows += [Row(*figure) for figure in batch_figures(boards, process)]
    rows += maze_rows()
    rows += [Row(*figure) for figure in replay_figures()]
    rows += [Row(*figure) for figure in startup_figures()]
    print_rows(rows, arguments.markdown)


if __name__ == "__main__":
    main()
