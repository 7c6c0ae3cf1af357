"""Propagation: tightening the bounds of all decisions to a fixpoint.

Each decision is known to lie in an interval (for a truth value: false, unknown or true), which is
DATC 3.0 5's "partial information". An equation is grounded under what is known by then, and its
term read as an interval; what it mentions and is tightened later has it read again. What this
fixes holds in every resolution. It decides most boards completely; what it leaves open are the
cores that can have no resolution, or several.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count, takewhile
from typing import NoReturn

from dipsat.equations.ground import Grounder, all_decisions
from dipsat.equations.phase import Phase
from dipsat.equations.work import check_repeated
from dipsat.errors import NumberRangeError
from dipsat.kept import kept_on_first
from dipsat.language.syntax import decision_calls
from dipsat.profiles.profile import Decision, Profile
from dipsat.solving.budget import Budget
from dipsat.terms.fold import interval
from dipsat.terms.levels import Range
from dipsat.terms.term import Key, Term, unknowns

LIMIT = 10**9
"""A number decision lies between -LIMIT and LIMIT."""
MAX_SWEEPS = 3000
"""Rounds of propagation. Boards need a few dozen at most; more means numbers without end."""

_TRUTH, _NUMBER = (0, 1), (-LIMIT, LIMIT)  # before anything is known
_COUNTED = frozenset(2**power for power in range(4, 12))  # rounds after which work is counted


@dataclass(frozen=True, slots=True)
class Bounds:
    """The range of every decision (truth values as 0 and 1), by family and index. `open` holds the
    undecided ones."""

    ranges: Mapping[Key, Range]
    open: tuple[Key, ...]

    def interval(self, key: Key) -> Range:
        """The least and the greatest value of a decision."""
        return self.ranges[key]

    def value(self, key: Key) -> int | None:
        """The value of a decision, None if it is undecided."""
        low, high = self.ranges[key]
        return low if low == high else None

    def values(self, family: str) -> list[int | None]:
        """The values of a family's decisions by index, None where undecided."""
        keys = takewhile(self.ranges.__contains__, ((family, index) for index in count()))
        return [self.value(key) for key in keys]


class Propagator:
    """Propagates bounds under one profile."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.families = evaluation_order(profile.decisions)

    def propagate(
        self,
        phase: Phase,
        pins: Mapping[Key, int] | None = None,
        numbers_only: bool = False,
        budget: Budget | None = None,
    ) -> Bounds:
        """The bounds at the fixpoint, or those found when the time of the `budget` is up. `pins`
        fixes decisions whatever their equations say.

        With `numbers_only`, truth values stay unknown unless pinned: only the ranges of the
        numbers are found. Raises `NumberRangeError` for a number decision that can have no value.
        """
        keys = all_decisions(self.families, phase)
        truths = {name for name, family in self.families.items() if family.type.is_truth}
        ranges = {key: _TRUTH if key[0] in truths else _NUMBER for key in keys}
        fixed: Mapping[Key, int] = pins or {}
        ranges.update((key, (value, value)) for key, value in fixed.items())
        wanted = [
            key for key in keys if key not in fixed and not (numbers_only and key[0] in truths)
        ]
        left = self._tighten(phase, ranges, wanted, budget)
        return Bounds(ranges, left)

    def _tighten(
        self, phase: Phase, ranges: dict[Key, Range], keys: list[Key], budget: Budget | None
    ) -> tuple[Key, ...]:
        """Tighten the ranges of these decisions, and return those that are left open."""
        range_of = ranges.__getitem__

        def is_open(key: Key) -> bool:
            low, high = ranges[key]
            return low != high

        grounder = Grounder(self.profile, phase, range_of)
        terms: dict[Key, Term] = {}  # of the equations that are not decided at once
        users: dict[Key, list[Key]] = {}
        waiting = keys
        for sweeps in range(MAX_SWEEPS):
            again = set[Key]()
            for key in waiting:
                term = terms.get(key)
                if term is None:
                    term = grounder.equation(key)
                    if not isinstance(term, int):
                        terms[key] = term
                        for used in unknowns(term):
                            users.setdefault(used, []).append(key)
                least, most = interval(term, range_of)
                low, high = ranges[key]
                if least > high or most < low:
                    name, problem = grounder.name(key), no_value(least, most)
                    raise NumberRangeError(self.profile.name, name, problem)
                if least > low or most < high:
                    ranges[key] = max(low, least), min(high, most)
                    again.update(users.get(key, ()))
            waiting = [key for key in terms if key in again and is_open(key)]
            if not waiting or (budget is not None and budget.is_late()):
                break
            if sweeps in _COUNTED:
                check_repeated(self.profile, phase, sweeps)
        else:
            self._give_up(grounder, waiting)
        return tuple(filter(is_open, terms))

    def _give_up(self, grounder: Grounder, keys: Iterable[Key]) -> NoReturn:
        """Raise the error for numbers that depend on each other and keep changing."""
        names = [grounder.name(key) for key in keys if not self.families[key[0]].type.is_truth]
        problem = f"still changes after {MAX_SWEEPS} rounds of propagation; it depends on itself"
        raise NumberRangeError(self.profile.name, ", ".join(names), problem)


def no_value(least: int, most: int) -> str:
    """Why a number decision whose equation gives something from `least` to `most` has no value."""
    gives = f"{least:,}" if least == most else f"from {least:,} to {most:,}"
    why = ", which contradicts what else is known"
    if least > LIMIT or most < -LIMIT:
        why = f"; numbers range from {-LIMIT:,} to {LIMIT:,}"
    return f"has no value: its equation gives {gives}{why}"


@kept_on_first()
def propagator_for(profile: Profile) -> Propagator:
    """The propagator of a profile."""
    return Propagator(profile)


def evaluation_order(decisions: Mapping[str, Decision]) -> dict[str, Decision]:
    """The families sorted so that, except on cycles, each comes after those that it needs."""
    ordered: dict[str, Decision] = {}
    entered: set[str] = set()

    def visit(name: str) -> None:
        if name in entered:
            return
        entered.add(name)
        for needed in sorted(decision_calls(decisions[name].equation)):
            visit(needed)
        ordered[name] = decisions[name]

    for name in decisions:
        visit(name)
    return ordered
