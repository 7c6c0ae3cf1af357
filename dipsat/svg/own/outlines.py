"""From shapes as SVG fills them to outlines by the even-odd rule, as pictures have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from dipsat.svg.layout.raster import Box, bounds_of
from dipsat.svg.picture import Point

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
    for (x1, y1), (x2, y2) in edges(outline):
        if (y1 <= y) != (y2 <= y) and x1 + (x2 - x1) * (y - y1) / (y2 - y1) > x:
            turns += 1 if y1 <= y else -1
    return turns


def visible(outlines: Sequence[Outline]) -> list[Outline]:
    """The outlines of a shape that is all that its lines wind around: those with inside on one side
    and outside on the other. Lines that cross each other stay as they are."""
    boxes = [bounds_of([one]) for one in outlines]
    found = []
    for at, outline in enumerate(outlines):
        point = _middle_of_longest(outline)
        around = sum(
            winding(point, other)
            for number, other in enumerate(outlines)
            if number != at and _contains(boxes[number], point)
        )
        own = 1 if area(outline) > 0 else -1
        if around in (0, -own):
            found.append(outline)
    return found


def joined(shapes: Sequence[Sequence[Outline]]) -> list[Outline]:
    """The outlines of several shapes together, each by the even-odd rule: without those that lie
    within another shape. Shapes that cross each other stay as they are."""
    found: list[Outline] = []
    for number, shape in enumerate(shapes):
        others = [other for at, other in enumerate(shapes) if at != number]
        found += (one for one in shape if not any(_within(one, other) for other in others))
    return found


def _within(outline: Outline, shape: Sequence[Outline]) -> bool:
    point = _middle_of_longest(outline)
    return sum(winding(point, one) for one in shape if _contains(bounds_of([one]), point)) % 2 == 1


def _middle_of_longest(outline: Outline) -> Point:
    """A point of a line where it hardly meets another one."""
    (x, y), (to_x, to_y) = max(
        edges(outline), key=lambda edge: abs(edge[1][0] - edge[0][0]) + abs(edge[1][1] - edge[0][1])
    )
    return (x + to_x) / 2, (y + to_y) / 2


def _contains(box: Box, point: Point) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]
