"""Curves for arrows: cubic Bezier curves end to end, in units of the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from dipsat.svg.markup import number
from dipsat.svg.pictures.picture import Point

Cubic = tuple[Point, Point, Point, Point]

_SHARES = tuple(share / 9 for share in range(1, 9))
_WEIGHTS = tuple(((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3) for t in _SHARES)
"""What the four points of a cubic curve count at these shares."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Cubic Bezier curves, each beginning where the one before ends."""

    parts: tuple[Cubic, ...]

    @property
    def path(self) -> str:
        """The curve as the `d` of an SVG path."""
        start = self.parts[0][0]
        steps = "".join(
            f"C{spot(one)} {spot(two)} {spot(three)}" for _, one, two, three in self.parts
        )
        return f"M{spot(start)}{steps}"

    @property
    def start(self) -> Point:
        """Where it begins."""
        return self.parts[0][0]

    @property
    def end(self) -> Point:
        """Where it ends."""
        return self.parts[-1][3]

    def at(self, share: float) -> Point:
        """The point after a share of the curve from 0 to 1, each part counting the same."""
        part, t = self._part(share)
        return _point(part, t)

    def spread(self) -> list[Point]:
        """Points along the curve, at even shares of it, without its ends."""
        if len(self.parts) > 1:
            return [self.at(share) for share in _SHARES]
        ((a, b, c, d),) = self.parts
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = a, b, c, d
        return [
            (i * ax + j * bx + k * cx + m * dx, i * ay + j * by + k * cy + m * dy)
            for i, j, k, m in _WEIGHTS
        ]

    def heading(self, share: float) -> Point:
        """The direction there, as a vector of length 1."""
        part, t = self._part(share)
        a, b, c, d = part
        s = 1 - t
        x = s * s * (b[0] - a[0]) + 2 * s * t * (c[0] - b[0]) + t * t * (d[0] - c[0])
        y = s * s * (b[1] - a[1]) + 2 * s * t * (c[1] - b[1]) + t * t * (d[1] - c[1])
        length = hypot(x, y)
        return (x / length, y / length) if length else (1.0, 0.0)

    def trimmed(self, start: float, end: float) -> Curve:
        """The curve without about these lengths at its start and end."""
        first, last = self.parts[0], self.parts[-1]
        if len(self.parts) == 1:
            length = chord(first) or 1.0
            low, high = min(start / length, 0.35), min(end / length, 0.45)
            _, rest = _split(first, low)
            kept, _ = _split(rest, 1 - high / (1 - low))
            return Curve((kept,))
        _, head = _split(first, min(start / (chord(first) or 1.0), 0.45))
        tail, _ = _split(last, 1 - min(end / (chord(last) or 1.0), 0.45))
        return Curve((head, *self.parts[1:-1], tail))

    def within(self, width: float, height: float) -> Curve:
        """The curve with what pulls it kept in a board of this size, and so the curve itself."""

        def kept(point: Point) -> Point:
            return min(max(point[0], 0.0), width), min(max(point[1], 0.0), height)

        return Curve(tuple((a, kept(b), kept(c), d) for a, b, c, d in self.parts))

    def _part(self, share: float) -> tuple[Cubic, float]:
        scaled = min(max(share, 0.0), 1.0) * len(self.parts)
        index = min(int(scaled), len(self.parts) - 1)
        return self.parts[index], scaled - index


def spot(point: Point) -> str:
    """A point as SVG writes it."""
    return f"{number(point[0])} {number(point[1])}"


def bent(start: Point, end: Point, bend: float) -> Curve:
    """A curve whose middle is `bend` units to the left of the straight line, seen along it on the
    screen."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    off = bend * 4 / 3 / length  # the middle of a cubic lies at 3/4 of its control points
    ox, oy = dy * off, -dx * off
    return Curve(
        (
            (
                start,
                (start[0] + dx / 3 + ox, start[1] + dy / 3 + oy),
                (start[0] + dx * 2 / 3 + ox, start[1] + dy * 2 / 3 + oy),
                end,
            ),
        )
    )


def through(points: Sequence[Point]) -> Curve:
    """A smooth curve through several points."""
    parts = []
    for at in range(len(points) - 1):
        one, two = points[at], points[at + 1]
        before = points[at - 1] if at else one
        after = points[at + 2] if at + 2 < len(points) else two
        # By a part's own length: beside a much longer one it would bulge far beyond its ends.
        (ax, ay), (bx, by) = _towards(before, two), _towards(one, after)
        third = hypot(two[0] - one[0], two[1] - one[1]) / 3
        first = one[0] + ax * third, one[1] + ay * third
        parts.append((one, first, (two[0] - bx * third, two[1] - by * third), two))
    return Curve(tuple(parts))


def _towards(one: Point, other: Point) -> Point:
    """The direction from one point to another, as a vector of length 1; (0, 0) between equals."""
    x, y = other[0] - one[0], other[1] - one[1]
    length = hypot(x, y) or 1.0
    return x / length, y / length


def chord(part: Cubic) -> float:
    """The straight distance between the ends of a part."""
    return hypot(part[3][0] - part[0][0], part[3][1] - part[0][1])


def _point(part: Cubic, t: float) -> Point:
    a, b, c, d = part
    s = 1 - t
    one, two, three, four = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
    return (
        one * a[0] + two * b[0] + three * c[0] + four * d[0],
        one * a[1] + two * b[1] + three * c[1] + four * d[1],
    )


def _split(part: Cubic, t: float) -> tuple[Cubic, Cubic]:
    """The two parts of a part, before and after `t`."""
    a, b, c, d = part
    ab, bc, cd = _between(a, b, t), _between(b, c, t), _between(c, d, t)
    abc, bcd = _between(ab, bc, t), _between(bc, cd, t)
    middle = _between(abc, bcd, t)
    return (a, ab, abc, middle), (middle, bcd, cd, d)


def _between(one: Point, other: Point, t: float) -> Point:
    return one[0] + (other[0] - one[0]) * t, one[1] + (other[1] - one[1]) * t
