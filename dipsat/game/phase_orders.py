"""Which kinds of order a phase takes."""

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
"""Of those that every rulebook has."""

_WITH_DECLARED = (PhaseKind.MOVEMENT, PhaseKind.EXTRA)
_WHAT = {PhaseKind.EXTRA: "orders that the rules have for it alone"}


def refuse_misplaced(order: Order, power: str, text: str, phase: PhaseName) -> None:
    """Raise `OrderFaultError` for an order that no phase of this kind takes, such as a build in a
    movement phase."""
    fits = type(order) in ORDERS_OF[phase.kind]
    if isinstance(order, DeclaredOrder):
        fits = phase.kind in _WITH_DECLARED and order.season == phase.extra_season
    if not fits:
        what = f"{phase} is a phase of {_WHAT.get(phase.kind, f'{phase.kind.name.lower()}s')}"
        raise OrderFaultError(power, [text], f"no order of this phase; {what}")
