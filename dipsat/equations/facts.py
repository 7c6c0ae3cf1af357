"""The facts of a movement phase: every object that an equation may speak of.

The attributes of these classes are the words of `dipsat.profiles.vocabulary`; `index` is an
object's place in the phase's list of its kind, and `issued` the guard of a candidate order (here
true: the orders are known). Sets of candidates are tuples or lists. Objects are filled in while
the phase is built and not changed afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dipsat.board.map import Map
from dipsat.board.province import Province, UnitKind, province_of
from dipsat.equations.instances import Combination, combinations, is_single
from dipsat.equations.terms import Term
from dipsat.game.convoys import on_minimal_route, route_exists
from dipsat.game.legality import Ruling, Status
from dipsat.game.phase_name import SEASON_WORDS, PhaseName
from dipsat.game.position import FIRST_PHASE, Position, Unit
from dipsat.game.settings import Settings
from dipsat.orders.order import Convoy, Hold, Move, Order, SupportHold, SupportMove, UnitName
from dipsat.profiles.syntax import Variable

_NO_ORDER = Hold(UnitName(""))
_KINDS = {UnitKind.ARMY: "army", UnitKind.FLEET: "fleet"}


class ProvinceFacts:
    """A province in play: a unit stands in it or moves to it."""

    __slots__ = (
        "_position", "attackers", "code", "departures", "index", "kind", "province", "supply",
        "units",
    )  # fmt: skip

    def __init__(self, index: int, province: Province, position: Position | None = None) -> None:
        self._position = position
        self.index = index
        self.province = province
        self.code = province.code
        self.kind = province.kind
        self.supply = province.supply
        self.units: Sequence[UnitFacts] = ()
        self.attackers: list[MoveFacts] = []
        self.departures: Sequence[MoveFacts] = ()

    @property
    def owner(self) -> str:
        """The power that owns it, "" for none. Looked up when asked for: few rules do."""
        return "" if self._position is None else self._position.owner(self.code)

    def __str__(self) -> str:
        return self.code


class UnitFacts:
    """A unit with what it was ordered. `candidate` is its move, matching support or matching
    convoy, None if it has none."""

    __slots__ = (
        "candidate", "convoys", "index", "kind", "moves", "order", "power", "province", "supports",
        "unit",
    )  # fmt: skip

    def __init__(self, index: int, unit: Unit, province: ProvinceFacts, order: Order) -> None:
        self.index = index
        self.unit = unit
        self.power = unit.power
        self.kind = _KINDS[unit.kind]
        self.province = province
        self.order = order
        self.candidate: MoveFacts | SupportFacts | ConvoyFacts | None = None
        self.moves: Sequence[MoveFacts] = ()
        self.supports: Sequence[SupportFacts] = ()
        self.convoys: Sequence[ConvoyFacts] = ()

    def attribute(self, name: str) -> str:
        """An attribute that the rules declare."""
        return dict(self.unit.attributes)[name]

    def __str__(self) -> str:
        return str(self.unit)


class MoveFacts:
    """A legal move order. `target_location` is where it ends, with a fleet's coast."""

    __slots__ = (
        "by_land", "convoyed", "convoys", "facing", "index", "issued", "opponents", "origin",
        "power", "rivals", "supports", "target", "target_location", "unit", "via",
    )  # fmt: skip

    def __init__(
        self,
        index: int,
        unit: UnitFacts,
        target: ProvinceFacts,
        order: Move,
        by_land: bool,
        convoyed: bool,
    ) -> None:
        self.index = index
        self.issued: Term = True
        self.unit = unit
        self.power = unit.power
        self.origin = unit.province
        self.target = target
        self.target_location = order.target
        self.via = order.via
        self.by_land = by_land
        self.convoyed = convoyed
        self.rivals: Sequence[MoveFacts] = ()
        self.facing: Sequence[MoveFacts] = ()
        self.opponents: Sequence[MoveFacts] = ()
        self.supports: Sequence[SupportFacts] = ()
        self.convoys: Sequence[ConvoyFacts] = ()

    @property
    def meeting(self) -> Sequence[MoveFacts]:
        """The moves out of its target or into its origin; few rules ask for them."""
        return tuple(dict.fromkeys((*self.target.departures, *self.origin.attackers)))

    def __str__(self) -> str:
        return f"{self.unit} - {self.target_location}"


