"""`python -m bench variations`: what the variations of an algorithm cost, and what they change.

For each variation: on how many random boards it differs from the solver or has no answer, how often
it resolves and adjudicates an order, on average over the boards and in a maze, and the ratio of its
processor time to that of the default algorithm.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from types import FrameType

import dipsat
from bench.engines import RULES, facts, maze_of, medians
from dipsat.equations import Phase
from dipsat.errors import CyclicOrdersError
from dipsat.outcomes import Verdicts, find_engine
from dipsat.studies import RandomBoard
from dipsat.studies.engine_names import SOLVER
from tests.mazes import seas_beside_each_other

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

_ADJUDICATE = {
    "recursive_guess": ("GuardedAdjudication.__call__",),
    "partial_information": ("_Resolver._adjudicate", "MultiPass._update"),
    "simple_recursive": ("OrderEquations.adjudicate",),
}
"""Engine -> its functions that adjudicate an order."""

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


def verdicts(name: str, phase: Phase) -> Verdicts | None:
    """An engine's verdicts without anything else, so that they can be compared; None without an
    answer."""
    try:
        one = find_engine(name).decide(phase, dipsat.load_profile(RULES))
    except CyclicOrdersError:
        return None
    return Verdicts(one.moves, one.supports, one.convoys, one.dislodged, one.contested)


def _decision(phase: Phase) -> Callable[[str], object]:
    return lambda name: verdicts(name, phase)


def counted(name: str, phase: Phase) -> tuple[int, int]:
    """How often an engine resolves an order, and how often it adjudicates one."""
    calls = Counter[str]()

    def seen(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and "studies" in frame.f_code.co_filename:
            calls[frame.f_code.co_qualname] += 1

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        verdicts(name, phase)
    finally:
        sys.setprofile(before)
    asked = sum(
        count
        for what, count in calls.items()
        if what.endswith(".resolve")
        and "<locals>" not in what  # the local ones belong to the backup rule
    )
    return asked, sum(calls[what] for what in _ADJUDICATE[name.partition("(")[0]])
