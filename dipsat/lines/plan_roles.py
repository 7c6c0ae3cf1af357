"""What enemy units can do to own units that move: the unknowns of `plan_attack`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from dipsat.board.province import UnitKind, province_of
from dipsat.game.position import Unit
from dipsat.lines.line import StalemateLine, enemies_outside
from dipsat.lines.plan import PlanState
from dipsat.values import grouped

ENTER, BACK, HELP, PROP, STAY = "enters", "backs", "helps", "props", "stays"


@dataclass(frozen=True, slots=True)
class PlanRole:
    """What one enemy unit does.

    It goes to the province `aim`, supports the enemy unit `other` in going there, supports the own
    unit in `aim` in its move, supports the enemy unit in `aim` to hold, or stays.
    """

    unit: Unit
    action: str
    aim: str = ""
    other: Unit | None = None

    @property
    def symbol(self) -> str:
        """The name of the unknown that says whether the unit is there and does this."""
        return f"|{self.unit} {self.action} {self.aim} {self.other or ''}|"

    @property
    def success(self) -> str:
        """The name of the unknown that says whether the unit enters `aim`."""
        return f"|{self.unit} is in {self.aim}|"


class Roles:
    """The roles of enemy units in one phase of a plan.

    `closed` are the provinces without enemies at its start: those that the plan holds, and those of
    own units. `taps` maps each other province to the provinces of the own units that go there.
    """

    def __init__(self, line: StalemateLine, state: PlanState) -> None:
        self.line = line
        self.state = state
        self.closed = line.closed | state.by_province.keys()
        outward = ((to, at) for at, to in state.moves.items() if to not in self.closed)
        self.taps: Mapping[str, list[str]] = grouped(sorted(outward))
        self.enemies = tuple(enemies_outside(line.map, self.closed, line.enemy))
        self.reached = {
            unit: line.map.reach_provinces(unit.kind, unit.location) for unit in self.enemies
        }

    @cached_property
    def all(self) -> tuple[PlanRole, ...]:
        """Every role of every unit."""
        return tuple(self._all())

    @cached_property
    def entering(self) -> Mapping[str, list[PlanRole]]:
        """Province -> the roles of units that go there."""
        return grouped((role.aim, role) for role in self.all if role.action == ENTER)

    @cached_property
    def standing(self) -> Mapping[str, list[PlanRole]]:
        """Province -> the roles of a unit that is there."""
        return grouped((role.unit.province, role) for role in self.all)

    @cached_property
    def backing(self) -> Mapping[tuple[Unit, str], list[PlanRole]]:
        """A unit and where it goes -> the supports of that by other enemies."""
        return grouped(((r.other, r.aim), r) for r in self.all if r.action == BACK and r.other)

    def of(self, action: str, aim: str) -> tuple[PlanRole, ...]:
        """The roles with one action and aim."""
        return tuple(role for role in self.all if (role.action, role.aim) == (action, aim))

    def is_cut(self, unit: Unit, target: str) -> bool:
        """Whether own moves surely cut a support of a unit for something in `target`: they come
        from elsewhere."""
        return any(origin != target for origin in self.taps.get(unit.province, ()))

    def order_text(self, role: PlanRole) -> str:
        """The order of the unit."""
        if role.action == ENTER:
            places = self.line.map.reach(role.unit.kind, role.unit.location)
            aim = min(place for place in places if province_of(place) == role.aim)
            return f"{role.unit} - {aim}"
        if role.action == BACK:
            return f"{role.unit} S {role.other} - {role.aim}"
        if role.action == HELP:
            own = self.state.by_province[role.aim]
            return f"{role.unit} S {own} - {self.state.moves[role.aim]}"
        if role.action == PROP:
            return f"{role.unit} S {role.other}"
        return f"{role.unit} H"

    @property
    def armies_could_block(self) -> tuple[str, str] | None:
        """A sea and a coast beside it that own units both go to: a fleet in that sea could convoy
        an army to that coast, and no role stands for both."""
        for sea in self.taps:
            if self.line.map.provinces[sea].kind == "sea":
                beside = self.line.map.reach_provinces(UnitKind.FLEET, sea)
                for coast in self.taps:
                    if coast in beside and self.line.map.provinces[coast].kind == "coast":
                        return sea, coast
        return None

    def _all(self) -> Iterator[PlanRole]:
        goals = (*sorted(self.closed), *self.taps)
        near = {
            goal: [unit for unit in self.enemies if goal in self.reached[unit]] for goal in goals
        }
        for goal, units in near.items():
            for unit in units:
                yield PlanRole(unit, ENTER, goal)
                if self._matters(goal) and not self.is_cut(unit, goal):
                    others = (one for one in units if one.province != unit.province)
                    yield from (PlanRole(unit, BACK, goal, other) for other in others)
        for origin, target in self.state.moves.items():
            helpers = (unit for unit in near[target] if not self.is_cut(unit, target))
            yield from (PlanRole(unit, HELP, origin) for unit in helpers)
        for province in self.taps:
            yield from self._at_home(province)

    def _at_home(self, province: str) -> Iterator[PlanRole]:
        """Staying where an own unit goes, and supporting who stays there."""
        there = [unit for unit in self.enemies if unit.province == province]
        yield from (PlanRole(unit, STAY) for unit in there)
        for unit in self.enemies:
            if province in self.reached[unit] and unit.province not in self.taps:
                yield from (PlanRole(unit, PROP, province, other) for other in there)

    def _matters(self, goal: str) -> bool:
        """Whether the strength of a move there can matter: there is somebody to overcome."""
        return goal in self.state.by_province or goal in self.state.moves.values()
