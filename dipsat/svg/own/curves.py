"""Lines and curves of an SVG file: moved by its transformations, and cut into points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil, cos, hypot, isfinite, sin, sqrt, tan

from dipsat.limits_of_input import Tally
from dipsat.svg.pictures.picture import Point

_MOST_PARTS = 64  # of one curve
_FARTHEST = 1e7
"""No coordinate of a drawing is farther from its corner than this."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """The transformation x' = ax + cy + e, y' = bx + dy + f, as SVG's `matrix(a b c d e f)`."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def of(self, point: Point) -> Point:
        """Where a point goes."""
        x, y = point
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def after(self, inner: Matrix) -> Matrix:
        """This transformation of what the inner one gives."""
        x, y = self.of((inner.e, inner.f))
        return Matrix(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            x,
            y,
        )


UNMOVED = Matrix()


def moved_by(x: float, y: float = 0.0) -> Matrix:
    """SVG's `translate`."""
    return Matrix(e=x, f=y)


def turned_by(angle: float, x: float = 0.0, y: float = 0.0) -> Matrix:
    """SVG's `rotate` by an angle in radians."""
    turn = Matrix(cos(angle), sin(angle), -sin(angle), cos(angle))
    return moved_by(x, y).after(turn).after(moved_by(-x, -y))


def slanted_by(across: float, down: float) -> Matrix:
    """SVG's `skewX` and `skewY` by angles in radians."""
    return Matrix(b=tan(down), c=tan(across))


@dataclass(slots=True)
class Line:
    """A line that begins at a point and goes on in steps: to one point straight, or past two
    points, as a cubic curve, to a third. Filled shapes lie between such lines, each closed."""

    start: Point
    steps: list[tuple[Point, ...]] = field(default_factory=list)


def points_of(line: Line, matrix: Matrix, grain: float, count: Tally) -> list[Point]:
    """The points of a line after a transformation; curves keep to their place within a grain.
    Raises `ValueError` for points too far away, and `InputLimitError` for too many."""
    at = _near(matrix.of(line.start))
    points = [at]
    for step in line.steps:
        ends = [_near(matrix.of(point)) for point in step]
        if len(ends) == 1:
            points.append(ends[0])
        else:
            parts = _parts(at, ends, grain)
            count.add(parts - 1)  # whoever read the line has counted its steps
            points += [_on_curve(at, ends, part / parts) for part in range(1, parts)]
            points.append(ends[-1])
        at = ends[-1]
    return points


def thinned(points: Iterable[Point], grain: float) -> list[Point]:
    """The points of a closed line without those that are nearer than a grain to the one before."""
    found: list[Point] = []
    for x, y in points:
        if not found or hypot(x - found[-1][0], y - found[-1][1]) >= grain:
            found.append((x, y))
    while len(found) > 1 and hypot(found[0][0] - found[-1][0], found[0][1] - found[-1][1]) < grain:
        found.pop()
    return found


def _near(point: Point) -> Point:
    if not all(isfinite(value) and abs(value) <= _FARTHEST for value in point):
        raise ValueError(f"a point is farther away than {_FARTHEST:,.0f}")
    return point


def _parts(start: Point, ends: Sequence[Point], grain: float) -> int:
    """Into how many straight parts a curve is cut: a bound of its second differences says how far
    these stray from it."""
    (x, y), (x1, y1), (x2, y2), (x3, y3) = (start, *ends)
    bend = max(
        hypot(x - 2 * x1 + x2, y - 2 * y1 + y2),
        hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3),
    )
    return max(1, min(_MOST_PARTS, ceil(sqrt(0.75 * bend / grain))))


def _on_curve(start: Point, ends: Sequence[Point], part: float) -> Point:
    rest = 1 - part
    weights = (rest**3, 3 * rest * rest * part, 3 * rest * part * part, part**3)
    points = (start, *ends)
    x = sum(weight * point[0] for weight, point in zip(weights, points, strict=True))
    y = sum(weight * point[1] for weight, point in zip(weights, points, strict=True))
    return x, y
