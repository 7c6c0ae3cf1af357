"""Curved lines for borders whose provinces do not touch in the picture."""

from __future__ import annotations

import math
from itertools import product

from dipsat.svg.pictures.picture import Picture, Point

_DEEP = 15.0
"""How far a line leads into a province."""
_BEND = 0.16
"""How far a line bends to a side, as a part of its length."""
_STEPS = 12
_CLOSE = 6
"""Each so many points of an outline are compared first."""


def line_between(picture: Picture, one: str, other: str) -> tuple[Point, ...]:
    """A line from a province to another, by the shortest way between them."""
    start, end = _nearest(_outline(picture, one), _outline(picture, other))
    return _curve(_inwards(picture, one, start), _inwards(picture, other, end))


def _outline(picture: Picture, code: str) -> list[Point]:
    return [point for ring in picture.shapes[code].rings for point in picture.outline(ring)]


def _nearest(some: list[Point], others: list[Point]) -> tuple[Point, Point]:
    pairs = product(some[::_CLOSE] or some, others[::_CLOSE] or others)
    rough = min(pairs, key=lambda pair: math.dist(*pair))
    end = min(others, key=lambda point: math.dist(point, rough[0]))
    start = min(some, key=lambda point: math.dist(point, end))
    return start, min(others, key=lambda point: math.dist(point, start))


def _inwards(picture: Picture, code: str, point: Point) -> Point:
    """A point inside a province near one of its outline: on the way to where its unit stands."""
    middle = picture.shapes[code].place.unit
    away = math.dist(point, middle)
    part = min(_DEEP * picture.scale / away, 1.0) if away else 1.0
    found = (
        point[0] + part * (middle[0] - point[0]),
        point[1] + part * (middle[1] - point[1]),
    )
    return found if _contains(picture, code, found) else middle


def _contains(picture: Picture, code: str, point: Point) -> bool:
    """Whether a ray to the right crosses the outlines of a province an odd number of times."""
    x, y = point
    found = False
    for ring in picture.shapes[code].rings:
        before = picture.outline(ring)[-1]
        for here in picture.outline(ring):
            if (before[1] > y) != (here[1] > y):
                slope = (here[0] - before[0]) / (here[1] - before[1])
                found ^= x < before[0] + (y - before[1]) * slope
            before = here
    return found


def _curve(start: Point, end: Point) -> tuple[Point, ...]:
    dx, dy = end[0] - start[0], end[1] - start[1]
    middle = ((start[0] + end[0]) / 2 - _BEND * dy, (start[1] + end[1]) / 2 + _BEND * dx)
    line: list[Point] = []
    for step in range(_STEPS + 1):
        t = step / _STEPS
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        x = a * start[0] + b * middle[0] + c * end[0]
        y = a * start[1] + b * middle[1] + c * end[1]
        line.append((round(x, 1), round(y, 1)))
    return tuple(line)
