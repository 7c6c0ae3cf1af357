"""The equation system of a phase as grounded, and how many resolutions each part of it has.

Every decision is an unknown of the system, with the equation that the profile states for it; only
the ranges of numbers are found, with every truth value open. The text for Z3 uses them
(`dipsat.terms.smtlib`): a number with one value has no symbol, and a comparison that ranges decide
is replaced by its result. Nothing else is propagated or pruned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dipsat.equations.counted import CountedGrounder
from dipsat.equations.ground import Grounder, all_decisions
from dipsat.equations.phase import Phase
from dipsat.equations.shared import SharingGrounder
from dipsat.errors import NumberRangeError, SolverError
from dipsat.limits import ExhaustedError
from dipsat.profiles.profile import Profile
from dipsat.solving.bounds import LIMIT, MAX_SWEEPS, no_value
from dipsat.solving.branching import find_resolutions
from dipsat.solving.budget import Budget
from dipsat.solving.graph import connected_subgraphs
from dipsat.solving.models import MAX_RESOLUTIONS, TIMED_OUT, Models
from dipsat.solving.resolve import (
    Equations,
    check_range,
    check_size,
    decision_graph,
    equations_of,
)
from dipsat.terms.fold import interval
from dipsat.terms.term import Key, Term

_TRUTH = (0, 1)
_JOINT_SHARE = 4  # a question about several subgraphs may take 1 / _JOINT_SHARE of the time left


@dataclass(frozen=True)
class System:
    """The equations of all decisions of a phase (decision -> right-hand side, whether a truth
    value), and the range of each number decision."""

    profile: Profile
    phase: Phase
    grounder: Grounder
    equations: Equations
    ranges: Mapping[Key, tuple[int, int]]

    @cached_property
    def subgraphs(self) -> tuple[tuple[Key, ...], ...]:
        """The connected subgraphs of the decision graph: no equation refers to another subgraph."""
        return connected_subgraphs(decision_graph(self.equations))

    def bounds(self, key: Key) -> tuple[int, int]:
        """The least and the greatest value that a decision's equation can have."""
        return self.ranges.get(key, _TRUTH)

    def name(self, key: Key) -> str:
        """A decision in words."""
        return self.grounder.name(key)

    def part(self, keys: Iterable[Key]) -> Equations:
        """The equations of some decisions."""
        return {key: self.equations[key] for key in keys}


def ground_system(
    profile: Profile, phase: Phase, spend: Callable[[int], None] = lambda _: None
) -> System:
    """The equation system of a phase. `spend` is called with counts of steps, and may raise an
    error to stop.

    Raises `NumberRangeError` for a number decision whose equation allows no value, or too many to
    search (see docs/limits.md), and `WorkLimitError` for equations that take too many steps.
    """
    grounder = SharingGrounder(profile, phase, spend)
    equations = equations_of(grounder, all_decisions(profile.decisions, phase))
    numbers = {key: term for key, (term, is_truth) in equations.items() if not is_truth}
    ranges = number_ranges(profile, grounder, numbers, spend)
    return System(profile, phase, grounder, equations, ranges)


