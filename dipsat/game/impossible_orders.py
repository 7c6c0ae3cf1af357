"""Which impossible orders still count as orders (DATC 2.4 4.E.1 a to c)."""

from __future__ import annotations

from dipsat.board.map import Map
from dipsat.board.province import coast_of, province_of
from dipsat.board.unit_kind import UnitKind
from dipsat.game.convoying import Convoying, convoying, convoys_of
from dipsat.game.convoys import on_minimal_route, route_exists
from dipsat.game.position import Position, Unit
from dipsat.game.settings import Settings
from dipsat.orders.order import Convoy, Move, MovementOrder, SupportHold, SupportMove

BAD_ATTRIBUTE = "attribute_wrong"
"""The code of an order that gets a unit's attributes wrong."""
BADLY_NAMED = frozenset({
    "kind_missing", "kind_wrong", "nationality_missing", "nationality_wrong", BAD_ATTRIBUTE,
})  # fmt: skip
"""Codes of 4.C: such an order is invalid, and "the unit can receive hold support"."""
_BY_POSITION = {
    "unreachable", "no_convoy_possible", "no_such_unit", "impossible_move", "not_an_army",
    "no_part_in_convoy",
}  # fmt: skip
"""Codes that may depend on where the other units stand."""


def is_order(
    position: Position, settings: Settings, unit: Unit, order: MovementOrder, code: str
) -> bool:
    """Whether a unit's order, illegal for the reason `code`, still counts as an order. The code is
    "" for an order that breaks a condition of the rules."""
    if settings.legal == "position" or code in BADLY_NAMED:
        return False
    if settings.legal == "map":
        return code in _BY_POSITION and is_possible_on_map(position, settings, unit, order)
    # A coast that is not on the map is a place that is not on the map.
    return settings.legal == "format" or code != "coast_irrelevant"


def is_possible_on_map(
    position: Position, settings: Settings, unit: Unit, order: MovementOrder
) -> bool:
    """Whether the unit could carry out the order if other units, of any kind, stood elsewhere."""
    board, kinds = position.map, convoying(position, settings)
    if isinstance(order, Move):
        seas = frozenset(order.path) if settings.convoy_path != "ignored" else frozenset[str]()
        return any(
            route_exists(one.net, unit.location, place, seas & one.places or one.places)
            for one in convoys_of(kinds, unit.kind)
            for place in one.net.landing_places(_meant(unit.kind, order.target))
        )
    if isinstance(order, Convoy):
        return any(_could_convoy(one, unit, order) for one in kinds)
    if isinstance(order, SupportHold | SupportMove):
        named = province_of(order.supported.location)
        aim = order.target if isinstance(order, SupportMove) else named
        if province_of(aim) not in board.reach_provinces(unit.kind, unit.location):
            return False
        if isinstance(order, SupportHold):
            return True
        return named != unit.province and (
            any(_could_move(board, kind, named, aim) for kind in position.words.units)
            or any(_could_be_carried(one, named, aim, unit.province) for one in kinds)
        )
    return False


def _meant(kind: UnitKind, target: str) -> str:
    """The location that a move leads to: a coast matters to some kinds only."""
    return target if kind.has_coasts else province_of(target)


def _could_convoy(kind: Convoying, unit: Unit, order: Convoy) -> bool:
    if unit.kind is not kind.carriage.carrier or unit.province not in kind.places:
        return False
    cargo, net = kind.carriage.cargo, kind.net
    return any(
        on_minimal_route(net, origin, target, kind.places, unit.province)
        for origin in net.landing_places(_meant(cargo, order.army.location))
        for target in net.landing_places(_meant(cargo, order.target))
    )


def _could_move(board: Map, kind: UnitKind, origin: str, target: str) -> bool:
    """Whether a unit of a kind in province `origin` could move to `target` without a convoy."""
    starts = board.provinces[origin].locations if kind.has_coasts else (origin,)
    for start in starts:
        if _meant(kind, target) in board.reach(kind, start):
            return True
        if not coast_of(target) and target in board.reach_provinces(kind, start):
            return True
    return False


def _could_be_carried(kind: Convoying, origin: str, target: str, but: str) -> bool:
    """Whether a unit in province `origin` could be convoyed to `target` without carriers in
    province `but`."""
    return any(
        route_exists(kind.net, start, place, kind.places - {but})
        for start in kind.net.landing_places(origin)
        for place in kind.net.landing_places(_meant(kind.carriage.cargo, target))
    )
