"""The time that searches over all orders take: part of `python -m bench proof`."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import dipsat
from dipsat import searches
from dipsat.searches import Differ, Guarantee, Paradox, Question
from dipsat.solving.sat import has_sat_solver
from dipsat.studies import random_board

EXAMPLES = Path(__file__).resolve().parent.parent / "docs" / "examples"
FULL, SMALL = 34, 12
"""The numbers of units of a full board and of a small one."""

LIMITS = dipsat.Limits(seconds=120)

HELD = {"TURKEY": ["A SEV", "A UKR", "A GAL", "A BOH", "A TYR", "A BUD", "F PIE"]}
AGAINST = {
    "ENGLAND": ["F LYO", "F WES", "F TYS", "F MAO", "F NTH", "F ENG"],
    "FRANCE": ["A MAR", "A SPA", "A GAS", "A BUR", "A PAR", "F TUS"],
    "GERMANY": ["A MUN", "A SIL", "A BER", "A KIE", "A RUH", "A PRU", "F BAL"],
    "RUSSIA": ["A WAR", "A MOS", "A LVN", "A STP", "A FIN", "F SWE", "F NWY", "F HEL"],
}
GOAL = " and ".join(f"stands({unit[2:]}, TURKEY)" for unit in HELD["TURKEY"])
"""Seven units against 27 with all orders open. None of the seven may be dislodged."""


def search_figures(boards: int = 10) -> Iterator[tuple[str, str, str]]:
    """(what, value, remark) of each figure, over seeded boards with every order open, cold."""
    full = [_open(seed, FULL) for seed in range(boards)]
    small = [_without_convoys(seed, SMALL) for seed in range(boards)]
    line = [dipsat.Position.from_units({**HELD, **AGAINST})]
    questions: list[tuple[str, Sequence[dipsat.Position], Question, str]] = [
        (f"first paradox of any kind, {FULL} units", full, Paradox(), "4.A.2-szykman"),
        (
            f"first paradox without a resolution, {FULL} units",
            full,
            Paradox("none"),
            "4.A.2-szykman",
        ),
        (
            f"Szykman against all hold, {FULL} units",
            full,
            Differ("4.A.2-all-hold"),
            "4.A.2-szykman",
        ),
        (
            f"the same, {SMALL} units without a convoy",
            small,
            Differ("4.A.2-all-hold"),
            "4.A.2-szykman",
        ),
        (
            f"no paradox but circles, {SMALL} units without a convoy",
            small,
            Paradox("fallback"),
            "datc",
        ),
        ("guarantee for a line of 7 units against 27", line, Guarantee(GOAL, "TURKEY"), "datc"),
    ]
    for what, positions, question, rules in questions:
        for solver in ("z3", "sat") if has_sat_solver() else ("z3",):
            times, verdicts = _timed(positions, question, rules, solver)
            counts = ", ".join(f"{verdicts.count(v)} {v}" for v in sorted(set(verdicts)))
            shown = f"{statistics.median(times):.2f} s"
            yield f"{what} ({solver})", shown, f"at most {max(times):.1f} s; {counts}"


def hold_figures() -> Iterator[tuple[str, str, str]]:
    """(what, value, remark): the lines among the examples, each read, searched and confirmed."""
    for path in sorted(EXAMPLES.glob("line-*.yaml")):
        gc.collect()
        start = time.process_time()
        verdict = searches.hold_line(path).verdict
        yield f"`search hold` {path.name}", f"{time.process_time() - start:.2f} s", verdict


def _timed(
    positions: Sequence[dipsat.Position], question: Question, rules: str, solver: str
) -> tuple[list[float], list[str]]:
    """The processor time in seconds for each position, and the verdicts."""
    times, verdicts = [], []
    for position in positions:
        gc.collect()
        start = time.process_time()
        result = dipsat.search(
            position, question, open="all", rules=rules, solver=solver, limits=LIMITS
        )
        times.append(time.process_time() - start)
        verdicts.append(result.verdict)
    return times, verdicts


def _open(seed: int, units: int) -> dipsat.Position:
    return dipsat.Position.from_units(random_board(seed, units).units)


def _without_convoys(seed: int, units: int) -> dipsat.Position:
    """Units of a board that is twice as large, without its fleets at sea, which could convoy."""
    position = _open(seed, 2 * units)
    kept = [unit for unit in position.units if unit.location not in position.fleets_at_sea]
    return dipsat.Position(position.map, tuple(kept[:units]))
