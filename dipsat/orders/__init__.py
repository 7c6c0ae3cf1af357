"""Order types and the notations people write them in."""

from dipsat.orders.order import Convoy, Hold, Move, Order, SupportHold, SupportMove, UnitName
from dipsat.orders.reader import OrderReader, reader_for
from dipsat.orders.sheet import OrderLine, read_sheet
from dipsat.orders.writer import NOTATIONS, write_order

__all__ = [
    "NOTATIONS",
    "Convoy",
    "Hold",
    "Move",
    "Order",
    "OrderLine",
    "OrderReader",
    "SupportHold",
    "SupportMove",
    "UnitName",
    "read_sheet",
    "reader_for",
    "write_order",
]
