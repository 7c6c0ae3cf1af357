"""The facts of a small movement phase, made by hand from its orders: what is legal, which orders
match, and what goes by convoy, under the standard rules. Neither dipsat's equations nor its
matching of orders are used; `datc_equations` reads these facts like those of dipsat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import dipsat
from dipsat.board import province_of
from dipsat.orders import Convoy, Hold, Move, SupportHold, SupportMove


@dataclass(frozen=True, eq=False)
class Place:
    """A province; one object for each."""

    code: str
    kind: str


@dataclass(eq=False)
class ByHand:
    """A unit with its order: a move, a support, a convoy, or no order that counts."""

    unit: Any
    """The unit, or, for an order, the `ByHand` of its unit."""
    province: Place
    power: str
    order: Any = None
    is_legal: bool = True
    supported: ByHand | None = None
    origin: Any = None
    target: Any = None
    convoyed: bool = False
    by_land: bool = False
    convoys: list[ByHand] = field(default_factory=list)


@dataclass(eq=False)
class PhaseByHand:
    """A movement phase."""

    map: dipsat.Map
    units: list[ByHand]
    moves: list[ByHand] = field(default_factory=list)
    supports: list[ByHand] = field(default_factory=list)
    convoys: list[ByHand] = field(default_factory=list)

    def unit_in(self, code: str) -> ByHand | None:
        """The unit in a province."""
        return next((one for one in self.units if one.province.code == code), None)

    @property
    def fleets(self) -> frozenset[str]:
        """The seas with fleets."""
        return frozenset(one.province.code for one in self.units if one.province.kind == "sea")


class TooHardError(Exception):
    """An order that only dipsat can interpret, such as one without its coast."""


def phase_by_hand(position: dipsat.Position, orders: Mapping[str, Sequence[str]]) -> PhaseByHand:
    """The facts of a phase. Raises `TooHardError`."""
    board = position.map
    places = {code: Place(code, one.kind) for code, one in board.provinces.items()}
    phase = PhaseByHand(board, [])
    for unit in position.units:
        phase.units.append(ByHand(unit, places[unit.province], unit.power))
    for power, texts in orders.items():
        for text in texts:
            order: Any = position.reader.read(text)
            own = phase.unit_in(province_of(order.unit.location))
            if own is None or own.power != power or own.order is not None:
                raise TooHardError
            own.order = order
    for own in phase.units:
        own.is_legal = own.order is None or is_legal(phase, own)
    for own in phase.units:
        if own.is_legal and isinstance(own.order, Move):
            phase.moves.append(move_of(phase, own, places))
    for own in phase.units:
        if own.is_legal and isinstance(own.order, SupportHold | SupportMove):
            add_support(phase, own, places)
    return phase


def goes(board: dipsat.Map, own: ByHand, target: str) -> bool:
    """Whether a unit may move to a location without a convoy."""
    reached = board.reach(own.unit.kind, own.unit.location)
    near = [one for one in reached if province_of(one) == province_of(target)]
    if near and target not in near:
        raise TooHardError
    return bool(near)


def enters(board: dipsat.Map, own: ByHand, code: str) -> bool:
    """Whether a unit could move into some part of a province."""
    return code in board.reach_provinces(own.unit.kind, own.unit.location)


def leads(board: dipsat.Map, start: str, end: str, seas: frozenset[str]) -> bool:
    """Whether a chain of these seas leads from coast to coast."""
    reached = seas & board.water[start]
    for _ in seas:
        reached |= {sea for sea in seas if board.water[sea] & reached}
    return bool(reached & board.water[end])


def routes(
    board: dipsat.Map, start: str, end: str, seas: frozenset[str]
) -> Iterator[frozenset[str]]:
    """Every set of seas that makes a route and in which no sea is superfluous."""
    found: list[frozenset[str]] = []
    for size in range(1, len(seas) + 1):
        for some in map(frozenset, combinations(sorted(seas), size)):
            if not any(less <= some for less in found) and leads(board, start, end, some):
                found.append(some)
                yield some


def sails(phase: PhaseByHand, own: ByHand, code: str, seas: frozenset[str]) -> bool:
    """Whether an army could be convoyed to a province over these seas."""
    here = own.province.code
    coasts = {here, code} <= phase.map.water.keys() and phase.map.provinces[code].kind != "sea"
    is_army = str(own.unit.kind) == "A" and here != code
    return is_army and coasts and leads(phase.map, here, code, seas)


def is_legal(phase: PhaseByHand, own: ByHand) -> bool:
    board, order = phase.map, own.order
    if isinstance(order, Hold):
        return True
    if isinstance(order, Move):
        code = province_of(order.target)
        by_sea = sails(phase, own, code, phase.fleets)
        return by_sea or (not order.via and goes(board, own, order.target))
    named = order.army if isinstance(order, Convoy) else order.supported
    other = phase.unit_in(province_of(named.location))
    if other is None or other is own:
        return False
    code = other.province.code if isinstance(order, SupportHold) else province_of(order.target)
    if isinstance(order, Convoy):
        if own.province.kind != "sea" or str(other.unit.kind) != "A":
            return False
        here = other.province.code
        if (
            here == code
            or not {here, code} <= board.water.keys()
            or (board.provinces[code].kind == "sea")
        ):
            return False
        return any(own.province.code in one for one in routes(board, here, code, phase.fleets))
    if not enters(board, own, code):
        return False
    if isinstance(order, SupportHold):
        return True
    without = phase.fleets - {own.province.code}
    return code != other.province.code and (
        enters(board, other, code) or sails(phase, other, code, without)
    )


def move_of(phase: PhaseByHand, own: ByHand, places: Mapping[str, Place]) -> ByHand:
    code = province_of(own.order.target)
    made = ByHand(own, own.province, own.power, own.order, origin=own.province)
    made.target = places[code]
    made.by_land = enters(phase.map, own, code)
    for fleet in phase.units:
        order = fleet.order
        if isinstance(order, Convoy) and fleet.is_legal:
            army, to = province_of(order.army.location), province_of(order.target)
            if (army, to) == (own.province.code, code):
                made.convoys.append(ByHand(fleet, fleet.province, fleet.power, order))
    phase.convoys += made.convoys
    meant = own.order.via or any(one.power == own.power for one in made.convoys)
    made.convoyed = not made.by_land or meant
    return made


def add_support(phase: PhaseByHand, own: ByHand, places: Mapping[str, Place]) -> None:
    order = own.order
    other = phase.unit_in(province_of(order.supported.location))
    assert other is not None
    own_move = next((one for one in phase.moves if one.unit is other), None)
    code = other.province.code
    if isinstance(order, SupportMove):
        code = province_of(order.target)
        if own_move is None or own_move.target is not places[code]:
            return
        if order.target not in (code, own_move.order.target):
            raise TooHardError
    elif own_move is not None:
        return
    made = ByHand(own, own.province, own.power, order, supported=other, origin=other.province)
    made.target = places[code]
    phase.supports.append(made)
