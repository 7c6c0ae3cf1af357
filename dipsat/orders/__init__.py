"""Order types and the notations people write them in."""

from dipsat.orders.daide import read_daide as read_daide, write_daide as write_daide
from dipsat.orders.order import (
    Build as Build,
    Convoy as Convoy,
    Disband as Disband,
    Hold as Hold,
    Move as Move,
    Order as Order,
    Retreat as Retreat,
    SupportHold as SupportHold,
    SupportMove as SupportMove,
    UnitName as UnitName,
    Waive as Waive,
)
from dipsat.orders.texts import (
    NOTATIONS as NOTATIONS,
    OrderReader as OrderReader,
    read_sheet as read_sheet,
    reader_for as reader_for,
    write_order as write_order,
)
