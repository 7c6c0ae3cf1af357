"""Places and orders of one side that are to withstand answers of the other.

The units of the other side stand where they are stated to. What the own units do is chosen once,
and holds against every answer; each answer, orders of the other side, is a world of its own with
the same own units. An order to support or convoy a unit of the other side names a move, and counts
in those worlds in which that unit makes it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dipsat.board.province import province_of
from dipsat.game.position import Position
from dipsat.openunits.board import OpenUnits, Placement
from dipsat.openunits.following import can_convoy, can_support, follow_orders
from dipsat.openunits.given import CONVOY, HOLD, MOVE, SUPPORT, Given
from dipsat.openunits.slots import Act, Slot, Slots
from dipsat.orders.order import (
    Convoy,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
    UnitName,
)
from dipsat.solving.dual_rail import FALSE


@dataclass(frozen=True, slots=True)
class _Aid:
    """An order of one slot to support or convoy a move of another, to a province."""

    at: int
    act: str
    other: int
    target: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """Where all units stand, and the orders of the own open units, by location. `true` has the
    variables that hold, `chosen` the literals that tell this proposal from others."""

    position: Position
    orders: Mapping[str, Order]
    true: frozenset[int]
    chosen: tuple[int, ...]


class Proposals:
    """Where own units stand, and their orders, as clauses. The units in the slots `answering` hold
    in `board`; their orders come with the answers."""

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
            for literal in mine:  # such a unit moves nowhere and helps no other one
                board.gates.require(-literal, slots.does(at, HOLD, at))

    def _possible_aids(self) -> Iterator[tuple[_Aid, int]]:
        """Every move of the other side that own units could help, with the literal that they do:
        only from places from where they could."""
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
        """Where a unit of the other side could go by land, and where by convoy."""
        slots = self.board.slots
        ((kind, place),) = slots.slots[other].standings
        by_land = set(slots.board.reach_provinces(kind, place))
        shores = slots.convoying.net.shores
        is_cargo = kind is slots.convoying.carriage.cargo and place in shores
        if not is_cargo or all(slots.is_carrier(at) == FALSE for at in slots.numbers):
            return by_land, set()
        return by_land, {province_of(shore) for shore in shores} - {province_of(place)}

    def find(self, assumptions: list[int]) -> Proposal | None:
        """Places and orders for which the assumptions can hold, None if there are none."""
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
        """From now on, do not allow this proposal."""
        self.board.gates.require(*(-literal for literal in proposal.chosen))

    def against(self, answer: Mapping[str, Order]) -> OpenUnits:
        """The world in which the other side gives these orders, by location."""
        listed = list(self.board.slots.slots)
        for at in self.answering:
            ((_, place),) = listed[at].standings
            listed[at] = replace(listed[at], given=_given(answer[place]))
        world = _World(self.board.slots, listed, self.answering, self._aids)
        follow_orders(world)
        return self.board.with_slots(world)


class _World(Slots):
    """The units of proposals, when those of the other side have orders."""

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
        """Take the variables of the own open units; the others do as they are ordered."""
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
        """What an own unit does in this world: a support or convoy of a unit that does something
        else is as good as a hold."""
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


def _given(order: Order) -> Given:
    """An order of the other side. It can be followed with units in the right places."""
    match order:
        case Move(target=target, via=via):
            return Given(MOVE, order, "", province_of(target), target, via)
        case SupportHold(supported=other):
            return Given(SUPPORT, order, province_of(other.location))
        case SupportMove(supported=other, target=target):
            return Given(SUPPORT, order, province_of(other.location), province_of(target), target)
        case Convoy(army=other, target=target):
            return Given(CONVOY, order, province_of(other.location), province_of(target), target)
        case Hold():
            return Given(HOLD, order)
    raise AssertionError(f"{order!r} is no order of a movement phase")
