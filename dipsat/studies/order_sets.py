"""The notation of DIP_EVAL's order sets, and carrying out a set that DIP_EVAL has transformed.

The notation is plain text or plain values; both are read back:

    ENGLAND:
      A LON - BEL VIA
      F NTH C A LON - BEL
    FRANCE:
      A PAR - BUR (fails)
    Convoy borders:
      NTH: BEL, LON

Orders are written as in the `diplomacy` notation, always with `VIA` for a move by convoy ("Es wird
explizit zwischen normalen Bewegungen und per-Convoy-Bewegungen unterschieden", Jacobi, "Ein
Algorithmus zur Auswertung von Diplomacy", I), and with `(fails)` after a move that does not succeed
but is effective. The last section is the only fact from the map: which provinces of their convoy
the fleets border. Reading needs no map, but names must not contain blanks.

Carrying out needs no rules, no strengths and no map. Jacobi, "Ein Algorithmus zur Auswertung von
Diplomacy", chapter I: all orders of such a set "können ausgeführt werden", "woraus auch folgt,
welche Einheiten vertrieben werden". Units ordered to move do so, all others stay. A unit that stays
where another enters is dislodged. A move that fails bars retreats to its target. Names alone show
whether all orders can be carried out, with one exception: whether the fleets of a convoyed army
make a route.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dipsat.base import Node, brief, grouped, parse_yaml
from dipsat.board import province_of
from dipsat.errors import OrderFaultError, OrderSyntaxError, ProblemsError, shortened
from dipsat.outcomes import Convoy, Hold, Move, Order, OrderedUnit, OrderSet, Support, has_route

_BORDERS = "Convoy borders"
_FAILS = "(fails)"
_UNIT = r"([^\s:(]+) ([^\s:(]+)"
_ORDER = re.compile(
    rf"{_UNIT} (?:(?P<hold>H)|- (?P<landing>[^\s:(]+)(?P<via> VIA)?(?P<fails> \(fails\))?"
    rf"|(?P<verb>[SC]) [^\s:(]+ (?P<other>[^\s:(]+)(?: - (?P<target>[^\s:(]+))?)"
)
_EXAMPLE = "write it like A PAR H, A PAR - BUR, A LON - BEL VIA (fails), A MAR S A PAR - BUR"


def order_text(order: Order, orders: OrderSet) -> str:
    """Return an order as text. `orders` is the set with the unit that it supports or convoys."""
    return _text(_units(orders), order)


def _units(orders: OrderSet) -> dict[str, str]:
    """Province -> the unit in it; the first of several."""
    return {order.unit.province: str(order.unit) for order in reversed(orders.orders)}


def _text(units: Mapping[str, str], order: Order) -> str:
    if isinstance(order, Hold):
        return f"{order.unit} H"
    if isinstance(order, Move):
        via = " VIA" if order.by_convoy else ""
        return f"{order}{via}{f' {_FAILS}' if order.fails else ''}"
    verb = "S" if isinstance(order, Support) else "C"
    target = "" if order.target == order.origin else f" - {order.target}"
    return f"{order.unit} {verb} {units.get(order.origin, f'? {order.origin}')}{target}"


def to_dict(orders: OrderSet) -> dict[str, Any]:
    """The set as plain values: `orders` (power -> texts) and `borders` (fleet -> provinces)."""
    units = _units(orders)
    texts = grouped((order.unit.power, _text(units, order)) for order in orders.orders)
    return {"orders": texts, "borders": {fleet: list(near) for fleet, near in orders.borders}}


def to_text(orders: OrderSet) -> str:
    """Return the set as plain text, which `read_order_set` reads."""
    plain = to_dict(orders)
    lines = []
    for power, texts in plain["orders"].items():
        lines += [f"{power}:", *(f"  {text}" for text in texts)]
    if plain["borders"]:
        lines += [f"{_BORDERS}:"]
        lines += [f"  {fleet}: {', '.join(near)}" for fleet, near in plain["borders"].items()]
    return "\n".join(lines) + "\n"


def read_order_set(text: str, path: str = "order set") -> OrderSet:
    """Return the order set that a text states: plain text, as `to_text` writes it, or JSON with
    `orders` (power -> texts) and `borders` (fleet -> provinces). `path` names the text in errors.

    Raises `OrderSyntaxError` for what cannot be read, and `DocumentError` or `FileError` for faulty
    JSON. Does not check whether the orders match each other.
    """
    if text.lstrip().startswith("{"):
        return _read_document(parse_yaml(text, path))
    orders: list[Order] = []
    borders: dict[str, tuple[str, ...]] = {}
    heading = ""
    for number, whole in enumerate(text.splitlines(), start=1):
        line = whole.partition("#")[0].strip()
        if line.endswith(":"):
            heading = line.removesuffix(":").strip()
        elif line and heading == _BORDERS:
            fleet, _, near = line.partition(":")
            borders[fleet.strip()] = tuple(near.replace(",", " ").split())
        elif line and heading:
            orders.append(_read_order(heading, line, number))
        elif line:
            raise OrderSyntaxError(shortened(line), "no power is named above it", number)
    return _read_set(orders, borders, text)


def _read_document(document: Node) -> OrderSet:
    top = document.mapping(("orders", "borders"), "an order set")
    if "orders" not in top:
        document.fail("an order set needs `orders` (power -> list of orders)")
    orders = [
        _read_order(power, entry.text("an order"), entry.line)
        for power, entries in top["orders"].mapping(None, "orders").items()
        for entry in entries.sequence(f"the entry of {power}")
    ]
    near = top["borders"].mapping(None, "borders") if "borders" in top else {}
    borders = {fleet: node.texts("a province") for fleet, node in near.items()}
    return _read_set(orders, borders, document.path)


def _read_set(orders: list[Order], borders: Mapping[str, tuple[str, ...]], text: str) -> OrderSet:
    if not orders:
        raise OrderSyntaxError(shortened(text), "there are no orders in it")
    return OrderSet.of(orders, borders)


def _read_order(power: str, text: str, line: int) -> Order:
    found = _ORDER.fullmatch(" ".join(text.split()))
    if found is None:
        raise OrderSyntaxError(shortened(text), _EXAMPLE, line)
    unit = OrderedUnit(power, found[1], found[2])
    if found["hold"]:
        return Hold(unit)
    if found["landing"]:
        return Move(unit, found["landing"], bool(found["via"]), bool(found["fails"]))
    origin = province_of(found["other"])
    if found["verb"] == "S":
        return Support(unit, origin, province_of(found["target"] or origin))
    if not found["target"]:
        raise OrderSyntaxError(shortened(text), "a convoy needs a destination", line)
    return Convoy(unit, origin, province_of(found["target"]))


@brief()
@dataclass(frozen=True, slots=True)
class Dislodged:
    """A dislodged unit."""

    unit: OrderedUnit
    """The unit."""
    by: Move
    """The move that entered its province."""


@brief()
@dataclass(frozen=True, slots=True)
class CarriedOut:
    """The board after carrying out an order set. Made by `carry_out`."""

    units: tuple[OrderedUnit, ...]
    """The units at their new locations, without the dislodged ones."""
    dislodged: tuple[Dislodged, ...]
    """The dislodged units."""
    contested: tuple[str, ...]
    """The provinces left vacant by a standoff."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with the keys of `Outcome.to_dict`."""
        units = grouped((unit.power, str(unit)) for unit in self.units)
        lost = [
            {"power": entry.unit.power, "unit": str(entry.unit), "by": str(entry.by.unit)}
            for entry in self.dislodged
        ]
        return {"units": units, "dislodged": lost, "contested": list(self.contested)}


