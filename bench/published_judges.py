"""In which verdicts a published algorithm differs from a profile, on DATC cases and random boards.

`dipsat crosscheck` shows the same with the smallest orders that differ.
"""

from __future__ import annotations

import dipsat
from dipsat.agreement.finding import PARTS
from dipsat.agreement.sources import Source
from dipsat.algorithms.engine import SOLVER, Engine

_VERDICTS = set(PARTS) - {"retreats"}  # those follow from the others


def board_differences(engine: Engine, rules: str, seeds: range) -> dict[int, set[str]]:
    """Seed of a random board -> in which verdicts the algorithm differs from the profile."""
    boards = dipsat.RandomBoards(len(seeds), seeds.start)
    found = _differences(engine, rules, boards)
    return {int(source.removeprefix("random board ")): what for source, what in found.items()}


def case_differences(engine: Engine, rules: str) -> dict[str, set[str]]:
    """Name of a DATC case -> in which verdicts the algorithm differs from the profile."""
    found = _differences(engine, rules, dipsat.DatcCases())
    return {source.removeprefix("DATC "): what for source, what in found.items()}


def _differences(engine: Engine, rules: str, source: Source) -> dict[str, set[str]]:
    judges = [dipsat.Judge(SOLVER, rules), dipsat.Judge(engine, rules)]
    report = dipsat.crosscheck(judges, [source], compare="all", smallest=0)
    return {
        one.source: {difference.part for difference in one.differences} & _VERDICTS
        for one in report.disagreements
    }
