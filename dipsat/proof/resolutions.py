"""The board as it would be in one of the resolutions of a decision cycle."""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.equations.ground import all_decisions
from dipsat.errors import ArgumentError, UnresolvedError
from dipsat.limits import running
from dipsat.proof.decision_cycles import DecisionCycle, cycles_of, unsettled_cycle
from dipsat.proof.movement import MovementOutcome
from dipsat.proof.proof import Proof
from dipsat.solving.bounds import propagate
from dipsat.solving.resolve import Solution
from dipsat.terms.term import Key


def in_resolution(proof: Proof, cycle: int, resolution: int) -> MovementOutcome:
    """The outcome that a resolution of a decision cycle leads to; both are counted from 1.

    What a rule set for other cycles stays set. What still does not follow is undecided. Raises
    `ArgumentError` if there is no such cycle or resolution.
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
    """The cycles, and what rules set for each."""
    try:
        with running(proof.limits):
            resolved = proof._given.resolved()
    except UnresolvedError as error:  # the profile has no rule for it
        found = unsettled_cycle(proof._given, error)
        return (() if found is None else (found,)), [{}]
    applied = [one.applied for one in resolved.solution.records if one.applied is not None]
    return cycles_of(resolved), [one.pins for one in applied]


def _up_to(count: int, what: str) -> str:
    return f"the number of {what}, from 1 to {count}" if count else f"none, as there is not {what}"
