"""Resolving the equations of a phase to one value per decision, with a record of how.

Propagation decides what it can (a presolve: it fixes only what holds in every resolution). Z3, or
case analysis if Z3 is not installed (`dipsat.solving.models`), enumerates the resolutions of each
connected subgraph of the rest; the subgraph's record says which. If there is a single resolution,
its values are fixed. If there are none or several, the decision cycle is extracted, the first cycle
rule of the profile that applies pins some of its decisions, and everything is resolved again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace

from dipsat.base import TOO_LATE, ExhaustedError
from dipsat.equations import (
    Equations,
    Grounder,
    Key,
    Phase,
    Ranges,
    all_decisions,
    objects_of_cycle,
    pins_along,
    pins_set,
    rules_that_apply,
    unknowns,
)
from dipsat.errors import EndlessRuleError, UnresolvedError
from dipsat.rules import CycleRule, Expression, Profile, Scope, evaluation_order
from dipsat.solving.bounds import Bounds, propagate
from dipsat.solving.budget import PHASE, Budget, budget_of
from dipsat.solving.graph import (
    Graph,
    connected_subgraphs,
    decision_cycles,
    dependent_on,
    has_cycle,
)
from dipsat.solving.models import MAX_RESOLUTIONS, MAX_STEPS, Models, Resolution, find_resolutions
from dipsat.solving.size import STEPS_OF_LITERAL, check_range, check_size

# --- cycle step -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CycleResolution:
    """How cycle rules settle a decision cycle: the cycle, the number of its resolutions on its own,
    the names of the rules (usually one), and the decisions that they set. `chosen` says whether
    these are one of the resolutions (`choose`), so the cycle's equations still hold."""

    cycle: tuple[Key, ...]
    resolutions: int
    rules: tuple[str, ...]
    pins: Mapping[Key, int]
    chosen: bool = False

    @property
    def reaches_out(self) -> bool:
        """Whether decisions outside the cycle are set too (`along`)."""
        return not self.pins.keys() <= set(self.cycle)

    @property
    def rule(self) -> str:
        """The names of the rules as one text."""
        return ", ".join(self.rules)


def settle_cycle(
    profile: Profile,
    phase: Phase,
    cycle: tuple[Key, ...],
    models: Models,
    interval: Ranges,
    subgraph: Collection[Key],
) -> CycleResolution:
    """Settle a cycle by the first rule that applies, and those marked `together` with it. `models`
    holds the cycle's resolutions.

    `interval` gives what is known about the other decisions. Those in the cycle's `subgraph` may be
    set along with it. Raises `UnresolvedError` if no rule applies.
    """
    grounder = Grounder(profile, phase)
    scope = cycle_scope(grounder, cycle, len(models.resolutions))

    def is_open(key: Key) -> bool:
        return key in subgraph and len(set(interval(key))) == 2

    def pins_of(rule: CycleRule) -> Mapping[Key, int]:
        if rule.choose is None:
            pins = pins_set(rule, grounder, cycle, scope)
            return {**pins_along(rule, grounder, pins, is_open), **pins} if rule.along else pins
        return _choice(profile, phase, rule.choose, scope, models, interval)

    applied, pins, idle = rules_that_apply(profile.cycles, grounder, scope, pins_of)
    if applied:
        names = tuple(rule.name for rule in applied)
        chosen = applied[0].choose is not None
        return CycleResolution(cycle, len(models.resolutions), names, pins, chosen)
    about = (grounder.name(key) for key in cycle)
    raise UnresolvedError(profile.name, about, len(models.resolutions), idle)


def cycle_scope(grounder: Grounder, cycle: Iterable[Key], resolutions: int) -> dict[str, object]:
    """The scope in which the expressions of a rule see `cycle`."""
    return {"cycle": SimpleNamespace(**objects_of_cycle(grounder, cycle), resolutions=resolutions)}


