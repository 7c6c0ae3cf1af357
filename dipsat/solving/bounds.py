"""Propagation: tightening the bounds of all decisions to a fixpoint.

What it fixes holds in every resolution. It decides most boards completely; what it leaves open are
the cores that can have no resolution, or several.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from dipsat.equations.phase import Phase
from dipsat.equations.work import check_repeated
from dipsat.errors import NumberRangeError
from dipsat.kept import kept_on_first
from dipsat.language.syntax import Variable, decision_calls
from dipsat.profiles.profile import Decision, Profile
from dipsat.solving.bounds_code import LIMIT, compile_results, compile_sweep, no_value
from dipsat.solving.budget import Budget
from dipsat.terms.term import Key

MAX_SWEEPS = 3000
"""Rounds of propagation. Boards need a few dozen at most; more means numbers without end."""

_COUNTED = frozenset(2**power for power in range(4, 12))  # rounds after which work is counted


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of every decision, in lists by family (`numbers` gives a family's place) and index.
    `open` holds the undecided ones."""

    numbers: Mapping[str, int]
    low: list[list[int]]
    high: list[list[int]]
    open: tuple[Key, ...]

    def interval(self, key: Key) -> tuple[int, int]:
        """The least and the greatest value of a decision (truth values as 0 and 1)."""
        family = self.numbers[key[0]]
        return int(self.low[family][key[1]]), int(self.high[family][key[1]])

    def value(self, key: Key) -> int | None:
        """The value of a decision, None if it is undecided."""
        family = self.numbers[key[0]]
        low = self.low[family][key[1]]
        return int(low) if low == self.high[family][key[1]] else None

    def values(self, family: str) -> list[int | None]:
        """The values of a family's decisions by index, None where undecided."""
        at = self.numbers[family]
        low, high = self.low[at], self.high[at]
        if low == high:
            return list(low)
        return [a if a == b else None for a, b in zip(low, high, strict=True)]


class _Start(NamedTuple):
    """The bounds of a family before propagation: `like` is the number of an earlier family about
    the same objects, None if there is none."""

    indices: tuple[Variable, ...]
    like: int | None
    is_truth: bool
    least: int
    most: int


def _starts(families: Iterable[Decision]) -> tuple[_Start, ...]:
    first: dict[tuple[Variable, ...], int] = {}
    found = []
    for at, family in enumerate(families):
        is_truth = family.type.is_truth
        ends = (False, True) if is_truth else (-LIMIT, LIMIT)
        found.append(_Start(family.indices, first.get(family.indices), is_truth, *ends))
        first.setdefault(family.indices, at)
    return tuple(found)


class Propagator:
    """Propagates bounds under one profile; its functions are compiled once."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.families = evaluation_order(profile.decisions)
        self.numbers = {name: at for at, name in enumerate(self.families)}
        self._starts = _starts(self.families.values())
        self._sweep = compile_sweep(self.families)
        self._results = compile_results(self.families, profile.results)

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
        low: list[list[Any]] = []
        high: list[list[Any]] = []
        pending: list[Any] = []
        for indices, like, _, least, most in self._starts:
            domain = phase.objects(indices) if like is None else pending[like]
            pending.append(domain)
            low.append([least] * len(domain))
            high.append([most] * len(domain))
        if numbers_only:
            for at, start in enumerate(self._starts):
                pending[at] = [] if start.is_truth else pending[at]
        if pins:
            for (family, index), value in pins.items():
                at = self.numbers[family]
                low[at][index] = high[at][index] = value
            for at, family in enumerate(self.families):
                pending[at] = [x for x in pending[at] if (family, x.index) not in pins]
        sweep = self._sweep
        conflicts: list[tuple[int, int, int, int]] = []
        for sweeps in range(MAX_SWEEPS):
            if not sweep(phase, low, high, pending, conflicts) or conflicts or not any(pending):
                break
            if budget is not None and budget.is_late():
                break
            if sweeps in _COUNTED:
                check_repeated(self.profile, phase, sweeps)
        else:
            self._give_up(pending)
        if conflicts:
            self._fail(phase, *conflicts[0])
        left = [
            (family, x.index)
            for family, rest in zip(self.families, pending, strict=True)
            for x in rest
        ]
        return Bounds(self.numbers, low, high, tuple(left))

    def _fail(self, phase: Phase, at: int, index: int, least: int, most: int) -> NoReturn:
        """Raise the error for a contradiction: no resolution, and no cycle for a rule to settle."""
        family = list(self.families.values())[at]
        decision = f"{family.name}({phase.objects(family.indices)[index]})"
        raise NumberRangeError(self.profile.name, decision, no_value(least, most))

    def _give_up(self, pending: list[Any]) -> NoReturn:
        """Raise the error for numbers that depend on each other and keep changing."""
        names = [
            f"{family.name}({thing})"
            for family, rest in zip(self.families.values(), pending, strict=True)
            if not family.type.is_truth
            for thing in rest
        ]
        problem = f"still changes after {MAX_SWEEPS} rounds of propagation; it depends on itself"
        raise NumberRangeError(self.profile.name, ", ".join(names), problem)

    def result(self, name: str, phase: Phase, bounds: Bounds, *objects: object) -> bool:
        """A result of the profile, such as `contested`, under decided bounds."""
        return bool(self._results[name](phase, bounds.low, bounds.high, *objects))


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
