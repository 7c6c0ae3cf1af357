"""The outlines of provinces from the cells they consist of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dipsat.svg.layout.cells import Board, Side
from dipsat.svg.layout.mesh import BLANK
from dipsat.svg.picture import Point, Ring

Arc = tuple[Point, ...]


def arcs_of(board: Board, scale: float) -> tuple[tuple[Arc, ...], dict[int, list[Ring]]]:
    """The arcs between provinces, and the rings of each, those of the blanks under `BLANK`."""
    arcs: list[Arc] = []
    sides: dict[int, list[tuple[int, int, int]]] = {}
    for side in board.sides:
        left = board.owner[side.left]
        right = board.owner[side.right] if side.right >= 0 else None
        if left == right and right != BLANK:
            continue
        index = len(arcs)
        arcs.append(_scaled(_curve(board, side), scale))
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


def _curve(board: Board, side: Side) -> list[Point]:
    return [board.points[point] for point in side.points]


def _scaled(line: Sequence[Point], scale: float) -> Arc:
    return tuple((round(x * scale, 1), round(y * scale, 1)) for x, y in line)


def named(rings: Mapping[int, list[Ring]], codes: Sequence[str]) -> dict[str, tuple[Ring, ...]]:
    """The rings of each province by its code."""
    return {code: tuple(rings.get(at, ())) for at, code in enumerate(codes)}
