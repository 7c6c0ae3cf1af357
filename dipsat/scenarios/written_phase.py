"""A position with orders as the text of an order file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dipsat.board.map import Map
from dipsat.errors.arguments import checked
from dipsat.game.position import OWNERS, Position
from dipsat.game.submissions import PowerOrders
from dipsat.orders.order import Order
from dipsat.orders.writer import write_order
from dipsat.profiles.names import name_in_files
from dipsat.profiles.profile import Profile
from dipsat.scenarios.sheet import name_of, order_file


@checked
def write_phase(
    position: Position,
    orders: Mapping[str, PowerOrders] | None = None,
    rules: str | Path | Profile | None = None,
    remarks: Iterable[str] = (),
) -> str:
    """Return the text of an order file (YAML) that `parse_phase` reads back, and that all commands
    on order files take. Give the file a name that ends in `.yaml`.

    `orders` are as for `adjudicate`. The file states the `rules` if they are given, and `remarks`
    become comments above it. It states maps and rules of your own by their paths.

    Raises `OrderWriteError` for an order object that cannot be written.
    """
    board = position.map
    given = {power: _plain(listed, board) for power, listed in (orders or {}).items()}
    stated = stated_phase(board, position.to_dict(), given)
    named = name_in_files(rules.path) if isinstance(rules, Profile) else rules and str(rules)
    head = {"map": stated.pop("map"), **({"rules": named} if named else {})}
    return order_file({**head, **stated}, remarks)


def stated_phase(
    board: str | Path | Map, position: Mapping[str, Any], orders: Mapping[str, Any]
) -> dict[str, Any]:
    """What an order file states, from a position as `Position.to_dict` gives it."""
    return {
        "map": name_of(board),
        "phase": position["phase"],
        "units": position["units"],
        **{key: position[key] for key in OWNERS if key in position},
        **({"dislodged": position["retreats"]} if position["dislodged"] else {}),
        "orders": dict(orders),
    }


def _plain(given: Any, board: Map) -> Any:
    """Orders, or sets of them, as texts in lists and mappings."""
    if isinstance(given, str):  # a file has no line breaks within an order
        return given if given.isprintable() else " ".join(given.split())
    if isinstance(given, Order):
        return write_order(given, board)
    if isinstance(given, Mapping):
        return {key: _plain(value, board) for key, value in given.items()}
    return [_plain(one, board) for one in given]
