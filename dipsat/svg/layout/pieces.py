"""Names in the further pieces of provinces that lie in several, such as an ocean at the left and at
the right edge of a round world."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import hypot

from dipsat.svg.layout.raster import raster
from dipsat.svg.pictures.picture import Picture, Point, Shape

_STEP = 12.0
"""Between the places that are tried for a name, in units of the picture."""
_FLAT = 0.4
"""How much a distance to the side counts against one up or down, names being wide."""


def with_further_names(picture: Picture) -> Picture:
    """Return the picture with a name in each piece of a province but the one that has its name."""
    shapes = {
        code: replace(shape, again=_further(picture, shape)) if len(shape.rings) > 1 else shape
        for code, shape in picture.shapes.items()
    }
    return replace(picture, shapes=shapes)


def _further(picture: Picture, shape: Shape) -> tuple[Point, ...]:
    """Holes are walked the other way round than the largest outline."""
    outlines = [picture.outline(ring) for ring in shape.rings]
    around = max((_area(outline) for outline in outlines), key=abs)
    found: list[Point] = []
    for outline in outlines:
        cells = raster([outline], _STEP / 4)
        if _area(outline) * around < 0 or cells.contains(shape.place.label or shape.place.unit):
            continue
        flat = [(x * _FLAT, y) for x, y in outline]
        sides = list(pairwise([*flat, flat[0]]))
        room = {
            (x, y): min(_distance((x * _FLAT, y), a, b) for a, b in sides)
            for x, y in cells.points(_STEP)
        }
        if room:
            x, y = max(room, key=room.__getitem__)
            found.append((round(x, 1), round(y, 1)))
    return tuple(found)


def _distance(point: Point, a: Point, b: Point) -> float:
    """From a point to the nearest one on the line from `a` to `b`."""
    (x, y), (ax, ay) = point, a
    dx, dy = b[0] - ax, b[1] - ay
    length = dx * dx + dy * dy
    part = min(max(((x - ax) * dx + (y - ay) * dy) / length, 0.0), 1.0) if length else 0.0
    return hypot(x - ax - part * dx, y - ay - part * dy)


def _area(outline: list[Point]) -> float:
    around = pairwise([*outline, outline[0]])
    return sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in around)
