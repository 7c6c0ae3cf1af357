"""Notations of orders: everything that readers, sheets, letters and writers know about one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from dipsat.board import Map
from dipsat.orders.order import Order

Write = Callable[[Order, Map, str | None, bool], str]


@dataclass(frozen=True, slots=True)
class Notation:
    """A notation in which orders are written. A notation without `begins` uses the words and
    letters that people type. `dipsat.orders.text_parse` reads any mixture of them."""

    name: str
    """Its name in `write_order` and in map files."""
    write: Write | None = None
    """Writes an order of a power, perhaps in an adjustment phase; None for a read-only notation."""
    begins: re.Pattern[str] | None = None
    """The beginning of orders in this notation, which orders in other notations do not have."""
    read: Callable[[str, Map], Order] | None = None
    """Reads an order with that beginning. Raises the errors of `OrderReader.read`."""