class SupportFacts:
    """A support order that matches what the supported unit does."""

    __slots__ = (
        "index", "issued", "origin", "power", "province", "supported", "target", "unit",
    )  # fmt: skip

    def __init__(
        self, index: int, unit: UnitFacts, supported: UnitFacts, target: ProvinceFacts
    ) -> None:
        self.index = index
        self.issued: Term = True
        self.unit = unit
        self.power = unit.power
        self.province = unit.province
        self.supported = supported
        self.origin = supported.province
        self.target = target

    def __str__(self) -> str:
        move = f" - {self.target}" if self.target is not self.origin else ""
        return f"{self.unit} S {self.supported}{move}"


class ConvoyFacts:
    """A convoy order that matches the army's move."""

    __slots__ = (
        "_on_route", "army", "board", "index", "issued", "origin", "power", "province", "target",
        "unit",
    )  # fmt: skip

    def __init__(
        self, index: int, unit: UnitFacts, army: UnitFacts, target: ProvinceFacts, board: Map
    ) -> None:
        self._on_route: bool | None = None
        self.board = board
        self.index = index
        self.issued: Term = True
        self.unit = unit
        self.power = unit.power
        self.province = unit.province
        self.army = army
        self.origin = army.province
        self.target = target

    @property
    def on_route(self) -> bool:
        """Whether a route of the orders that may carry the army needs it. Found when asked for:
        few rules do."""
        if self._on_route is None:
            seas = {c.province.code for move in self.army.moves for c in move.convoys}
            sea = self.province.code
            ends = self.origin.code, self.target.code
            self._on_route = sea in seas and on_minimal_route(self.board, *ends, seas, sea)
        return self._on_route

    def __str__(self) -> str:
        return f"{self.unit} C {self.army} - {self.target}"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a legal order is invalid: code, sentence, and the unit whose order does not match."""

    code: str
    reason: str
    because: tuple[UnitFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase in facts. `invalid` maps a unit's index to why its order is invalid."""

    map: Map
    provinces: tuple[ProvinceFacts, ...]
    units: tuple[UnitFacts, ...]
    moves: tuple[MoveFacts, ...]
    supports: tuple[SupportFacts, ...]
    convoys: tuple[ConvoyFacts, ...]
    invalid: dict[int, Mismatch]
    name: PhaseName = FIRST_PHASE
    _combined: dict[tuple[Variable, ...], tuple[Combination, ...]] = field(default_factory=dict)

    @property
    def season(self) -> str:
        """Its season: "spring", "summer", "fall" or "winter"."""
        return SEASON_WORDS[self.name.season]

    def objects(self, indices: tuple[Variable, ...]) -> Sequence[Any]:
        """What the decisions of a family with these indices are about, by number."""
        if is_single(indices):
            return self.domain(indices[0].type.name)
        found = self._combined.get(indices)
        if found is None:
            found = self._combined[indices] = combinations(indices, self.domain)
        return found

    def domain(self, kind: str) -> Sequence[Any]:
        """All objects of a type of the vocabulary ("Move", "Unit", ...)."""
        return {
            "Province": self.provinces,
            "Unit": self.units,
            "Move": self.moves,
            "Support": self.supports,
            "Convoy": self.convoys,
            "Retreat": (),
            "Phase": (self,),
        }[kind]


def build_phase(position: Position, rulings: Sequence[Ruling], settings: Settings) -> Phase:
    """The facts of a phase: legal orders matched with each other; a unit without one holds."""
    return _Builder(position, rulings, settings).phase()


