"""Even out a drawing of cells: round, of the wanted sizes, in the wanted directions.

Each cell is a fan of triangles round its middle. The energy of a triangle is that of bending it
from the shape it has in a regular polygon (U. Pinkall and K. Polthier, Computing Discrete Minimal
Surfaces, 1993); it grows beyond all bounds as a triangle becomes flat, so none ever turns over, and
no two cells ever overlap.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import mul


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


# --- The least value of a smooth function ---------------------------------------------------------

Numbers = list[float]
Function = Callable[[Numbers], tuple[float, Numbers]]
"""Value and slope at a place; the value is infinite where the function is not defined."""

_MEMORY = 12
_HALVINGS = 40


def _dot(one: Numbers, other: Numbers) -> float:
    products: map[float] = map(mul, one, other)
    return sum(products)


def least(function: Function, start: Numbers, steps: int, enough: float = 2e-4) -> Numbers:
    """A place where the function is small, after at most `steps` steps from `start`, each to a
    smaller value. The search ends early when ten steps gain less than the part `enough`."""
    here = start
    value, slope = function(here)
    memory: deque[tuple[Numbers, Numbers, float]] = deque(maxlen=_MEMORY)
    values = [value]
    for _ in range(steps):
        way = _way(slope, memory)
        fall = _dot(way, slope)
        if not fall < 0:
            memory.clear()
            way = [-each for each in slope]
            fall = -_dot(slope, slope)
            if not fall < 0:
                break
        length = 1.0 if memory else min(1.0, 1e-2 / max(map(abs, slope)))
        for _ in range(_HALVINGS):
            there = [a + length * b for a, b in zip(here, way, strict=True)]
            new_value, new_slope = function(there)
            if new_value <= value + 1e-4 * length * fall:
                break
            length *= 0.5
        else:
            if not memory:
                break
            memory.clear()
            continue
        step = [a - b for a, b in zip(there, here, strict=True)]
        bend = [a - b for a, b in zip(new_slope, slope, strict=True)]
        turn = _dot(step, bend)
        if turn > 1e-12 * math.sqrt(_dot(step, step) * _dot(bend, bend)):
            memory.append((step, bend, 1.0 / turn))
        here, value, slope = there, new_value, new_slope
        values.append(value)
        if len(values) > 10 and values[-11] - value < enough * abs(value):
            break
    return here


def _way(slope: Numbers, memory: deque[tuple[Numbers, Numbers, float]]) -> Numbers:
    """The direction of the next step."""
    way = [-each for each in slope]
    shares: list[float] = []
    for step, bend, scale in reversed(memory):
        share = scale * _dot(step, way)
        shares.append(share)
        way = [a - share * b for a, b in zip(way, bend, strict=True)]
    if memory:
        step, bend, scale = memory[-1]
        size = 1.0 / (scale * _dot(bend, bend))
        way = [size * each for each in way]
    for (step, bend, scale), share in zip(memory, reversed(shares), strict=True):
        rest = share - scale * _dot(bend, way)
        way = [a + rest * b for a, b in zip(way, step, strict=True)]
    return way