def carry_out(orders: OrderSet) -> CarriedOut:
    """Return the board after every order of the set has been carried out.

    Raises `OrderFaultError` for an order that cannot be carried out, `ProblemsError` for several.
    """
    _refuse([*_unmatched(orders), *_impossible(orders)])
    moves = [order for order in orders.orders if isinstance(order, Move)]
    entering = {move.target: move for move in moves if not move.fails}
    going = {move.unit.province for move in entering.values()}
    staying = [o.unit for o in orders.orders if o.unit.province not in going]
    lost = [
        Dislodged(unit, entering[unit.province]) for unit in staying if unit.province in entering
    ]
    moved = [OrderedUnit(m.unit.power, m.unit.kind, m.landing) for m in entering.values()]
    stayed = [unit for unit in staying if unit.province not in entering]
    taken = {unit.province for unit in staying} | entering.keys()
    return CarriedOut(
        tuple(sorted([*moved, *stayed], key=lambda unit: (unit.power, unit.location))),
        tuple(lost),
        tuple(sorted({move.target for move in moves if move.fails} - taken)),
    )


def refuse_unmatched(orders: OrderSet) -> None:
    """Raise `OrderFaultError` if an order does not match the others ("korrekter Befehlssatz"), and
    `ProblemsError` if several do not."""
    _refuse(list(_unmatched(orders)))


