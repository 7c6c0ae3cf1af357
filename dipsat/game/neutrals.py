"""What the units of neutral powers do, which nobody plays.

The map says which powers these are, and which of their units it rebuilds. Such a unit holds. If it
is dislodged, it does not retreat, so it is disbanded at once. Its power neither builds nor disbands
in winter, and cannot win.
"""

from __future__ import annotations

from dipsat.board.map import Map
from dipsat.game.position import Position
from dipsat.game.unit import Unit, completed
from dipsat.game.unit_reader import unit_reader
from dipsat.orders.order import Hold, Order
from dipsat.titles import titled


def refusal_of(board: Map, power: str, order: Order) -> tuple[str, str] | None:
    """The code of, and the reason for, the refusal of an order of a neutral power; None for its
    holds, and for every order of other powers."""
    if power not in board.neutrals or isinstance(order, Hold):
        return None
    return "neutral", f"{titled(power)}'s units hold: the map gives them no orders"


def no_retreat(power: str) -> str:
    """What happens to a dislodged unit of a neutral power, in words."""
    return f"{titled(power)}'s units do not retreat, so it is disbanded"


def rebuilt_garrisons(position: Position) -> tuple[Unit, ...]:
    """The garrisons that are rebuilt in the winter of a position: no other power owns their centre,
    and no unit stands there."""
    found = []
    for power, text in position.map.garrisons:
        unit = unit_reader(position.map, position.words)(power, text)
        is_vacant = unit.province not in position.by_province
        if is_vacant and position.owner(unit.province) in ("", power):
            found.append(completed(unit, position.words.attributes))
    return tuple(found)
