"""What the orders of one power mean together: several orders for one unit (DATC 4.D.1 to 4.D.3, and
the choices c of 4.C), and moves implied by supports and convoys (4.E.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dipsat.board.province import coast_of, province_of
from dipsat.errors import shortened
from dipsat.game.naming import NAMED_BETTER, gives_way
from dipsat.game.position import Position, Unit, by_location
from dipsat.game.ruling import Ruling, RulingStatus, Submission
from dipsat.game.settings import Settings
from dipsat.grouped import grouped
from dipsat.orders.order import Convoy, Move, SupportMove
from dipsat.orders.writer import write_order

SEVERAL = frozenset({"named_better", "several_orders", "ordered_later"})
"""The codes of orders that are illegal because the unit has another order."""


def settle_several(rulings: list[Ruling], settings: Settings) -> None:
    """Make all different orders of a unit illegal, or all except one."""
    units = [ruling.unit.location for ruling in rulings if ruling.unit is not None]
    if len(set(units)) == len(units):  # as in most phases
        return
    ordered = ((one.unit.location, at) for at, one in enumerate(rulings) if one.unit is not None)
    for orders in grouped(ordered).values():
        if len(orders) > 1:
            _settle(rulings, orders, settings)


def _settle(rulings: list[Ruling], orders: list[int], settings: Settings) -> None:
    """Settle several orders for one unit: 4.D.3, and the "unless named" readings of 4.C."""
    legal = [
        at for at in orders if rulings[at].status is not RulingStatus.ILLEGAL or rulings[at].counts
    ]
    legal = _of_last_batch(rulings, legal)
    vague = [at for at in legal if gives_way(settings, rulings[at].naming)]
    if len(vague) < len(legal):
        for at in vague:
            rulings[at] = rulings[at].made_illegal(*NAMED_BETTER)
        gone = set(vague)
        legal = [at for at in legal if at not in gone]
    if len({rulings[at].order for at in legal}) < 2:
        return
    used = {"first": legal[0], "last": legal[-1], "hold": None}[settings.multiple_orders]
    different = {rulings[at].order: rulings[at].submission.shown for at in legal}
    for at in legal:
        if used is None or rulings[at].order != rulings[used].order:
            other = next(text for order, text in different.items() if order != rulings[at].order)
            reason = f"the unit has another order too: {shortened(other)}"
            rulings[at] = rulings[at].made_illegal("several_orders", reason)


def _of_last_batch(rulings: list[Ruling], legal: list[int]) -> list[int]:
    """4.D.1: where several sets count, the last one that orders the unit applies. The orders of
    that set; different ones of earlier sets are made illegal."""
    batches = {at: rulings[at].submission.batch for at in legal}
    last = max(batches.values(), default=0)
    later = {rulings[at].order for at in legal if batches[at] == last}
    for at in [at for at in legal if batches[at] < last]:
        if rulings[at].order not in later:
            reason = "a later set of orders has another order for the unit"
            rulings[at] = rulings[at].made_illegal("ordered_later", reason)
    return [at for at in legal if batches[at] == last]


def implied_moves(
    rulings: Sequence[Ruling], position: Position
) -> Iterator[tuple[Submission, str]]:
    """The moves that legal orders imply, each with the reason, sorted by the units' locations.

    Only a unit without any order from its power has one, and only if all orders of its own power
    that mention its move agree on the target.
    """
    implying: dict[Unit, list[Ruling]] = {}
    for ruling in rulings:
        order = ruling.order
        if ruling.status is RulingStatus.ILLEGAL or not isinstance(order, SupportMove | Convoy):
            continue
        named = order.army if isinstance(order, Convoy) else order.supported
        unit = position.by_province[province_of(named.location)]
        if unit.power == ruling.submission.power:
            implying.setdefault(unit, []).append(ruling)
    ordered = {ruling.unit for ruling in rulings}
    for unit in by_location(implying.keys() - ordered):
        move = _agreed(unit, implying[unit])
        if move is not None:
            texts = (ruling.submission.shown for ruling in implying[unit])
            submission = Submission(unit.power, write_order(move, position.map), move)
            yield submission, f"implied by {' and '.join(texts)}"


def _agreed(unit: Unit, rulings: Sequence[Ruling]) -> Move | None:
    orders = [r.order for r in rulings if isinstance(r.order, SupportMove | Convoy)]
    targets = {order.target for order in orders}
    targets = {target for target in targets if coast_of(target)} or targets
    if len(targets) > 1 or len({province_of(order.target) for order in orders}) > 1:
        return None
    by_convoy = any(isinstance(order, Convoy) for order in orders)
    return Move(unit.name, targets.pop(), via=by_convoy)
