"""Which province lies under each point of a grid: a picture in the pixels of a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil

from dipsat.svg.picture import Picture, Point

BLANK = "-"
"""What stands for land that belongs to no province; no code has a hyphen."""


def codes_under(picture: Picture, columns: int, rows: int) -> list[list[str]]:
    """The codes of the provinces under the middles of a grid's cells, row by row; BLANK for land
    without a province, "" for what no outline surrounds."""
    grid = [[""] * columns for _ in range(rows)]
    blank = [(BLANK, (ring,)) for ring in picture.blank]
    across, down = columns / picture.width, rows / picture.height
    for code, rings in (*blank, *((code, one.rings) for code, one in picture.shapes.items())):
        outlines = [[(x * across, y * down) for x, y in picture.outline(ring)] for ring in rings]
        for row, start, end in spans(outlines, columns, rows):
            grid[row][start:end] = [code] * (end - start)
    return grid


def spans(
    outlines: Iterable[Sequence[Point]], columns: int, rows: int
) -> Iterator[tuple[int, int, int]]:
    """The runs of cells whose middles lie inside of closed lines, by the even-odd rule: row, first
    cell, end. Cells are squares of one unit, the first one at the origin."""
    crossings: dict[int, list[float]] = {}
    for points in outlines:
        for row, x in _crossings(points, rows):
            crossings.setdefault(row, []).append(x)
    for row, found in crossings.items():
        found.sort()
        for left, right in zip(found[::2], found[1::2], strict=True):
            start, end = max(ceil(left - 0.5), 0), min(ceil(right - 0.5), columns)
            if start < end:
                yield row, start, end


def _crossings(points: Sequence[Point], rows: int) -> Iterator[tuple[int, float]]:
    """Where a closed line crosses the middles of rows: the row, and how far across."""
    for (x, y), (to_x, to_y) in pairwise((*points, *points[:1])):
        if y > to_y:  # upwards as downwards, so that both sides of a shared arc agree
            x, y, to_x, to_y = to_x, to_y, x, y
        for row in range(max(ceil(y - 0.5), 0), min(ceil(to_y - 0.5), rows)):
            yield row, x + (to_x - x) * (row + 0.5 - y) / (to_y - y)
