"""The facts of a movement phase in which orders are open.

Of a unit whose order is open, every order that it may be given is a candidate with a guard, an
unknown of its own; exactly one guard of each such unit is true. A guard can also be a condition on
several orders: a support matches only if the unit it supports moves there, and whether a move to a
neighbouring province goes by convoy (DATC 4.A.3) can depend on what fleets are ordered, so there
such a move is two candidates. Whatever the guards are, the candidates that are issued are those of
the phase with these orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dipsat.board.province import province_of
from dipsat.equations.facts import (
    ConvoyFacts,
    MoveFacts,
    Phase,
    ProvinceFacts,
    SupportFacts,
    UnitFacts,
)
from dipsat.equations.terms import Key, Term, Unknown, all_of, any_of, negation, reach
from dipsat.game.position import Position
from dipsat.game.settings import Settings
from dipsat.orders.order import Convoy, Hold, Move, Order, SupportHold, SupportMove
from dipsat.orders.words import NO_WORDS
from dipsat.profiles.places import expressions_of
from dipsat.profiles.profile import Profile
from dipsat.profiles.syntax import Constant, Fact, Predicate, parts_of_all
from dipsat.profiles.types import TRUTH

ORDER = "order"
"""The family of the guards: `("order", n)` is whether the n-th choice is made."""


@dataclass(frozen=True, slots=True)
class OrderChoice:
    """An order that a unit may be given, and the guard that says it is."""

    key: Key
    unit: int
    order: Order
    guard: Term


@dataclass(frozen=True, slots=True)
class OpenPhase:
    """Facts with open orders: `choices` lists those of each unit, by its index. A unit with a
    single choice has that order; its guard is the constant true."""

    phase: Phase
    choices: tuple[tuple[OrderChoice, ...], ...]


def open_phase(
    position: Position, orders: Mapping[str, Sequence[Order]], settings: Settings
) -> OpenPhase:
    """The facts of a movement phase in which each unit has one of several orders.

    `orders` maps the location of a unit to the orders it may have, all of them legal or `Hold`; a
    unit without an entry holds. `limits_of` tells for which settings that is exact.
    """
    return _OpenBuilder(position, orders, settings).build()


def limits_of(settings: Settings) -> tuple[str, ...]:
    """What the settings ask for that open orders cannot express, in words; empty if nothing."""
    found = []
    if settings.disorder_support == "refused":
        found.append("supports of units in civil disorder (4.D.9)")
    return tuple(found)


def words_not_open(profile: Profile) -> tuple[str, ...]:
    """The words in a profile's equations that have no reading while orders are open."""
    kinds = (kind.name for kind in profile.words.kinds if not kind.season)  # else for extra phases
    found: dict[str, None] = {name: None for name in kinds if not _is_switched_off(profile, name)}
    if profile.words.carriages != NO_WORDS.carriages:
        found["convoys"] = None
    # Of an army that can go by sea only, no order is a candidate that does not say "via convoy".
    for node in parts_of_all(expressions_of(profile)):
        if isinstance(node, Fact) and node.name in ("on_route", "via") and not node.declared:
            found[node.name] = None
    terms = [decision.equation for decision in profile.decisions.values()]
    terms += [result.expression for result in profile.results.values()]
    for node in parts_of_all(terms):
        if isinstance(node, Predicate) and node.op == "ring":
            found[node.op] = None
    return tuple(found)


def _is_switched_off(profile: Profile, kind: str) -> bool:
    """Whether no order of a declared kind can be legal, as an option is chosen."""
    _, conditions = profile.lawful.get(kind, (None, ()))
    return any(condition == Constant(False, TRUTH) for _, condition in conditions)


