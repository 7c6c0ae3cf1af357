"""The outlines of provinces from the cells they consist of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dipsat.svg.layout.cells import Board, Side
from dipsat.svg.layout.coast import line
from dipsat.svg.layout.mesh import BLANK
from dipsat.svg.pictures.picture import Point, Ring

Arc = tuple[Point, ...]

_ROUGHNESS = (0.07, 0.17, 0.0)
"""Of a line between two lands, between land and water, and between two waters."""
_GRAIN = 0.085
"""The smallest part of a line, as a part of the width of a province of the usual size."""


def arcs_of(
    board: Board, scale: float, is_sea: Callable[[int], bool]
) -> tuple[tuple[Arc, ...], dict[int, list[Ring]]]:
    """The arcs between provinces, and the rings of each, those of the blanks under `BLANK`."""
    arcs: list[Arc] = []
    sides: dict[int, list[tuple[int, int, int]]] = {}
    for side in board.sides:
        left = board.owner[side.left]
        right = board.owner[side.right] if side.right >= 0 else None
        if left == right and right != BLANK:
            continue
        index = len(arcs)
        arcs.append(_scaled(_curve(board, side, is_sea), scale))
        start, end = side.points[0], side.points[-1]
        key = left if left != BLANK else -2 - side.left
        sides.setdefault(key, []).append((start, end, index))
        if right is not None:
            key = right if right != BLANK else -2 - side.right
            sides.setdefault(key, []).append((end, start, ~index))
    rings: dict[int, list[Ring]] = {}
    for owner, some in sides.items():
        rings.setdefault(owner if owner >= 0 else BLANK, []).extend(_rings(some))
    return tuple(arcs), rings


def _rings(sides: Iterable[tuple[int, int, int]]) -> list[Ring]:
    ahead = {start: (end, arc) for start, end, arc in sides}
    found: list[Ring] = []
    while ahead:
        first = here = next(iter(ahead))
        ring: list[int] = []
        while here in ahead:
            here, arc = ahead.pop(here)
            ring.append(arc)
        if here != first:
            raise ValueError("an outline is not closed")
        found.append(tuple(ring))
    return found


def _curve(board: Board, side: Side, is_sea: Callable[[int], bool]) -> list[Point]:
    """The line of a side: rough between land and water, less so between lands."""
    points = [board.points[point] for point in side.points]
    if side.right < 0:
        return points
    kinds = [
        owner == BLANK or is_sea(owner)
        for owner in (board.owner[side.left], board.owner[side.right])
    ]
    roughness = _ROUGHNESS[sum(kinds)]
    start, bend, end = points
    field = (board.middles[side.left], start, board.middles[side.right], end)
    return line(field, bend, roughness, _GRAIN, side.left * len(board.owner) + side.right)


def _scaled(line: Sequence[Point], scale: float) -> Arc:
    return tuple((round(x * scale, 1), round(y * scale, 1)) for x, y in line)
