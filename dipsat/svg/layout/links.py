"""Curved lines for borders whose provinces do not touch in the picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, product, repeat
from math import dist, inf

from dipsat.svg.layout.places import UNIT, name_box
from dipsat.svg.layout.raster import Box, bounds_of, box_around, grown, meet
from dipsat.svg.pictures.picture import Picture, Point

Line = tuple[Point, ...]

_DEEP = 15.0
"""How far a line leads into a province."""
_BENDS = (0.16, -0.16, 0.3, -0.3, 0.45, -0.45, 0.6, -0.6)
"""How far a line bends to a side, as a part of its length."""
_STEPS = 12
_ENDS = 5
"""In a province, how many ends of a line are tried."""
_MOST = 60
"""Links beyond which each takes the nearest ends: there is no room to choose others."""
_APART = 9.0
"""From a line to another one, at least, where there is room."""


def links_of(
    picture: Picture, pairs: Iterable[tuple[str, str]]
) -> tuple[tuple[str, str, Line], ...]:
    """A line for each pair of provinces, by the shortest way between them, bent so that little is
    in its way: units and names, and the lines before it."""
    boxes = boxes_in_the_way(picture)
    pairs = list(pairs)
    tried, bends = (_ENDS, _BENDS) if len(pairs) <= _MOST else (1, _BENDS[:1])
    found: list[tuple[str, str, Line]] = []
    others: list[tuple[Line, Box]] = []

    def cost(line: Line) -> float:
        return _cost(line, picture, boxes, others) + length(line) / (2 * UNIT * picture.scale)

    for one, other in pairs:
        outlines = outline_of(picture, one), outline_of(picture, other)
        nearest = min(product(*outlines), key=lambda ends: dist(*ends))
        ends = [
            [inwards(picture, code, end) for end in _some_near(outline, near, picture.scale, tried)]
            for code, outline, near in zip((one, other), outlines, nearest, strict=True)
        ]
        starts, stops = ends
        lines = (curve(a, b, bend) for a, b in product(starts, stops) for bend in bends)
        line = min(lines, key=cost)
        found.append((one, other, line))
        others.append((line, grown(bounds_of([line]), _APART * picture.scale)))
    return tuple(found)


def _some_near(outline: Sequence[Point], point: Point, scale: float, most: int) -> list[Point]:
    """A point of an outline, and some others that are not far from it, nor from each other."""
    found = [point]
    for other in sorted(outline, key=lambda other: dist(other, point)):
        if len(found) < most and all(dist(other, one) >= 1.1 * UNIT * scale for one in found):
            found.append(other)
    return found


def _cost(
    line: Line, picture: Picture, boxes: Iterable[Box], others: Iterable[tuple[Line, Box]]
) -> float:
    """How much is in the way of a line: 0 if nothing is. Other lines come with the boxes in which
    they are too near."""
    s = picture.scale
    left, top, right, bottom = around = bounds_of([line])
    if left < 2 or top < 2 or right > picture.width - 2 or bottom > picture.height - 2:
        return inf
    near = [box for box in boxes if meet(box, around)]
    cost = 0.0
    for x, y in line:
        cost += 3 * sum(box[0] < x < box[2] and box[1] < y < box[3] for box in near)
    for other, region in others:
        if meet(region, around):
            # What is outside the region is farther away than what counts.
            close = [
                (x, y)
                for x, y in line
                if region[0] <= x <= region[2] and region[1] <= y <= region[3]
            ]
            away = [min(map(dist, repeat(point), other)) for point in close]
            cost += sum(1 - one / (_APART * s) for one in away if one < _APART * s)
            # Two lines that end at one point look like one that leads on.
            ends = product((line[0], line[-1]), (other[0], other[-1]))
            cost += 3 * sum(dist(*two) < 1.5 * _APART * s for two in ends)
    return cost


def boxes_in_the_way(picture: Picture) -> list[Box]:
    """The boxes of all units and names."""
    s = picture.scale
    found: list[Box] = []
    for code, shape in picture.shapes.items():
        found.append(box_around(shape.place.unit, (UNIT + 4) * s, (UNIT + 4) * s))
        for label in (shape.place.label, *shape.again):
            if label is not None:
                found.append(name_box(label, code, shape.size, s))
    return found


def outline_of(picture: Picture, code: str) -> list[Point]:
    """The points of all outlines of a province."""
    return [point for ring in picture.shapes[code].rings for point in picture.outline(ring)]


def inwards(picture: Picture, code: str, point: Point) -> Point:
    """A point inside a province near one of its outline: on the way to where its unit stands."""
    middle = picture.shapes[code].place.unit
    away = dist(point, middle)
    part = min(_DEEP * picture.scale / away, 1.0) if away else 1.0
    found = (
        point[0] + part * (middle[0] - point[0]),
        point[1] + part * (middle[1] - point[1]),
    )
    outlines = [picture.outline(ring) for ring in picture.shapes[code].rings]
    return found if inside(found, outlines) else middle


def inside(point: Point, outlines: Iterable[Sequence[Point]]) -> bool:
    """Whether a ray to the right crosses closed lines an odd number of times."""
    x, y = point
    found = False
    for outline in outlines:
        for (ax, ay), (bx, by) in pairwise((*outline, outline[0])):
            if (ay > y) != (by > y):
                found ^= x < ax + (y - ay) * (bx - ax) / (by - ay)
    return found


def curve(start: Point, end: Point, bend: float) -> Line:
    """A line that bends to a side."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    middle = ((start[0] + end[0]) / 2 - bend * dy, (start[1] + end[1]) / 2 + bend * dx)
    line: list[Point] = []
    for step in range(_STEPS + 1):
        t = step / _STEPS
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        x = a * start[0] + b * middle[0] + c * end[0]
        y = a * start[1] + b * middle[1] + c * end[1]
        line.append((round(x, 1), round(y, 1)))
    return tuple(line)


def length(line: Line) -> float:
    """How long a line is."""
    return sum(dist(*two) for two in pairwise(line))
