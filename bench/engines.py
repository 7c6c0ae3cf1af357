"""`python -m bench engines`: every engine on the same boards in one run.

Only the ratios to the solver matter. Engines take turns on each board, and processor time is
measured, so that a busy machine distorts as little as possible.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import dipsat
from dipsat.errors import CyclicOrdersError
from dipsat.outcomes import find_engine
from dipsat.solving import resolve
from dipsat.studies import ENGINES, RandomBoard
from dipsat.studies.engine_names import SOLVER
from tests.mazes import Maze, all_seas, facts, seas_beside_each_other

RULES = "datc"
MAZES = {"19 fleets": all_seas(), "20 fleets": seas_beside_each_other(20)}
MAZE_RUNS = 30
HEADS = ("engine", "decides", "", "strings to outcome", "", *MAZES)


def engine_rows(boards: Sequence[RandomBoard]) -> list[list[str]]:
    """A row for each engine: the median times to decide from facts and from strings to outcome,
    each with its ratio to the solver's time, and the median times for the mazes."""
    decided = medians([_decision(board) for board in boards])
    whole = medians([_adjudication(maze_of(board)) for board in boards])
    mazes = _mazes()
    return [
        [name, *_ratio(decided, name), *_ratio(whole, name), *(maze[name] for maze in mazes)]
        for name in ENGINES
    ]


def _mazes() -> list[dict[str, str]]:
    """For each maze: engine -> its median time, or a note that it has no answer."""
    found = []
    for maze in MAZES.values():
        run = _adjudication(maze)
        times = medians([run] * MAZE_RUNS)
        found.append(
            {name: f"{times[name]:.0f} us" if run(name) else "no answer" for name in ENGINES}
        )
    return found


def medians(
    actions: Sequence[Callable[[str], object]], names: Sequence[str] = ENGINES
) -> dict[str, float]:
    """Engine -> the median processor time of its actions in microseconds, after a warm-up."""
    times: dict[str, list[float]] = {name: [] for name in names}
    for action in actions[:20]:
        for name in names:
            action(name)
    gc.collect()
    for action in actions:
        for name in names:
            start = time.process_time()
            action(name)
            times[name].append(time.process_time() - start)
    return {name: statistics.median(found) * 1e6 for name, found in times.items()}


def _ratio(times: Mapping[str, float], name: str) -> tuple[str, str]:
    return f"{times[name]:.0f} us", f"{times[name] / times[SOLVER]:.1f}"


def maze_of(board: RandomBoard) -> Maze:
    """A board with its map."""
    return Maze(dipsat.load_map("standard"), board.orders)


def _decision(board: RandomBoard) -> Callable[[str], object]:
    """Deciding a board from its facts, or finding that there is no answer, as in
    `dipsat.adjudicate`."""
    profile, phase = dipsat.load_profile(RULES), facts(maze_of(board))

    def decide(name: str) -> object:
        if name == SOLVER:
            return resolve(profile, phase)
        with suppress(CyclicOrdersError):
            return find_engine(name).decide(phase, profile)
        return None

    return decide


def _adjudication(maze: Maze) -> Callable[[str], object]:
    """Adjudicate by a named engine: the verdict of each order, none if it has no answer."""
    position = maze.position()

    def run(name: str) -> object:
        with suppress(CyclicOrdersError):
            outcome = dipsat.adjudicate(position, maze.orders, RULES, engine=name)
            return [order.verdict for order in outcome.orders]
        return []

    return run