def _refuse(faults: list[OrderFaultError]) -> None:
    if faults:
        raise faults[0] if len(faults) == 1 else ProblemsError(faults)


def _fault(units: Mapping[str, str], problem: str, *which: Order) -> OrderFaultError:
    return OrderFaultError(which[0].unit.power, [_text(units, order) for order in which], problem)


def _unmatched(orders: OrderSet) -> Iterator[OrderFaultError]:
    """Two units in one province, and supports and convoys of orders that are not there."""
    units = _units(orders)
    at: dict[str, Order] = {}
    for order in orders.orders:
        other = at.setdefault(order.unit.province, order)
        if other is not order:
            yield _fault(units, f"two orders in {order.unit.province}; keep one", other, order)
    for order in orders.orders:
        if isinstance(order, Move) and order.target == order.unit.province:
            yield _fault(units, "a move to the unit's own province; order it to hold", order)
        elif isinstance(order, Support | Convoy):
            problem = _mismatch(order, at.get(order.origin))
            if problem:
                yield _fault(units, problem, order)


def _mismatch(order: Support | Convoy, other: Order | None) -> str:
    """Why a support or a convoy does not match the order of the other unit, "" if it does."""
    if other is None:
        return f"there is no unit in {order.origin}"
    if other is order:
        return "a unit cannot support itself; order it to hold"
    move = other if isinstance(other, Move) else None
    if isinstance(order, Support) and order.target == order.origin:
        return f"{other.unit} is ordered to move, not to hold" if move else ""
    if move is None or move.target != order.target:
        return f"{other.unit} is not ordered to move to {order.target}"
    return ""


def _impossible(orders: OrderSet) -> Iterator[OrderFaultError]:
    """Yield orders that match but cannot all be carried out."""
    units = _units(orders)
    moves = [order for order in orders.orders if isinstance(order, Move)]
    entering: dict[str, Move] = {}
    for move in moves:
        other = move if move.fails else entering.setdefault(move.target, move)
        if other is not move:
            yield _fault(units, f"both would end up in {move.target}", other, move)
    for move in entering.values():
        against = entering.get(move.unit.province)
        if against is None or move.by_convoy or against.by_convoy:
            continue
        if against.unit.province == move.target < against.target:
            problem = "they swap places, and neither moves by convoy"
            yield _fault(units, problem, move, against)
    yield from _not_carried(orders, {move.unit.province: move for move in moves}, entering)


def _not_carried(
    orders: OrderSet, moves: Mapping[str, Move], entering: Mapping[str, Move]
) -> Iterator[OrderFaultError]:
    """Yield convoys that fail, and moves without a route. Only these need the map."""
    units = _units(orders)
    fleets: dict[str, list[str]] = {}
    for order in orders.orders:
        place = order.unit.province
        if not isinstance(order, Convoy):
            continue
        if place in entering:
            yield _fault(units, f"the fleet is dislodged by {entering[place]}", order)
        elif order.origin in moves and not moves[order.origin].by_convoy:
            yield _fault(units, f"{moves[order.origin].unit} does not move by convoy", order)
        else:
            fleets.setdefault(order.origin, []).append(place)
    borders = dict(orders.borders)
    for place, move in moves.items():
        if move.by_convoy and not has_route(move, fleets.get(place, ()), borders):
            yield _fault(units, "the fleets that convoy it make no route", move)
