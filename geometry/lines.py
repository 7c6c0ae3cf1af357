"""Lines through the points of the tables: gentle curves at sea, natural borders on land."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot
from random import Random

from dipsat.draw.map_picture import Point

_STEP = 6.0
"""About the length of the pieces of a curve, in units of the picture."""
_LONGEST = 36.0
"""The distance between the fixed points of a border on land, in units of the picture."""
_ROUGHNESS = 0.14
"""How far a border on land strays from the curve, as a fraction of the distance that is halved."""
_SMOOTH = 4.0
"""Pieces shorter than this are left straight."""


def curve(points: Sequence[Point]) -> list[Point]:
    """A smooth line through all the points (a Catmull-Rom spline)."""
    ends = [_beyond(points[1], points[0]), *points, _beyond(points[-2], points[-1])]
    found = [points[0]]
    for before, start, end, after in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        pieces = max(1, round(hypot(end[0] - start[0], end[1] - start[1]) / _STEP))
        for piece in range(1, pieces + 1):
            found.append(_between(before, start, end, after, piece / pieces))
    return found


def border(name: str, points: Sequence[Point]) -> list[Point]:
    """A line as crooked as borders along rivers and ridges, always the same for the same name."""
    random = Random(name)
    nodes = curve(points)[:: max(1, round(_LONGEST / _STEP))]
    if nodes[-1] != points[-1]:
        nodes.append(points[-1])
    found = [nodes[0]]
    for start, end in pairwise(nodes):
        found += _rough(start, end, random)
    return found


def _rough(start: Point, end: Point, random: Random) -> list[Point]:
    """The points after `start` of a crooked line: the middle strays, then those of its halves."""
    x, y = end[0] - start[0], end[1] - start[1]
    if hypot(x, y) < _SMOOTH:
        return [end]
    stray = random.uniform(-_ROUGHNESS, _ROUGHNESS)
    middle = (start[0] + end[0]) / 2 - y * stray, (start[1] + end[1]) / 2 + x * stray
    return [*_rough(start, middle, random), *_rough(middle, end, random)]


def _beyond(point: Point, end: Point) -> Point:
    return 2 * end[0] - point[0], 2 * end[1] - point[1]


def _between(before: Point, start: Point, end: Point, after: Point, t: float) -> Point:
    """The point at `t` from `start` (0) to `end` (1)."""

    def value(a: float, b: float, c: float, d: float) -> float:
        return b + t / 2 * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))

    return (
        value(before[0], start[0], end[0], after[0]),
        value(before[1], start[1], end[1], after[1]),
    )
