"""A phase before and after its decisions are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dipsat.base import grouped
from dipsat.board import province_of
from dipsat.equations import Grounder, Key, Phase, phase_of, units_about
from dipsat.errors import PositionError
from dipsat.game import Position, Ruling, UnitFacts
from dipsat.orders import Unit, unit_of
from dipsat.rules import Profile, Settings
from dipsat.solving import Budget, Solution, resolve


@dataclass(frozen=True)
class GivenPhase:
    """A phase and its orders. `rulings` say how each order is understood, `facts` are the facts
    that the equations read."""

    profile: Profile
    position: Position
    rulings: tuple[Ruling, ...]
    facts: Phase

    @staticmethod
    def of(
        profile: Profile,
        position: Position,
        rulings: Iterable[Ruling],
        settings: Settings | None = None,
    ) -> GivenPhase:
        """The phase with the facts that follow from the rulings. For `settings` see `phase_of`."""
        given = tuple(rulings)
        return GivenPhase(profile, position, given, phase_of(profile, position, given, settings))

    @cached_property
    def grounder(self) -> Grounder:
        """Puts the facts into equations; every decision is open."""
        return Grounder(self.profile, self.facts)

    def with_orders(self, rulings: Iterable[Ruling]) -> GivenPhase:
        """The same position with other orders."""
        return GivenPhase.of(self.profile, self.position, rulings)

    def with_solution(self, solution: Solution) -> ResolvedPhase:
        """The phase with its decisions made."""
        return ResolvedPhase(self.profile, self.position, self.rulings, self.facts, solution)

    def resolved(
        self,
        budget: Budget | None = None,
        presolve: bool = True,
    ) -> ResolvedPhase:
        """The phase as the solver decides it (`dipsat.solving.resolution.resolve`)."""
        solution = resolve(self.profile, self.facts, presolve, budget)
        return self.with_solution(solution)


@dataclass(frozen=True)
class ResolvedPhase(GivenPhase):
    """A phase, and the value of every decision."""

    solution: Solution

    def value(self, family: str, index: int) -> int | None:
        """The value of a decision, None if a limit left it open."""
        return self.solution.bounds.value((family, index))

    def values(self, family: str) -> Sequence[int | None]:
        """The values of a family's decisions by index."""
        return self.solution.bounds.values(family)

    def result(self, name: str, *objects: object) -> bool:
        """Whether a result of the profile, such as `contested`, holds for these objects."""
        return self.decided_grounder.result(name, *objects) is True

    @cached_property
    def decided_grounder(self) -> Grounder:
        """Puts the facts and the values of all decisions into equations."""
        return Grounder(self.profile, self.facts, self.solution.bounds.ranges.__getitem__)

    @cached_property
    def landed(self) -> Mapping[int, str]:
        """Index of a unit that moves along a line -> where it ends."""
        return {
            leg.attribute("unit").index: leg.target.code
            for kind in self.profile.declared.kinds.values()
            if kind.lands
            for leg in self.facts.domain(kind.legs)
            if self.value(kind.lands, leg.index)
        }

    @cached_property
    def ends(self) -> Mapping[int, str]:
        """Index of a unit that is not dislodged -> the location where it ends."""
        moves, dislodged, found = self.values("move"), self.values("dislodge"), dict(self.landed)
        for unit in self.facts.units:
            if unit.index in found:
                continue
            if unit.moves and moves[unit.moves[0].index]:
                found[unit.index] = unit.moves[0].target_location
            elif not dislodged[unit.index]:
                found[unit.index] = unit.unit.location
        return found

    @property
    def shared_province(self) -> tuple[str, list[UnitFacts]] | None:
        """The first province in which several units end, and these units."""
        there = (unit for unit in self.facts.units if unit.index in self.ends)
        ending = grouped((province_of(self.ends[unit.index]), unit) for unit in there)
        return next((found for found in sorted(ending.items()) if len(found[1]) > 1), None)

    @property
    def unit_twice(self) -> UnitFacts | None:
        """The first unit that both moves away and is dislodged."""
        dislodged = self.values("dislodge")
        moved = (unit for unit in self.facts.units if unit.index in self.ends)
        return next((unit for unit in moved if dislodged[unit.index]), None)

    @property
    def is_impossible(self) -> bool:
        """Whether the rules lead to a board that no rules should lead to."""
        return self.shared_province is not None or self.unit_twice is not None

    def unit_after(self, unit: UnitFacts, location: str) -> Unit:
        """The unit in the location where it ends, with its attributes after the phase. An attribute
        keeps its value if the result that it names holds for that value; otherwise it takes the
        value for which the result holds.

        Raises `PositionError` if the result holds for no other value or for several.
        """
        found = []
        for name, value in unit.unit.attributes:
            attribute = self.profile.declared.attributes[name]
            result = attribute.becomes
            if result and not self.result(result, unit, value):
                new = [one for one in attribute.values if self.result(result, unit, one)]
                if len(new) != 1:
                    problem = f"by {result} of {self.profile.name!r} its {name} becomes "
                    raise PositionError(str(unit), problem + (" and ".join(new) or "nothing"))
                value = new[0]
            found.append((name, value))
        return unit_of(unit.power, unit.unit.kind, location, tuple(found))


def units_of(grounder: Grounder, keys: Sequence[Key]) -> list[UnitFacts]:
    """The units whose orders these decisions are about."""
    return list(dict.fromkeys(unit for key in keys for unit in units_about(grounder.object(key))))
