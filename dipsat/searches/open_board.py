"""Units with open places, as clauses: a board for each number of units, under several rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

from dipsat.base import grouped
from dipsat.board import Map, province_of
from dipsat.equations import ORDER, Key, Phase
from dipsat.game import Position, ProvinceFacts, convoying
from dipsat.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove, UnitName
from dipsat.rules import Profile
from dipsat.searches.encoding import OpenBoard
from dipsat.searches.open_unit_facts import named_provinces, open_units_phase
from dipsat.searches.ruled_system import RuledSystem
from dipsat.searches.unit_slots import (
    CONVOY,
    HOLD,
    MOVE,
    SUPPORT,
    Act,
    Given,
    Placed,
    Slot,
    Slots,
    can_convoy,
    can_support,
    follow_orders,
    given_by,
    holds,
)
from dipsat.solving import AUTO, FALSE, Budget, RailSystem, System


@dataclass(frozen=True)
class Placement:
    """An answer: the units at their places, their orders by location, the filled slots, and the
    variables that are true."""

    position: Position
    orders: Mapping[str, Order]
    placed: tuple[Placed, ...]
    true: frozenset[int]

    @cached_property
    def provinces(self) -> tuple[str, ...]:
        """The province of each slot."""
        return tuple(province_of(one.standing[1]) for one in self.placed)


class OpenUnits(OpenBoard["UnitRules"]):
    """Some units as clauses; `under` adds a profile's equations about them."""

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
        super().__init__(solver, budget)
        self.map = board
        (kind,) = convoying(Position(board, ()).with_words(profile.words), profile.settings)
        self.slots = Slots(board, kind, slots, powers, self.gates, apart)
        follow_orders(self.slots)

    @property
    def is_uniform(self) -> bool:
        """Whether units are indistinguishable until they are placed."""
        return len(set(self.slots.slots)) == 1

    def under(self, profile: Profile, *, rails: RailSystem | None = None) -> UnitRules:
        """The equations of a profile. `rails` may belong to one that decides everything alike."""
        return UnitRules(self, profile, self.grounded(profile), rails)

    def _phase(self, profile: Profile) -> Phase:
        return open_units_phase(self.slots, profile.settings)

    def with_slots(self, slots: Slots) -> OpenUnits:
        """The same clauses, ready for other equations: those about `slots`, which have the same
        variables."""
        found = copy(self)
        found.slots, found._known = slots, {}
        return found

    @staticmethod
    def as_read(answer: Placement, _: Profile) -> tuple[Position, Mapping[str, Order]]:
        """The units of an answer and their orders, which all profiles read alike."""
        return answer.position, answer.orders

    def find(self, assumptions: Iterable[int]) -> Placement | None:
        """Places and orders for which the assumptions can hold; None if there are none."""
        true = self._solve(assumptions)
        return None if true is None else self.placement(true)

    def forbid(self, answer: Placement) -> None:
        """From now on, forbid places and orders that relate to each other as these do."""
        literals = self.slots.guards
        self.gates.require(*(-lit if holds(lit, answer.true) else lit for lit in literals))

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
        """The location that a unit goes to: if its order is open, the first coast that it can
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
        super().__init__(profile, system, board.gates, board.slots.guards, rails)

    def chosen(self, answer: Placement) -> dict[Key, int]:
        """The guards that hold in an answer."""
        guards = enumerate(self.board.slots.guards)
        return {(ORDER, number): int(holds(one, answer.true)) for number, one in guards}

    def places(self, answer: Placement) -> Mapping[str, ProvinceFacts]:
        """Code -> the province in the phase: where a unit stands, or where one goes."""
        provinces, count = self.system.phase.provinces, len(answer.placed)
        found = dict(zip(answer.provinces, provinces, strict=False))
        for one, empty in zip(answer.placed, provinces[count:], strict=True):
            found.setdefault(one.target, empty)
        return found

    @property
    def named(self) -> Sequence[ProvinceFacts]:
        """All provinces of the map, for goals."""
        return named_provinces(self.system.phase, self.board.slots)


# --- proposals ------------------------------------------------------------------------------------

# The units of the other side have their stated places. The actions of the own units are chosen
# once, and stay the same against every answer. Each answer, the orders of the other side, is a
# world of its own with the same own units. An order to support or convoy a unit of the other side
# names a move, and counts in those worlds in which that unit makes the move.


@dataclass(frozen=True, slots=True)
class _Aid:
    """An order of one slot to support or convoy another slot's move to a province."""

    at: int
    act: str
    other: int
    target: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """The places of all units, and the orders of the own open units by location. `true` has the
    variables that hold, `chosen` the literals that tell this proposal from others."""

    position: Position
    orders: Mapping[str, Order]
    true: frozenset[int]
    chosen: tuple[int, ...]


