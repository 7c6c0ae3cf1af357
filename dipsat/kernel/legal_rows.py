"""The legal orders of many boards as codes."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from dipsat.brief import brief
from dipsat.errors import ArgumentError
from dipsat.errors.arguments import checked
from dipsat.game.legal_orders import legal_orders
from dipsat.game.position import Position
from dipsat.kernel.arrays import zeros
from dipsat.kernel.board_codes import BoardCodes
from dipsat.kernel.coder import Coder
from dipsat.kernel.game_library import GameLibrary
from dipsat.kernel.numbers import OPEN
from dipsat.orders.order import Move


@brief()
@dataclass(frozen=True)
class LegalOrders:
    """The legal orders of the units of many boards. Made by `Batch.legal_orders`."""

    starts: Sequence[int]
    """For each unit, where its orders begin in `orders`, in rows; and at the end the number of all
    rows."""
    orders: Sequence[int]
    """For each legal order four numbers, as in `BoardCodes.orders`."""
    by_python: Sequence[int]
    """The boards whose orders dipsat's Python has listed."""

    @checked
    def of(self, unit: int) -> list[tuple[int, int, int, int]]:
        """Return the orders of a unit by its number among those of all boards."""
        if not 0 <= unit < len(self.starts) - 1:
            wanted = f"the number of a unit, from 0 to {len(self.starts) - 2}"
            raise ArgumentError("dipsat.LegalOrders.of", "unit", unit, wanted)
        rows = self.orders[4 * self.starts[unit] : 4 * self.starts[unit + 1]]
        return [(rows[n], rows[n + 1], rows[n + 2], rows[n + 3]) for n in range(0, len(rows), 4)]


def legal_rows(coder: Coder, library: GameLibrary | None, codes: BoardCodes) -> LegalOrders:
    """The legal orders of all units. Raises `CodeError`."""
    units = codes.starts[-1]
    if library is None:
        ends, rows, settled = zeros("I", units), array("H"), array("B", [OPEN]) * len(codes)
    else:
        ends, rows, settled = library.list_orders(codes)
    starts = array("I", [0])
    starts.extend(ends)
    left = [at for at, one in enumerate(settled) if one == OPEN and at not in codes.uncoded]
    if left:
        starts, rows = _with_python(coder, codes, left, starts, rows)
    return LegalOrders(starts, rows, left)


def _with_python(
    coder: Coder, codes: BoardCodes, left: Sequence[int], starts: array[int], rows: array[int]
) -> tuple[array[int], array[int]]:
    """The same with the orders of boards that are left to Python."""
    found, ends = array("H"), array("I", [0])
    waiting = set(left)
    for board in range(len(codes)):
        for listed in _listed(coder, codes, board) if board in waiting else ():
            found.extend(listed)
            ends.append(len(found) // 4)
        if board not in waiting:
            for at in range(codes.starts[board], codes.starts[board + 1]):
                found.extend(rows[4 * starts[at] : 4 * starts[at + 1]])
                ends.append(len(found) // 4)
    return ends, found


def _listed(coder: Coder, codes: BoardCodes, board: int) -> list[array[int]]:
    """The orders of each unit of a board, by dipsat's Python."""
    position: Position = coder.decode(codes, board)[0]
    legal = legal_orders(position, coder.settings)
    found = []
    for unit in coder.units(codes.units, codes.starts[board], codes.starts[board + 1]):
        coded = array("H")
        for order in legal[str(unit)]:
            if not (isinstance(order, Move) and order.path):
                coded.extend(coder.movement_row(order))
        found.append(coded)
    return found
