"""Which kinds of order a phase takes."""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.errors import OrderFaultError
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.orders.order import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)

ORDERS_OF: Mapping[PhaseKind, frozenset[type]] = {
    PhaseKind.MOVEMENT: frozenset({Hold, Move, SupportHold, SupportMove, Convoy}),
    PhaseKind.RETREAT: frozenset({Retreat, Disband, Move}),  # many write A BEL - PIC
    PhaseKind.ADJUSTMENT: frozenset({Build, Disband, Waive}),
}


def refuse_misplaced(order: Order, power: str, text: str, phase: PhaseName) -> None:
    """Raise `OrderFaultError` for an order that no phase of this kind takes, such as a build in a
    movement phase."""
    if type(order) not in ORDERS_OF[phase.kind]:
        what = f"{phase} is a phase of {phase.kind.name.lower()}s"
        raise OrderFaultError(power, [text], f"no order of this phase; {what}")
