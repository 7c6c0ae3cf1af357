"""The codes of units and of their orders, put together for a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from operator import itemgetter
from typing import Any, TypeAlias

from dipsat.game.unit import Unit
from dipsat.kernel.board_codes import Orders
from dipsat.kernel.numbers import MapNumbers
from dipsat.orders.order import UnitName

UnitRow: TypeAlias = tuple[int, bytes, str, int, Unit]
"""A unit: the number of its province, its code, its power, the key of province and power, and the
unit itself, which keeps its identity as long as its row."""
OrderRow: TypeAlias = tuple[int, bytes, tuple[UnitName, ...]]
"""An order: the number of the unit's province, its code, and the units that it names."""
_Keyed: TypeAlias = tuple[int, bytes]
"""An order: the key of the unit's province and the ordering power, and its code."""

NO_CODE = bytes(8)
"""The code of a unit without an order."""
LISTS = {list, tuple}
"""The types of the lists in which orders and units are given."""
_MOST = 20_000  # orders of each power that are remembered

province_number: Callable[[UnitRow], int] = itemgetter(0)
"""The number of a unit's province."""
code_of: Callable[[UnitRow], bytes] = itemgetter(1)
"""The code of a unit."""
_key_of: Callable[[UnitRow], int] = itemgetter(3)


def are_apart(rows: Iterable[UnitRow], count: int) -> bool:
    """Whether so many units stand in different provinces."""
    return len(set(map(province_number, rows))) == count


class OrdersByPower:
    """Finds the orders for units by one number for province and power, so that nearly all of the
    work is done by functions of Python that are written in C."""

    def __init__(self, numbers: MapNumbers) -> None:
        self._numbers = numbers
        self._known: dict[str, dict[str, _Keyed]] = {power: {} for power in numbers.powers}

    def key(self, province: int, power: str) -> int:
        """One number for a province and a power."""
        return province * len(self._numbers.powers) + self._numbers.number_of_power[power]

    def codes(
        self,
        rows: Sequence[UnitRow],
        ordered: Orders,
        read: Callable[[Any], OrderRow],
        strays_count: bool,
    ) -> list[bytes] | None:
        """The codes of the orders for units in different provinces. None if a power gives several
        orders for a province, or one for a unit that is not its own while those count, or if the
        orders have an unusual form. Raises what `read` raises, which reads an order."""
        found: dict[int, bytes] = {}
        count = 0
        texts: Any  # lists of orders, or what only looks so
        for power, texts in ordered.items():
            known = self._known.get(power)
            if known is None or type(texts) not in LISTS:
                return None
            try:
                found.update(map(known.__getitem__, texts))
            except KeyError:
                found.update([known.get(one) or self._new(power, one, read) for one in texts])
            count += len(texts)
        if len(found) < count:
            return None
        codes = list(map(found.get, map(_key_of, rows), repeat(NO_CODE)))
        if strays_count and codes.count(NO_CODE) + count > len(rows):
            return None
        return codes

    def _new(self, power: str, order: Any, read: Callable[[Any], OrderRow]) -> _Keyed:
        province, code, _ = read(order)
        found = self.key(province, power), code
        if isinstance(order, str):  # others are long to hash
            known = self._known[power]
            if len(known) >= _MOST:
                known.clear()
            known[order] = found
        return found
