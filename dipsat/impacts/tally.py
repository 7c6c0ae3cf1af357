"""What was found in some phases: small, and added up in the order of the work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dipsat.board.map import Map
from dipsat.game.phase_name import PhaseName
from dipsat.game.position import Position

MOST_REASONS = 3
"""Examples of phases that cannot be judged."""


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
    return Sort(_season(position.phase), position.phase.kind.name.lower(), position.map.name, units)


_SEASONS = {"S": "spring", "U": "summer", "F": "fall", "W": "winter"}


def _season(phase: PhaseName) -> str:
    return _SEASONS.get(phase.season, phase.season)


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


@dataclass(slots=True)
class SetTally:
    """What was found about one rule set. `not_judged` counts phases by the side that cannot judge
    them, and the reason; `gaps` has the first of these, as (side, reason) -> phases."""

    differ: Counter[Sort] = field(default_factory=Counter)
    causes: Counter[tuple[str, ...]] = field(default_factory=Counter)
    games: int = 0
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
        self.orders += other.orders
        self.first = (self.first + other.first)[:most]
        self.smallest = sorted(self.smallest + other.smallest, key=lambda one: one.units)[:most]
        self.not_judged += other.not_judged
        for reason, phases in other.gaps.items():
            known = self.gaps.setdefault(reason, [])
            known += phases[: MOST_REASONS - len(known)]

    def miss(self, reason: str, phase: str) -> None:
        """Count a phase that the rule set cannot judge."""
        self.not_judged[reason] += 1
        known = self.gaps.setdefault(reason, [])
        if len(known) < MOST_REASONS:
            known.append(phase)


@dataclass(slots=True)
class Tally:
    """What was found in some phases. `judged` are those that the base judges."""

    sets: list[SetTally]
    judged: Counter[Sort] = field(default_factory=Counter)
    games: int = 0
    boards: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
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
        self.skipped += other.skipped
        self.failures += other.failures
        self.rows += other.rows
