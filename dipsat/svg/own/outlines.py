"""From shapes as SVG fills them to outlines by the even-odd rule, as pictures have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from dipsat.svg.layout.raster import Box, bounds_of
from dipsat.svg.pictures.picture import Point

Outline = Sequence[Point]


def edges(outline: Outline) -> Iterator[tuple[Point, Point]]:
    """The sides of a closed line."""
    return pairwise((*outline, outline[0]))


def area(outline: Outline) -> float:
    """The area that a line surrounds, negative if it does so anticlockwise on the screen."""
    return sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in edges(outline)) / 2


def winding(point: Point, outline: Outline) -> int:
    """How often a line winds around a point, clockwise on the screen."""
    x, y = point
    turns = 0
    x1, y1 = outline[-1]
    was_above = y1 <= y
    for x2, y2 in outline:
        is_above = y2 <= y
        if is_above != was_above and x1 + (x2 - x1) * (y - y1) / (y2 - y1) > x:
            turns += 1 if was_above else -1
        x1, y1, was_above = x2, y2, is_above
    return turns


def visible(outlines: Sequence[Outline]) -> list[Outline]:
    """The outlines of a shape that is all that its lines wind around: those with inside on one side
    and outside on the other. Lines that cross each other stay as they are."""
    boxed = _boxed(outlines)
    found = []
    for at, outline in enumerate(outlines):
        around = _around(_middle_of_longest(outline), [*boxed[:at], *boxed[at + 1 :]])
        own = 1 if area(outline) > 0 else -1
        if around in (0, -own):
            found.append(outline)
    return found


def joined(shapes: Sequence[Sequence[Outline]]) -> list[Outline]:
    """The outlines of several shapes together, each by the even-odd rule: without those that lie
    within another shape. Shapes that cross each other stay as they are."""
    boxed = [_boxed(shape) for shape in shapes]
    found: list[Outline] = []
    for number, shape in enumerate(shapes):
        others = [*boxed[:number], *boxed[number + 1 :]]
        for outline in shape:
            point = _middle_of_longest(outline)
            if not any(_around(point, other) % 2 for other in others):
                found.append(outline)
    return found


_Boxed = list[tuple[Box, Outline]]


def _boxed(outlines: Sequence[Outline]) -> _Boxed:
    return [(bounds_of([one]), one) for one in outlines]


def _around(point: Point, outlines: _Boxed) -> int:
    """How often lines wind around a point."""
    x, y = point
    return sum(
        winding(point, outline)
        for (left, top, right, bottom), outline in outlines
        if left <= x <= right and top <= y <= bottom
    )


def _middle_of_longest(outline: Outline) -> Point:
    """A point of a line where it hardly meets another one."""
    (x, y), (to_x, to_y) = max(
        edges(outline), key=lambda edge: abs(edge[1][0] - edge[0][0]) + abs(edge[1][1] - edge[0][1])
    )
    return (x + to_x) / 2, (y + to_y) / 2
