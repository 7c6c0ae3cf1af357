"""`python -m bench variations`: the costs and effects of the variations of an algorithm.

For each variation it shows on how many random boards it differs from the solver or has no answer,
how often it resolves and adjudicates an order, on average over the boards and in a maze, and the
ratio of its processor time to the default algorithm's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

from bench.engines import maze_of, medians
from dipsat.equations import Phase
from dipsat.studies import RandomBoard
from dipsat.studies.engine_names import SOLVER
from tests.engine_calls import counted, verdicts
from tests.mazes import facts, seas_beside_each_other

HEADS = (
    "variation", "boards that differ", "without answer", "asked", "adjudicated",
    "asked in a maze", "adjudicated", "time",
)  # fmt: skip
FAMILIES = {
    "recursive_guess": (
        "paths=local_marks",
        "paths=resolved",
        "ask_once",
        "skip_type_e=no,single_cycles=no",
        "skip_type_e=no,single_cycles=no,ask_once",
    ),
    "partial_information": ("multi_pass=orders", "multi_pass=decisions"),
    "simple_recursive": ("dependencies_first",),
}
"""Engine -> its variations, written as options."""

_MAZE = seas_beside_each_other(20)


def variation_rows(boards: Sequence[RandomBoard]) -> Iterator[list[str]]:
    """A row for each default algorithm and each variation."""
    phases = [facts(maze_of(board)) for board in boards]
    solved = [verdicts(SOLVER, phase) for phase in phases]
    maze = facts(_MAZE)
    for family, options in FAMILIES.items():
        names = [family, *(f"{family}({option})" for option in options)]
        times = medians([_decision(phase) for phase in phases], names)
        for name in names:
            found = [verdicts(name, phase) for phase in phases]
            answered = [pair for pair in zip(found, solved, strict=True) if pair[0] is not None]
            calls = [counted(name, phase) for phase in phases]
            yield [
                name,
                str(sum(one != other for one, other in answered)),
                str(len(found) - len(answered)),
                *(f"{fmean(one[part] for one in calls):.1f}" for part in (0, 1)),
                *map(str, counted(name, maze)),
                f"{times[name] / times[family]:.2f}",
            ]


def _decision(phase: Phase) -> Callable[[str], object]:
    return lambda name: verdicts(name, phase)
