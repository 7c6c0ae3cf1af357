"""The outcomes of many order sets of one position, for tests that try them all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

import dipsat
from dipsat import kernel
from dipsat.game import PhaseKind
from dipsat.kernel.library_cache import compilers

_TOGETHER = 1000  # order sets


@dataclass(frozen=True)
class Tried:
    """Unit -> the verdict on its order, and the dislodged units."""

    verdicts: Mapping[str, str]
    dislodged: frozenset[str]


def tried(
    position: dipsat.Position,
    order_sets: Iterable[Mapping[str, Sequence[str]]],
    rules: str | dipsat.Profile = "datc",
) -> Iterator[Tried]:
    """The outcomes of order sets (by power), in the order given. If there is a C compiler, compiled
    rules compute them, which other tests compare with Python; but not for a single test's own
    rules, where compiling would take longer."""
    if not isinstance(rules, str) or position.phase.kind is not PhaseKind.MOVEMENT:
        for orders in order_sets:
            outcome = dipsat.adjudicate(position, orders, rules)
            verdicts = {order.unit: order.verdict for order in outcome.orders}
            lost = outcome.dislodged if isinstance(outcome, dipsat.MovementOutcome) else ()
            yield Tried(verdicts, frozenset(one.unit for one in lost))
        return
    batch, waiting = _batch(rules), iter(order_sets)
    while boards := [(position, orders) for orders in islice(waiting, _TOGETHER)]:
        result = batch.adjudicate(batch.encode(boards))
        for at in range(len(boards)):
            yield Tried(result.verdicts(at), frozenset(lost.unit for lost in result.dislodged(at)))


@cache
def _batch(rules: str) -> kernel.Batch:
    return kernel.Batch(rules, native=next(compilers(), None) is not None)
