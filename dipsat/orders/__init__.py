"""Order types and the notations people write them in."""

from dipsat.orders.daide import read_daide, write_daide
from dipsat.orders.order import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
)
from dipsat.orders.reader import OrderReader, reader_for
from dipsat.orders.sheet import read_sheet
from dipsat.orders.writer import NOTATIONS, write_order

__all__ = [
    "NOTATIONS",
    "Build",
    "Convoy",
    "Disband",
    "Hold",
    "Move",
    "Order",
    "OrderReader",
    "Retreat",
    "SupportHold",
    "SupportMove",
    "UnitName",
    "Waive",
    "read_daide",
    "read_sheet",
    "reader_for",
    "write_daide",
    "write_order",
]
