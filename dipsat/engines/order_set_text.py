"""The notation of DIP_EVAL's order sets, in plain text and in plain values; both are read back.

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
but is effective. The last section is the one fact of the map: which provinces of their convoy the
fleets border. Reading needs no map; names only must not contain blanks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from dipsat.board.province import province_of
from dipsat.documents import Node, parse_yaml
from dipsat.errors import OrderSyntaxError, shortened
from dipsat.proof.engine import Convoy, Hold, Move, Order, OrderedUnit, OrderSet, Support
from dipsat.values import grouped

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
    return text_in(orders)(order)


def text_in(orders: OrderSet) -> Callable[[Order], str]:
    """A writer of orders for a set, which goes through the set only once."""
    units: dict[str, str] = {}
    for order in orders.orders:
        units.setdefault(order.unit.province, str(order.unit))
    return partial(_text, units)


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
    write = text_in(orders)
    texts = grouped((order.unit.power, write(order)) for order in orders.orders)
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
