"""What is proven about a phase: what counted its resolutions, and the findings on each subgraph."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations, islice
from math import prod

from dipsat.base import ExhaustedError
from dipsat.equations import Grounder, Key, Phase, all_decisions
from dipsat.game import RulingStatus, UnitFacts
from dipsat.outcomes.outcome import Evidence, SolvedSubgraph, Subgraph
from dipsat.outcomes.resolved_phase import GivenPhase, ResolvedPhase, units_of
from dipsat.rules import Profile
from dipsat.solving import (
    MAX_RESOLUTIONS,
    STEPS_OF_LITERAL,
    Budget,
    Models,
    check_size,
    connected_subgraphs,
    decision_graph,
    equations_of,
    find_resolutions,
    propagate,
)


def evidence_of(resolved: ResolvedPhase) -> Evidence:
    """The evidence for a phase that was resolved."""
    solution, name = resolved.solution, resolved.grounder.name
    answered = [one for one in solution.before_rules if not one.models.timed_out]
    solved = tuple(solved_subgraph(tuple(map(name, one.decisions)), one.models) for one in answered)
    members = {key for one in answered for key in one.decisions}
    undecided = len(solution.unknown - members)
    rest = len(solution.bounds.ranges) - len(members) - undecided
    is_stopped = not solution.unknown.isdisjoint(members)
    by_whom = (rest, 0) if solution.propagated else (0, rest)
    return Evidence(*by_whom, solved, undecided, is_stopped)


def solved_subgraph(decisions: tuple[str, ...], models: Models) -> SolvedSubgraph:
    """The answer of a solver about some decisions."""
    count, missing = len(models.resolutions), models.instead_of or None
    return SolvedSubgraph(decisions, models.solver, missing, models.verdict, count)


_MAX_SUBSETS = 400  # sets tried for a core smaller than the one found by leaving out orders

CORE_STEPS = 2_000_000
"""The budget for the order cores of all subgraphs of a phase, in solver steps: two seconds."""


def subgraphs_of(
    resolved: ResolvedPhase, groups: Sequence[tuple[Key, ...]] | None = None
) -> tuple[Subgraph, ...]:
    """All subgraphs with what resolving them found, in order of their first decision. `groups` has
    the decisions of each subgraph, sorted, if they are already known."""
    name, solution = resolved.grounder.name, resolved.solution
    if groups is None:
        everything = all_decisions(resolved.profile.decisions, resolved.facts)
        groups = connected_subgraphs(decision_graph(equations_of(resolved.grounder, everything)))
    if not solution.records and not solution.unknown:  # as for most phases
        return tuple([Subgraph(tuple(map(name, group)), 1, "unique") for group in groups])
    found, budget, first = [], Budget(CORE_STEPS), solution.before_rules
    for group in groups:
        members = set(group)
        inside = [one for one in solution.records if members.issuperset(one.decisions)]
        # The decisions that connect the cores of a subgraph are made, so its number of resolutions
        # is the product of the cores' numbers.
        counts = [len(one.models.resolutions) for one in first if members.issuperset(one.decisions)]
        resolutions = min(prod(counts), MAX_RESOLUTIONS)
        verdict = "unique" if resolutions == 1 else "several" if resolutions else "none"
        is_open = not solution.unknown.isdisjoint(members)  # a limit of time may have left it open
        if is_open or any(record.models.verdict == "unknown" for record in inside):
            verdict = "unknown"
        subgraph = Subgraph(tuple(map(name, group)), resolutions, verdict)
        applied = [(one.decisions, one.applied) for one in inside if one.applied is not None]
        if applied:
            decisions, rule = applied[0]
            units = _with_helpers(resolved.facts, units_of(resolved.grounder, decisions))
            count = "several" if rule.resolutions else "none"
            rules = tuple((one.rule, tuple(map(name, one.cycle))) for _, one in applied)
            core = order_core(resolved, units, count, budget)
            subgraph = subgraph._replace(
                cycle=rules[0][1], core=core, rule=rule.rule, applications=rules
            )
        found.append(subgraph)
    return tuple(found)


def _with_helpers(phase: Phase, units: Sequence[UnitFacts]) -> list[UnitFacts]:
    """The units, and those whose orders support or convoy them."""
    found = dict.fromkeys(units)
    pairs = [(support.unit, support.supported) for support in phase.supports]
    pairs += [(convoy.unit, convoy.army) for convoy in phase.convoys]
    for helper, helped in pairs:
        if helped in found:
            found[helper] = None
    return list(found)


def order_core(
    given: GivenPhase, units: Sequence[UnitFacts], verdict: str, budget: Budget
) -> tuple[str, ...]:
    """Return the order core of a paradox: the units of the smallest set of orders with the same
    verdict (DATC 4.A.2), in order of their provinces. All other units hold.

    `units` are those that may belong to it, and `verdict` is "none" or "several" resolutions. (The
    orders of Pandin's paradox, which has none, contain a simple paradox, which has two; that is
    another paradox.) Orders that powers give besides those of their units stay. Orders of units are
    left out one by one as long as the verdict stays the same. Then, unless there are too many,
    every smaller set of the same orders is tried, so the result is the smallest set, not only a
    minimal one. If the budget runs out, the result is the smallest set found so far.
    """
    lawful = [ruling for ruling in given.rulings if ruling.status is not RulingStatus.ILLEGAL]
    lasting = [ruling for ruling in lawful if ruling.unit is None]
    by_location = {one.unit.location: one for one in lawful if one.unit is not None}
    pool = sorted(unit.unit.location for unit in units if unit.unit.location in by_location)

    def is_trouble(kept: Sequence[str]) -> bool:
        fewer = given.with_orders([*lasting, *(by_location[at] for at in kept)])
        return verdict_without_rules(given.profile, fewer.facts, budget) == verdict

    core = list(pool)
    with suppress(ExhaustedError):
        for location in pool:
            fewer = [other for other in core if other != location]
            if is_trouble(fewer):
                core = fewer
        smaller = (kept for size in range(1, len(core)) for kept in combinations(pool, size))
        tried = islice(smaller, _MAX_SUBSETS)
        core = next((list(kept) for kept in tried if is_trouble(kept)), core)
    return tuple(str(by_location[location].unit) for location in core)


_PROPAGATED_AT_ONCE = 50  # steps of propagation that take as long as a solver step

_STEPS_OF_GROUNDING = 5  # solver steps that take as long as a step of grounding


def verdict_without_rules(profile: Profile, phase: Phase, budget: Budget) -> str:
    """The number of resolutions without any cycle rule: `unique`, `none` or `several`; `unknown` if
    the budget is too small to tell. All the work is charged.

    Raises `ExhaustedError` if nothing is left of the budget.
    """
    budget.spend()
    bounds = propagate(profile, phase)
    budget.charge(bounds.steps // _PROPAGATED_AT_ONCE)
    if not bounds.open:
        return "unique"

    def spend(steps: int) -> None:
        budget.spend(_STEPS_OF_GROUNDING * steps)

    grounder = Grounder(profile, phase, bounds.interval, spend)
    equations = equations_of(grounder, bounds.open)
    grounder.look()
    budget.spend(STEPS_OF_LITERAL * check_size(grounder, equations, bounds.interval))
    return find_resolutions(equations, grounder.name, bounds.interval, 2, budget).verdict
