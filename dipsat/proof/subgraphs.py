"""What is proven of each connected subgraph of the decision graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from dipsat.equations.facts import Phase, UnitFacts
from dipsat.equations.ground import Grounder
from dipsat.game.legality import Ruling
from dipsat.game.position import Position
from dipsat.profiles.profile import Profile
from dipsat.proof.paradox_core import order_core
from dipsat.proof.reasons import units_of as units_about
from dipsat.solving.cycle_step import CycleResolution
from dipsat.solving.models import MAX_RESOLUTIONS
from dipsat.solving.resolve import CoreRecord, Solution, subgraphs
from dipsat.terms.term import Key


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A connected part of the decision graph: decisions that have to do with each other."""

    decisions: tuple[str, ...]
    """Their names, such as `move(A LON - BEL)`."""
    resolutions: int
    """The number of consistent resolutions of their equations; no more than 64 are counted."""
    verdict: str
    """What is proven: `unique`, `none`, `several`, or `unknown` if a time limit was not enough."""
    cycle: tuple[str, ...] = ()
    """The names of the decision cycle, where there is not exactly one resolution."""
    core: tuple[str, ...] = ()
    """The units of the smallest set of orders for which that is still so (DATC 4.A.2)."""
    rule: str | None = None
    """The cycle rule that was applied first, None if there was none."""
    applications: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Every (rule, cycle) that was applied, in order."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "decisions": list(self.decisions),
            "resolutions": self.resolutions,
            "verdict": self.verdict,
            "cycle": list(self.cycle),
            "core": list(self.core),
            "rule": self.rule,
            "applications": [
                {"rule": rule, "cycle": list(cycle)} for rule, cycle in self.applications
            ],
        }


class SubgraphReport:
    """Puts together, for each subgraph, what was found while resolving."""

    def __init__(
        self,
        profile: Profile,
        position: Position,
        rulings: Sequence[Ruling],
        phase: Phase,
        solution: Solution,
    ) -> None:
        self.profile = profile
        self.position = position
        self.rulings = rulings
        self.phase = phase
        self.solution = solution
        self.grounder = Grounder(profile, phase)

    def subgraphs(self) -> tuple[Subgraph, ...]:
        """All subgraphs, in order of their first decision."""
        found = []
        for group in subgraphs(self.profile, self.phase):
            members = set(group)
            inside = [
                record for record in self.solution.records if members.issuperset(record.decisions)
            ]
            found.append(self._subgraph(group, inside))
        return tuple(found)

    def _names(self, keys: Sequence[Key]) -> tuple[str, ...]:
        return tuple(self.grounder.name(key) for key in keys)

    def _subgraph(self, group: Sequence[Key], records: Sequence[CoreRecord]) -> Subgraph:
        """The resolutions of a subgraph are the product of those of its cores, because what
        connects the cores is decided."""
        counts = [len(record.models.resolutions) for record in records if record.round == 0]
        resolutions = min(prod(counts), MAX_RESOLUTIONS)
        verdict = "unique"
        if any(record.models.verdict == "unknown" for record in records):
            verdict = "unknown"
        elif resolutions != 1:
            verdict = "several" if resolutions else "none"
        applied = [(record, record.applied) for record in records if record.applied is not None]
        if not applied:
            return Subgraph(self._names(group), resolutions, verdict)
        return Subgraph(
            self._names(group),
            resolutions,
            verdict,
            self._names(applied[0][1].cycle),
            self._core(*applied[0]),
            applied[0][1].rule,
            tuple((resolution.rule, self._names(resolution.cycle)) for _, resolution in applied),
        )

    def _core(self, record: CoreRecord, applied: CycleResolution) -> tuple[str, ...]:
        units = self._with_helpers(units_of(self.grounder, record.decisions))
        kind = "several" if applied.resolutions else "none"
        return order_core(self.profile, self.position, self.rulings, units, kind)

    def _with_helpers(self, units: Sequence[UnitFacts]) -> list[UnitFacts]:
        """The units, and those whose orders support or convoy them."""
        found = dict.fromkeys(units)
        pairs = [(support.unit, support.supported) for support in self.phase.supports]
        pairs += [(convoy.unit, convoy.army) for convoy in self.phase.convoys]
        for helper, helped in pairs:
            if helped in found:
                found[helper] = None
        return list(found)


def units_of(grounder: Grounder, keys: Sequence[Key]) -> list[UnitFacts]:
    """The units whose orders a set of decisions is about."""
    return list(dict.fromkeys(unit for key in keys for unit in units_about(grounder.object(key))))
