"""Lines between cells that look drawn by hand: bent softly, and rough where land meets water.

Each line stays inside the four-sided field between the two middles and the two ends of its side.
These fields cover the picture without overlapping, so no two lines ever cross.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import combinations, pairwise

from dipsat.svg.pictures.picture import Point

Field = tuple[Point, Point, Point, Point]
"""The middle of the one cell, the start, the middle of the other cell, the end."""

_SHARES = (1.0, 0.6, 0.3, 0.0)
"""Parts of the wanted roughness that are tried in turn."""


def line(field: Field, bend: Point, roughness: float, grain: float, seed: int) -> list[Point]:
    """A line from the start to the end of a field, by way of `bend`. `roughness` is how far it
    strays, as a part of its length; `grain` the length of its smallest parts."""
    _, start, _, end = field
    for share in _SHARES:
        chance = random.Random(seed)
        found = _rough(_soft(start, bend, end, grain), roughness * share, grain, chance)
        if _stays_inside(found, field):
            return found
    return [start, bend, end]


def _soft(start: Point, bend: Point, end: Point, grain: float) -> list[Point]:
    """A smooth line through three points."""
    way = ((end[0] - start[0]) / 2, (end[1] - start[1]) / 2)
    first = (bend[0] - start[0], bend[1] - start[1])
    last = (end[0] - bend[0], end[1] - bend[1])
    return [*_hermite(start, bend, first, way, grain), *_hermite(bend, end, way, last, grain), end]


def _hermite(a: Point, b: Point, leaving: Point, coming: Point, grain: float) -> list[Point]:
    """Points on a cubic curve from one point to another, without the last one."""
    steps = min(4, max(1, round(_length(a, b) / grain / 2)))
    found: list[Point] = []
    for step in range(steps):
        t = step / steps
        u = 1 - t
        h0, h1 = (1 + 2 * t) * u * u, t * t * (3 - 2 * t)
        g0, g1 = t * u * u, -t * t * u
        found.append(
            (
                h0 * a[0] + h1 * b[0] + g0 * leaving[0] + g1 * coming[0],
                h0 * a[1] + h1 * b[1] + g0 * leaving[1] + g1 * coming[1],
            )
        )
    return found


def _rough(
    points: Sequence[Point], roughness: float, grain: float, chance: random.Random
) -> list[Point]:
    """The line with the middle of each part pushed to a side, again and again."""
    found = list(points)
    while roughness > 0:
        finer: list[Point] = []
        for a, b in pairwise(found):
            finer.append(a)
            if _length(a, b) > 1.6 * grain:
                off = chance.uniform(-1, 1) * roughness
                x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
                finer.append((x - off * (b[1] - a[1]), y + off * (b[0] - a[0])))
        finer.append(found[-1])
        if len(finer) == len(found):
            break
        found = finer
    return found


def _length(a: Point, b: Point) -> float:
    return math.dist(a, b)


def _stays_inside(points: Sequence[Point], field: Field) -> bool:
    """Whether a line leaves its field nowhere and meets itself nowhere."""
    inner = points[1:-1]
    if not all(_inside(point, field) for point in inner):
        return False
    parts = list(pairwise(points))
    sides = list(pairwise([*field, field[0]]))
    for a, b in parts:
        for c, d in sides:
            if a not in (c, d) and b not in (c, d) and _cross(a, b, c, d):
                return False
    return not any(
        _cross(*one, *other) for one, other in combinations(parts, 2) if one[1] != other[0]
    )


def _inside(point: Point, corners: Sequence[Point]) -> bool:
    x, y = point
    found = False
    for (ax, ay), (bx, by) in pairwise([*corners, corners[0]]):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            found = not found
    return found


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _turn(a, b, c) * _turn(a, b, d) <= 0 and _turn(c, d, a) * _turn(c, d, b) <= 0
