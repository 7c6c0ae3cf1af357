"""Implicit orders: moves deduced from supports and convoys of the same power (DATC 4.E.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dipsat.board.map import Map
from dipsat.board.province import coast_of, province_of
from dipsat.game.position import Position, Unit
from dipsat.game.ruling import Ruling, Status, Submission
from dipsat.orders.order import Convoy, Move, SupportMove
from dipsat.orders.writer import write_order


def implied_moves(
    rulings: Sequence[Ruling], position: Position
) -> Iterator[tuple[Submission, str]]:
    """The moves that legal orders imply, each with the reason, by the units' locations.

    Only a unit that its power gave no order at all has one, and only if all orders of its own
    power that speak of its move agree where it goes.
    """
    implying: dict[Unit, list[Ruling]] = {}
    for ruling in rulings:
        order = ruling.order
        if ruling.status is Status.ILLEGAL or not isinstance(order, SupportMove | Convoy):
            continue
        named = order.army if isinstance(order, Convoy) else order.supported
        unit = position.by_province[province_of(named.location)]
        if unit.power == ruling.submission.power:
            implying.setdefault(unit, []).append(ruling)
    ordered = {ruling.unit for ruling in rulings}
    for unit in sorted(implying.keys() - ordered, key=lambda unit: unit.location):
        move = _agreed(unit, implying[unit])
        if move is not None:
            yield _submission(unit, move, position.map), f"implied by {_texts(implying[unit])}"


def _agreed(unit: Unit, rulings: Sequence[Ruling]) -> Move | None:
    orders = [r.order for r in rulings if isinstance(r.order, SupportMove | Convoy)]
    targets = {order.target for order in orders}
    targets = {target for target in targets if coast_of(target)} or targets
    if len(targets) > 1 or len({province_of(order.target) for order in orders}) > 1:
        return None
    by_convoy = any(isinstance(order, Convoy) for order in orders)
    return Move(unit.name, targets.pop(), via=by_convoy)


def _submission(unit: Unit, move: Move, board: Map) -> Submission:
    return Submission(unit.power, write_order(move, board), move)


def _texts(rulings: Sequence[Ruling]) -> str:
    return " and ".join(ruling.submission.text for ruling in rulings)
