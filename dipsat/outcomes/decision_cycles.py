"""The decision cycles that rules settled: which decision depends on which, and every resolution.

The solver keeps only the names of a cycle's decisions. The rest is derived again from the
equations, given everything that was known when the rule was applied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import prod
from typing import Any

from dipsat.base import Plain, fields_of, running
from dipsat.equations import (
    Equations,
    Grounder,
    Key,
    Ranges,
    Term,
    all_decisions,
    evaluate,
    unknowns,
)
from dipsat.errors import ArgumentError, UnresolvedError
from dipsat.outcomes.movement import MovementOutcome
from dipsat.outcomes.outcome import Outcome
from dipsat.outcomes.proof import Proof
from dipsat.outcomes.resolved_phase import GivenPhase, ResolvedPhase
from dipsat.solving import (
    Bounds,
    CoreRecord,
    CycleResolution,
    Models,
    Solution,
    decision_cycles,
    decision_graph,
    equations_of,
    find_resolutions,
    propagate,
)

_MOST_CASES = 4096  # combinations of values tried for the sign of an arrow


@dataclass(frozen=True, slots=True)
class CycleDecision(Plain):
    """A decision of a cycle."""

    name: str
    """Its name, such as `move(A LON - BEL)`."""
    family: str
    """The name of its family, such as `move`."""
    about: str
    """What it is about, such as `A LON - BEL`."""
    is_truth: bool
    """Whether its values are truth values (0 and 1) rather than strengths."""


@dataclass(frozen=True, slots=True)
class Dependence(Plain):
    """A dependence of one decision of a cycle on another, both given by their places in it."""

    source: int
    """The decision that is mentioned."""
    target: int
    """The decision whose equation mentions it."""
    sign: int
    """1 if a greater source makes the target greater, -1 if it makes the target less, else 0."""


@dataclass(frozen=True, slots=True)
class Attempt(Plain):
    """What follows from assuming a value for a decision of a cycle without resolutions."""

    assumed: int
    """The decision, by its place in the cycle."""
    values: tuple[int, ...]
    """The values of all decisions under the assumption."""
    found: int
    """The value that the decision's own equation then gives, which is not the one assumed."""