def _choice(
    profile: Profile,
    phase: Phase,
    condition: Expression,
    scope: Scope,
    models: Models,
    interval: Ranges,
) -> Resolution:
    """The only resolution for which the condition holds; empty if it holds for none or several, or
    if not all resolutions are known."""

    def holds(resolution: Resolution) -> bool:
        def known(key: Key) -> tuple[int, int]:
            return (resolution[key], resolution[key]) if key in resolution else interval(key)

        return Grounder(profile, phase, known).term(condition, scope) is True

    fitting = [resolution for resolution in models.resolutions if holds(resolution)]
    return fitting[0] if len(fitting) == 1 and models.complete else {}


# --- resolve --------------------------------------------------------------------------------------

MAX_ROUNDS = 25
"""The most rounds of cycle rules; more means that the rules settle too little. Cycles that are
independent of each other are settled in the same round."""

MAX_GROUNDED = 2_000_000
"""Steps of grounding for all rounds of rules for cycles together, about two seconds. A full board
takes 9,300 under the costliest shipped rules."""


@dataclass(frozen=True, slots=True)
class CoreRecord:
    """A subgraph that propagation left open, with its resolutions. `round` is 0 before any cycle
    rule was applied."""

    round: int
    decisions: tuple[Key, ...]
    models: Models
    applied: CycleResolution | None = None


@dataclass(frozen=True, slots=True)
class Solution:
    """The bounds of all decisions (equal if decided, as all are unless time ran out), the subgraphs
    that were left open, and the decisions that a time limit left open. `propagated` is false if
    nothing was propagated first. Then every decision without a record is a number with one possible
    value."""

    bounds: Bounds
    records: tuple[CoreRecord, ...]
    pins: Mapping[Key, int]
    unknown: frozenset[Key] = frozenset()
    grounded: int = 0
    """The steps of grounding taken."""
    propagated: bool = True

    @property
    def before_rules(self) -> tuple[CoreRecord, ...]:
        """The records of the subgraphs as they were before any cycle rule: the first of each.
        Decisions that a rule leaves open are recorded again. A rule that reaches out ends a round,
        so another subgraph may have its first record in a later one."""
        known: set[Key] = set()
        found = []
        for record in self.records:
            if known.isdisjoint(record.decisions):
                known.update(record.decisions)
                found.append(record)
        return tuple(found)

    @property
    def steps(self) -> int:
        """What a search is charged for resolving such a phase again."""
        return max(PHASE, 2 * self.grounded)


def resolve(
    profile: Profile, phase: Phase, presolve: bool = True, budget: Budget | None = None
) -> Solution:
    """Resolve a phase under a profile.

    With `presolve` false, only the ranges of numbers are found first, with every truth value open,
    and Z3 gets every decision that they leave open. Everything is propagated only to find a
    decision cycle. `budget` limits all of it; by default, it is that of the running call. Raises
    `UnresolvedError` if no cycle rule applies, or if a cycle is left after `MAX_ROUNDS` rounds of
    rules, and `WorkLimitError` for rules that take too many steps.
    """
    bounds = None
    if presolve:  # this usually leaves nothing open
        bounds = propagate(profile, phase, until_late=True)
        if not bounds.open:
            return Solution(bounds, (), {})
    limit = budget_of(MAX_STEPS) if budget is None else budget
    return _RoundsOfRules(profile, phase, bounds, limit).solution()


