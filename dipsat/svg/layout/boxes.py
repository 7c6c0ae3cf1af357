"""Boxes: around things, beside each other, and by the region that they lie in."""

from __future__ import annotations

from collections.abc import Iterable

from dipsat.svg.layout.raster import Box
from dipsat.svg.pictures.picture import Point


def box_around(middle: Point, wide: float, high: float) -> Box:
    """The box of this width and height."""
    x, y = middle
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def grown(box: Box, by: float) -> Box:
    """A box with a margin."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def meet(one: Box, other: Box) -> bool:
    """Whether two boxes overlap; those that only touch do not."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


class Boxes:
    """Boxes by the squares of a grid that they touch, so that those in a region are soon found."""

    def __init__(self, square: float) -> None:
        self.square = square
        self.squares: dict[tuple[int, int], list[Box]] = {}

    def add(self, boxes: Iterable[Box]) -> None:
        """Add boxes."""
        for box in boxes:
            for square in self._touched(box):
                self.squares.setdefault(square, []).append(box)

    def near(self, region: Box) -> list[Box]:
        """Those that meet a box."""
        found = {
            box: None
            for square in self._touched(region)
            for box in self.squares.get(square, ())
            if meet(region, box)
        }
        return list(found)

    def _touched(self, box: Box) -> list[tuple[int, int]]:
        left, top, right, bottom = (int(edge // self.square) for edge in box)
        return [(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)]