class _Builder:
    def __init__(self, position: Position, rulings: Sequence[Ruling], settings: Settings) -> None:
        self.board = position.map
        self.position = position
        self.settings = settings
        self.refusing: dict[str, str] = {}  # location -> why it cannot be supported to hold
        self.intents: set[tuple[str, str, str]] = set()
        ordered: dict[str, Order] = {}
        for ruling in rulings:
            if ruling.unit is None:
                continue
            if ruling.status is not Status.ILLEGAL:
                ordered[ruling.unit.location] = ruling.order
            elif ruling.counts:
                self._impossible(ruling, ruling.unit)
        if settings.disorder_support == "refused":
            self._disorder(position, rulings)
        self.places: dict[str, ProvinceFacts] = {}
        self.by_province: dict[str, UnitFacts] = {}
        for at, unit in enumerate(position.units):
            place = self._place(unit.province)
            order = ordered.get(unit.location, _NO_ORDER)
            facts = UnitFacts(at, unit, place, order)
            place.units = (facts,)
            self.by_province[unit.province] = facts
        self.moves: list[MoveFacts] = []
        self.supports: list[SupportFacts] = []
        self.convoys: list[ConvoyFacts] = []
        self.invalid: dict[int, Mismatch] = {}

    def _impossible(self, ruling: Ruling, unit: Unit) -> None:
        """2.4 4.E.1 a to c: the effects of an order that is impossible."""
        order = ruling.order
        if isinstance(order, Move):
            self.refusing[unit.location] = "was ordered an impossible move"
        elif isinstance(order, Convoy):
            army, target = province_of(order.army.location), province_of(order.target)
            self.intents.add((unit.power, army, target))

    def _disorder(self, position: Position, rulings: Sequence[Ruling]) -> None:
        """4.D.9 a: a power without any order is in civil disorder."""
        ordering = {ruling.submission.power for ruling in rulings}
        for unit in position.units:
            if unit.power not in ordering:
                self.refusing[unit.location] = "is of a power in civil disorder"

    def phase(self) -> Phase:
        units = tuple(self.by_province.values())
        convoy_orders: dict[tuple[str, str], list[tuple[UnitFacts, Convoy]]] = {}
        for unit in units:
            if type(unit.order) is Convoy:
                key = (province_of(unit.order.army.location), unit.order.target)
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
                self.invalid[move.unit.index] = Mismatch(
                    "no_convoy_ordered", "no complete convoy is ordered for it"
                )
        return Phase(
            self.board,
            tuple(self.places.values()),
            units,
            tuple(self.moves),
            tuple(self.supports),
            tuple(self.convoys),
            self.invalid,
            self.position.phase,
        )

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
        by_land = target in self.board.reach_provinces(unit.unit.kind, unit.unit.location)
        convoyed = not by_land or order.via
        if not convoyed and convoys and unit.kind == "army":
            ordered = convoys.get((unit.province.code, target), [])
            convoyed = bool(ordered) and self._by_convoy(unit, target, ordered)
        elif by_land and convoyed and self.settings.via_without_convoy == "by land":
            ordered = convoys.get((unit.province.code, target), [])
            seas = [fleet.province.code for fleet, _ in ordered]
            seas = [sea for sea in seas if not order.path or sea in order.path]
            convoyed = route_exists(self.board, unit.province.code, target, seas)
        place = self._place(target)
        move = MoveFacts(len(self.moves), unit, place, order, by_land, convoyed)
        self.moves.append(move)
        place.attackers.append(move)
        unit.candidate = move
        unit.moves = unit.province.departures = (move,)

    def _by_convoy(
        self, unit: UnitFacts, target: str, ordered: list[tuple[UnitFacts, Convoy]]
    ) -> bool:
        """4.A.3: whether a move that could go by land, and is not ordered via convoy, does not."""
        rule = self.settings.adjacent_convoy
        if rule == "explicit" or self.settings.convoy_path == "required":
            return False
        intended = any(fleet.power == unit.power for fleet, _ in ordered)
        intended = intended or (unit.power, unit.province.code, target) in self.intents
        if rule == "intent" and not intended:
            return False
        if rule == "opposed":
            there = self.by_province.get(target)
            if there is None or not isinstance(there.order, Move):
                return False
            if province_of(there.order.target) != unit.province.code:
                return False
        seas = [fleet.province.code for fleet, _ in ordered]
        return route_exists(self.board, unit.province.code, target, seas)

    def _has_route(self, move: MoveFacts) -> bool:
        seas = [convoy.province.code for convoy in move.convoys]
        return bool(seas) and route_exists(self.board, move.origin.code, move.target.code, seas)

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
        self._unmatched(unit, supported, f"{supported} does not move to {order.target}")

    def _support_hold(self, unit: UnitFacts) -> None:
        order = unit.order
        assert isinstance(order, SupportHold)
        supported = self.by_province[province_of(order.supported.location)]
        if supported.moves:
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
            if move.target.code == order.target:
                convoy = ConvoyFacts(len(self.convoys), unit, army, move.target, self.board)
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
