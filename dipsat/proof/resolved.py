"""A phase with its orders, before and after its decisions are made.

If two units end in one province, that is a defect of the rules; as few orders as possible show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.equations.ground import Grounder
from dipsat.equations.lawful import phase_of
from dipsat.equations.phase import Phase
from dipsat.errors import (
    ImpossibleBoardError,
    PositionError,
    SharedProvinceError,
    UnitTwiceError,
    UnresolvedError,
)
from dipsat.game.facts import UnitFacts
from dipsat.game.position import Position, Unit, unit_of
from dipsat.game.ruling import Ruling, RulingStatus
from dipsat.game.settings import Settings
from dipsat.grouped import grouped
from dipsat.limits import check_time
from dipsat.orders.writer import write_order
from dipsat.profiles.profile import Profile
from dipsat.solving.budget import Budget
from dipsat.solving.models import MAX_STEPS
from dipsat.solving.resolve import Solution, resolve


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
        """The phase with the facts that follow; `settings` are as for `phase_of`."""
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
        """The phase as the solver decides it (`dipsat.solving.resolve.resolve`)."""
        solution = resolve(self.profile, self.facts, presolve, budget)
        return self.with_solution(solution)


@dataclass(frozen=True)
class ResolvedPhase(GivenPhase):
    """A phase, and the value of every decision."""

    solution: Solution

    def value(self, family: str, index: int) -> int | None:
        """The value of a decision, None if a time limit left it open."""
        return self.solution.bounds.value((family, index))

    def values(self, family: str) -> Sequence[int | None]:
        """The values of a family's decisions by index."""
        return self.solution.bounds.values(family)

    def result(self, name: str, *objects: object) -> bool:
        """Whether a result of the profile, such as `contested`, holds for some objects."""
        return self.decided.result(name, *objects) is True

    @cached_property
    def decided(self) -> Grounder:
        """Puts the facts and the values of all decisions into equations."""
        return Grounder(self.profile, self.facts, self.solution.bounds.interval)

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
        """The first unit that moves away and is dislodged all the same."""
        dislodged = self.values("dislodge")
        moved = (unit for unit in self.facts.units if unit.index in self.ends)
        return next((unit for unit in moved if dislodged[unit.index]), None)

    @property
    def is_impossible(self) -> bool:
        """Whether the rules lead to a board that none should lead to."""
        return self.shared_province is not None or self.unit_twice is not None

    def unit_after(self, unit: UnitFacts, location: str) -> Unit:
        """The unit in the location where it ends, with its attributes then. An attribute keeps its
        value if the result that it names holds for that value; otherwise it takes the value for
        which it holds.

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


def refuse_impossible_board(resolved: ResolvedPhase) -> None:
    """Refuse an outcome in which two units end in one province, or a unit that moves away is
    dislodged: a defect of the rules.

    Raises `SharedProvinceError` or `UnitTwiceError` with as few orders as show it, as far as
    `MAX_STEPS` steps go. Nothing is refused if a limit has left decisions open.
    """
    if resolved.solution.unknown or not resolved.is_impossible:
        return
    # Not in the order in which they were handed in: the same board has the same error.
    given: GivenPhase = resolved.with_orders(sorted(resolved.rulings, key=_place))
    budget = Budget(MAX_STEPS)
    for ruling in given.rulings:
        budget.charge(resolved.solution.steps)
        if budget.is_over():
            break
        fewer = resolved.with_orders(other for other in given.rulings if other is not ruling)
        if _is_shown(fewer, budget):
            given = fewer
    board = resolved.position.map
    orders = grouped((one.submission.power, _text(one, board)) for one in given.rulings)
    shown = resolved.with_orders(given.rulings).resolved(Budget(MAX_STEPS))
    check_time()
    raise impossible_board(shown, orders)


def impossible_board(
    resolved: ResolvedPhase, orders: Mapping[str, Iterable[str]]
) -> ImpossibleBoardError:
    """The error for a phase that `is_impossible`; `orders` are those that show it."""
    shared = resolved.shared_province
    if shared is not None:
        return SharedProvinceError(resolved.profile.name, shared[0], map(str, shared[1]), orders)
    unit = resolved.unit_twice
    assert unit is not None
    return UnitTwiceError(resolved.profile.name, str(unit), resolved.ends[unit.index], orders)


def _place(ruling: Ruling) -> tuple[str, str]:
    return ruling.submission.power, ruling.unit.province if ruling.unit else ""


def _text(ruling: Ruling, board: Map) -> str:
    is_illegal = ruling.status is RulingStatus.ILLEGAL
    return ruling.submission.shown if is_illegal else write_order(ruling.order, board)


def _is_shown(given: GivenPhase, budget: Budget) -> bool:
    try:
        resolved = given.resolved(budget)
    except UnresolvedError:
        return False
    return not resolved.solution.unknown and resolved.is_impossible
