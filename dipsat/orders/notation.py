"""What a notation of orders is: all that readers, sheets, letters and writers know of one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from dipsat.board import Map
from dipsat.orders.order import Order

Write = Callable[[Order, Map, str | None, bool], str]


@dataclass(frozen=True, slots=True)
class Notation:
    """A notation in which orders are written. One without `begins` uses the words and letters that
    people type, which `dipsat.orders.text_parse` reads in any mixture."""

    name: str
    """Its name, as `write_order` and the files of maps call it."""
    write: Write | None = None
    """Writes an order, given by a power, perhaps in an adjustment phase; None if it is only read.
    """
    begins: re.Pattern[str] | None = None
    """How a text begins that is an order in this notation, and in no other."""
    read: Callable[[str, Map], Order] | None = None
    """Reads an order that begins so. It raises the errors of `OrderReader.read`."""
