"""Matching the orders of a movement phase: turning each unit's possible orders into facts.

Every order comes with a guard, the term that says whether it is given: the constant true where the
orders are known. A guard can also be a condition on several orders: a support matches only if the
supported unit moves there. Whether a move to a neighbouring province goes by convoy (DATC 4.A.3)
can depend on the orders of fleets, so such a move can be two candidates. For any values of the
guards, the issued candidates are exactly those of the phase with these orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from dipsat.board import province_of
from dipsat.equations.chains import Carrier, route_of
from dipsat.equations.declared_facts import Fault, Referents, by_type, count_in, order_facts
from dipsat.equations.kind_conditions import unlawful
from dipsat.equations.phase import Mismatch, Phase
from dipsat.equations.term import Term, all_of, any_of, both, negation
from dipsat.game import (
    NO_ORDER,
    ConvoyFacts,
    DeclaredFacts,
    MoveFacts,
    Position,
    PositionFacts,
    ProvinceFacts,
    Ruling,
    RulingStatus,
    SupportFacts,
    UnitFacts,
    convoy_nets,
    is_possible_on_map,
)
from dipsat.orders import Convoy, DeclaredOrder, Move, Order, SupportHold, SupportMove
from dipsat.rules import DeclaredKind, Profile, Settings, asks_for_places

GuardedOrder: TypeAlias = tuple[Order, Term]
"""An order that a unit may be given, and the guard that says whether it is."""


@dataclass(slots=True)
class Effects:
    """The effects of missing and impossible orders (DATC 2.4 4.E.1, 4.D.9). `refusing` maps the
    location of a unit that cannot be supported to hold to the reason; `intents` maps a convoy
    (power, province of the army, target province) to a unit that was ordered to take part."""

    refusing: dict[str, str] = field(default_factory=dict)
    intents: dict[tuple[str, str, str], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeclaredInput:
    """Orders of declared kinds, each with its guard, False for one that does not count. `refused`
    are the illegal ones, with the reason."""

    kinds: Mapping[str, DeclaredKind] = field(default_factory=dict)
    orders: Sequence[tuple[Ruling, Term]] = ()
    refused: tuple[tuple[Ruling, Mismatch], ...] = ()


NOTHING_DECLARED = DeclaredInput()
"""No orders of declared kinds."""


class Matched(NamedTuple):
    """The facts of a phase, and those of each declared order (None if it has none)."""

    phase: Phase
    declared: tuple[DeclaredFacts | None, ...]


def match_orders(
    position: Position,
    settings: Settings,
    choices: Sequence[Sequence[GuardedOrder]],
    effects: Effects,
    declared: DeclaredInput,
    every_province: bool,
) -> Matched:
    """The facts of a phase in which each unit, by index, has one of its `choices`.

    The phase has the provinces with units and those that orders lead to, or with `every_province`
    all provinces of the map.
    """
    matcher = _Matcher(position, settings, choices, effects)
    for code in sorted(position.map.provinces) if every_province else ():
        matcher.around.place(code)
    return matcher.matched(declared)


class _Matcher:
    """Makes the facts of moves first, then those of the supports and convoys that match them."""

    def __init__(
        self,
        position: Position,
        settings: Settings,
        choices: Sequence[Sequence[GuardedOrder]],
        effects: Effects,
    ) -> None:
        self.board = position.map
        self.position = position
        self.settings = settings
        self.choices = choices
        self.effects = effects
        self.nets = convoy_nets(position)
        first = [given[0][0] for given in choices]
        self.around = PositionFacts(position, first)
        self._place = self.around.place
        self.by_province = self.around.by_province
        self.moves: list[MoveFacts] = []
        self.supports: list[SupportFacts] = []
        self.convoys: list[ConvoyFacts] = []
        self.carrying: dict[tuple[str, str], list[tuple[UnitFacts, Convoy, Term]]] = {}
        self.invalid: dict[int, Mismatch] = {}
        self.along: dict[int, list[DeclaredFacts]] = {}  # orders along lines, by unit

    def matched(self, declared: DeclaredInput) -> Matched:
        units = tuple(self.by_province.values())
        found, refused = self._declared(declared) if declared.kinds else ((), ())
        moving, supporting, convoying = self._sorted(units)
        for unit, convoy, guard in convoying:
            carried = province_of(convoy.army.location), province_of(convoy.target)
            self.carrying.setdefault(carried, []).append((unit, convoy, guard))
        for unit, move, guard in moving:
            self._move(unit, move, guard)
        for unit, support, guard in supporting:
            if isinstance(support, SupportMove):
                self._support_move(unit, support, guard)
            else:
                self._support_hold(unit, support, guard)
        for carrying in self.carrying.values():
            for unit, convoy, guard in carrying:
                self._convoy(unit, convoy, guard)
        self._find_vain_moves()
        phase = Phase(
            self.board,
            tuple(self.around.places.values()),
            units,
            tuple(self.moves),
            tuple(self.supports),
            tuple(self.convoys),
            self.invalid,
            self.position.phase,
            by_type(one for one in found if one is not None) if found else {},
            (*declared.refused, *refused),
        )
        return Matched(phase, tuple(found))

    def _sorted(self, units: Iterable[UnitFacts]) -> tuple[list[Any], list[Any], list[Any]]:
        """The moves, the supports and the convoys that units may be given, each with its unit and
        its guard, by unit."""
        moving: list[tuple[UnitFacts, Order, Term]] = []
        supporting: list[tuple[UnitFacts, Order, Term]] = []
        convoying: list[tuple[UnitFacts, Order, Term]] = []
        kinds = {Move: moving, SupportMove: supporting, SupportHold: supporting, Convoy: convoying}
        for unit, given in zip(units, self.choices, strict=False):  # then come powers' orders
            for order, guard in given:
                found = kinds.get(type(order))
                if found is not None:
                    found.append((unit, order, guard))
        return moving, supporting, convoying

    def _declared(
        self, declared: DeclaredInput
    ) -> tuple[list[DeclaredFacts | None], list[tuple[Ruling, Mismatch]]]:
        """The orders of declared kinds, and those that cannot have facts."""
        found: list[DeclaredFacts | None] = []
        refused = []
        numbers: dict[str, int] = {}
        where = Referents(self.board, self.by_province, self._place)
        for ruling, guard in declared.orders:
            facts = order_facts(declared.kinds, ruling, where, numbers)
            found.append(None)
            if isinstance(facts, Fault):
                refused.append((ruling, Mismatch(facts.code, facts.reason)))
                continue
            if guard is False:
                continue
            found[-1] = facts
            for one in (facts, *facts.legs):
                one.issued = guard
            count_in(numbers, facts)
            if facts.unit is not None:
                if guard is True:
                    facts.unit.candidate = facts
                if facts.legs:
                    self.along.setdefault(facts.unit.index, []).append(facts)
        return found, refused

    # --- moves ------------------------------------------------------------------------------------

    def _move(self, unit: UnitFacts, order: Move, guard: Term) -> None:
        target = province_of(order.target)
        place = self._place(target)
        here = unit.unit
        by_land = order.target in self.board.reach(here.kind, here.location)
        ordered = self.carrying.get((unit.province.code, target)) if self.carrying else None
        convoyed: Term = not by_land
        if by_land and (ordered or order.via or self.effects.intents):
            convoyed = self._is_convoyed(unit, order, ordered or ())
        if convoyed is True or convoyed is False:
            self._add_move(MoveFacts(len(self.moves), unit, place, order, by_land, convoyed), guard)
            return
        for is_convoyed, condition in ((False, negation(convoyed)), (True, convoyed)):
            move = MoveFacts(len(self.moves), unit, place, order, by_land, is_convoyed)
            self._add_move(move, both(guard, condition))

    def _add_move(self, move: MoveFacts, issued: Term) -> None:
        unit, target = move.unit, move.target
        self.moves.append(move)
        if isinstance(target.attackers, list):
            target.attackers.append(move)
        else:
            target.attackers = [move]
        if issued is True:
            unit.candidate = move
            unit.moves = unit.province.departures = (move,)
        else:
            move.issued = issued
            unit.moves = unit.province.departures = (*unit.moves, move)

    def _is_convoyed(
        self, unit: UnitFacts, order: Move, ordered: Iterable[tuple[UnitFacts, Convoy, Term]]
    ) -> Term:
        """DATC 4.A.3, 6.G.8: the condition under which a move that could go by land goes by convoy.
        `ordered` are the convoys of this unit to its target province.

        The intent of the unit's power is enough if the rules have no fallback to the land route.
        """
        carriers = [(one, guard) for one, c, guard in ordered if _leads_to(c, order.target)]
        if order.via:
            path = order.path
            if not self.settings.goes_by_land_instead(path):
                return True
            named = [one for one in carriers if not path or one[0].province.code in path]
            return route_of(self.nets, unit, order.target, named)
        rule = self.settings.adjacent_convoy
        if rule == "explicit" or self.settings.convoy_path == "required":
            return False
        condition: Term = True
        if rule == "intent":
            condition = self._intended(unit, province_of(order.target), carriers)
            if self.settings.via_without_convoy == "stays":
                return condition
        elif rule == "opposed":
            condition = self._opposed(unit, province_of(order.target))
        if condition is False:
            return False
        return all_of([route_of(self.nets, unit, order.target, carriers), condition])

    def _intended(self, unit: UnitFacts, target: str, carriers: Sequence[Carrier]) -> Term:
        """Whether the army's own power intends it to go by convoy."""
        if (unit.power, unit.province.code, target) in self.effects.intents:
            return True
        return any_of(guard for one, guard in carriers if one.power == unit.power)

    def _opposed(self, unit: UnitFacts, target: str) -> Term:
        """Whether the unit at the target is ordered to move to where this one comes from."""
        there = self.by_province.get(target)
        if there is None:
            return False
        return any_of(
            guard
            for order, guard in self.choices[there.index]
            if isinstance(order, Move) and province_of(order.target) == unit.province.code
        )

    def _find_vain_moves(self) -> None:
        """Find the moves by convoy for which no complete convoy is ordered."""
        for move in self.moves:
            if move.convoyed and move.issued is True:
                carriers = [(convoy.unit, convoy.issued) for convoy in move.convoys]
                if route_of(self.nets, move.unit, move.target_location, carriers) is False:
                    self.invalid[move.unit.index] = self._no_convoy(move)

    def _no_convoy(self, move: MoveFacts) -> Mismatch:
        """Why a move without a complete convoy is invalid."""
        reason = "no complete convoy is ordered for it"
        if move.by_land and not move.via:
            own = [str(convoy.unit) for convoy in move.convoys if convoy.power == move.power]
            meant = (move.power, move.origin.code, move.target.code)
            own += [self.effects.intents[meant]] if meant in self.effects.intents else []
            if own:
                reason = f"{own[0]} shows that it is to go by convoy, but {reason}"
        return Mismatch("no_convoy_ordered", reason)

    # --- supports and convoys ---------------------------------------------------------------------

    def _support_move(self, unit: UnitFacts, order: SupportMove, guard: Term) -> None:
        supported = self.by_province[province_of(order.supported.location)]
        is_matched = False
        for move in supported.moves:
            if order.target in (move.target_location, move.target.code):
                support = self._support(unit, supported, move.target, both(guard, move.issued))
                move.supports = (*move.supports, support)
                is_matched = True
        for going in self.along.get(supported.index, ()) if self.along else ():
            if going.target.code == province_of(order.target):
                issued = both(guard, going.issued)
                support = self._support(unit, supported, going.target, issued)
                going.facts["supports"] = (*going.facts["supports"], support)
                is_matched = True
        if not is_matched:
            self._unmatched(unit, supported, f"{supported} does not move to {order.target}")

    def _support_hold(self, unit: UnitFacts, order: SupportHold, guard: Term) -> None:
        supported = self.by_province[province_of(order.supported.location)]
        stays: Term = True
        if supported.moves or self.along:
            stays = negation(any_of(self._going(supported)))
        if stays is False:
            self._unmatched(unit, supported, f"{supported} is ordered to move")
        elif supported.unit.location in self.effects.refusing:
            why = self.effects.refusing[supported.unit.location]
            self._unmatched(unit, supported, f"{supported} {why}")
        else:
            issued = both(guard, stays)
            support = self._support(unit, supported, supported.province, issued)
            supported.supports = (*supported.supports, support)

    def _going(self, unit: UnitFacts) -> list[Term]:
        """The guards of the choices in which a unit moves or goes along a line."""
        moving = [guard for order, guard in self.choices[unit.index] if type(order) is Move]
        return [*moving, *(order.issued for order in self.along.get(unit.index, ()))]

    def _support(
        self, unit: UnitFacts, supported: UnitFacts, target: ProvinceFacts, issued: Term
    ) -> SupportFacts:
        support = SupportFacts(len(self.supports), unit, supported, target)
        self.supports.append(support)
        if issued is True:
            unit.candidate = support
        else:
            support.issued = issued
        return support

    def _convoy(self, unit: UnitFacts, order: Convoy, guard: Term) -> None:
        army = self.by_province[province_of(order.army.location)]
        is_matched = False
        for move in army.moves:
            if not _leads_to(order, move.target_location):
                continue
            is_matched = True
            net = self.nets[unit.unit.kind, army.unit.kind]
            convoy = ConvoyFacts(
                len(self.convoys), unit, army, move.target, move.target_location, net
            )
            self.convoys.append(convoy)
            issued = both(guard, move.issued)
            if issued is True:
                unit.candidate = convoy
            else:
                convoy.issued = issued
            unit.convoys = (*unit.convoys, convoy)
            if not move.path or unit.province.code in move.path:
                move.convoys = (*move.convoys, convoy)
        if not is_matched:
            self._unmatched(unit, army, f"{army} does not move to {order.target}")

    def _unmatched(self, unit: UnitFacts, other: UnitFacts, reason: str) -> None:
        self.invalid[unit.index] = Mismatch("unmatched", reason, (other,))


