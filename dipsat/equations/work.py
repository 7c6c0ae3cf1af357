"""A limit on the steps (`dipsat.language.steps`) that the equations of a phase take, so that rules
that would never end are refused, the same rules on every machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from dipsat.equations.phase import Phase
from dipsat.errors import WorkLimitError
from dipsat.kept import kept_on_first
from dipsat.language.steps import (
    Domains,
    Sizes,
    most_steps,
    nesting,
    parts_by_domains,
    parts_by_types,
)
from dipsat.language.syntax import AllOf, Expression
from dipsat.language.types import set_of
from dipsat.profiles.profile import Profile

MAX_STEPS = 2_000_000
"""Steps for all equations of a phase, each evaluated once. A full board of the biggest map takes
50,000 under the standard rules, and 900,000 under the shipped rules with the longest equations."""

MAX_REPEATED = 40_000_000
"""Steps for all rounds of propagation together. Boards take a few rounds."""

_DEEP = 3  # indices and nested quantifiers; with as many, a board of usual size is no problem
_LARGE = 200  # objects of one kind


def check_work(profile: Profile, phase: Phase) -> None:
    """Raise `TooManyDecisionsError` for a family with too many decisions, and `WorkLimitError` for
    equations that would take more than `MAX_STEPS` steps."""
    if not is_counted(profile, len(phase.provinces), len(phase.units)):
        return
    if most_steps(_workload(profile).by_types, phase) > MAX_STEPS:
        for decision in profile.decisions.values():
            phase.objects(decision.indices)
        _check(profile, steps_of(profile, phase), 1, MAX_STEPS)


def is_counted(profile: Profile, provinces: int, units: int) -> bool:
    """Whether `check_work` counts the steps of a phase with so many provinces and units; where it
    does not, they are few."""
    return max(provinces, units) > _LARGE or _depth(profile) > _DEEP


def check_repeated(profile: Profile, phase: Phase, times: int) -> None:
    """Raise `WorkLimitError` for equations that would take more than `MAX_REPEATED` steps when
    evaluated so many times."""
    _check(profile, steps_of(profile, phase), times, MAX_REPEATED)


def steps_of(profile: Profile, phase: Phase) -> Mapping[str, int]:
    """Name of a decision or result -> the steps of its equation: those of a decision for all its
    objects, those of a result for one, because few are read."""
    return _workload(profile).steps(Sizes(phase))


def total_steps(profile: Profile, phase: Phase) -> int:
    """The sum of `steps_of`."""
    return Sizes(phase).steps(_workload(profile).together)


def steps_with(profile: Profile, sizes: Sizes) -> int:
    """The steps of all decisions and results together, for sets of these sizes."""
    return sum(_workload(profile).steps(sizes).values())


def _check(profile: Profile, steps: Mapping[str, int], times: int, most: int) -> None:
    if times * sum(steps.values()) > most:
        entry = max(steps, key=steps.__getitem__)
        raise WorkLimitError(profile.name, entry, times * steps[entry], most)


class _Workload:
    """The parts of a profile's entries."""

    def __init__(self, profile: Profile) -> None:
        self.entries: dict[str, Counter[Domains]] = {}
        for decision in profile.decisions.values():
            indices = tuple(AllOf(one.type, set_of(one.type)) for one in decision.indices)
            self.entries[decision.name] = parts_by_domains(decision.equation, indices)
        for result in profile.results.values():
            self.entries[result.name] = parts_by_domains(result.expression)
        same: dict[Expression, Expression] = {}  # equal sets are one object, and counted once
        for name, parts in self.entries.items():
            self.entries[name] = Counter(
                {
                    tuple(same.setdefault(one, one) for one in domains): count
                    for domains, count in parts.items()
                }
            )
        self.together: Counter[Domains] = sum(self.entries.values(), Counter())
        self.by_types = parts_by_types(self.together)

    def steps(self, sizes: Sizes) -> dict[str, int]:
        """The steps of each entry for sets of these sizes."""
        return {name: sizes.steps(parts) for name, parts in self.entries.items()}


@kept_on_first(1)
def _depth(profile: Profile) -> int:
    """The most sets over which a part of an entry is evaluated. It is found without the parts,
    which most profiles are never asked for."""
    return max(
        (
            *(len(one.indices) + nesting(one.equation) for one in profile.decisions.values()),
            *(nesting(one.expression) for one in profile.results.values()),
        ),
        default=0,
    )


@kept_on_first(1)
def _workload(profile: Profile) -> _Workload:
    return _Workload(profile)
