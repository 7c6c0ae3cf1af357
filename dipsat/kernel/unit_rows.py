"""What is known of units and of orders as codes of a board are put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import TypeAlias

from dipsat.game.position import Unit
from dipsat.orders.order import UnitName

UnitRow: TypeAlias = tuple[int, bytes, str, Unit]
"""A unit: the number of its province, its code, its power, and the unit itself, which keeps its
identity as long as its row."""
OrderRow: TypeAlias = tuple[int, bytes, tuple[UnitName, ...]]
"""An order: the number of the unit's province, its code, and the units that it names."""

NO_CODE = bytes(8)
"""The code of a unit without an order."""
LISTS = {list, tuple}
"""The types of the lists in which orders and units are given."""

province_number: Callable[[UnitRow], int] = itemgetter(0)
"""The number of a unit's province."""
code_of: Callable[[UnitRow], bytes] = itemgetter(1)
"""The code of a unit."""


def are_apart(rows: Iterable[UnitRow], count: int) -> bool:
    """Whether so many units stand in different provinces."""
    return len(set(map(province_number, rows))) == count
