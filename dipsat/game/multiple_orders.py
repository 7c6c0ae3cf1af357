"""Several orders for one unit (DATC 4.D.1 to 4.D.3, and the choices c of 4.C)."""

from __future__ import annotations

from dipsat.errors import shortened
from dipsat.game.naming import NAMED_BETTER, gives_way
from dipsat.game.ruling import Ruling, Status, batch_of
from dipsat.game.settings import Settings

SEVERAL = frozenset({"named_better", "several_orders", "ordered_later"})
"""The codes of orders that are illegal because the unit has another one."""


def settle_several(rulings: list[Ruling], settings: Settings) -> None:
    """Make all but one of the different orders of a unit illegal, or all of them."""
    by_unit: dict[str, list[int]] = {}
    repeated = False
    for at, ruling in enumerate(rulings):
        if ruling.unit is not None:
            orders = by_unit.setdefault(ruling.unit.location, [])
            repeated = repeated or bool(orders)
            orders.append(at)
    if repeated:
        for orders in by_unit.values():
            if len(orders) > 1:
                _settle(rulings, orders, settings)


def _settle(rulings: list[Ruling], orders: list[int], settings: Settings) -> None:
    """4.D.3, and the "unless named" readings of 4.C: several orders for one unit."""
    legal = [at for at in orders if rulings[at].status is not Status.ILLEGAL or rulings[at].counts]
    _keep_last_batch(rulings, legal)
    vague = [at for at in legal if gives_way(settings, rulings[at].naming)]
    if len(vague) < len(legal):
        for at in vague:
            rulings[at] = rulings[at].made_illegal(*NAMED_BETTER)
            legal.remove(at)
    if len({rulings[at].order for at in legal}) < 2:
        return
    used = {"first": legal[0], "last": legal[-1], "hold": None}[settings.multiple_orders]
    different = {rulings[at].order: rulings[at].submission.text for at in legal}
    for at in legal:
        if used is None or rulings[at].order != rulings[used].order:
            other = next(text for order, text in different.items() if order != rulings[at].order)
            reason = f"the unit has another order too: {shortened(other)}"
            rulings[at] = rulings[at].made_illegal("several_orders", reason)


def _keep_last_batch(rulings: list[Ruling], legal: list[int]) -> None:
    """4.D.1: of several sets that count, the last one that orders the unit is followed."""
    batches = {at: batch_of(rulings[at].submission) for at in legal}
    last = max(batches.values(), default=0)
    later = {rulings[at].order for at in legal if batches[at] == last}
    for at in [at for at in legal if batches[at] < last]:
        legal.remove(at)
        if rulings[at].order not in later:
            reason = "a later set of orders has another order for the unit"
            rulings[at] = rulings[at].made_illegal("ordered_later", reason)
