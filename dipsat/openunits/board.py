"""Units whose places are open as clauses: a board for each number of units, under several rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.equations.phase import Phase
from dipsat.game.conditions import convoying
from dipsat.game.facts import ConvoyFacts, MoveFacts, ProvinceFacts, SupportFacts, UnitFacts
from dipsat.game.position import Position
from dipsat.openorders.ruled_system import RuledSystem
from dipsat.openorders.same_parts import is_issued
from dipsat.openunits.facts import Guards, open_units_phase
from dipsat.openunits.following import follow_orders
from dipsat.openunits.given import CONVOY, HOLD, MOVE, SUPPORT
from dipsat.openunits.in_order import put_in_order
from dipsat.openunits.slots import Placed, Slot, Slots
from dipsat.orders.order import Convoy, Hold, Move, Order, SupportHold, SupportMove
from dipsat.profiles.profile import Profile
from dipsat.solving.budget import Budget
from dipsat.solving.dual_rail import TRUE, Gates, RailSystem
from dipsat.solving.sat import AUTO, clause_solver
from dipsat.solving.size import check_size
from dipsat.solving.system import System, ground_system
from dipsat.terms.term import Key
from dipsat.values import grouped


@dataclass(frozen=True)
class Placement:
    """An answer: where units stand, their orders by location, and which guards hold. `slots` has
    the province of each slot."""

    position: Position
    orders: Mapping[str, Order]
    placed: tuple[Placed, ...]
    true: frozenset[int]

    @cached_property
    def provinces(self) -> tuple[str, ...]:
        """The province of each slot."""
        return tuple(province_of(one.standing[1]) for one in self.placed)


class OpenUnits:
    """Some units as clauses of one solver; `under` adds the equations of a profile about them."""

    def __init__(
        self,
        board: Map,
        profile: Profile,
        slots: Sequence[Slot],
        powers: Sequence[str],
        solver: str = AUTO,
        budget: Budget | None = None,
        apart: Collection[str] = (),
    ) -> None:
        self.map, self.gates, self._budget = board, Gates(), budget or Budget()
        (kind,) = convoying(Position(board, ()).with_words(profile.words), profile.settings)
        self.slots = Slots(board, kind, slots, powers, self.gates, apart)
        follow_orders(self.slots)
        self.guards = Guards()
        self._solver = clause_solver(solver, self._budget)

    @property
    def is_uniform(self) -> bool:
        """Whether nothing tells one unit from another before it is placed."""
        return len(set(self.slots.slots)) == 1

    def put_in_order(self, cast: int = 0) -> None:
        """Allow only one of the answers that differ merely in which unit or power is which. The
        first `cast` units have their parts already."""
        put_in_order(self.slots, cast)

    def under(self, profile: Profile, rails: RailSystem | None = None) -> UnitRules:
        """The equations of a profile. `rails` may be those of one that decides everything alike."""
        phase = open_units_phase(self.slots, profile.settings, self.guards)
        system = ground_system(profile, phase, self._budget.spend)
        check_size(system.grounder, system.equations, system.bounds, each=True)
        return UnitRules(self, profile, system, rails)

    def with_slots(self, slots: Slots) -> OpenUnits:
        """The same clauses, with other equations to come: those of `slots` that are made of the
        same variables."""
        found = copy(self)
        found.slots, found.guards = slots, Guards()
        return found

    def find(self, assumptions: Iterable[int]) -> Placement | None:
        """Places and orders for which the assumptions can hold, None if there are none."""
        self._solver.add(self.gates.take())
        true = self._solver.solve(tuple(assumptions))
        return None if true is None else self.placement(true)

    def forbid(self, answer: Placement) -> None:
        """From now on, do not allow places and orders that are to each other as these are."""
        literals = self.guards.literals
        self.gates.require(*(-lit if self._holds(lit, answer.true) else lit for lit in literals))

    @staticmethod
    def _holds(literal: int, true: frozenset[int]) -> bool:
        return literal == TRUE or (literal in true if literal > 0 else -literal not in true)

    def chosen(self, answer: Placement) -> dict[Key, int]:
        """Which guards hold in an answer."""
        return {
            ("order", number): int(self._holds(literal, answer.true))
            for number, literal in enumerate(self.guards.literals)
        }

    def placement(self, true: frozenset[int]) -> Placement:
        """The places and orders for which these variables are true."""
        placed = self.slots.placed(true)
        units = grouped((one.power, " ".join(one.standing)) for one in placed)
        position = Position.from_units(units, self.map)
        orders = {
            one.standing[1]: self._order(placed, at, position) for at, one in enumerate(placed)
        }
        return Placement(position, orders, placed, true)

    def _order(self, placed: Sequence[Placed], at: int, position: Position) -> Order:
        one, by_province = placed[at], position.by_province
        unit = by_province[province_of(one.standing[1])]
        act, number = one.act
        given = self.slots.slots[at].given
        if given is not None and act == HOLD:
            return given.order  # which cannot be followed here
        if act == MOVE:
            says_via = self._says_via(one) if given is None else given.via
            return Move(unit.name, self._landing(placed, at), says_via)
        other = placed[number]
        there = by_province[province_of(other.standing[1])]
        name = there.name if there.power == unit.power else there.full_name
        if act == SUPPORT:
            if other.target:
                return SupportMove(unit.name, name, self._landing(placed, number))
            return SupportHold(unit.name, name)
        if act == CONVOY:
            return Convoy(unit.name, name, self._landing(placed, number))
        return Hold(unit.name)

    def _says_via(self, one: Placed) -> bool:
        return one.via or one.target not in self.map.reach_provinces(*one.standing)

    def _landing(self, placed: Sequence[Placed], at: int) -> str:
        """The location where a unit goes: if its order is open, the first coast that it can
        reach."""
        one, given = placed[at], self.slots.slots[at].given
        if given is not None:
            return given.location
        kind, place = one.standing
        reached = sorted(at for at in self.map.reach(kind, place) if province_of(at) == one.target)
        return reached[0] if reached else one.target


class UnitRules(RuledSystem[Placement]):
    """The equations of a profile about units whose places are open."""

    def __init__(
        self, board: OpenUnits, profile: Profile, system: System, rails: RailSystem | None = None
    ) -> None:
        self.board = board
        guards = board.guards
        super().__init__(profile, system, board.gates, guards.literal, rails)

    def chosen(self, answer: Placement) -> dict[Key, int]:
        """Which guards hold in an answer."""
        return self.board.chosen(answer)

    def same_parts(self, answer: Placement) -> Callable[[Any], Any]:
        """Finds the objects of an adjudicated answer in the open phase."""
        return _SameParts(self.system.phase, answer, self.chosen(answer))


class _SameParts:
    def __init__(self, phase: Phase, answer: Placement, chosen: Mapping[Key, int]) -> None:
        self._phase = phase
        self._given = {key for key, value in chosen.items() if value}
        self._slot_of = {code: at for at, code in enumerate(answer.provinces)}
        self._targets = [one.target for one in answer.placed]

    def __call__(self, one: Any) -> Any:
        match one:
            case str():
                return one
            case UnitFacts():
                return self._phase.units[self._slot_of[one.province.code]]
            case ProvinceFacts():
                return self._place(one.code)
            case MoveFacts():
                return self._issued.get(("move", *self._places(one.unit, one.target)))
            case SupportFacts():
                named = self._places(one.unit, one.supported.province, one.target)
                return self._issued.get(("support", *named))
            case ConvoyFacts():
                named = self._places(one.unit, one.army.province, one.target)
                return self._issued.get(("convoy", *named))
        raise AssertionError(f"{one!r} is nothing that a decision is about")

    def _places(self, unit: UnitFacts, *places: ProvinceFacts) -> tuple[Any, ...]:
        return tuple(self._place(place.code) for place in (unit.province, *places))

    def _place(self, code: str) -> Any:
        at = self._slot_of.get(code)
        if at is not None:
            return self._phase.units[at].province
        if code not in self._targets:
            return None
        return self._phase.provinces[len(self._phase.units) + self._targets.index(code)]

    @cached_property
    def _issued(self) -> Mapping[tuple[Any, ...], Any]:
        phase, given = self._phase, self._given
        found: dict[tuple[Any, ...], Any] = {}
        for move in phase.moves:
            if is_issued(move, given):
                found["move", move.unit.province, move.target] = move
        for support in phase.supports:
            if is_issued(support, given):
                places = support.unit.province, support.supported.province, support.target
                found["support", *places] = support
        for convoy in phase.convoys:
            if is_issued(convoy, given):
                found["convoy", convoy.unit.province, convoy.army.province, convoy.target] = convoy
        return found
