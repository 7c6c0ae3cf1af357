"""The facts of a movement phase in which orders are open.

Of a unit whose order is open, every order that it may be given is a candidate with a guard, an
unknown of its own; exactly one guard of each such unit is true. A guard can also be a condition on
several orders: a support matches only if the unit it supports moves there, and whether a move to a
neighbouring province goes by convoy (DATC 4.A.3) can depend on what fleets are ordered, so there
such a move is two candidates. Whatever the guards are, the candidates that are issued are those of
the phase with these orders. Orders of kinds that rules declare: `dipsat.equations.open_declared`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dipsat.board.province import province_of
from dipsat.equations.declared_facts import DeclaredFacts, Referents, by_type
from dipsat.equations.facts import (
    ConvoyFacts,
    MoveFacts,
    Phase,
    ProvinceFacts,
    SupportFacts,
    UnitFacts,
)
from dipsat.equations.open_declared import Declaring, declare
from dipsat.equations.terms import Key, Term, Unknown, all_of, any_of, negation, reach
from dipsat.game.convoying import convoy_nets
from dipsat.game.position import Position
from dipsat.game.settings import Settings
from dipsat.orders.order import Convoy, Hold, Move, Order, SupportHold, SupportMove

ORDER = "order"
"""The family of the guards: `("order", n)` is whether the n-th choice is made."""


NO_KINDS = Declaring()


@dataclass(frozen=True, slots=True)
class OrderChoice:
    """An order that a unit may be given, and the guard that says it is. `unit` is its index; orders
    of powers have the numbers after those of the units."""

    key: Key
    unit: int
    order: Order
    guard: Term


@dataclass(frozen=True, slots=True)
class OpenPhase:
    """Facts with open orders: `choices` lists those of each unit, by its index, and after them
    whether each order of a power is given. A unit with a single choice has that order; its guard is
    the constant true. `declared` has the orders of declared kinds by their guards."""

    phase: Phase
    choices: tuple[tuple[OrderChoice, ...], ...]
    declared: Mapping[Key, DeclaredFacts] = field(default_factory=dict)


def open_phase(
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    settings: Settings,
    declaring: Declaring = NO_KINDS,
) -> OpenPhase:
    """The facts of a movement phase in which each unit has one of several orders.

    `orders` maps the location of a unit to the orders it may have, all of them legal or `Hold`; a
    unit without an entry holds. Any other key stands for an order of a power: that order, or
    `NO_ORDER` if it is not given, or both. `declaring` says which orders of declared kinds count.
    `dipsat.equations.not_open` tells for which rules that is exact.
    """
    return _OpenBuilder(position, orders, settings, declaring).build()


@dataclass(frozen=True, slots=True)
class _Ordered:
    """A unit that may be ordered to convoy to a target, and the guard that says it is."""

    unit: UnitFacts
    guard: Term
    target: str


class _OpenBuilder:
    def __init__(
        self,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        settings: Settings,
        declaring: Declaring,
    ) -> None:
        self.declaring = declaring
        self.declared: Mapping[Key, DeclaredFacts] = {}
        self.along: dict[int, list[DeclaredFacts]] = {}  # the lines that a unit may go along
        self.board = position.map
        self.position = position
        self.settings = settings
        self.nets = convoy_nets(position)
        self.places: dict[str, ProvinceFacts] = {}
        self.units: dict[str, UnitFacts] = {}
        self.moves: list[MoveFacts] = []
        self.paths: list[tuple[str, ...]] = []  # the convoy path of each move, if it has one
        self.supports: list[SupportFacts] = []
        self.convoys: list[ConvoyFacts] = []
        self.choices: list[tuple[OrderChoice, ...]] = []
        self.number = 0
        for at, unit in enumerate(position.units):
            place = self._place(unit.province)
            given = tuple(orders.get(unit.location, ())) or (Hold(unit.name),)
            facts = UnitFacts(at, unit, place, given[0])
            facts.around = self.board, self.places
            place.units = (facts,)
            self.units[unit.province] = facts
            self._choose(at, given)
        locations = {unit.location for unit in position.units}
        for at, key in enumerate((key for key in orders if key not in locations), len(locations)):
            self._choose(at, orders[key])
        for code in sorted(self.board.provinces):
            self._place(code)

    def _choose(self, at: int, given: Sequence[Order]) -> None:
        """One of these orders is given."""
        group = []
        for order in given:
            key = (ORDER, self.number)
            guard: Term = Unknown(key, True) if len(given) > 1 else True
            group.append(OrderChoice(key, at, order, guard))
            self.number += 1
        self.choices.append(tuple(group))

    def build(self) -> OpenPhase:
        every = [(unit, choice) for unit in self.units.values()
                 for choice in self.choices[unit.index]]  # fmt: skip
        convoys: dict[str, list[_Ordered]] = {}
        for unit, choice in every:
            if isinstance(choice.order, Convoy):
                ordered = _Ordered(unit, choice.guard, choice.order.target)
                convoys.setdefault(province_of(choice.order.army.location), []).append(ordered)
        for unit, choice in every:
            if isinstance(choice.order, Move):
                self._move(unit, choice.order, choice.guard, convoys)
        self._meet()
        if self.declaring.kinds:
            self._declare(every)
        for unit, choice in every:
            if isinstance(choice.order, SupportMove | SupportHold):
                self._support(unit, choice.order, choice.guard)
            elif isinstance(choice.order, Convoy):
                self._convoy(unit, choice.order, choice.guard)
        phase = Phase(
            self.board,
            tuple(self.places.values()),
            tuple(self.units.values()),
            tuple(self.moves),
            tuple(self.supports),
            tuple(self.convoys),
            {},
            self.position.phase,
            by_type(self.declared.values()),
        )
        return OpenPhase(phase, tuple(self.choices), self.declared)

    def _declare(self, every: Sequence[tuple[UnitFacts, OrderChoice]]) -> None:
        """The orders of declared kinds, of units and of powers."""
        of_powers = [(None, one) for group in self.choices[len(self.units) :] for one in group]
        where = Referents(self.board, self.units, self._place)
        self.declared = declare([*every, *of_powers], self.declaring, where)
        for order in self.declared.values():
            if order.unit is not None and order.legs:
                self.along.setdefault(order.unit.index, []).append(order)

    def _place(self, code: str) -> ProvinceFacts:
        if code not in self.places:
            province = self.board.provinces[code]
            self.places[code] = ProvinceFacts(len(self.places), province, self.position)
        return self.places[code]

    def _move(
        self,
        unit: UnitFacts,
        order: Move,
        guard: Term,
        convoys: Mapping[str, list[_Ordered]],
    ) -> None:
        by_land = order.target in self.board.reach(unit.unit.kind, unit.unit.location)
        places = (order.target, province_of(order.target))
        ordered = [one for one in convoys.get(unit.province.code, ()) if one.target in places]
        convoyed = self._convoyed(unit, order, by_land, ordered)
        for is_convoyed, condition in ((False, negation(convoyed)), (True, convoyed)):
            issued = all_of([guard, condition])
            if issued is not False:
                self._candidate(unit, order, by_land, is_convoyed, issued)

    def _candidate(
        self, unit: UnitFacts, order: Move, by_land: bool, convoyed: bool, issued: Term
    ) -> None:
        place = self._place(province_of(order.target))
        move = MoveFacts(len(self.moves), unit, place, order, by_land, convoyed)
        move.issued = issued
        self.moves.append(move)
        self.paths.append(order.path)
        place.attackers.append(move)
        unit.moves = unit.province.departures = (*unit.moves, move)

    def _convoyed(
        self,
        unit: UnitFacts,
        order: Move,
        by_land: bool,
        ordered: list[_Ordered],
    ) -> Term:
        """4.A.3, 6.G.8: on what condition a move goes by convoy."""
        if not by_land:
            return True
        if not any(cargo is unit.unit.kind for _, cargo in self.nets):
            return False
        target, path = order.target, order.path
        if order.via:
            by_order = not self.settings.goes_by_land_instead(path)
            named = [one for one in ordered if not path or one.unit.province.code in path]
            return True if by_order else self._route(unit, target, named)
        rule = self.settings.adjacent_convoy
        if rule == "explicit" or self.settings.convoy_path == "required" or not ordered:
            return False
        conditions = []
        if rule != "intent" or self.settings.via_without_convoy != "stays":
            conditions.append(self._route(unit, target, ordered))
        if rule == "intent":
            own = (one.guard for one in ordered if one.unit.power == unit.power)
            conditions.append(any_of(own))
        elif rule == "opposed":
            conditions.append(self._opposed(unit, province_of(target)))
        return all_of(conditions)

    def _opposed(self, unit: UnitFacts, target: str) -> Term:
        there = self.units.get(target)
        if there is None:
            return False
        return any_of(
            choice.guard
            for choice in self.choices[there.index]
            if isinstance(choice.order, Move)
            and province_of(choice.order.target) == unit.province.code
        )

    def _route(self, unit: UnitFacts, target: str, ordered: list[_Ordered]) -> Term:
        """Whether units that are ordered to convoy make a route."""
        found = []
        for (carrier, cargo), net in self.nets.items():
            if cargo is not unit.unit.kind:
                continue
            named = [one for one in ordered if one.unit.unit.kind is carrier]
            seas = [one.unit.province.code for one in named]
            start, end = (net.shores.get(place, ()) for place in (unit.unit.location, target))
            near = [net.links.get(sea, ()) for sea in seas]
            found.append(
                reach(
                    [one.guard for one in named],
                    [at for at, sea in enumerate(seas) if sea in start],
                    [at for at, sea in enumerate(seas) if sea in end],
                    [[n for n, other in enumerate(seas) if other in links] for links in near],
                )
            )
        return any_of(found)

    def _meet(self) -> None:
        """Moves that aim at the same province, and moves against each other."""
        for move in self.moves:
            others = move.target.attackers
            move.rivals = [other for other in others if other.unit is not move.unit]
            facing = [other for other in move.target.departures if other.target is move.origin]
            move.facing = tuple(facing)
            move.opponents = tuple(o for o in facing if not move.convoyed and not o.convoyed)

    def _support(self, unit: UnitFacts, order: SupportMove | SupportHold, guard: Term) -> None:
        supported = self.units[province_of(order.supported.location)]
        if isinstance(order, SupportHold):
            stays = negation(any_of(self._issued(supported)))
            self._matched(unit, supported, supported.province, all_of([guard, stays]))
            return
        for move in supported.moves:
            if order.target in (move.target_location, move.target.code):
                issued = all_of([guard, move.issued])
                support = self._matched(unit, supported, move.target, issued)
                move.supports = (*move.supports, support)
        for going in self.along.get(supported.index, ()):
            if going.target.code == province_of(order.target):
                issued = all_of([guard, going.issued])
                support = self._matched(unit, supported, going.target, issued)
                going.facts["supports"] = (*going.facts["supports"], support)

    def _issued(self, unit: UnitFacts) -> list[Term]:
        """The guards of the choices in which a unit moves, and when it goes along a line."""
        choices = self.choices[unit.index]
        moving = [choice.guard for choice in choices if isinstance(choice.order, Move)]
        return [*moving, *(order.issued for order in self.along.get(unit.index, ()))]

    def _matched(
        self, unit: UnitFacts, supported: UnitFacts, target: ProvinceFacts, issued: Term
    ) -> SupportFacts:
        support = SupportFacts(len(self.supports), unit, supported, target)
        support.issued = issued
        self.supports.append(support)
        if target is supported.province:
            supported.supports = (*supported.supports, support)
        return support

    def _convoy(self, unit: UnitFacts, order: Convoy, guard: Term) -> None:
        army = self.units[province_of(order.army.location)]
        for move in army.moves:
            if order.target not in (move.target_location, move.target.code):
                continue
            net = self.nets[unit.unit.kind, army.unit.kind]
            convoy = ConvoyFacts(len(self.convoys), unit, move, net)
            convoy.issued = all_of([guard, move.issued])
            self.convoys.append(convoy)
            unit.convoys = (*unit.convoys, convoy)
            path = self.paths[move.index]
            if not path or unit.province.code in path:
                move.convoys = (*move.convoys, convoy)
