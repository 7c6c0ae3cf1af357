"""Where the cells of a mesh lie: inside a frame, the wanted way up, evened out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dipsat.svg.layout.compass import Bearing
from dipsat.svg.layout.mesh import BLANK, Mesh
from dipsat.svg.layout.spread import Cell, Direction, spread
from dipsat.svg.layout.tutte import tutte
from dipsat.svg.picture import Point

_CORNERS = 4


@dataclass(frozen=True)
class Side:
    """A stretch of the line between two cells, or between a cell and the frame."""

    left: int
    """A cell; its triangles lie where the stretch is walked from `points[0]`."""
    right: int
    """The other cell, or -1 for the frame."""
    points: tuple[int, ...]
    """Indices of points; the first and the last are shared with other stretches."""


@dataclass(frozen=True)
class Board:
    """Cells with positions; the first points are the middles of the cells."""

    owner: Sequence[int]
    points: Sequence[Point]
    sides: Sequence[Side]
    width: float
    height: float


def lay_out(
    mesh: Mesh,
    bearings: Sequence[Bearing],
    weights: Mapping[int, float],
    aspect: float,
    steps: int,
) -> Board:
    """The cells of a mesh in a frame whose sides relate as `aspect` says. `weights` are the wanted
    areas of the provinces, `bearings` say which lies where from which."""
    cell_of = {owner: cell for cell, owner in reversed(list(enumerate(mesh.owner)))}
    circle = [2 * math.pi * at / len(mesh.outer) for at in range(len(mesh.outer))]
    start = _tutte(mesh, [(math.cos(angle), math.sin(angle)) for angle in circle])
    turn, mirrored = _best_turn(start, bearings, cell_of)
    if mirrored:
        mesh.around = [near[::-1] for near in mesh.around]
        mesh.outer = mesh.outer[::-1]
    wanted = _areas(mesh, weights)
    half_height = math.sqrt(sum(wanted) / aspect) / 2
    half = half_height * aspect, half_height
    post = 2 * circle[1] if mirrored else 0.0  # the posts lie beside other cells then
    angles = [angle + turn + post for angle in circle]
    return _Drawing(mesh, half, angles, wanted).board(bearings, cell_of, steps)


def _tutte(mesh: Mesh, ring: Sequence[Point]) -> list[Point]:
    size = len(mesh.owner)
    near = [list(others) for others in mesh.around] + [[] for _ in ring]
    for at, cell in enumerate(mesh.outer):
        for post in (size + at, size + (at - 1) % len(ring)):
            near[cell].append(post)
            near[post].append(cell)
    return tutte(near, {size + at: point for at, point in enumerate(ring)})


def _best_turn(
    start: Sequence[Point], bearings: Sequence[Bearing], cell_of: Mapping[int, int]
) -> tuple[float, bool]:
    """By which angle to turn the drawing, and whether to mirror it (top to bottom) before."""
    best = (-1.0, 0.0, False)
    for mirrored in (False, True):
        along = across = 0.0
        for bearing in bearings:
            a, b = start[cell_of[bearing.start]], start[cell_of[bearing.end]]
            x, y = b[0] - a[0], (a[1] - b[1] if mirrored else b[1] - a[1])
            length = math.hypot(x, y) or 1.0
            along += bearing.weight * (x * bearing.x + y * bearing.y) / length
            across += bearing.weight * (x * bearing.y - y * bearing.x) / length
        merit = math.hypot(along, across)
        if merit > best[0] + 1e-9:
            best = merit, math.atan2(across, along), mirrored
    return best[1], best[2]


def _areas(mesh: Mesh, weights: Mapping[int, float]) -> list[float]:
    count: dict[int, int] = {}
    for owner in mesh.owner:
        count[owner] = count.get(owner, 0) + 1
    return [
        0.06
        if owner == BLANK
        else weights[owner] * (0.45 + 0.55 / count[owner])
        if count[owner] > 1
        else weights[owner]
        for owner in mesh.owner
    ]


class _Drawing:
    """The points of a mesh in a frame of the given half width and half height."""

    def __init__(
        self, mesh: Mesh, half: Point, angles: Sequence[float], wanted: Sequence[float]
    ) -> None:
        self.mesh, self.half, self.wanted = mesh, half, wanted
        self.ring = [_clear_of_corners(angle) for angle in angles]
        middles = _tutte(mesh, [self._on_frame(angle) for angle in self.ring])
        self.points = middles[: len(mesh.owner)]
        self.held = [(False, False)] * len(self.points)
        self.triangle: dict[tuple[int, int, int], int] = {}
        self.midpoint: dict[tuple[int, int], int] = {}
        self.posts = [self._add(self._on_frame(angle), *_on_side(angle)) for angle in self.ring]
        self.corners = {
            at: self._add(self._on_frame(math.pi / 4 + at * math.pi / 2), True, True)
            for at in range(_CORNERS)
        }
        self.sides: list[Side] = []
        self.rings = [self._ring(cell) for cell in range(len(mesh.owner))]

    def _add(self, point: Point, hold_x: bool = False, hold_y: bool = False) -> int:
        self.points.append(point)
        self.held.append((hold_x, hold_y))
        return len(self.points) - 1

    def _on_frame(self, angle: float) -> Point:
        x, y = math.cos(angle), math.sin(angle)
        size = max(abs(x), abs(y))
        return self.half[0] * x / size, self.half[1] * y / size

    def _middle(self, *cells: int) -> Point:
        some = [self.points[cell] for cell in cells]
        return sum(p[0] for p in some) / len(some), sum(p[1] for p in some) / len(some)

    def _at_triangle(self, *cells: int) -> int:
        one, two, three = sorted(cells)
        key = (one, two, three)
        if key not in self.triangle:
            self.triangle[key] = self._add(self._middle(*cells))
        return self.triangle[key]

    def _at_middle(self, one: int, two: int) -> int:
        key = (min(one, two), max(one, two))
        if key not in self.midpoint:
            self.midpoint[key] = self._add(self._middle(one, two))
        return self.midpoint[key]

    def _ring(self, cell: int) -> tuple[int, ...]:
        """The points round a cell; on the way, its sides."""
        near, outer = self.mesh.around[cell], self.mesh.outer
        place = outer.index(cell) if cell in outer else -1
        before, after = (outer[place - 1], outer[(place + 1) % len(outer)])
        stretches: list[list[int]] = []
        for at, other in enumerate(near):
            following = near[(at + 1) % len(near)]
            if place >= 0 and (other, following) == (before, after):
                stretches.append(self._along_frame(cell, place))
            else:
                stretches.append([self._at_triangle(cell, other, following)])
        for at, other in enumerate(near):
            if cell < other:
                start, end = stretches[at - 1][-1], stretches[at][0]
                line = (start, self._at_middle(cell, other), end)
                self.sides.append(Side(cell, other, line))
        return tuple(
            point
            for at, other in enumerate(near)
            for point in (self._at_middle(cell, other), *stretches[at])
        )

    def _along_frame(self, cell: int, place: int) -> list[int]:
        start, end = self.ring[place - 1], self.ring[place]
        while end <= start:
            end += 2 * math.pi
        quarter = math.pi / 2
        first = math.ceil((start - quarter / 2) / quarter)
        last = math.floor((end - quarter / 2) / quarter)
        corners = [self.corners[at % _CORNERS] for at in range(first, last + 1)]
        line = [self.posts[place - 1], *corners, self.posts[place]]
        self.sides.append(Side(cell, -1, tuple(line)))
        return line

    def board(self, bearings: Sequence[Bearing], cell_of: Mapping[int, int], steps: int) -> Board:
        owner = self.mesh.owner
        cells = [
            Cell(cell, ring, self.wanted[cell], 0.15 if owner[cell] == BLANK else 1.0)
            for cell, ring in enumerate(self.rings)
        ]
        directions = [
            Direction(cell_of[b.start], cell_of[b.end], b.x, b.y, b.weight) for b in bearings
        ]
        points = spread(self.points, cells, directions, self.held, steps)
        width, height = self.half
        moved = [(x + width, y + height) for x, y in points]
        return Board(owner, moved, self.sides, 2 * width, 2 * height)


def _clear_of_corners(angle: float) -> float:
    """The angle, a little beside a corner if it is at one."""
    off = (angle - math.pi / 4) % (math.pi / 2)
    return angle + 0.02 if min(off, math.pi / 2 - off) < 0.02 else angle


def _on_side(angle: float) -> tuple[bool, bool]:
    """Which coordinate a point on the frame keeps."""
    upright = abs(math.cos(angle)) > abs(math.sin(angle))
    return upright, not upright