class Proposals:
    """The places and orders of own units, as clauses. The units in the slots `answering` hold in
    `board`; their orders come with the answers."""

    def __init__(self, board: OpenUnits, answering: Collection[int]) -> None:
        self.board, self.answering = board, tuple(sorted(answering))
        slots = board.slots
        self._own = [
            at for at in slots.numbers if slots.slots[at].given is None and at not in answering
        ]
        self._aids = {one: lit for one, lit in self._possible_aids() if lit != FALSE}
        for at in self._own:
            mine = [literal for one, literal in self._aids.items() if one.at == at]
            board.gates.at_most_one(mine)
            for literal in mine:  # such a unit does not move and helps no other unit
                board.gates.require(-literal, slots.does(at, HOLD, at))

    def _possible_aids(self) -> Iterator[tuple[_Aid, int]]:
        """Every move of the other side that own units could help, with the literal that they do,
        which requires a place from which they can."""
        slots, gates = self.board.slots, self.board.gates
        for other in self.answering:
            by_land, by_sea = self._targets(other)
            for at in self._own:
                for code in sorted(by_land | by_sea):
                    literal = gates.both(gates.variable(), slots.reaches(at, code))
                    yield _Aid(at, SUPPORT, other, code), literal
                for code in sorted(by_sea):
                    literal = gates.both(gates.variable(), slots.is_carrier(at))
                    yield _Aid(at, CONVOY, other, code), literal

    def _targets(self, other: int) -> tuple[set[str], set[str]]:
        """The provinces where a unit of the other side could go by land, and by convoy."""
        slots = self.board.slots
        ((kind, place),) = slots.slots[other].standings
        by_land = set(slots.board.reach_provinces(kind, place))
        shores = slots.convoying.net.shores
        is_cargo = kind is slots.convoying.carriage.cargo and place in shores
        if not is_cargo or all(slots.is_carrier(at) == FALSE for at in slots.numbers):
            return by_land, set()
        return by_land, {province_of(shore) for shore in shores} - {province_of(place)}

    def find(self, assumptions: list[int]) -> Proposal | None:
        """Places and orders for which the assumptions can hold; None if there are none."""
        found = self.board.find(assumptions)
        if found is None:
            return None
        orders, slots = {}, self.board.slots
        aids = {aid.at: aid for aid, literal in self._aids.items() if literal in found.true}
        chosen = [literal for literal in self._aids.values() if literal in found.true]
        for at in self._own:
            place = found.placed[at].standing[1]
            aid = aids.get(at)
            orders[place] = found.orders[place] if aid is None else self._helping(found, aid)
            for choices in (slots.place[at], slots.act[at], slots.target[at]):
                chosen += [literal for literal in choices.values() if literal in found.true]
            via = slots.via[at]
            chosen.append(via if via in found.true else -via)
        return Proposal(found.position, orders, found.true, tuple(chosen))

    def _helping(self, found: Placement, aid: _Aid) -> Order:
        by_province = found.position.by_province
        unit = by_province[found.provinces[aid.at]]
        other = by_province[found.provinces[aid.other]].full_name
        if aid.act == SUPPORT:
            return SupportMove(unit.name, other, aid.target)
        return Convoy(unit.name, other, aid.target)

    def forbid(self, proposal: Proposal) -> None:
        """Forbid this proposal from now on."""
        self.board.gates.require(*(-literal for literal in proposal.chosen))

    def against(self, answer: Mapping[str, Order]) -> OpenUnits:
        """The world in which the other side gives these orders, by location."""
        listed = list(self.board.slots.slots)
        for at in self.answering:
            ((_, place),) = listed[at].standings
            listed[at] = replace(listed[at], given=given_by(answer[place]))
        world = _World(self.board.slots, listed, self.answering, self._aids)
        follow_orders(world)
        return self.board.with_slots(world)


class _World(Slots):
    """The units of proposals when those of the other side have orders."""

    def __init__(
        self,
        base: Slots,
        slots: Sequence[Slot],
        answering: Collection[int],
        aids: Mapping[_Aid, int],
    ) -> None:
        self._base, self._answering, self._aids = base, answering, aids
        super().__init__(base.board, base.convoying, slots, base.powers, base.gates, base.apart)

    def _open(self) -> None:
        """Take over the variables of the own open units; the others follow their orders."""
        base, numbers = self._base, self.numbers
        own = [slot.given is None for slot in self.slots]
        self.place, self.power = base.place, base.power
        self.act = [base.act[at] if own[at] else self._one_of(self._acts(at)) for at in numbers]
        self.target = [base.target[at] if own[at] else self._targets(at) for at in numbers]
        self.via = [base.via[at] if own[at] else self._via(at) for at in numbers]
        self.act = [self._acts_here(at) if own[at] else self.act[at] for at in numbers]
        self._go_where_they_can()
        self._obey()

    def _acts_here(self, at: int) -> dict[Act, int]:
        """The actions of an own unit in this world: a support or convoy of a unit that does
        something else amounts to a hold."""
        gates, found = self.gates, dict(self._base.act[at])
        helping: dict[Act, list[int]] = {}
        for other in self._answering:
            found.pop((CONVOY, other), None)  # a unit that holds is not convoyed
            stays = gates.both(found.pop((SUPPORT, other)), -self.moves(other))
            helping[SUPPORT, other] = [stays]
        for aid, literal in self._aids.items():
            if aid.at == at:
                can = can_support if aid.act == SUPPORT else can_convoy
                ((_, place),) = self.slots[aid.other].standings
                wanted = Given(aid.act, _NOBODY, province_of(place), aid.target)
                helps = gates.both(literal, can(self, at, aid.other, wanted))
                helping.setdefault((aid.act, aid.other), []).append(helps)
        found |= {act: gates.any_of(literals) for act, literals in helping.items()}
        found[HOLD, at] = -gates.any_of(lit for act, lit in found.items() if act != (HOLD, at))
        return found


_NOBODY = Hold(UnitName(""))
