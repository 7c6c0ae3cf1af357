"""From the orders of a movement phase to its facts: legal orders matched with each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dipsat.board.province import province_of
from dipsat.equations.declared_facts import (
    DeclaredFacts,
    Fault,
    Referents,
    by_type,
    count_in,
    order_facts,
)
from dipsat.equations.facts import (
    ConvoyFacts,
    Mismatch,
    MoveFacts,
    Phase,
    ProvinceFacts,
    SupportFacts,
    UnitFacts,
)
from dipsat.game.convoying import convoy_nets
from dipsat.game.convoys import route_exists
from dipsat.game.legality import Ruling, Status
from dipsat.game.position import Position, Unit
from dipsat.game.possible import is_possible_on_map
from dipsat.game.settings import Settings
from dipsat.orders.order import (
    Convoy,
    DeclaredOrder,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
    UnitName,
)
from dipsat.profiles.order_kinds import DeclaredKind

NO_KINDS: Mapping[str, DeclaredKind] = {}
_NO_ORDER = Hold(UnitName(""))


def build_phase(
    position: Position,
    rulings: Sequence[Ruling],
    settings: Settings,
    kinds: Mapping[str, DeclaredKind] = NO_KINDS,
    refused: Sequence[tuple[Ruling, Mismatch]] = (),
    every_province: bool = False,
) -> Phase:
    """The facts of a phase: legal orders matched with each other; a unit without one holds.

    `kinds` are the kinds of orders that the rules declare; those in `refused` do not count.
    Of provinces the phase has those in which a unit is or to which an order leads, and with
    `every_province` all of the map.
    """
    builder = _Builder(position, rulings, settings, kinds, refused)
    if every_province:
        builder.place_all()
    return builder.phase()


class _Builder:
    def __init__(
        self,
        position: Position,
        rulings: Sequence[Ruling],
        settings: Settings,
        kinds: Mapping[str, DeclaredKind],
        refused: Sequence[tuple[Ruling, Mismatch]],
    ) -> None:
        self.board = position.map
        self.kinds = kinds
        self.refused = list(refused)
        self.special: list[Ruling] = []
        self.declared: dict[str, tuple[DeclaredFacts, ...]] = {}
        self.position = position
        self.settings = settings
        self.refusing: dict[str, str] = {}  # location -> why it cannot be supported to hold
        self.intents: set[tuple[str, str, str]] = set()
        ordered: dict[str, Order] = {}
        for ruling in self._admitted(rulings) if kinds else rulings:
            if ruling.unit is None:
                continue
            if ruling.status is not Status.ILLEGAL:
                ordered[ruling.unit.location] = ruling.order
            elif ruling.counts:
                self._impossible(ruling, ruling.unit)
        if settings.disorder_support == "refused":
            self._disorder(position, rulings)
        self.nets = convoy_nets(position)
        self.places: dict[str, ProvinceFacts] = {}
        self.by_province: dict[str, UnitFacts] = {}
        for at, unit in enumerate(position.units):
            place = self._place(unit.province)
            order = ordered.get(unit.location, _NO_ORDER)
            facts = UnitFacts(at, unit, place, order)
            facts.around = self.board, self.places
            place.units = (facts,)
            self.by_province[unit.province] = facts
        self.moves: list[MoveFacts] = []
        self.supports: list[SupportFacts] = []
        self.convoys: list[ConvoyFacts] = []
        self.invalid: dict[int, Mismatch] = {}

    def _admitted(self, rulings: Sequence[Ruling]) -> list[Ruling]:
        """The rulings on orders that the rules do not refuse; those of declared kinds are noted."""
        illegal = {id(ruling) for ruling, _ in self.refused}
        admitted = [ruling for ruling in rulings if id(ruling) not in illegal]
        self.special = [
            ruling
            for ruling in admitted
            if isinstance(ruling.order, DeclaredOrder) and ruling.status is not Status.ILLEGAL
        ]
        return admitted

    def _impossible(self, ruling: Ruling, unit: Unit) -> None:
        """2.4 4.E.1 a to c: the effects of an order that is impossible.

        A convoy order shows intent only if the fleet could be part of a route (2.4 4.A.3 d, 6.G.7).
        """
        order = ruling.order
        if isinstance(order, Move):
            self.refusing[unit.location] = "was ordered an impossible move"
        elif isinstance(order, Convoy) and is_possible_on_map(
            self.position, self.settings, unit, order
        ):
            army, target = province_of(order.army.location), province_of(order.target)
            self.intents.add((unit.power, army, target))

    def _disorder(self, position: Position, rulings: Sequence[Ruling]) -> None:
        """4.D.9 a: a power without any order is in civil disorder."""
        ordering = {ruling.submission.power for ruling in rulings}
        for unit in position.units:
            if unit.power not in ordering:
                self.refusing[unit.location] = "is of a power in civil disorder"

    def place_all(self) -> None:
        """Have facts about every province of the map."""
        for code in sorted(self.board.provinces):
            self._place(code)

    def phase(self) -> Phase:
        units = tuple(self.by_province.values())
        if self.special:
            self._declared()
        convoy_orders: dict[tuple[str, str], list[tuple[UnitFacts, Convoy]]] = {}
        for unit in units:
            if type(unit.order) is Convoy:
                key = (province_of(unit.order.army.location), province_of(unit.order.target))
                convoy_orders.setdefault(key, []).append((unit, unit.order))
        for unit in units:
            if type(unit.order) is Move:
                self._move(unit, convoy_orders)
        self._meet()
        for unit in units:
            if type(unit.order) is SupportMove:
                self._support_move(unit)
            elif type(unit.order) is SupportHold:
                self._support_hold(unit)
        for orders in convoy_orders.values():
            for unit, order in orders:
                self._convoy(unit, order)
        for move in self.moves:
            if move.convoyed and not self._has_route(move):
                self.invalid[move.unit.index] = _no_convoy(move)
        return Phase(
            self.board,
            tuple(self.places.values()),
            units,
            tuple(self.moves),
            tuple(self.supports),
            tuple(self.convoys),
            self.invalid,
            self.position.phase,
            self.declared,
            tuple(self.refused),
        )

    def _declared(self) -> None:
        """The orders of declared kinds."""
        orders: list[DeclaredFacts] = []
        numbers: dict[str, int] = {}
        where = Referents(self.board, self.by_province, self._place)
        for ruling in self.special:
            assert isinstance(ruling.order, DeclaredOrder)
            declared = self.kinds[ruling.order.kind]
            found = order_facts(declared.kind, declared.legs, ruling, where, numbers)
            if isinstance(found, Fault):
                self.refused.append((ruling, Mismatch(found.code, found.reason)))
                continue
            orders.append(found)
            count_in(numbers, found)
            if found.unit is not None:
                found.unit.candidate = found
        self.declared = by_type(orders)

    def _meet(self) -> None:
        """Moves that aim at the same province, and moves against each other."""
        for move in self.moves:
            attackers = move.target.attackers
            if len(attackers) > 1:
                move.rivals = [other for other in attackers if other is not move]
            for other in move.target.departures:
                if other.target is move.origin:
                    move.facing = (other,)
                    if not move.convoyed and not other.convoyed:
                        move.opponents = move.facing

    def _place(self, code: str) -> ProvinceFacts:
        place = self.places.get(code)
        if place is None:
            place = ProvinceFacts(len(self.places), self.board.provinces[code], self.position)
            self.places[code] = place
        return place

    def _move(
        self, unit: UnitFacts, convoys: dict[tuple[str, str], list[tuple[UnitFacts, Convoy]]]
    ) -> None:
        order = unit.order
        assert isinstance(order, Move)
        target = province_of(order.target)
        by_land = order.target in self.board.reach(unit.unit.kind, unit.unit.location)
        convoyed = not by_land or order.via
        ordered = convoys.get((unit.province.code, target)) if convoys else None
        carriers = [one for one, c in ordered if _leads_to(c, order.target)] if ordered else []
        if not convoyed and (carriers or self.intents):
            convoyed = self._by_convoy(unit, order, carriers)
        elif by_land and convoyed and self.settings.goes_by_land_instead(order.path):
            if order.path:
                carriers = [one for one in carriers if one.province.code in order.path]
            convoyed = self._route(unit, order.target, carriers)
        place = self._place(target)
        move = MoveFacts(len(self.moves), unit, place, order, by_land, convoyed)
        self.moves.append(move)
        place.attackers.append(move)
        unit.candidate = move
        unit.moves = unit.province.departures = (move,)

    def _by_convoy(self, unit: UnitFacts, order: Move, carriers: Sequence[UnitFacts]) -> bool:
        """4.A.3: whether a move that could go by land, and is not ordered via convoy, does not.

        Where nothing makes it fall back to the land route, its power's intent is enough.
        """
        rule, target = self.settings.adjacent_convoy, province_of(order.target)
        if rule == "explicit" or self.settings.convoy_path == "required":
            return False
        intended = any(carrier.power == unit.power for carrier in carriers)
        intended = intended or (unit.power, unit.province.code, target) in self.intents
        if rule == "intent" and (not intended or self.settings.via_without_convoy == "stays"):
            return intended
        if rule == "opposed":
            there = self.by_province.get(target)
            if there is None or not isinstance(there.order, Move):
                return False
            if province_of(there.order.target) != unit.province.code:
                return False
        return self._route(unit, order.target, carriers)

    def _has_route(self, move: MoveFacts) -> bool:
        carriers = [convoy.unit for convoy in move.convoys]
        return bool(carriers) and self._route(move.unit, move.target_location, carriers)

    def _route(self, unit: UnitFacts, target: str, carriers: Sequence[UnitFacts]) -> bool:
        """Whether units with matching orders make a route for a unit to a location."""
        location, cargo = unit.unit.location, unit.unit.kind
        for (carrier, carried), net in self.nets.items():
            if carried is cargo:
                places = [one.province.code for one in carriers if one.unit.kind is carrier]
                if route_exists(net, location, target, places):
                    return True
        return False

    def _support_move(self, unit: UnitFacts) -> None:
        order = unit.order
        assert isinstance(order, SupportMove)
        supported = self.by_province[province_of(order.supported.location)]
        for move in supported.moves:
            where = move.target_location
            if order.target in (where, move.target.code):
                support = SupportFacts(len(self.supports), unit, supported, move.target)
                self.supports.append(support)
                unit.candidate = support
                move.supports = (*move.supports, support)
                return
        other = supported.candidate
        if isinstance(other, DeclaredFacts) and self._goes_to(other, order.target):
            support = SupportFacts(len(self.supports), unit, supported, other.target)
            self.supports.append(support)
            unit.candidate = support
            other.facts["supports"] = (*other.facts["supports"], support)
            return
        self._unmatched(unit, supported, f"{supported} does not move to {order.target}")

    @staticmethod
    def _goes_to(order: DeclaredFacts, target: str) -> bool:
        """Whether an order of a declared kind leads along a line to a place."""
        return bool(order.legs) and order.target.code == province_of(target)

    def _support_hold(self, unit: UnitFacts) -> None:
        order = unit.order
        assert isinstance(order, SupportHold)
        supported = self.by_province[province_of(order.supported.location)]
        other = supported.candidate
        if supported.moves or (isinstance(other, DeclaredFacts) and other.legs):
            self._unmatched(unit, supported, f"{supported} moves")
        elif supported.unit.location in self.refusing:
            why = self.refusing[supported.unit.location]
            self._unmatched(unit, supported, f"{supported} {why}")
        else:
            support = SupportFacts(len(self.supports), unit, supported, supported.province)
            self.supports.append(support)
            unit.candidate = support
            supported.supports = (*supported.supports, support)

    def _convoy(self, unit: UnitFacts, order: Convoy) -> None:
        army = self.by_province[province_of(order.army.location)]
        for move in army.moves:
            if _leads_to(order, move.target_location):
                net = self.nets[unit.unit.kind, army.unit.kind]
                convoy = ConvoyFacts(len(self.convoys), unit, move, net)
                self.convoys.append(convoy)
                unit.candidate = convoy
                unit.convoys = (convoy,)
                path = army.order.path if isinstance(army.order, Move) else ()
                if not path or unit.province.code in path:
                    move.convoys = (*move.convoys, convoy)
                return
        self._unmatched(unit, army, f"{army} does not move to {order.target}")

    def _unmatched(self, unit: UnitFacts, other: UnitFacts, reason: str) -> None:
        self.invalid[unit.index] = Mismatch("unmatched", reason, (other,))


def _no_convoy(move: MoveFacts) -> Mismatch:
    """Why a move does not happen whose convoy is not ordered."""
    reason = "no complete convoy is ordered for it"
    own = tuple(convoy.unit for convoy in move.convoys if convoy.power == move.power)
    if move.by_land and not move.via and own:
        reason = f"{own[0]} shows that it is to go by convoy, but {reason}"
    return Mismatch("no_convoy_ordered", reason)


def _leads_to(convoy: Convoy, target: str) -> bool:
    """Whether a convoy is one to a location; without a coast, it is to any coast."""
    return convoy.target in (target, province_of(target))
