"""The cells of a fine grid that a province covers, which show quickly whether a box lies in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import ceil, floor, sqrt
from operator import add

from dipsat.draw.map_picture import Point

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

_MOST_CELLS = 12_000
"""The most cells of a grid: enough to find room in a province, few enough for pure Python."""


@dataclass(frozen=True)
class Raster:
    """A province as cells; a cell belongs to it if its middle does."""

    left: float
    top: float
    grain: float
    """The width and height of a cell."""
    sums: tuple[tuple[int, ...], ...]
    """Row r, column c: the number of the province's cells above row r and left of column c. Four of
    these numbers give the count in any box."""

    @property
    def area(self) -> float:
        """The area of the province."""
        return self.sums[-1][-1] * self.grain * self.grain

    @property
    def bounds(self) -> Box:
        """The box around it."""
        right = self.left + (len(self.sums[0]) - 1) * self.grain
        return self.left, self.top, right, self.top + (len(self.sums) - 1) * self.grain

    def covers(self, box: Box) -> float:
        """The share of a box, from 0 to 1, that lies in the province."""
        sums, grain = self.sums, self.grain
        left, right = floor((box[0] - self.left) / grain), ceil((box[2] - self.left) / grain)
        top, bottom = floor((box[1] - self.top) / grain), ceil((box[3] - self.top) / grain)
        cells = (right - left) * (bottom - top)
        # Called a million times for one picture: `min` and `max` would double the time.
        if left < 0:
            left = 0
        if right >= len(sums[0]):
            right = len(sums[0]) - 1
        if top < 0:
            top = 0
        if bottom >= len(sums):
            bottom = len(sums) - 1
        if left >= right or top >= bottom:
            return 0.0
        above, below = sums[top], sums[bottom]
        return (below[right] - below[left] - above[right] + above[left]) / cells

    def contains(self, point: Point) -> bool:
        """Whether a point lies in it."""
        return self.covers((point[0], point[1], point[0] + 1e-9, point[1] + 1e-9)) > 0

    def points(self, step: float) -> Iterator[Point]:
        """The points of a grid of this step that lie in the province."""
        left, top, right, bottom = self.bounds
        down = max(1, round((bottom - top) / step))
        across = max(1, round((right - left) / step))
        for row in range(down):
            y = top + (row + 0.5) * (bottom - top) / down
            for column in range(across):
                point = left + (column + 0.5) * (right - left) / across, y
                if self.contains(point):
                    yield point

    @property
    def middle(self) -> Point:
        """Its centre of mass."""
        right, bottom = len(self.sums[0]) - 1, len(self.sums) - 1
        total = self.sums[-1][-1] or 1
        # The counts left of each column add up to the columns right of each cell, and so on.
        across = right - sum(self.sums[-1][1:]) / total + 0.5
        down = bottom - sum(row[-1] for row in self.sums[1:]) / total + 0.5
        return self.left + across * self.grain, self.top + down * self.grain


def bounds_of(rings: Sequence[Sequence[Point]]) -> Box:
    """The box around outlines."""
    points = [point for ring in rings for point in ring]
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def raster(
    rings: Sequence[Sequence[Point]],
    finest: float,
    covered: Iterable[Sequence[Sequence[Point]]] = (),
) -> Raster:
    """The cells of a province between its outlines, with a width of at least `finest`. Cells that
    other outlines cover are left out, unless none would remain."""
    left, top, right, bottom = bounds_of(rings)
    grain = max(finest, sqrt((right - left) * (bottom - top) / _MOST_CELLS))
    columns, rows = ceil((right - left) / grain) or 1, ceil((bottom - top) / grain) or 1
    cells = [[0] * columns for _ in range(rows)]
    for row, start, end in spans(rings, columns, rows, left, top, grain):
        cells[row][start:end] = [1] * (end - start)
    seen = [[*row] for row in cells]
    for outlines in covered:
        for row, start, end in spans(outlines, columns, rows, left, top, grain):
            seen[row][start:end] = [0] * (end - start)
    cells = seen if any(map(any, seen)) else cells
    above = (0,) * (columns + 1)
    sums = [above]
    for own_cells in cells:
        above = tuple(map(add, above, accumulate(own_cells, initial=0)))
        sums.append(above)
    return Raster(left, top, grain, tuple(sums))


def spans(
    outlines: Iterable[Sequence[Point]],
    columns: int,
    rows: int,
    left: float = 0.0,
    top: float = 0.0,
    grain: float = 1.0,
) -> Iterator[tuple[int, int, int]]:
    """The runs of cells whose middles lie inside closed lines, by the even-odd rule: row, first
    cell, end. Cells are squares with sides of `grain`, the first one right of `left` and below
    `top`."""
    crossings: list[list[float]] = [[] for _ in range(rows)]
    for points in outlines:
        for (x, y), (to_x, to_y) in pairwise((*points, *points[:1])):
            if y > to_y:  # the same upwards and downwards, so that both sides of a shared arc agree
                x, y, to_x, to_y = to_x, to_y, x, y
            first = ceil((y - top) / grain - 0.5)
            end = ceil((to_y - top) / grain - 0.5)
            for row in range(max(first, 0), min(end, rows)):
                at = top + (row + 0.5) * grain
                crossings[row].append(x + (to_x - x) * (at - y) / (to_y - y))
    for row, found in enumerate(crossings):
        found.sort()
        for start, stop in zip(found[::2], found[1::2], strict=True):
            first = max(ceil((start - left) / grain - 0.5), 0)
            end = min(ceil((stop - left) / grain - 0.5), columns)
            if first < end:
                yield row, first, end


def box_around(middle: Point, wide: float, high: float) -> Box:
    """The box of this width and height around a point."""
    x, y = middle
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def grown(box: Box, by: float) -> Box:
    """A box with a margin."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def meet(one: Box, other: Box) -> bool:
    """Whether two boxes overlap; those that only touch do not."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
