"""Orders that are given to units whose places are known, beside units that may stand anywhere."""

from __future__ import annotations

from dataclasses import dataclass

from dipsat.orders.order import MovementOrder

HOLD, MOVE, SUPPORT, CONVOY = "hold", "move", "support", "convoy"


@dataclass(frozen=True, slots=True)
class Given:
    """An order that could be followed with units in the right places.

    `act` is one of `HOLD`, `MOVE`, `SUPPORT` and `CONVOY`; `of` the province of the unit that is
    supported or convoyed, `target` that to which it or the unit itself is to move, `location` the
    same with a coast; "" where there is none. `via` is whether a move that is possible by land is
    to go by convoy. `order` is what was written.
    """

    act: str
    order: MovementOrder
    of: str = ""
    target: str = ""
    location: str = ""
    via: bool = False