class _OpenBuilder:
    def __init__(
        self, position: Position, orders: Mapping[str, Sequence[Order]], settings: Settings
    ) -> None:
        self.board = position.map
        self.position = position
        self.settings = settings
        self.places: dict[str, ProvinceFacts] = {}
        self.units: dict[str, UnitFacts] = {}
        self.moves: list[MoveFacts] = []
        self.paths: list[tuple[str, ...]] = []  # the convoy path of each move, if it has one
        self.supports: list[SupportFacts] = []
        self.convoys: list[ConvoyFacts] = []
        self.choices: list[tuple[OrderChoice, ...]] = []
        number = 0
        for at, unit in enumerate(position.units):
            place = self._place(unit.province)
            given = tuple(orders.get(unit.location, ())) or (Hold(unit.name),)
            facts = UnitFacts(at, unit, place, given[0])
            facts.around = self.board, self.places
            place.units = (facts,)
            self.units[unit.province] = facts
            group = []
            for order in given:
                key = (ORDER, number)
                guard: Term = Unknown(key, True) if len(given) > 1 else True
                group.append(OrderChoice(key, at, order, guard))
                number += 1
            self.choices.append(tuple(group))
        for code in sorted(self.board.provinces):
            self._place(code)

    def build(self) -> OpenPhase:
        every = [(unit, choice) for unit in self.units.values()
                 for choice in self.choices[unit.index]]  # fmt: skip
        fleets: dict[tuple[str, str], list[tuple[UnitFacts, Term]]] = {}
        for unit, choice in every:
            if isinstance(choice.order, Convoy):
                ends = province_of(choice.order.army.location), province_of(choice.order.target)
                fleets.setdefault(ends, []).append((unit, choice.guard))
        for unit, choice in every:
            if isinstance(choice.order, Move):
                self._move(unit, choice.order, choice.guard, fleets)
        self._meet()
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
        )
        return OpenPhase(phase, tuple(self.choices))

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
        fleets: Mapping[tuple[str, str], list[tuple[UnitFacts, Term]]],
    ) -> None:
        target = province_of(order.target)
        by_land = target in self.board.reach_provinces(unit.unit.kind, unit.unit.location)
        ordered = fleets.get((unit.province.code, target), [])
        convoyed = self._convoyed(unit, order, target, by_land, ordered)
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
        target: str,
        by_land: bool,
        ordered: list[tuple[UnitFacts, Term]],
    ) -> Term:
        """4.A.3, 6.G.8: on what condition a move goes by convoy."""
        if not by_land:
            return True
        if unit.kind != "army":
            return False
        if order.via:
            by_order = self.settings.via_without_convoy != "by land"
            named = [one for one in ordered if not order.path or one[0].province.code in order.path]
            return True if by_order else self._route(unit, target, named)
        rule = self.settings.adjacent_convoy
        if rule == "explicit" or self.settings.convoy_path == "required" or not ordered:
            return False
        conditions = [self._route(unit, target, ordered)]
        if rule == "intent":
            own = (guard for fleet, guard in ordered if fleet.power == unit.power)
            conditions.append(any_of(own))
        elif rule == "opposed":
            conditions.append(self._opposed(unit, target))
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

    def _route(self, unit: UnitFacts, target: str, ordered: list[tuple[UnitFacts, Term]]) -> Term:
        """Whether fleets that are ordered to convoy make a route."""
        water, seas = self.board.water, [fleet.province.code for fleet, _ in ordered]
        start, end = water.get(unit.province.code, ()), water.get(target, ())
        return reach(
            [guard for _, guard in ordered],
            [at for at, sea in enumerate(seas) if sea in start],
            [at for at, sea in enumerate(seas) if sea in end],
            [[n for n, other in enumerate(seas) if other in water.get(sea, ())] for sea in seas],
        )

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

    def _issued(self, unit: UnitFacts) -> list[Term]:
        """The guards of the choices in which a unit moves."""
        choices = self.choices[unit.index]
        return [choice.guard for choice in choices if isinstance(choice.order, Move)]

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
            convoy = ConvoyFacts(len(self.convoys), unit, move, self.board.convoys)
            convoy.issued = all_of([guard, move.issued])
            self.convoys.append(convoy)
            unit.convoys = (*unit.convoys, convoy)
            path = self.paths[move.index]
            if not path or unit.province.code in path:
                move.convoys = (*move.convoys, convoy)
