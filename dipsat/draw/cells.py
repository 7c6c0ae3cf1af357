"""Where the cells of a mesh lie: inside a frame, the wanted way up, evened out."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import mul

from dipsat.draw.compass import Bearing, Compass
from dipsat.draw.map_picture import Point
from dipsat.draw.mesh import BLANK, Mesh

# --- spreading ------------------------------------------------------------------------------------

# Even out a drawing of cells: round, of the wanted sizes, in the wanted directions.
#
# Each cell is a fan of triangles round its middle. The energy of a triangle is that of bending it
# from the shape it has in a regular polygon (U. Pinkall and K. Polthier, Computing Discrete Minimal
# Surfaces, 1993); it grows beyond all bounds as a triangle becomes flat, so none ever turns over,
# and no two cells ever overlap.


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


_SIZE = 4.0
"""How much sizes count against shapes."""


class FlatError(Exception):
    """The drawing is so crowded somewhere that numbers no longer tell its points apart."""


def spread(
    points: Sequence[tuple[float, float]],
    cells: Sequence[Cell],
    bearings: Sequence[Bearing],
    held: Sequence[tuple[bool, bool]],
    steps: int,
) -> list[tuple[float, float]]:
    """The points moved, except in the coordinates that `held` names."""
    place: Numbers = [each for point in points for each in point]
    free = [at for at, fixed in enumerate(each for pair in held for each in pair) if not fixed]
    fans = [_fan(cell) for cell in cells]
    arrows = [(2 * d.start, 2 * d.end, d.x, d.y, d.weight) for d in bearings]
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


# --- cells ----------------------------------------------------------------------------------------

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
    count = Counter(mesh.owner)
    wanted = [
        0.06 if owner == BLANK else weights[owner] * (0.45 + 0.55 / count[owner])
        for owner in mesh.owner
    ]
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
        self.shared: dict[tuple[int, ...], int] = {}
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
            replace(b, start=one, end=other, weight=b.weight / len(pairs))
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

    def _between(self, *cells: int) -> int:
        """The point where some cells meet, one for each set of cells."""
        key = tuple(sorted(cells))
        if key not in self.shared:
            some = [self.points[cell] for cell in cells]
            x, y = sum(p[0] for p in some) / len(some), sum(p[1] for p in some) / len(some)
            self.shared[key] = self._add((x, y))
        return self.shared[key]

    def _ring(self, cell: int) -> tuple[int, ...]:
        """The points round a cell; on the way, its sides."""
        near = self.mesh.around[cell]
        stretches: list[list[int]] = []
        for at, other in enumerate(near):
            following = near[(at + 1) % len(near)]
            place = self._gap(cell, other, following)
            if place is None:
                stretches.append([self._between(cell, other, following)])
            else:
                stretches.append(self._along_frame(place))
                self.sides.append(Side(cell, -1, tuple(stretches[-1])))
        for at, other in enumerate(near):
            if cell < other:
                start, end = stretches[at - 1][-1], stretches[at][0]
                line = (start, self._between(cell, other), end)
                self.sides.append(Side(cell, other, line))
        return tuple(
            point
            for at, other in enumerate(near)
            for point in (self._between(cell, other), *stretches[at])
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
