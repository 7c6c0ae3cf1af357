"""Which province lies under each point of a grid: a picture in the pixels of a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil

from dipsat.svg.pictures.picture import Picture, Point

BLANK = "-"
"""What stands for land that belongs to no province; no code has a hyphen."""


def codes_under(picture: Picture, columns: int, rows: int) -> list[list[str]]:
    """The codes of the provinces under the middles of a grid's cells, row by row; BLANK for land
    without a province, "" for what no outline surrounds."""
    grid = [[""] * columns for _ in range(rows)]
    blank = [(BLANK, (ring,)) for ring in picture.blank]
    across, down = columns / picture.width, rows / picture.height
    for code, rings in (*((code, one.rings) for code, one in picture.shapes.items()), *blank):
        outlines = [[(x * across, y * down) for x, y in picture.outline(ring)] for ring in rings]
        for row, start, end in spans(outlines, columns, rows):
            grid[row][start:end] = [code] * (end - start)
    return grid


def spans(
    outlines: Iterable[Sequence[Point]],
    columns: int,
    rows: int,
    left: float = 0.0,
    top: float = 0.0,
    grain: float = 1.0,
) -> Iterator[tuple[int, int, int]]:
    """The runs of cells whose middles lie inside of closed lines, by the even-odd rule: row, first
    cell, end. Cells are squares with sides of `grain`, the first one right of `left` and below
    `top`."""
    crossings: list[list[float]] = [[] for _ in range(rows)]
    for points in outlines:
        for (x, y), (to_x, to_y) in pairwise((*points, *points[:1])):
            if y > to_y:  # upwards as downwards, so that both sides of a shared arc agree
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
