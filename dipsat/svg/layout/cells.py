"""Where the cells of a mesh lie: inside a frame, the wanted way up, evened out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dipsat.svg.layout.compass import Bearing, Compass
from dipsat.svg.layout.mesh import BLANK, Mesh
from dipsat.svg.layout.spread import Cell, Direction, spread
from dipsat.svg.pictures.picture import Point

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
    """Cells with positions."""

    owner: Sequence[int]
    middles: Sequence[Point]
    """A point inside each cell from which all of its outline is seen."""
    points: Sequence[Point]
    sides: Sequence[Side]
    width: float
    height: float


def lay_out(mesh: Mesh, compass: Compass, weights: Mapping[int, float], steps: int) -> Board:
    """The cells of a mesh in a frame. `weights` are the wanted areas of the provinces."""
    cell_of = {owner: cell for cell, owner in reversed(list(enumerate(mesh.owner)))}
    circle = [2 * math.pi * at / len(mesh.outer) for at in range(len(mesh.outer))]
    bearings = [b for b in compass.bearings if b.start in cell_of and b.end in cell_of]
    start = _tutte(mesh, [(math.cos(angle), math.sin(angle)) for angle in circle])
    turn, mirrored = _best_turn(start, bearings, cell_of)
    if mirrored:
        mesh.around = [near[::-1] for near in mesh.around]
        mesh.outer = mesh.outer[::-1]
    wanted = _areas(mesh, weights)
    half_height = math.sqrt(sum(wanted) / compass.aspect) / 2
    half = half_height * compass.aspect, half_height
    post = 2 * circle[1] if mirrored else 0.0  # the posts lie beside other cells then
    angles = _along([angle + turn + post for angle in circle], mesh, compass.spots)
    return _Drawing(mesh, half, angles, wanted).even_out(bearings, cell_of, steps)


def _along(angles: Sequence[float], mesh: Mesh, spots: Mapping[int, Point]) -> list[float]:
    """The posts on the frame moved to where their provinces lie, as far as their order allows."""
    found = list(angles)
    count = len(found)
    gap = 2 * math.pi / count / 4
    known = [spots.get(mesh.owner[cell]) for cell in mesh.outer]
    wanted: dict[int, float] = {}
    for at, one in enumerate(known):
        some = filter(None, (one, known[(at + 1) % count]))
        units = [(x / size, y / size) for x, y in some if (size := math.hypot(x, y))]
        if units:
            wanted[at] = math.atan2(sum(unit[1] for unit in units), sum(unit[0] for unit in units))
    for _ in range(60):
        for at, angle in wanted.items():
            low = found[at - 1] - (2 * math.pi if at == 0 else 0.0) + gap
            high = found[(at + 1) % count] + (2 * math.pi if at == count - 1 else 0.0) - gap
            turns = round((found[at] - angle) / (2 * math.pi))
            found[at] = min(max(angle + turns * 2 * math.pi, low), high)
    return found


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
    """The points of a mesh in a frame of the given half width and half height: first the middles
    of the cells, then the posts on the frame, its corners, and last the points between cells."""

    def __init__(
        self, mesh: Mesh, half: Point, angles: Sequence[float], wanted: Sequence[float]
    ) -> None:
        self.mesh, self.half, self.wanted = mesh, half, wanted
        self.ring = [_clear_of_corners(angle) for angle in angles]
        size = len(mesh.owner)
        self.points = _tutte(mesh, [self._on_frame(angle) for angle in self.ring])[:size]
        self.held = [(False, False)] * size
        self.posts = [self._add(self._on_frame(angle), *_on_side(angle)) for angle in self.ring]
        self.corners = [
            self._add(self._on_frame(math.pi / 4 + at * math.pi / 2), True, True)
            for at in range(_CORNERS)
        ]
        self.triangle: dict[tuple[int, int, int], int] = {}
        self.midpoint: dict[tuple[int, int], int] = {}
        self.sides: list[Side] = []
        self.firm = [0.15 if owner == BLANK else 1.0 for owner in mesh.owner]

    def _add(self, point: Point, hold_x: bool = False, hold_y: bool = False) -> int:
        self.points.append(point)
        self.held.append((hold_x, hold_y))
        return len(self.points) - 1

    def even_out(
        self, bearings: Sequence[Bearing], cell_of: Mapping[int, int], steps: int
    ) -> Board:
        """First the middles of the cells alone, which takes little time, then all points."""
        directions = [
            Direction(one, other, b.x, b.y, b.weight / len(pairs))
            for b in bearings
            for pairs in (self._pairs(b, cell_of),)
            for one, other in pairs
        ]
        stars = [self._star(cell) for cell in range(len(self.mesh.owner))]
        parts = [wanted / len(star) for wanted, star in zip(self.wanted, stars, strict=True)]
        size = len(stars)
        fans = [
            Cell(
                cell,
                tuple(star),
                sum(
                    sum(parts[one] for one in (cell, a, b) if one < size)
                    for a, b in zip(star, [*star[1:], star[0]], strict=True)
                ),
                self.firm[cell],
            )
            for cell, star in enumerate(stars)
        ]
        self.points = spread(self.points, fans, directions, self.held, steps)
        cells = [
            Cell(cell, self._ring(cell), self.wanted[cell], self.firm[cell]) for cell in range(size)
        ]
        points = spread(self.points, cells, directions, self.held, steps)
        width, height = self.half
        moved = [(x + width, y + height) for x, y in points]
        return Board(self.mesh.owner, moved[:size], moved, self.sides, 2 * width, 2 * height)

    def _star(self, cell: int) -> list[int]:
        """The middles of the cells round a cell, and where it lies on the frame, what is there."""
        near = self.mesh.around[cell]
        found: list[int] = []
        for at, other in enumerate(near):
            found.append(other)
            place = self._gap(cell, other, near[(at + 1) % len(near)])
            if place is not None:
                found += self._along_frame(place)
        return found

    def _gap(self, cell: int, other: int, following: int) -> int | None:
        """The place of a cell on the frame, if its neighbours there are these two."""
        outer = self.mesh.outer
        if cell not in outer:
            return None
        place = outer.index(cell)
        ends = outer[place - 1], outer[(place + 1) % len(outer)]
        return place if (other, following) == ends else None

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
        near = self.mesh.around[cell]
        stretches: list[list[int]] = []
        for at, other in enumerate(near):
            following = near[(at + 1) % len(near)]
            place = self._gap(cell, other, following)
            if place is None:
                stretches.append([self._at_triangle(cell, other, following)])
            else:
                stretches.append(self._along_frame(place))
                self.sides.append(Side(cell, -1, tuple(stretches[-1])))
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

    def _along_frame(self, place: int) -> list[int]:
        """The points on the frame from one post to the next."""
        start, end = self.ring[place - 1], self.ring[place]
        while end <= start:
            end += 2 * math.pi
        quarter = math.pi / 2
        first = math.ceil((start - quarter / 2) / quarter)
        last = math.floor((end - quarter / 2) / quarter)
        corners = [self.corners[at % _CORNERS] for at in range(first, last + 1)]
        return [self.posts[place - 1], *corners, self.posts[place]]

    def _pairs(self, bearing: Bearing, cell_of: Mapping[int, int]) -> list[tuple[int, int]]:
        """The cells that a bearing is about: those of the two provinces that touch; if none do,
        the first ones, but none of a province in several pieces."""
        owner, around = self.mesh.owner, self.mesh.around
        starts = [cell for cell, one in enumerate(owner) if one == bearing.start]
        touching = [
            (cell, other)
            for cell in starts
            for other in around[cell]
            if owner[other] == bearing.end
        ]
        if touching or len(starts) > 1 or owner.count(bearing.end) > 1:
            return touching
        return [(cell_of[bearing.start], cell_of[bearing.end])]


def _clear_of_corners(angle: float) -> float:
    """The angle, a little beside a corner if it is at one."""
    off = (angle - math.pi / 4) % (math.pi / 2)
    return angle + 0.02 if min(off, math.pi / 2 - off) < 0.02 else angle


def _on_side(angle: float) -> tuple[bool, bool]:
    """Which coordinate a point on the frame keeps."""
    upright = abs(math.cos(angle)) > abs(math.sin(angle))
    return upright, not upright


# --- Positions in which no two edges cross --------------------------------------------------------


def tutte(near: Sequence[Sequence[int]], fixed: Mapping[int, Point]) -> list[Point]:
    """The position of each node, `fixed` having those on the frame.

    Solves the equations by elimination, the node with the fewest neighbours first, so that a
    planar graph keeps its matrix sparse.
    """
    rows: dict[int, dict[int, float]] = {}
    right: dict[int, list[float]] = {}
    for node, others in enumerate(near):
        if node in fixed:
            continue
        rows[node] = {other: 1.0 for other in others if other not in fixed}
        sides = [fixed[other] for other in others if other in fixed]
        right[node] = [float(len(others)), sum(p[0] for p in sides), sum(p[1] for p in sides)]
    order: list[tuple[int, dict[int, float], list[float]]] = []
    waiting = set(rows)
    while waiting:
        node = min(waiting, key=lambda one: (len(rows[one]), one))
        waiting.remove(node)
        row, (weight, x, y) = rows.pop(node), right[node]
        order.append((node, row, right[node]))
        for other, share in row.items():
            part = share / weight
            theirs = rows[other]
            del theirs[node]
            sums = right[other]
            sums[1] += part * x
            sums[2] += part * y
            for third, weight_there in row.items():
                if third == other:
                    sums[0] -= part * share
                else:
                    theirs[third] = theirs.get(third, 0.0) + part * weight_there
    found = dict(fixed)
    for node, row, (weight, x, y) in reversed(order):
        for other, share in row.items():
            x += share * found[other][0]
            y += share * found[other][1]
        found[node] = (x / weight, y / weight)
    return [found[node] for node in range(len(near))]