class _RoundsOfRules:
    """Propagates in each round, asks about the open subgraphs, and applies cycle rules to those
    without a single resolution, until nothing is open."""

    def __init__(
        self, profile: Profile, phase: Phase, presolved: Bounds | None, budget: Budget
    ) -> None:
        self.profile = profile
        self.phase = phase
        self.presolve = presolved is not None
        self.budget = budget
        self.grounder = Grounder(profile, phase, most=MAX_GROUNDED)
        self._propagated = None if presolved is None else (dict[Key, int](), presolved)
        self.fixed: dict[Key, int] = {}  # pinned by a rule, or the only possible value
        self.pins: dict[Key, int] = {}
        self.records: list[CoreRecord] = []
        self.unknown: set[Key] = set()

    def bounds(self) -> Bounds:
        """The bounds under the values fixed so far, propagated only if these have changed. If the
        time is up, the bounds are not yet at the fixpoint."""
        if self._propagated is None or self._propagated[0] != self.fixed:
            known, before = self._propagated or ({}, None)
            kept = before if known.items() <= self.fixed.items() else None
            found = propagate(self.profile, self.phase, self.fixed, False, True, kept)
            self._propagated = dict(self.fixed), found
        return self._propagated[1]

    def _ranges(self) -> Bounds:
        """The bounds before Z3 is asked; without presolving, those of the numbers only."""
        if self.presolve:
            return self.bounds()
        return propagate(self.profile, self.phase, self.fixed, True, True)

    def solution(self) -> Solution:
        round_number = 0
        last: Bounds | None = None  # of the last round, if they still follow
        while True:
            bounds = self._ranges()
            if self.budget.is_late():
                return self._stopped(last or bounds)
            try:
                equations = self._equations(self._open(bounds), bounds.interval)
            except ExhaustedError:
                return self._stopped(bounds)
            graph = decision_graph(equations)
            if self.unknown:
                self.unknown |= dependent_on(self.unknown, graph)
                equations = {k: one for k, one in equations.items() if k not in self.unknown}
                graph = {key: graph[key] for key in equations}
            if not equations:
                break
            last = bounds
            if self.budget.is_over():
                self.unknown.update(equations)
                break
            self._stop_endless_rules()
            try:
                for group in self._unsettled(round_number, graph, equations, bounds):
                    applied = self._settle(round_number, group, equations, bounds)
                    if applied is not None and applied.reaches_out:
                        self.fixed = dict(self.pins)  # earlier conclusions may no longer follow
                        last = None
                        break
            except ExhaustedError:
                return self._stopped(bounds)
            round_number += 1
        bounds = self.bounds()
        if self.budget.is_late():
            return self._stopped(last or bounds)
        return self._solution(bounds, frozenset(self.unknown))

    def _solution(self, bounds: Bounds, unknown: frozenset[Key]) -> Solution:
        records, grounded = tuple(self.records), self.grounder.steps
        return Solution(bounds, records, self.pins, unknown, grounded, self.presolve)

    def _stopped(self, bounds: Bounds) -> Solution:
        """The solution when the time is up: these bounds, and the conclusions since."""
        fixed = {key: (value, value) for key, value in self.fixed.items()}
        ranges = {**bounds.ranges, **fixed}
        left = tuple(key for key, (low, high) in ranges.items() if low != high)
        return self._solution(Bounds(ranges, left), frozenset(left))

    def _stop_endless_rules(self) -> None:
        applied = [record for record in self.records if record.applied is not None]
        rounds = len({record.round for record in applied})
        if rounds >= MAX_ROUNDS and (last := applied[-1].applied) is not None:
            cycle = map(self.grounder.name, last.cycle)
            raise EndlessRuleError(self.profile.name, cycle, last.resolutions, last.rule, rounds)

    def _open(self, bounds: Bounds) -> list[Key]:
        families = evaluation_order(self.profile)
        candidates = bounds.open if self.presolve else all_decisions(families, self.phase)
        known = self.fixed.keys() | self.unknown
        return [key for key in candidates if bounds.value(key) is None and key not in known]

    def _equations(self, keys: list[Key], interval: Ranges) -> Equations:
        self.grounder.know(interval)
        return equations_of(self.grounder, keys)

    def _unsettled(
        self, round_number: int, graph: Graph, equations: Equations, bounds: Bounds
    ) -> tuple[tuple[Key, ...], ...]:
        """The subgraphs that are still to be settled. Without presolving, one question covers all
        of them. If they have a single resolution together, this takes a third of the time."""
        groups = connected_subgraphs(graph)
        if self.presolve or len(groups) < 2:
            return groups
        models = self._models(equations, bounds, most=2)
        if models.verdict != "unique":
            return groups
        values = models.resolutions[0]
        self.fixed.update(values)
        for group in groups:
            alone = replace(models, resolutions=({key: values[key] for key in group},))
            self.records.append(CoreRecord(round_number, group, alone))
        return ()

    def _settle(
        self, round_number: int, group: tuple[Key, ...], equations: Equations, bounds: Bounds
    ) -> CycleResolution | None:
        models = self._models({key: equations[key] for key in group}, bounds)
        applied = None
        if models.verdict == "unique":
            self.fixed.update(models.resolutions[0])
        elif models.timed_out:
            self.unknown.update(group)
        else:
            applied = self._break_cycle(group, models, equations, bounds)
        self.records.append(CoreRecord(round_number, group, models, applied))
        return applied

    def _models(self, equations: Equations, bounds: Bounds, most: int = MAX_RESOLUTIONS) -> Models:
        grounder = self.grounder
        for key, (_, is_truth) in equations.items():
            if not is_truth:
                check_range(grounder, key, *bounds.interval(key))
        literals = check_size(grounder, equations, bounds.interval)
        self.budget.charge(STEPS_OF_LITERAL * literals)
        return find_resolutions(equations, grounder.name, bounds.interval, most, self.budget)

    def _break_cycle(
        self, group: tuple[Key, ...], models: Models, equations: Equations, before: Bounds
    ) -> CycleResolution | None:
        """Apply a rule to a decision cycle in a subgraph with no or several resolutions. Raises
        `ExhaustedError` if the time is up."""
        bounds = self.bounds()
        if self.budget.is_late():  # bounds before the fixpoint would show other cycles
            raise ExhaustedError(TOO_LATE)
        shared = _shared(models)
        self.fixed.update(shared)
        equations = {key: equations[key] for key in group}
        graph = decision_graph(equations)
        # Undecided decisions always contain a cycle. Any further cycles wait for later rounds, when
        # more is known.
        cycle = decision_cycles(graph)[0]
        is_only_cycle = not has_cycle(graph, cycle) and shared.keys().isdisjoint(cycle)
        if is_only_cycle and models.complete and bounds is before:
            # All other decisions of the subgraph follow from those of the cycle, one by one.
            alone = _part(models, cycle)
        else:
            if shared or bounds is not before:
                equations = self._pruned(group, shared, bounds)
                cycle = decision_cycles(decision_graph(equations))[0]
            alone = self._models({key: equations[key] for key in cycle}, bounds)
        if alone.verdict == "unique":
            self.fixed.update(alone.resolutions[0])
            return None
        if alone.timed_out:
            self.unknown.update(cycle)
            return None
        applied = settle_cycle(self.profile, self.phase, cycle, alone, bounds.interval, group)
        self.fixed.update(applied.pins)
        self.pins.update(applied.pins)
        return applied

    def _pruned(
        self, group: tuple[Key, ...], shared: Mapping[Key, int], bounds: Bounds
    ) -> Equations:
        """The equations of the subgraph's undecided decisions, simplified by everything known."""

        def interval(key: Key) -> tuple[int, int]:
            return (shared[key], shared[key]) if key in shared else bounds.interval(key)

        undecided = [key for key in group if len(set(interval(key))) == 2]
        return self._equations(undecided, interval)


def _shared(models: Models) -> dict[Key, int]:
    """The values that all resolutions of a subgraph have in common."""
    if not models.complete or not models.resolutions:
        return {}
    first, *others = models.resolutions
    return {key: value for key, value in first.items() if all(one[key] == value for one in others)}


def _part(models: Models, keys: Sequence[Key]) -> Models:
    """The resolutions of some decisions of a subgraph, in the same order as a solver's."""
    parts = sorted(tuple(one[key] for key in keys) for one in models.resolutions)
    return replace(models, resolutions=tuple(dict(zip(keys, part, strict=True)) for part in parts))


def equations_of(grounder: Grounder, keys: Iterable[Key]) -> Equations:
    """The equations of some decisions."""
    decisions = grounder.profile.decisions
    return {key: (grounder.equation(key), decisions[key[0]].type.is_truth) for key in keys}


def decision_graph(equations: Equations) -> dict[Key, set[Key]]:
    """Decision -> the decisions that its equation mentions."""
    return {key: unknowns(term) for key, (term, _) in equations.items()}
