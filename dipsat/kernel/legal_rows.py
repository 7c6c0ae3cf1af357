"""The legal orders of many boards, or positions of any phase, as codes."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dipsat.board.province import province_of
from dipsat.brief import brief
from dipsat.errors import ArgumentError
from dipsat.errors.arguments import checked
from dipsat.game.legal_orders import legal_orders
from dipsat.game.next_phase import adjustments
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.kernel.arrays import zeros
from dipsat.kernel.board_codes import BoardCodes
from dipsat.kernel.coder import Coder
from dipsat.kernel.game_library import Choices, GameLibrary
from dipsat.kernel.numbers import OPEN
from dipsat.kernel.position_coder import PositionCoder
from dipsat.kernel.position_codes import DISBAND, PositionCodes
from dipsat.orders.order import Disband, Move


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
        starts, rows = _with_python(coder, codes, left, starts, rows)
    return LegalOrders(starts, rows, left, codes.starts, array("h"))


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


def legal_choices(
    coder: PositionCoder, library: GameLibrary | None, codes: PositionCodes
) -> LegalOrders:
    """The legal orders of positions of any phase. Raises `CodeError`."""
    if library is None:
        left, found = list(range(len(codes))), None
    else:
        found = library.list_choices(codes)
        left = [at for at, one in enumerate(found.settled) if one == OPEN]
        if not left:
            starts, subjects = array("I", [0]), array("I", [0])
            starts.extend(found.ends)
            subjects.extend(found.subjects)
            return LegalOrders(starts, found.rows, left, subjects, found.due)
    return _choices_with_python(coder, codes, left, found)


def _choices_with_python(
    coder: PositionCoder, codes: PositionCodes, left: Sequence[int], found: Choices | None
) -> LegalOrders:
    """The same with the orders of positions that are left to Python."""
    starts, subjects, rows = array("I", [0]), array("I", [0]), array("H")
    due, powers, waiting = array("h"), len(coder.numbers.powers), set(left)
    for at in range(len(codes)):
        if found is None or at in waiting:
            listed, own = _choices(coder, coder.decode(codes, at))
            due.extend(own)
        else:
            listed = [found.rows[4 * first : 4 * end] for first, end in _spans(found, at)]
            due.extend(found.due[powers * at : powers * (at + 1)])
        for one in listed:
            rows.extend(one)
            starts.append(len(rows) // 4)
        subjects.append(len(starts) - 1)
    return LegalOrders(starts, rows, left, subjects, due)


def _spans(found: Choices, at: int) -> Iterator[tuple[int, int]]:
    """The first row and the end of the rows of each subject of a position."""
    for subject in range(found.subjects[at - 1] if at else 0, found.subjects[at]):
        yield (found.ends[subject - 1] if subject else 0), found.ends[subject]


def _choices(coder: PositionCoder, position: Position) -> tuple[list[array[int]], list[int]]:
    """The orders of each subject of a position, by dipsat's Python, and what is due."""
    settings, numbers = coder.coder.settings, coder.numbers
    legal = legal_orders(position, settings)
    is_winter = position.phase.kind is PhaseKind.ADJUSTMENT
    due = [adjustments(position, one, settings) if is_winter else 0 for one in numbers.powers]
    owners = {code: power for power, codes in position.centers.items() for code in codes}
    found: list[tuple[int, array[int]]] = []
    for subject, orders in legal.items():
        province = province_of(subject.rpartition(" ")[2])
        standing = position.by_province.get(province)
        power = owners[province] if standing is None else standing.power
        coded = array("H")
        for order in orders:
            if isinstance(order, Move) and order.path:
                continue
            is_loss = isinstance(order, Disband) and not is_winter
            coded.extend((DISBAND, 0, 0, 0) if is_loss else coder.order_row(order, power))
        found.append((numbers.number_of[province], coded))
    return [coded for _, coded in sorted(found, key=lambda one: one[0])], due
