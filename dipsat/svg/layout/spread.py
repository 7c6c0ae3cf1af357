"""Even out a drawing of cells: round, of the wanted sizes, in the wanted directions.

Each cell is a fan of triangles round its middle. The energy of a triangle is that of bending it
from the shape it has in a regular polygon (U. Pinkall and K. Polthier, Computing Discrete Minimal
Surfaces, 1993); it grows beyond all bounds as a triangle becomes flat, so none ever turns over, and
no two cells ever overlap.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dipsat.svg.layout.descent import Numbers, least


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as indices of points."""

    middle: int
    ring: tuple[int, ...]
    """The points round it, each triangle (middle, point, next point) being positive."""
    area: float
    """The area it should have."""
    firmness: float = 1.0
    """How much its shape and size count."""


@dataclass(frozen=True, slots=True)
class Direction:
    """Which way one point should lie from another; (x, y) has length 1."""

    start: int
    end: int
    x: float
    y: float
    weight: float


_SIZE = 4.0
"""How much sizes count against shapes."""


class FlatError(Exception):
    """The drawing is so crowded somewhere that numbers no longer tell its points apart."""


def spread(
    points: Sequence[tuple[float, float]],
    cells: Sequence[Cell],
    directions: Sequence[Direction],
    held: Sequence[tuple[bool, bool]],
    steps: int,
) -> list[tuple[float, float]]:
    """The points moved, except in the coordinates that `held` names."""
    place: Numbers = [each for point in points for each in point]
    free = [at for at, fixed in enumerate(each for pair in held for each in pair) if not fixed]
    fans = [_fan(cell) for cell in cells]
    arrows = [(2 * d.start, 2 * d.end, d.x, d.y, d.weight) for d in directions]
    size = len(place)

    def energy(some: Numbers) -> tuple[float, Numbers]:
        for at, each in zip(free, some, strict=True):
            place[at] = each
        slope = [0.0] * size
        value = _bend(place, fans, slope)
        if value < math.inf:
            value += _turn(place, arrows, slope)
        return value, [slope[at] for at in free]

    start = [place[at] for at in free]
    if energy(start)[0] == math.inf:
        raise FlatError("a triangle is too flat to begin with")
    found = least(energy, start, steps)
    for at, each in zip(free, found, strict=True):
        place[at] = each
    return list(zip(place[::2], place[1::2], strict=True))


_Fan = tuple[int, tuple[int, ...], float, float, float, float]


def _fan(cell: Cell) -> _Fan:
    """Where its numbers stand, the weights of a triangle's outer side and of its spokes, twice the
    wanted area, and how much that counts."""
    corners = len(cell.ring)
    apex = 2 * math.pi / corners
    share = cell.firmness / corners
    ring = tuple(2 * point for point in cell.ring)
    return (
        2 * cell.middle,
        ring,
        share / math.tan(apex),
        share * math.tan(apex / 2),
        2 * cell.area,
        _SIZE * cell.firmness,
    )


def _bend(place: Numbers, fans: Sequence[_Fan], slope: Numbers) -> float:
    value = 0.0
    for middle, ring, outer, spoke, wanted, weight in fans:
        cx, cy = place[middle], place[middle + 1]
        last = ring[-1]
        px, py = place[last] - cx, place[last + 1] - cy
        area = 0.0
        gx = gy = 0.0
        pull = 0.0
        for point in ring:
            qx, qy = place[point] - cx, place[point + 1] - cy
            twice = px * qy - py * qx
            if twice <= 1e-13:
                return math.inf
            area += twice
            dx, dy = qx - px, qy - py
            bent = (
                outer * (dx * dx + dy * dy) + spoke * (px * px + py * py + qx * qx + qy * qy)
            ) / twice
            pull += bent
            rate = 2.0 / twice
            flat = -bent / twice
            ax, ay = rate * outer * dx, rate * outer * dy
            rate *= spoke
            ux, uy = rate * qx + ax - flat * py, rate * qy + ay + flat * px
            vx, vy = rate * px - ax + flat * qy, rate * py - ay - flat * qx
            slope[point] += ux
            slope[point + 1] += uy
            slope[last] += vx
            slope[last + 1] += vy
            gx += ux + vx
            gy += uy + vy
            px, py, last = qx, qy, point
        slope[middle] -= gx
        slope[middle + 1] -= gy
        off = math.log(area / wanted)
        value += pull + weight * off * off
        force = 2.0 * weight * off / area
        before, here = ring[-2], ring[-1]
        for after in ring:
            slope[here] += force * (place[after + 1] - place[before + 1])
            slope[here + 1] -= force * (place[after] - place[before])
            before, here = here, after
    return value


def _turn(
    place: Numbers, arrows: Sequence[tuple[int, int, float, float, float]], slope: Numbers
) -> float:
    value = 0.0
    for start, end, x, y, weight in arrows:
        dx, dy = place[end] - place[start], place[end + 1] - place[start + 1]
        length = math.sqrt(dx * dx + dy * dy)
        along = (dx * x + dy * y) / length
        value += weight * (1.0 - along)
        across = weight * (dx * y - dy * x) / (length * length * length)
        slope[end] += across * dy
        slope[end + 1] -= across * dx
        slope[start] -= across * dy
        slope[start + 1] += across * dx
    return value
