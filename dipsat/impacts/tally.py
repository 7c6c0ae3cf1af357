"""What was found in some phases: small, and added up in the order of the work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dipsat.board.map import Map
from dipsat.game.phase_name import SEASON_WORDS, PhaseKind
from dipsat.game.position import Position

MOST_GAPS = 3
"""Examples of phases that cannot be judged for a reason."""
MOST_REASONS = 50
"""Reasons that are counted separately, so that a report stays small whatever a file holds."""
MOST_FAILURES = 1000
"""Faults that are listed; the others are counted."""
OTHER = "for other reasons"


class Sort(NamedTuple):
    """What phases are counted by."""

    season: str
    kind: str
    map: str
    units: str


_BUCKETS = (10, 20, 30)


def sort_of(position: Position) -> Sort:
    """How a phase is counted."""
    count = len(position.units) + len(position.dislodged)
    least = 0
    units = f"{_BUCKETS[-1] + 1} and more"
    for most in _BUCKETS:
        if count <= most:
            units = f"{least + 1} to {most}"
            break
        least = most
    season = SEASON_WORDS[position.phase.season]
    return Sort(season, position.phase.kind.name.lower(), position.map.name, units)


IN_ORDER = (*SEASON_WORDS.values(), *(kind.name.lower() for kind in PhaseKind))
"""What has an order of its own, in this order."""


@dataclass(frozen=True, slots=True)
class Found:
    """A phase that differs, as plain values, so that it can be handed on and judged again."""

    source: str
    phase: str
    units: int
    position: Mapping[str, Any]
    map: str | Map
    orders: Mapping[str, tuple[str, ...]]
    cause: tuple[str, ...]
    board: bool
    """Whether the next position or the winner differs."""


@dataclass(slots=True)
class SetTally:
    """What was found about one rule set. `boards` and `board_games` count the phases after which
    the board differs, and their games. `not_judged` counts phases by the side that cannot judge
    them, and the reason; `gaps` has the first of these, as (side, reason) -> phases."""

    differ: Counter[Sort] = field(default_factory=Counter)
    causes: Counter[tuple[str, ...]] = field(default_factory=Counter)
    games: int = 0
    boards: int = 0
    board_games: int = 0
    orders: int = 0
    first: list[Found] = field(default_factory=list)
    smallest: list[Found] = field(default_factory=list)
    not_judged: Counter[str] = field(default_factory=Counter)
    gaps: dict[str, list[str]] = field(default_factory=dict)

    def add(self, other: SetTally, most: int) -> None:
        """Add what was found in later phases; keep so many examples."""
        self.differ += other.differ
        self.causes += other.causes
        self.games += other.games
        self.boards += other.boards
        self.board_games += other.board_games
        self.orders += other.orders
        first, smallest = self.first + other.first, self.smallest + other.smallest
        self.first = sorted(first, key=lambda one: not one.board)[:most]
        self.smallest = sorted(smallest, key=lambda one: (not one.board, one.units))[:most]
        for reason, count in other.not_judged.items():
            self.miss(reason, other.gaps[reason], count)

    def miss(self, reason: str, phases: Iterable[str], count: int = 1) -> None:
        """Count phases that the rule set cannot judge; some of them are named."""
        reason = count_reason(self.not_judged, reason, count)
        known = self.gaps.setdefault(reason, [])
        known += list(phases)[: MOST_GAPS - len(known)]


@dataclass(slots=True)
class Tally:
    """What was found in some phases. `judged` are those that the base judges; `failures` lists the
    first of the `failed` things that cannot be read."""

    sets: list[SetTally]
    judged: Counter[Sort] = field(default_factory=Counter)
    games: int = 0
    boards: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    failed: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)
    """A row for each phase and rule set, if they are asked for: without the file."""

    @staticmethod
    def of(count: int) -> Tally:
        """Nothing yet, for so many rule sets."""
        return Tally([SetTally() for _ in range(count)])

    def add(self, other: Tally, most: int) -> None:
        """Add what was found in later phases; keep so many examples."""
        for mine, theirs in zip(self.sets, other.sets, strict=True):
            mine.add(theirs, most)
        self.judged += other.judged
        self.games += other.games
        self.boards += other.boards
        for reason, count in other.skipped.items():
            self.skip(reason, count)
        self.failures += other.failures[: MOST_FAILURES - len(self.failures)]
        self.failed += other.failed
        self.rows += other.rows

    def skip(self, reason: str, count: int = 1) -> None:
        """Count phases that are left out."""
        count_reason(self.skipped, reason, count)

    def fail(self, problem: str) -> None:
        """Note something that cannot be read."""
        self.failed += 1
        if len(self.failures) < MOST_FAILURES:
            self.failures.append(problem)


def count_reason(counts: Counter[str], reason: str, count: int) -> str:
    """Count phases by a reason, and return it; one of too many is only another one."""
    if reason not in counts and len(counts) >= MOST_REASONS:
        reason = OTHER
    counts[reason] += count
    return reason
