"""The legal orders of many boards, or positions of any phase, as codes."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dipsat.board.province import province_of
from dipsat.errors import ArgumentError
from dipsat.errors.arguments import checked
from dipsat.game.legal_orders import legal_orders
from dipsat.game.next_phase import adjustments
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.kernel.coder import Coder
from dipsat.kernel.codes import DISBAND, BoardCodes, PositionCodes, zeros
from dipsat.kernel.library import GameLibrary
from dipsat.kernel.numbers import OPEN
from dipsat.kernel.position_coder import PositionCoder, Row
from dipsat.orders.order import Disband, Move, Order
from dipsat.values import brief


@brief()
@dataclass(frozen=True)
class LegalOrders:
    """The legal orders of many boards or positions. Made by `Batch.legal_orders`.

    The subjects of the orders are units. In an adjustment phase, they are the units of the powers
    that must disband, and the provinces in which a power may build.
    """

    starts: Sequence[int]
    """For each subject, where its orders begin in `orders`, in rows; and at the end the number of
    all rows."""
    orders: Sequence[int]
    """For each legal order four numbers, as in `BoardCodes.orders`, or as `Batch.advance` takes
    them."""
    by_python: Sequence[int]
    """The boards whose orders dipsat's Python has listed."""
    subjects: Sequence[int]
    """For each board, where its subjects begin among those of all boards; and at the end the number
    of all. They are sorted by the numbers of provinces in a `PositionCodes`, and are the units of
    the board in `BoardCodes`."""
    due: Sequence[int]
    """For each position in an adjustment phase, and each power, how many units it may build, or how
    many it must disband if negative; 0 in other phases. Empty for `BoardCodes`."""

    @checked
    def of(self, unit: int) -> list[tuple[int, int, int, int]]:
        """Return the orders of a subject by its number among those of all boards."""
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
        starts, _, rows = _with_python(
            codes.starts, starts, rows, left, lambda board: _of_board(coder, codes, board)
        )
    return LegalOrders(starts, rows, left, codes.starts, array("h"))


def legal_choices(
    coder: PositionCoder, library: GameLibrary | None, codes: PositionCodes
) -> LegalOrders:
    """The legal orders of positions of any phase. Raises `CodeError`."""
    count, powers = len(codes), len(coder.numbers.powers)
    starts, subjects, rows = array("I", [0]), array("I", [0]), array("H")
    due, left = array("h", bytes(2 * powers * count)), list(range(count))
    if library is None:
        subjects.extend([0] * count)
    else:
        found = library.list_choices(codes)
        starts.extend(found.ends)
        subjects.extend(found.subjects)
        rows, due = found.rows, found.due
        left = [at for at, one in enumerate(found.settled) if one == OPEN]
    positions = {at: coder.decode(codes, at) for at in left}
    for at, position in positions.items():
        due[powers * at : powers * (at + 1)] = array("h", _due(coder, position))
    if left:
        starts, subjects, rows = _with_python(
            subjects, starts, rows, left, lambda at: _of_position(coder, positions[at])
        )
    return LegalOrders(starts, rows, left, subjects, due)


def _with_python(
    subjects: Sequence[int],
    starts: Sequence[int],
    rows: array[int],
    left: Sequence[int],
    listed: Callable[[int], Iterable[array[int]]],
) -> tuple[array[int], array[int], array[int]]:
    """The starts, the subjects and the rows of `LegalOrders` with those of boards that are left to
    Python, which `listed` lists for each subject of a board."""
    found, begun, own = array("H"), array("I", [0]), array("I", [0])
    waiting = set(left)
    for board, (first, end) in enumerate(pairwise(subjects)):
        known = (rows[4 * starts[at] : 4 * starts[at + 1]] for at in range(first, end))
        for one in listed(board) if board in waiting else known:
            found.extend(one)
            begun.append(len(found) // 4)
        own.append(len(begun) - 1)
    return begun, own, found


def _of_board(coder: Coder, codes: BoardCodes, board: int) -> Iterator[array[int]]:
    """The orders of each unit of a board, by dipsat's Python."""
    legal = legal_orders(coder.decode(codes, board)[0], coder.settings)
    for unit in coder.units(codes.units, codes.starts[board], codes.starts[board + 1]):
        yield _coded(legal[str(unit)], coder.movement_row)


def _of_position(coder: PositionCoder, position: Position) -> list[array[int]]:
    """The orders of each subject of a position, by dipsat's Python."""
    legal = legal_orders(position, coder.coder.settings)
    is_retreat = position.phase.kind is PhaseKind.RETREAT
    owners = {code: power for power, codes in position.centers.items() for code in codes}
    found: list[tuple[int, array[int]]] = []
    for subject, orders in legal.items():
        province = province_of(subject.rpartition(" ")[2])
        standing = position.by_province.get(province)
        power = owners[province] if standing is None else standing.power

        def row(order: Order, power: str = power) -> Row:
            is_loss = is_retreat and isinstance(order, Disband)
            return (DISBAND, 0, 0, 0) if is_loss else coder.order_row(order, power)

        found.append((coder.numbers.number_of[province], _coded(orders, row)))
    return [coded for _, coded in sorted(found, key=lambda one: one[0])]


def _coded(orders: Iterable[Order], row: Callable[[Order], Row]) -> array[int]:
    """The rows of orders; a move with a convoy path has none."""
    coded = array("H")
    for order in orders:
        if not (isinstance(order, Move) and order.path):
            coded.extend(row(order))
    return coded


def _due(coder: PositionCoder, position: Position) -> list[int]:
    """For each power, how many units it builds, or disbands if negative."""
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return [0] * len(coder.numbers.powers)
    return [adjustments(position, power, coder.coder.settings) for power in coder.numbers.powers]
