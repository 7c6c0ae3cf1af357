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

from dipsat.equations.ground import MAX_OPEN_STEPS, Grounder, all_decisions
from dipsat.equations.phase import Phase
from dipsat.errors import SolverError
from dipsat.profiles.profile import Profile
from dipsat.solving.bounds import NUMBER, TRUTH, tighten
from dipsat.solving.branching import find_resolutions
from dipsat.solving.budget import Budget
from dipsat.solving.graph import connected_subgraphs
from dipsat.solving.models import MAX_RESOLUTIONS, TIMED_OUT, Models
from dipsat.solving.resolve import Equations, check_range, check_size, decision_graph, equations_of
from dipsat.terms.levels import Range
from dipsat.terms.term import Key, Term

_JOINT_SHARE = 4  # a question about several subgraphs may take 1 / _JOINT_SHARE of the time left


@dataclass(frozen=True)
class System:
    """The equations of all decisions of a phase (decision -> right-hand side, whether a truth
    value), and the range of each number decision."""

    profile: Profile
    phase: Phase
    grounder: Grounder
    equations: Equations
    ranges: Mapping[Key, Range]

    @cached_property
    def subgraphs(self) -> tuple[tuple[Key, ...], ...]:
        """The connected subgraphs of the decision graph: no equation refers to another subgraph."""
        return connected_subgraphs(decision_graph(self.equations))

    def bounds(self, key: Key) -> tuple[int, int]:
        """The least and the greatest value that a decision's equation can have."""
        return self.ranges.get(key, TRUTH)

    def name(self, key: Key) -> str:
        """A decision in words."""
        return self.grounder.name(key)

    def part(self, keys: Iterable[Key]) -> Equations:
        """The equations of some decisions."""
        return {key: self.equations[key] for key in keys}


def ground_system(
    profile: Profile, phase: Phase, spend: Callable[[int], None] | None = None
) -> System:
    """The equation system of a phase. `spend` is called with counts of steps, and may raise an
    error to stop.

    Raises `NumberRangeError` for a number decision whose equation allows no value, or too many to
    search (see docs/limits.md), and `WorkLimitError` for equations that take too many steps.
    """
    grounder = Grounder(profile, phase, spend=spend, most=MAX_OPEN_STEPS, shared=True)
    equations = equations_of(grounder, all_decisions(profile.decisions, phase))
    numbers = {key: term for key, (term, is_truth) in equations.items() if not is_truth}
    ranges = number_ranges(grounder, numbers)
    return System(profile, phase, grounder, equations, ranges)


def number_ranges(
    grounder: Grounder, numbers: Mapping[Key, Term], known: Mapping[Key, Range] = {}
) -> dict[Key, Range]:
    """The range of each number's equation while every truth value is open.

    All numbers that the equations mention are among them or `known`. Raises `NumberRangeError` as
    `ground_system` does.
    """
    ranges = dict.fromkeys(numbers, NUMBER)

    def range_of(key: Key) -> Range:
        return ranges.get(key) or known.get(key, TRUTH)

    tighten(grounder, numbers.__getitem__, ranges, range_of, numbers)
    for key, (low, high) in ranges.items():
        check_range(grounder, key, low, high)
    return ranges


def count_resolutions(system: System, budget: Budget) -> tuple[Models, ...]:
    """The resolutions of each subgraph of a system, in the order of `system.subgraphs`. Subgraphs
    that are not decided within the budget are unknown. Raises `NumberRangeError` if the equations
    would be too long as a text for Z3."""
    check_size(system.grounder, system.equations, system.bounds)
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