@dataclass(frozen=True, slots=True)
class DecisionCycle:
    """A decision cycle, its resolutions, and what was decided."""

    decisions: tuple[CycleDecision, ...]
    """Its decisions, each after one that it depends on where possible."""
    dependences: tuple[Dependence, ...]
    """Which of them depends on which."""
    resolutions: tuple[tuple[int, ...], ...]
    """The values of all decisions in each resolution."""
    is_complete: bool
    """Whether these are all the resolutions."""
    attempts: tuple[Attempt, ...]
    """If there is no resolution and one decision determines all others, the two assumptions about
    it, each of which contradicts itself; else empty."""
    rule: str | None
    """The rule that settled it, None if the profile has none for it."""
    settled: frozenset[int]
    """The decisions that the rule set."""
    outcome: tuple[int | None, ...]
    """The final values of all decisions, None where they are not known."""
    solver: str
    """What found the resolutions shown here, as in `SolvedSubgraph.solver`."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {**fields_of(self, "settled"), "settled": sorted(self.settled)}


def decision_cycles_of(what: Outcome | Proof) -> tuple[DecisionCycle, ...]:
    """Return the decision cycles of an outcome or a proof, in the order in which rules settled
    them. Empty if every decision has only one value, or if an engine without proofs decided."""
    if isinstance(what, MovementOutcome):
        return cycles_of(what.resolved)
    if not isinstance(what, Proof) or not what.is_grounded:
        return ()
    return _cycles(what)[0]


def cycles_of(resolved: ResolvedPhase) -> tuple[DecisionCycle, ...]:
    """The cycles that rules settled, in that order."""
    found = []
    fixed: dict[Key, int] = {}
    for record in resolved.solution.records:
        if (applied := record.applied) is not None:
            known = {**fixed, **_shared(record)}
            found.append(_cycle(resolved, applied.cycle, known, applied, resolved.solution.bounds))
            fixed.update(applied.pins)
    return tuple(found)


def unsettled_cycle(given: GivenPhase, error: UnresolvedError) -> DecisionCycle | None:
    """The cycle for which the profile has no rule; None if it appears only after other rules."""
    bounds = propagate(given.profile, given.facts)
    grounder = Grounder(given.profile, given.facts, bounds.interval)
    for cycle in decision_cycles(decision_graph(equations_of(grounder, bounds.open))):
        if {grounder.name(key) for key in cycle} == set(error.cycle):
            return _cycle(given, cycle, {}, None, None)
    return None


def _shared(record: CoreRecord) -> Mapping[Key, int]:
    """The values that all resolutions of a subgraph have in common."""
    first, *others = record.models.resolutions or ({},)
    if not record.models.complete:
        return {}
    return {key: value for key, value in first.items() if all(one[key] == value for one in others)}


def _cycle(
    given: GivenPhase,
    keys: Sequence[Key],
    fixed: Mapping[Key, int],
    applied: CycleResolution | None,
    final: Bounds | None,
) -> DecisionCycle:
    profile, facts = given.profile, given.facts
    bounds = propagate(profile, facts, fixed)
    grounder = Grounder(profile, facts, bounds.interval)
    equations = equations_of(grounder, keys)
    order = _in_a_ring(keys, decision_graph(equations))
    place = {key: at for at, key in enumerate(order)}
    models = find_resolutions(equations, grounder.name, bounds.interval)
    pins = {} if applied is None else applied.pins
    return DecisionCycle(
        tuple(_decision(given.grounder, key) for key in order),
        tuple(_dependences(equations, place, bounds)),
        tuple(tuple(one[key] for key in order) for one in models.resolutions),
        models.complete,
        _attempts(given, order, fixed) if _has_none(models) else (),
        None if applied is None else applied.rule,
        frozenset(place[key] for key in pins if key in place),
        tuple(None if final is None else final.value(key) for key in order),
        models.solver,
    )


def _has_none(models: Models) -> bool:
    return models.complete and not models.resolutions


def _decision(grounder: Grounder, key: Key) -> CycleDecision:
    family = grounder.profile.decisions[key[0]]
    return CycleDecision(
        grounder.name(key), key[0], str(grounder.object(key)), family.type.is_truth
    )


def _in_a_ring(keys: Sequence[Key], graph: Mapping[Key, set[Key]]) -> list[Key]:
    """The decisions, each after one that it mentions where possible."""
    left = dict.fromkeys(sorted(keys))
    found: list[Key] = []
    while left:
        at = next((key for key in left if found and found[-1] in graph[key]), next(iter(left)))
        del left[at]
        found.append(at)
    return found


def _dependences(
    equations: Equations, place: Mapping[Key, int], bounds: Bounds
) -> Iterator[Dependence]:
    for key, target in place.items():
        term, _ = equations[key]
        mentioned = sorted(unknowns(term))
        for other in mentioned:
            if other in place:
                sign = _sign(term, other, mentioned, bounds.interval)
                yield Dependence(place[other], target, sign)


def _sign(
    term: Term,
    key: Key,
    mentioned: Sequence[Key],
    interval: Ranges,
) -> int:
    """How a term changes as one of its decisions grows: 1 or -1, or 0 if that is not clear."""
    others = [other for other in mentioned if other != key]
    ranges = [range(low, high + 1) for low, high in map(interval, (key, *others))]
    if prod(map(len, ranges)) > _MOST_CASES:
        return 0
    grows = shrinks = False
    for values in product(*ranges[1:]):
        known = dict(zip(others, values, strict=True))
        found = [evaluate(term, {**known, key: value}.__getitem__) for value in ranges[0]]
        for one, after in pairwise(found):
            grows, shrinks = grows or after > one, shrinks or after < one
    return grows - shrinks


def _attempts(
    given: GivenPhase, keys: Sequence[Key], fixed: Mapping[Key, int]
) -> tuple[Attempt, ...]:
    """The two attempts, true and false, for the first truth value that determines all others."""
    for at, key in enumerate(keys):
        if given.profile.decisions[key[0]].type.is_truth:
            found = [_attempt(given, keys, at, {**fixed, key: value}) for value in (1, 0)]
            tried = [one for one in found if one is not None]
            if len(tried) == len(found):
                return tuple(tried)
    return ()


def _attempt(
    given: GivenPhase, keys: Sequence[Key], at: int, assumed: Mapping[Key, int]
) -> Attempt | None:
    """What follows from assumed values; None unless it decides the cycle and contradicts them."""
    bounds = propagate(given.profile, given.facts, assumed)
    values = [bounds.value(key) for key in keys]
    known = [value for value in values if value is not None]
    found = Grounder(given.profile, given.facts, bounds.interval).equation(keys[at])
    if len(known) < len(values) or not isinstance(found, int) or int(found) == known[at]:
        return None
    return Attempt(at, tuple(known), int(found))


# --- resolutions ----------------------------------------------------------------------------------

# The board as it would be in one of the resolutions of a decision cycle.


def in_resolution(proof: Proof, cycle: int, resolution: int) -> MovementOutcome:
    """The outcome that a resolution of a decision cycle leads to; both are counted from 1.

    Values that rules set for other cycles stay set. Decisions that still do not follow stay
    undecided. Raises `ArgumentError` if there is no such cycle or resolution.
    """
    given = proof._given
    cycles, settled = _cycles(proof)
    if not 1 <= cycle <= len(cycles):
        raise ArgumentError("svg", "cycle", cycle, _up_to(len(cycles), "a decision cycle"))
    chosen = cycles[cycle - 1]
    if not 1 <= resolution <= len(chosen.resolutions):
        wanted = _up_to(len(chosen.resolutions), "a resolution of the decision cycle")
        raise ArgumentError("svg", "resolution", resolution, wanted)
    keys = {
        given.grounder.name(key): key for key in all_decisions(given.profile.decisions, given.facts)
    }
    names = [decision.name for decision in chosen.decisions]
    own = dict(zip(map(keys.__getitem__, names), chosen.resolutions[resolution - 1], strict=True))
    before: dict[Key, int] = {}
    for pins in settled[: cycle - 1]:
        before.update(pins)
    pins = {**before, **own}
    bounds = propagate(given.profile, given.facts, pins)
    for later in settled[cycle:]:
        left = {key: value for key, value in later.items() if bounds.value(key) is None}
        if left:
            pins |= left
            bounds = propagate(given.profile, given.facts, pins)
    solution = Solution(bounds, (), pins, frozenset(bounds.open))
    return MovementOutcome(given.with_solution(solution))


def _cycles(proof: Proof) -> tuple[tuple[DecisionCycle, ...], list[Mapping[Key, int]]]:
    """The cycles, and the values that rules set for each."""
    try:
        with running(proof.limits):
            resolved = proof._given.resolved()
    except UnresolvedError as error:  # the profile has no rule for it
        found = unsettled_cycle(proof._given, error)
        return (() if found is None else (found,)), [{}]
    applied = [one.applied for one in resolved.solution.records if one.applied is not None]
    return cycles_of(resolved), [one.pins for one in applied]


def _up_to(count: int, what: str) -> str:
    return f"the number of {what}, from 1 to {count}" if count else f"unset, as there is not {what}"