def _leads_to(convoy: Convoy, target: str) -> bool:
    """Whether a convoy order fits a move to this location; an order without a coast fits any."""
    return convoy.target in (target, province_of(target))


def build_phase(
    position: Position,
    rulings: Sequence[Ruling],
    settings: Settings,
    kinds: Mapping[str, DeclaredKind] = NOTHING_DECLARED.kinds,
    refused: Sequence[tuple[Ruling, Mismatch]] = (),
    every_province: bool = False,
) -> Phase:
    """The facts of a phase: legal orders matched with each other; a unit without one holds.

    `kinds` are the kinds of orders that the rules declare; orders in `refused` do not count. The
    phase has the provinces with units and those that orders lead to, or with `every_province` all
    provinces of the map.
    """
    admitted, declared = rulings, NOTHING_DECLARED
    if kinds:
        illegal = {id(ruling) for ruling, _ in refused}
        admitted = [ruling for ruling in rulings if id(ruling) not in illegal]
        special = [
            (ruling, True)
            for ruling in admitted
            if isinstance(ruling.order, DeclaredOrder) and ruling.status is not RulingStatus.ILLEGAL
        ]
        declared = DeclaredInput(kinds, special, tuple(refused))
    ordered: dict[str, Order] = {}
    effects = Effects()
    illegal_status = RulingStatus.ILLEGAL
    for ruling in admitted:
        unit = ruling.unit
        if unit is None:
            continue
        if ruling.status is not illegal_status:
            ordered[unit.location] = ruling.order
        elif ruling.counts:
            _note_impossible(effects, position, settings, ruling)
    if settings.disorder_support == "refused":
        _note_disorder(effects, position, rulings)
    given = [[(ordered.get(unit.location, NO_ORDER), True)] for unit in position.units]
    return match_orders(position, settings, given, effects, declared, every_province).phase


