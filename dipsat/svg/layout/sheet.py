"""Several boards on one sheet, and provinces that are simply squares."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dipsat.svg.layout.cells import Board, Side
from dipsat.svg.pictures.picture import Point

_GAP = 0.35
"""Between two boards, as a part of the width of a province of the usual size."""


def square(province: int) -> Board:
    """A province that touches no other."""
    corners: list[Point] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    return Board([province], [(0.5, 0.5)], corners, [Side(0, -1, (0, 1, 2, 3, 0))], 1.0, 1.0)


def side_by_side(boards: Sequence[Board], aspect: float) -> Board:
    """The boards in rows, the largest first, on a sheet whose sides relate about as `aspect`."""
    if len(boards) == 1:
        return boards[0]
    ordered = sorted(boards, key=lambda board: -board.height)
    room = sum((board.width + _GAP) * (board.height + _GAP) for board in ordered)
    wide = max(math.sqrt(room * aspect), *(board.width for board in ordered))
    owner: list[int] = []
    middles: list[Point] = []
    points: list[Point] = []
    sides: list[Side] = []
    x = y = right = bottom = 0.0
    for board in ordered:
        if x > 0 and x + board.width > wide:
            x, y = 0.0, bottom + _GAP
        cells, first = len(owner), len(points)
        owner += board.owner
        middles += [(px + x, py + y) for px, py in board.middles]
        points += [(px + x, py + y) for px, py in board.points]
        sides += [
            Side(
                side.left + cells,
                side.right if side.right < 0 else side.right + cells,
                tuple(point + first for point in side.points),
            )
            for side in board.sides
        ]
        right, bottom = max(right, x + board.width), max(bottom, y + board.height)
        x += board.width + _GAP
    return Board(owner, middles, points, sides, right, bottom)
