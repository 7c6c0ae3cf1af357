"""Propagation: tightening the bounds of all decisions to a fixpoint.

Each decision is known to lie in an interval (for a truth value: false, unknown or true), which is
DATC 3.0 5's "partial information". An equation is grounded under what is known by then, and its
term is read as an interval. It is read again whenever a decision that it mentions is tightened.
Every value fixed in this way holds in every resolution. Most boards are decided completely; only
cores that can have no resolution, or several, are left open.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import count, takewhile

from dipsat.base import ExhaustedError, check_time
from dipsat.equations import (
    Grounder,
    Key,
    Phase,
    Range,
    Ranges,
    Term,
    all_decisions,
    fold,
    intervals,
    size_of,
    unknowns,
)
from dipsat.errors import NumberRangeError
from dipsat.rules import Profile, evaluation_order

LIMIT = 10**9
"""A number decision lies between -LIMIT and LIMIT."""
MAX_SWEEPS = 3000
"""Rounds of propagation. Boards need a few dozen at most; more means endless growth."""

TRUTH, NUMBER = (0, 1), (-LIMIT, LIMIT)
"""The ranges of a decision before anything is known."""
_FEW = 16  # rounds whose work is not counted
_DEEP = 80  # levels of nesting of equations that are read inside one another


@dataclass(frozen=True, slots=True)
class Bounds:
    """The range of every decision (truth values as 0 and 1), by family and index. `open` holds the
    undecided ones; `steps` counts the steps taken to find the ranges."""

    ranges: Mapping[Key, Range]
    open: tuple[Key, ...]
    steps: int = 0

    def interval(self, key: Key) -> Range:
        """The least and the greatest value of a decision."""
        return self.ranges[key]

    def value(self, key: Key) -> int | None:
        """The value of a decision; None if it is undecided."""
        low, high = self.ranges[key]
        return low if low == high else None

    def allow(self, pins: Mapping[Key, int]) -> bool:
        """Whether each of these values lies within its bounds."""
        ranges = self.ranges
        return all(ranges[key][0] <= value <= ranges[key][1] for key, value in pins.items())

    def values(self, family: str) -> list[int | None]:
        """The values of a family's decisions by index; None for an undecided one."""
        keys = takewhile(self.ranges.__contains__, ((family, index) for index in count()))
        return [self.value(key) for key in keys]


def propagate(
    profile: Profile,
    phase: Phase,
    pins: Mapping[Key, int] | None = None,
    numbers_only: bool = False,
    until_late: bool = False,
    before: Bounds | None = None,
) -> Bounds:
    """The bounds at the fixpoint; with `until_late`, those found when the time runs out. `pins`
    fixes decisions regardless of their equations. Bounds found `before` with some of the pins are
    tightened further if they allow the others: only decisions that they left open are read again.

    With `numbers_only`, only the ranges of the numbers are found; truth values stay unknown unless
    pinned. Raises `NumberRangeError` for a number decision that can have no value.
    """
    families = evaluation_order(profile)
    keys = all_decisions(families, phase)
    truths = {name for name, family in families.items() if family.type.is_truth}
    ranges = {key: TRUTH if key[0] in truths else NUMBER for key in keys}
    fixed: Mapping[Key, int] = pins or {}
    if before and before.allow(fixed):
        keys, ranges = list(before.open), dict(before.ranges)
    ranges.update((key, (value, value)) for key, value in fixed.items())
    wanted = [key for key in keys if key not in fixed and not (numbers_only and key[0] in truths)]
    grounder = Grounder(profile, phase)
    work = Tightening(grounder, grounder.equation, ranges, ranges.__getitem__)
    grounder.know(work.demanded)  # grounding first reads what an equation mentions
    try:
        left = work.run(wanted)
    except ExhaustedError:
        if not until_late:
            raise
        left = tuple(key for key in wanted if len(set(ranges[key])) > 1)
    return Bounds(ranges, left, grounder.steps)


class Tightening:
    """Tightens the ranges of decisions to a fixpoint. `equation` gives the term of a decision,
    `range_of` the range of any decision in it. After many rounds, reading terms again counts as
    steps of grounding."""

    def __init__(
        self,
        grounder: Grounder,
        equation: Callable[[Key], Term],
        ranges: dict[Key, Range],
        range_of: Ranges,
    ) -> None:
        self.grounder, self.equation, self.ranges = grounder, equation, ranges
        self._algebra = intervals(range_of)
        self._terms: dict[Key, Term] = {}  # of equations that are not decided at once
        self._users: dict[Key, list[Key]] = {}
        self._new = set[Key]()  # decisions whose equations have not been read
        self._again = set[Key]()
        self._levels = 0

    def run(self, keys: Collection[Key]) -> tuple[Key, ...]:
        """Tighten the ranges of these decisions, and return the decisions that are left open.
        Raises `NumberRangeError` for a number decision that can have no value."""
        check_time()
        self._new = set(keys)
        for key in keys:
            if key in self._new:
                self._read(key)
        for sweeps in range(MAX_SWEEPS):
            again, self._again = self._again, set()
            waiting = [key for key in self._terms if key in again and self._width(key)]
            if not waiting:
                return tuple(filter(self._width, self._terms))
            for key in waiting:
                if sweeps > _FEW:
                    self.grounder.take(size_of(self._terms[key]))
                self._narrow(key, self._terms[key])
            check_time()
        names = [self.grounder.name(key) for key in waiting if self._width(key) > 1]
        problem = f"still changes after {MAX_SWEEPS} rounds of propagation; it depends on itself"
        raise NumberRangeError(self.grounder.profile.name, ", ".join(names), problem)

    def demanded(self, key: Key) -> Range:
        """The range of a decision that an equation mentions. Its own equation is read first if it
        has not been yet: with most values known, terms are constants."""
        if key in self._new:
            levels = self.grounder.levels(key[0])
            if self._levels + levels <= _DEEP:
                self._levels += levels
                self._read(key)
                self._levels -= levels
        return self.ranges[key]

    def _width(self, key: Key) -> int:
        low, high = self.ranges[key]
        return high - low

    def _read(self, key: Key) -> None:
        """Read the equation of a decision for the first time."""
        self._new.remove(key)
        term = self.equation(key)
        if not isinstance(term, int):
            self._terms[key] = term
            for used in unknowns(term):
                self._users.setdefault(used, []).append(key)
        self._narrow(key, term)

    def _narrow(self, key: Key, term: Term) -> None:
        low, high = self.ranges[key]
        if isinstance(term, int):
            least = most = int(term)
        else:
            least, most = fold(term, self._algebra)
        if least <= low and most >= high:
            return
        if least > high or most < low:
            name, problem = self.grounder.name(key), no_value(least, most)
            raise NumberRangeError(self.grounder.profile.name, name, problem)
        is_value = least == most  # the usual case
        self.ranges[key] = (least, most) if is_value else (max(low, least), min(high, most))
        if key in self._users:
            self._again.update(self._users[key])


def no_value(least: int, most: int) -> str:
    """Why a number decision has no value if its equation gives a number from `least` to `most`."""
    gives = f"{least:,}" if least == most else f"from {least:,} to {most:,}"
    why = ", which contradicts what else is known"
    if least > LIMIT or most < -LIMIT:
        why = f"; numbers range from {-LIMIT:,} to {LIMIT:,}"
    return f"has no value: its equation gives {gives}{why}"
