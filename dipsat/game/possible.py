"""Which orders that are impossible now are orders all the same (DATC 2.4 4.E.1 a to c)."""

from __future__ import annotations

from dipsat.board.map import Map
from dipsat.board.province import UnitKind, coast_of, province_of
from dipsat.game.conditions import convoy_waters
from dipsat.game.convoys import on_minimal_route, route_exists
from dipsat.game.position import Position, Unit
from dipsat.game.settings import Settings
from dipsat.orders.order import Convoy, Move, MovementOrder, SupportHold, SupportMove

BAD_ATTRIBUTE = "attribute_wrong"
"""The code of an order that says something wrong of a unit's attributes."""
_BADLY_NAMED = {
    "kind_missing", "kind_wrong", "nationality_missing", "nationality_wrong", BAD_ATTRIBUTE,
}  # fmt: skip
"""Codes of 4.C: such an order is invalid, and "the unit can receive hold support"."""
_BY_POSITION = {
    "unreachable", "no_convoy_possible", "no_such_unit", "impossible_move", "not_an_army",
    "no_part_in_convoy",
}  # fmt: skip
"""Codes that may be due to where the other units stand."""


def is_order(
    position: Position, settings: Settings, unit: Unit, order: MovementOrder, code: str
) -> bool:
    """Whether the order of a unit, illegal for the reason `code`, is an order. The code is "" for
    an order that breaks a condition of the rules."""
    if settings.legal == "position" or code in _BADLY_NAMED:
        return False
    if settings.legal == "map":
        return code in _BY_POSITION and _possible_on(position, settings, unit, order)
    # A coast that is not on the map is a place that is not.
    return settings.legal == "format" or code != "coast_irrelevant"


def _possible_on(position: Position, settings: Settings, unit: Unit, order: MovementOrder) -> bool:
    """Whether the unit could carry it out if other units, of any kind, stood elsewhere."""
    board, waters = position.map, convoy_waters(position.map, position.phase, settings)
    if isinstance(order, Move):
        seas = frozenset(order.path) if settings.convoy_path != "ignored" else frozenset[str]()
        return unit.kind is UnitKind.ARMY and route_exists(
            board, unit.province, province_of(order.target), seas & waters or waters
        )
    if isinstance(order, Convoy):
        if unit.kind is not UnitKind.FLEET or unit.province not in waters:
            return False
        ends = province_of(order.army.location), province_of(order.target)
        return on_minimal_route(board, *ends, waters, unit.province)
    if isinstance(order, SupportHold | SupportMove):
        named = province_of(order.supported.location)
        aim = order.target if isinstance(order, SupportMove) else named
        if province_of(aim) not in board.reach_provinces(unit.kind, unit.location):
            return False
        if isinstance(order, SupportHold):
            return True
        return named != unit.province and _could_move(board, named, aim, waters - {unit.province})
    return False


def _could_move(board: Map, origin: str, target: str, seas: frozenset[str]) -> bool:
    """Whether some unit in province `origin` could move to `target`, convoyed by fleets in
    `seas`."""
    province = province_of(target)
    if province in board.army.get(origin, ()):
        return True
    for start in board.provinces[origin].locations:
        if target in board.fleet.get(start, ()):
            return True
        if not coast_of(target) and province in board.fleet_provinces.get(start, ()):
            return True
    return route_exists(board, origin, province, seas)