def _note_impossible(
    effects: Effects, position: Position, settings: Settings, ruling: Ruling
) -> None:
    """DATC 2.4 4.E.1 a to c: record the effects of an impossible order.

    A convoy order shows intent only if the fleet could be part of a route (2.4 4.A.3 d, 6.G.7).
    """
    unit, order = ruling.unit, ruling.order
    assert unit is not None
    if isinstance(order, Move):
        effects.refusing[unit.location] = "was ordered an impossible move"
    elif isinstance(order, Convoy) and is_possible_on_map(position, settings, unit, order):
        army, target = province_of(order.army.location), province_of(order.target)
        effects.intents.setdefault((unit.power, army, target), str(unit))


def _note_disorder(effects: Effects, position: Position, rulings: Sequence[Ruling]) -> None:
    """DATC 4.D.9 a: a power without any orders is in civil disorder."""
    ordering = {ruling.submission.power for ruling in rulings}
    for unit in position.units:
        if unit.power not in ordering:
            effects.refusing[unit.location] = "belongs to a power in civil disorder"


def phase_of(
    profile: Profile,
    position: Position,
    rulings: Sequence[Ruling],
    settings: Settings | None = None,
) -> Phase:
    """The facts of a phase. Unlawful orders of declared kinds do not count; each is judged with all
    of them present. `settings` are those that the orders were judged by, if not the profile's."""
    settings, kinds = settings or profile.settings, profile.declared.kinds
    every = asks_for_places(profile)
    phase = build_phase(position, rulings, settings, kinds, every_province=every)
    if not phase.declared:
        return phase
    seen = phase if every else build_phase(position, rulings, settings, kinds, every_province=True)
    refused = unlawful(profile, seen)
    return build_phase(position, rulings, settings, kinds, refused, every) if refused else phase
