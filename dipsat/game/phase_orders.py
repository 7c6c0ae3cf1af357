"""The kinds of orders that each phase takes."""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.errors import OrderFaultError
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.orders.order import (
    Build,
    Convoy,
    DeclaredOrder,
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
    PhaseKind.EXTRA: frozenset(),
    PhaseKind.ADJUSTMENT: frozenset({Build, Disband, Waive}),
}
"""The kinds that every rulebook has."""

_WITH_DECLARED = (PhaseKind.MOVEMENT, PhaseKind.EXTRA)
_WHAT = {
    PhaseKind.MOVEMENT: "is a movement phase",
    PhaseKind.RETREAT: "is a retreat phase",
    PhaseKind.EXTRA: "takes only orders that the rules declare for it",
    PhaseKind.ADJUSTMENT: "is an adjustment phase",
}


def refuse_misplaced(order: Order, power: str, text: str, phase: PhaseName) -> None:
    """Raise `OrderFaultError` for an order that phases of this kind do not take, such as a build in
    a movement phase."""
    fits = type(order) in ORDERS_OF[phase.kind]
    if isinstance(order, DeclaredOrder):
        fits = phase.kind in _WITH_DECLARED and order.season == phase.extra_season
    if not fits:
        what = f"{phase} {_WHAT[phase.kind]}"
        raise OrderFaultError(power, [text], f"not an order of this phase; {what}")