def number_ranges(
    profile: Profile,
    grounder: CountedGrounder,
    numbers: Mapping[Key, Term],
    spend: Callable[[int], None],
    known: Mapping[Key, tuple[int, int]] = {},
) -> dict[Key, tuple[int, int]]:
    """The range of each number's equation while every truth value is open.

    Numbers whose equations mention numbers start from the largest possible range, and are narrowed
    until each range equals that of its equation. All that they mention are among them or `known`.
    `spend` is as for `ground_system`, and so is `NumberRangeError`.
    """
    ranges = dict.fromkeys(numbers, (-LIMIT, LIMIT))

    mentioned: list[Key] = []  # the numbers in the equation that is being read
    stays: set[Key] = set()  # numbers whose equations mention none, so that one reading is enough

    def noted(key: Key) -> tuple[int, int]:
        found = ranges.get(key)
        if found is None:
            return known.get(key, _TRUTH)
        mentioned.append(key)
        return found

    def fail(key: Key, problem: str) -> NumberRangeError:
        return NumberRangeError(profile.name, grounder.name(key), problem)

    changed = list(numbers)
    for sweeps in range(MAX_SWEEPS):
        grounder.repeat(sweeps)
        before = dict(ranges)
        for key, term in numbers.items():
            if key in stays:
                continue
            spend(0)
            mentioned.clear()
            (low, high), (least, most) = ranges[key], interval(term, noted)
            ranges[key] = (max(low, least), min(high, most))
            if not mentioned:
                stays.add(key)
            if ranges[key][0] > ranges[key][1]:
                raise fail(key, no_value(least, most))
        changed = [key for key in numbers if ranges[key] != before[key]]
        if not changed:
            break
    for key, (low, high) in ranges.items():
        check_range(grounder, key, low, high)
    if changed:
        raise fail(changed[0], f"still changes after {MAX_SWEEPS} rounds; it depends on itself")
    return ranges


def count_resolutions(system: System, budget: Budget) -> tuple[Models, ...]:
    """The resolutions of each subgraph of a system, in the order of `system.subgraphs`. Subgraphs
    that are not decided within the budget are unknown. Raises `NumberRangeError` if the equations
    would be too long as a text for Z3."""
    try:
        check_size(system.grounder, system.equations, system.bounds, budget.clock)
    except ExhaustedError:
        return (TIMED_OUT,) * len(system.subgraphs)
    search = _ResolutionCount(system, budget)
    search.decide(range(len(system.subgraphs)))
    return tuple(search.found[number] for number in range(len(system.subgraphs)))


class _ResolutionCount:
    """Asks about many subgraphs at once where possible. They share no decisions, so together they
    have a single resolution exactly if each has one, and one question is quicker than many."""

    def __init__(self, system: System, budget: Budget) -> None:
        self.system = system
        self.budget = budget
        self.found: dict[int, Models] = {}

    def decide(self, numbers: Sequence[int]) -> None:
        """Find the resolutions of the subgraphs with these numbers."""
        pending = [list(numbers)]
        while pending:
            asked = pending.pop()
            if len(asked) > 1:
                pending += self._together(asked)
            elif asked:
                self._alone(asked[0])

    def _together(self, asked: list[int]) -> list[list[int]]:
        """Settle subgraphs with one question; return the smaller questions to ask if that fails."""
        keys = [key for number in asked for key in self.system.subgraphs[number]]
        try:
            models = self._ask(keys, 2, _JOINT_SHARE)
        except SolverError:  # they may be easy one by one
            models = TIMED_OUT
        if models.verdict == "unique":
            (values,) = models.resolutions
            for number in asked:
                group = self.system.subgraphs[number]
                alone = {key: values[key] for key in group}
                self.found[number] = replace(models, resolutions=(alone,))
            return []
        if models.verdict == "several":
            one, other = models.resolutions
            parted = [
                number
                for number in asked
                if any(one[key] != other[key] for key in self.system.subgraphs[number])
            ]
            return [[n for n in asked if n not in parted], *([number] for number in parted)]
        if models.verdict == "none":
            middle = len(asked) // 2
            return [asked[:middle], asked[middle:]]
        by_size = sorted(asked, key=lambda number: len(self.system.subgraphs[number]), reverse=True)
        return [[number] for number in by_size]  # taken from the end: the smallest first

    def _alone(self, number: int) -> None:
        self.found[number] = self._ask(self.system.subgraphs[number], MAX_RESOLUTIONS, 1)

    def _ask(self, keys: Iterable[Key], most: int, share: int) -> Models:
        system, budget = self.system, self.budget
        if budget.is_over():
            return TIMED_OUT
        equations = system.part(keys)
        with budget.share(share) as part:
            return find_resolutions(equations, system.name, system.bounds, most=most, budget=part)
