"""Which of a power's several sets of orders count (DATC 4.D.1, 4.D.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dipsat.board.province import province_of
from dipsat.errors import OrderFaultError
from dipsat.game.next_phase import adjustments
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position, provinces_to_order
from dipsat.game.ruling import Submission
from dipsat.game.settings import Settings
from dipsat.orders.order import Order, Waive

OneOrder: TypeAlias = str | Order
SetOfOrders: TypeAlias = Iterable[OneOrder] | Mapping[str, Iterable[OneOrder]]
PowerOrders: TypeAlias = Iterable[OneOrder | SetOfOrders] | Mapping[str, Iterable[SetOfOrders]]
"""The orders that a power hands in: a list of orders; a list of sets of orders, the earliest first;
or `{"undated": sets}` if it is not known which set came first. A set is a list of orders, or
`{"adds": list}` or `{"replaces": list}` if it says that it adds to the sets before it or replaces
them (DATC 3.0 4.D.1, 4.D.2)."""

ADDS, REPLACES, UNDATED = "adds", "replaces", "undated"
_NESTED = (list, tuple, Mapping)


@dataclass(frozen=True, slots=True)
class OrderSet:
    """A set of orders, and whether it says that it adds to earlier sets or replaces them."""

    orders: tuple[OneOrder, ...]
    says: str = ""


@dataclass(frozen=True, slots=True)
class OrderSets:
    """The sets of a power, the earliest first if they are `dated`."""

    sets: tuple[OrderSet, ...]
    dated: bool = True


def read_order_sets(power: str, given: PowerOrders) -> OrderSets:
    """The sets of orders that a power submitted; orders outside any set make one set.

    Raises `OrderFaultError` for any other structure.
    """
    if isinstance(given, Mapping):
        if set(given) != {UNDATED}:
            raise OrderFaultError(power, map(str, given), f"its key should be {UNDATED!r}")
        return OrderSets(tuple(_read_set(power, one) for one in given[UNDATED]), dated=False)
    listed = tuple(given)
    if not listed or not isinstance(listed[0], _NESTED):
        return OrderSets((OrderSet(_orders(power, listed)),))
    return OrderSets(tuple(_read_set(power, one) for one in listed))


def _read_set(power: str, given: object) -> OrderSet:
    says, orders = "", given
    if isinstance(given, Mapping):
        if len(given) != 1 or not given.keys() <= {ADDS, REPLACES}:
            problem = f"a set of orders is a list, or a mapping with the key {ADDS} or {REPLACES}"
            raise OrderFaultError(power, map(str, given), problem)
        ((says, orders),) = given.items()
    if isinstance(orders, str) or not isinstance(orders, Iterable):
        raise OrderFaultError(power, [str(orders)], "it is listed beside sets of orders, in no set")
    return OrderSet(_orders(power, orders), says)


def _orders(power: str, given: Iterable[object]) -> tuple[OneOrder, ...]:
    """The orders of one set. Raises `OrderFaultError` for anything else among them."""
    found: list[OneOrder] = []
    for order in given:
        if not isinstance(order, str | Order):
            raise OrderFaultError(
                power, [str(order)], "this is not an order; give a text such as 'A PAR - BUR'"
            )
        found.append(order)
    return tuple(found)


def first_that_counts(
    sets: OrderSets, read: Sequence[Sequence[Submission]], position: Position, settings: Settings
) -> int:
    """The index of the first set that counts; all sets after it count too. If no set counts, the
    number of sets. `read` holds the orders of each set."""
    last = len(sets.sets) - 1
    if not sets.dated:
        return last + 1 if settings.undated_order_sets == "none" and last > 0 else 0
    rule, first = settings.order_sets, last
    while first > 0 and not _is_complete(read[first], position, settings):
        says = sets.sets[first].says
        if rule == "last" or (rule == "last unless it adds" and says != ADDS):
            break
        if rule == "all unless replaced" and says == REPLACES:
            break
        first -= 1
    return first


def _is_complete(orders: Sequence[Submission], position: Position, settings: Settings) -> bool:
    """Whether these are all the orders that a power needs, so that no earlier set matters."""
    if not orders:
        return False
    power = orders[0].power
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return len(orders) >= abs(adjustments(position, power, settings))
    ordered = {province_of(s.order.unit.location) for s in orders if not isinstance(s.order, Waive)}
    return ordered >= provinces_to_order(position, power)
