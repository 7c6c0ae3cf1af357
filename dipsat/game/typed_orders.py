"""Whether typed orders name only what the map and the rules have, as texts must."""

from __future__ import annotations

from collections.abc import Iterator

from dipsat.board.map import Map
from dipsat.board.province import coast_of, province_of
from dipsat.errors import OrderFaultError, UnknownNameError
from dipsat.game.position import Position
from dipsat.orders.forms import OrderKind
from dipsat.orders.order import (
    Convoy,
    DeclaredOrder,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Unreadable,
    Waive,
)


def checked_order(order: Order, power: str, position: Position) -> Order:
    """Return an order that a program made, an order of a declared kind with its text.

    Raises `UnknownNameError` for a province, coast, power or kind of orders that the map or the
    rules do not have, and `OrderFaultError` for other fields than those of the kind.
    """
    if isinstance(order, DeclaredOrder):
        return _declared(order, power, position)
    if not isinstance(order, Unreadable):
        for named in _named(order):
            _check(named, position.map)
    return order


def _declared(order: DeclaredOrder, power: str, position: Position) -> DeclaredOrder:
    kinds = {kind.name: kind for kind in position.words.kinds}
    kind = kinds.get(order.kind)
    if kind is None:
        raise UnknownNameError("kind of orders", order.kind, kinds, list_known=bool(kinds))
    problem = _misfit(order, kind)
    if problem:
        raise OrderFaultError(power, [order.text or order.kind], problem)
    for _, named in order.fields:
        _check(named, position.map)
    if kind.is_of_unit:
        _check(order.unit, position.map)
    return order if order.text else kind.written(order)


def _misfit(order: DeclaredOrder, kind: OrderKind) -> str:
    """How the fields of an order differ from those of its kind, "" if they do not."""
    types = {slot.name: slot.type for slot in kind.fields}
    given = {name: "Province" if isinstance(it, str) else "Unit" for name, it in order.fields}
    if order.season != kind.season:
        return f"orders of the kind {kind.name} have the season {kind.season!r}"
    if given != types or len(given) != len(order.fields):
        fields = ", ".join(f"{name} ({type})" for name, type in types.items()) or "no fields"
        return f"orders of the kind {kind.name} have the fields: {fields}"
    return ""


def _named(order: Order) -> Iterator[UnitName | str]:
    """The units and locations that an order names."""
    if isinstance(order, Waive):
        return
    yield order.unit
    if isinstance(order, SupportHold | SupportMove):
        yield order.supported
    if isinstance(order, Convoy):
        yield order.army
    if isinstance(order, Move):
        yield from order.path
    if isinstance(order, Move | SupportMove | Convoy | Retreat):
        yield order.target


def _check(named: UnitName | str, board: Map) -> None:
    location = named.location if isinstance(named, UnitName) else named
    code, coast = province_of(location), coast_of(location)
    if code not in board.provinces:
        raise UnknownNameError("province", code, board.provinces)
    if coast and coast not in board.coast_names and location not in board.locations:
        raise UnknownNameError("coast", coast, board.coast_names, list_known=True)
    if isinstance(named, UnitName) and named.power and named.power not in board.powers:
        raise UnknownNameError("power", named.power, board.powers, list_known=True)
