"""Where the cells of a mesh lie: inside a frame, the right way up, evened out."""

from __future__ import annotations

from cmath import phase, rect
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, cos, floor, inf, log, pi, sin, sqrt, tan

from dipsat.draw.compass import Bearing
from dipsat.draw.map_picture import Point
from dipsat.draw.mesh import BLANK, Mesh, NoRoomError

Numbers = list[complex]
Function = Callable[[Numbers], tuple[float, Numbers]]

_CORNERS = 4
_STEPS = 400
"""The most steps in which each of the two passes evens out a drawing."""


@dataclass(frozen=True)
class Side:
    """A section of the line between two cells, or between a cell and the frame."""

    left: int
    """The cell whose ring runs along the section from `points[0]` on."""
    right: int
    """The other cell, or -1 for the frame."""
    points: tuple[int, ...]
    """Indices of points; the first and the last are shared with other sections."""


@dataclass(frozen=True)
class Board:
    """Cells with positions."""

    owner: Sequence[int]
    middles: Sequence[Point]
    """A point inside each cell from which its whole outline is visible."""
    points: Sequence[Point]
    sides: Sequence[Side]
    width: float
    height: float


def lay_out(
    mesh: Mesh, ways: Iterable[Bearing], aspect: float, weights: Sequence[float], work: int
) -> Board:
    """The cells of a mesh in a frame with this width for a height of 1. `ways` are the directions
    between provinces, `weights` their wanted areas, and `work` is how many times a cell may be
    moved, counting every cell in every step. Raises `NoRoomError`."""
    count = Counter(mesh.owner)
    wanted = [
        0.06 if owner == BLANK else weights[owner] * (0.45 + 0.55 / count[owner])
        for owner in mesh.owner
    ]
    half_height = sqrt(sum(wanted) / aspect) / 2
    half = complex(half_height * aspect, half_height)
    bearings = list(_between_cells(mesh, ways))
    angles = [2 * pi * at / len(mesh.outer) for at in range(len(mesh.outer))]
    start = _tutte(mesh, [rect(1, angle) for angle in angles])
    turn, is_mirrored = _best_turn(start, bearings)
    if is_mirrored:
        mesh.around = [near[::-1] for near in mesh.around]
        mesh.outer = mesh.outer[::-1]
        turn += 2 * angles[1]  # the posts lie beside other cells then
    drawing = _Drawing(mesh, half, [angle + turn for angle in angles])
    drawing.even_out(wanted, bearings, min(_STEPS, work // len(wanted)))
    found = [((point + half).real, (point + half).imag) for point in drawing.points]
    return Board(
        mesh.owner, found[: len(wanted)], found, drawing.sides, 2 * half.real, 2 * half.imag
    )


def _between_cells(mesh: Mesh, bearings: Iterable[Bearing]) -> Iterator[Bearing]:
    """The bearings between cells instead of provinces: between the cells of the two provinces that
    touch, or, if none do, between provinces of one cell each."""
    cells: dict[int, list[int]] = {}
    for cell, owner in enumerate(mesh.owner):
        cells.setdefault(owner, []).append(cell)
    for start, end, way, weight in bearings:
        starts, ends = cells.get(start, []), cells.get(end, [])
        pairs = [(cell, other) for cell in starts for other in mesh.around[cell] if other in ends]
        if not pairs and len(starts) == len(ends) == 1:
            pairs = [(starts[0], ends[0])]
        for pair in pairs:
            yield *pair, way, weight / len(pairs)


def _best_turn(start: Sequence[complex], bearings: Sequence[Bearing]) -> tuple[float, bool]:
    """The angle by which to turn the drawing, and whether to mirror it (top to bottom) first."""
    found = []
    for is_mirrored in (False, True):
        total = 0j
        for one, other, way, weight in bearings:
            across = start[other] - start[one]
            across = across.conjugate() if is_mirrored else across
            total += weight * way * across.conjugate() / (abs(across) or 1.0)
        found.append((round(abs(total), 9), not is_mirrored, phase(total)))
    _, is_straight, turn = max(found)
    return turn, not is_straight


def _tutte(mesh: Mesh, ring: Sequence[complex]) -> list[complex]:
    """The middles of the cells when the posts of a ring round them are fixed."""
    size = len(mesh.owner)
    near = [list(others) for others in mesh.around] + [[] for _ in ring]
    for at, cell in enumerate(mesh.outer):
        near[cell] += size + at, size + (at - 1) % len(ring)
    return tutte(near, dict(enumerate(ring, size)))[:size]


class _Drawing:
    """The points of a mesh in a frame of the given half width and half height: first the middles
    of the cells, then the posts on the frame, its corners, and last the points between cells."""

    def __init__(self, mesh: Mesh, half: complex, angles: Sequence[float]) -> None:
        self.mesh, self.half = mesh, half
        self.angles = [_clear_of_corners(angle) for angle in angles]
        posts = [self._on_frame(angle) for angle in self.angles]
        corners = [self._on_frame(pi / 4 + at * pi / 2) for at in range(_CORNERS)]
        self.points = [*_tutte(mesh, posts), *posts, *corners]
        size, count = len(mesh.owner), len(posts)
        self.posts, self.corners = range(size, size + count), range(size + count, len(self.points))
        self.stars = [[*self._star(cell)] for cell in range(size)]
        """What lies round each cell: the middles of its neighbours, and points on the frame."""
        self.rings: list[list[int]] = []
        """The points round each cell."""
        self.sides: list[Side] = []

    def _on_frame(self, angle: float) -> complex:
        x, y = cos(angle), sin(angle)
        size = max(abs(x), abs(y))
        return complex(self.half.real * x / size, self.half.imag * y / size)

    def _star(self, cell: int) -> Iterator[int]:
        near, outer = self.mesh.around[cell], self.mesh.outer
        place = outer.index(cell) if cell in outer else 0
        gap = (outer[place - 1], outer[(place + 1) % len(outer)]) if cell in outer else ()
        for other, following in pairwise([*near, near[0]]):
            yield other
            if (other, following) == gap:
                yield from self._along_frame(place)

    def _along_frame(self, place: int) -> Iterator[int]:
        """The points on the frame from one post to the next."""
        start, end = self.angles[place - 1], self.angles[place]
        while end <= start:
            end += 2 * pi
        yield self.posts[place - 1]
        for at in range(ceil(2 * start / pi - 0.5), floor(2 * end / pi - 0.5) + 1):
            yield self.corners[at % _CORNERS]
        yield self.posts[place]

    def even_out(self, wanted: Sequence[float], bearings: Sequence[Bearing], steps: int) -> None:
        """Move the points until the cells are round and have the wanted areas and directions: first
        only the middles of the cells, which takes little time, then all points. Raises
        `NoRoomError`."""
        size = len(self.stars)
        shares = [area / len(star) for area, star in zip(wanted, self.stars, strict=True)]
        shares += [0.0] * (len(self.points) - size)
        around = [
            sum(shares[cell] + shares[one] + shares[two] for one, two in pairwise([*star, star[0]]))
            for cell, star in enumerate(self.stars)
        ]
        firm = [0.15 if owner == BLANK else 1.0 for owner in self.mesh.owner]
        for rings, areas in ((self.stars, around), (self.rings, wanted)):
            fans = list(map(_fan, range(size), rings, areas, firm))
            self.points = _spread(self.points, self._freedom(), fans, bearings, steps)
            if rings is self.stars:
                self._ring_all()

    def _freedom(self) -> list[complex]:
        """How each point may move, across and down: inside the frame or along it."""
        found = [1.0 + 1.0j] * len(self.points)
        found[self.posts.start : self.corners.stop] = [
            *map(_free_along, self.angles), *[0j] * _CORNERS,
        ]  # fmt: skip
        return found

    def _ring_all(self) -> None:
        """Put points between the cells, and find the cells' rings and sides."""
        size, shared = len(self.stars), dict[tuple[int, ...], int]()

        def between(*cells: int) -> int:
            key = tuple(sorted(cells))
            if key not in shared:
                shared[key] = len(self.points)
                self.points.append(sum(self.points[cell] for cell in cells) / len(cells))
            return shared[key]

        for cell, star in enumerate(self.stars):
            ring: list[int] = []
            for other, after in pairwise([*star, star[0]]):
                ring.append(between(cell, other) if other < size else other)
                if other < size and after < size:
                    ring.append(between(cell, other, after))
            self.rings.append(ring)
            for other in star:
                if cell < other < size:
                    at = ring.index(between(cell, other))
                    line = ring[at - 1], ring[at], ring[(at + 1) % len(ring)]
                    self.sides.append(Side(cell, other, line))
            edge = [point for point in star if point >= size]
            if edge:
                self.sides.append(Side(cell, -1, tuple(edge)))


def _clear_of_corners(angle: float) -> float:
    """The angle, moved a little if it is at a corner."""
    off = (angle - pi / 4) % (pi / 2)
    return angle + 0.02 if min(off, pi / 2 - off) < 0.02 else angle


def _free_along(angle: float) -> complex:
    """Whether a point on the frame may move across or down."""
    return 1j if abs(cos(angle)) > abs(sin(angle)) else 1.0 + 0j


# --- evening out ----------------------------------------------------------------------------------

# Each cell is a fan of triangles round its middle. The energy of a triangle is that of bending it
# from the shape it has in a regular polygon (U. Pinkall and K. Polthier, Computing Discrete Minimal
# Surfaces, 1993). It grows without bound as a triangle becomes flat, so no triangle ever turns
# over, and no two cells ever overlap.

_SIZE = 4.0
"""How much sizes count compared with shapes."""
_MEMORY = 12
_HALVINGS = 40
_ENOUGH = 2e-4
"""The share of its value that the energy must lose in ten steps, or the search ends."""

_Fan = tuple[int, Sequence[int], float, float, float, float]
"""A middle, the points round it, the weights of a triangle's outer side and of its spokes, twice
the wanted area, and the weight of the area."""


def _fan(middle: int, ring: Sequence[int], area: float, firmness: float) -> _Fan:
    apex, share = 2 * pi / len(ring), firmness / len(ring)
    return middle, ring, share / tan(apex), share * tan(apex / 2), 2 * area, _SIZE * firmness


def _spread(
    points: Numbers, freedom: Numbers, fans: Sequence[_Fan], bearings: Sequence[Bearing], steps: int
) -> Numbers:
    """The points after evening out, each moved only in directions in which it is free."""

    def energy(some: Numbers) -> tuple[float, Numbers]:
        slope = [0j] * len(some)
        value = _bend(some, fans, slope) + _turned(some, bearings, slope)
        return value, [
            complex(one.real * free.real, one.imag * free.imag)
            for one, free in zip(slope, freedom, strict=True)
        ]

    if energy(points)[0] == inf:
        raise NoRoomError
    return least(energy, points, steps)


def _bend(points: Numbers, fans: Sequence[_Fan], slope: Numbers) -> float:
    value = 0.0
    for middle, ring, outer, spoke, wanted, weight in fans:
        spokes = [points[point] - points[middle] for point in ring]
        pairs = list(pairwise([*spokes, spokes[0]]))
        areas = [a.real * b.imag - a.imag * b.real for a, b in pairs]
        if min(areas) <= 1e-13:
            return inf
        total = sum(areas)
        off = log(total / wanted)
        value += weight * off * off
        push = 2 * weight * off / total
        pull = 0j
        last = ring[0]
        for at, ((a, b), area) in enumerate(zip(pairs, areas, strict=True), 1):
            side = b - a
            bent = (
                outer * (side.real**2 + side.imag**2)
                + spoke * (a.real**2 + a.imag**2 + b.real**2 + b.imag**2)
            ) / area
            value += bent
            force = 1j * (push - bent / area)
            side *= 2 * outer / area
            rate = 2 * spoke / area
            one, other = rate * a - side - force * b, rate * b + side + force * a
            slope[last] += one
            last = ring[at % len(ring)]
            slope[last] += other
            pull += one + other
        slope[middle] -= pull
    return value


def _turned(points: Numbers, bearings: Sequence[Bearing], slope: Numbers) -> float:
    value = 0.0
    for start, end, way, weight in bearings:
        across = points[end] - points[start]
        length = abs(across)
        turn = way.conjugate() * across / length  # 1 if the direction is right
        value += weight * (1.0 - turn.real)
        force = weight * turn.imag * 1j * across / length**2
        slope[end] += force
        slope[start] -= force
    return value


def _dot(one: Numbers, other: Numbers) -> float:
    return sum(a.real * b.real + a.imag * b.imag for a, b in zip(one, other, strict=True))


def least(function: Function, here: Numbers, steps: int) -> Numbers:
    """A point where a function is small, found in at most `steps` steps, each to a smaller value
    (D. C. Liu and J. Nocedal, On the Limited Memory BFGS Method, 1989). The function returns its
    value and its slope at a point; the value is infinite where it is undefined."""
    value, slope = function(here)
    memory: deque[tuple[Numbers, Numbers, float]] = deque(maxlen=_MEMORY)
    values = [value]
    for _ in range(steps):
        way = _way(slope, memory)
        fall = _dot(way, slope)
        if fall >= 0:
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
        if turn > 1e-12 * sqrt(_dot(step, step) * _dot(bend, bend)):
            memory.append((step, bend, 1.0 / turn))
        here, value, slope = there, new_value, new_slope
        values.append(value)
        if len(values) > 10 and values[-11] - value < _ENOUGH * abs(value):
            break
    return here


def _way(slope: Numbers, memory: Sequence[tuple[Numbers, Numbers, float]]) -> Numbers:
    """The direction of the next step."""
    way = [-each for each in slope]
    shares = []
    for step, bend, scale in reversed(memory):
        shares.append(scale * _dot(step, way))
        way = [a - shares[-1] * b for a, b in zip(way, bend, strict=True)]
    if memory:
        _, bend, scale = memory[-1]
        size = 1.0 / (scale * _dot(bend, bend))
        way = [size * each for each in way]
    for (step, bend, scale), share in zip(memory, reversed(shares), strict=True):
        rest = share - scale * _dot(bend, way)
        way = [a + rest * b for a, b in zip(way, step, strict=True)]
    return way


# --- Positions in which no two edges cross --------------------------------------------------------


def tutte(near: Sequence[Sequence[int]], fixed: Mapping[int, complex]) -> list[complex]:
    """The position of each node; `fixed` has the nodes on the frame.

    Solves the equations by elimination, the node with the fewest neighbours first, which keeps the
    matrix of a planar graph sparse.
    """
    free = [node for node in range(len(near)) if node not in fixed]
    rows = {node: {other: 1.0 for other in near[node] if other not in fixed} for node in free}
    sums = {node: sum(fixed.get(other, 0j) for other in near[node]) for node in free}
    weights = {node: float(len(near[node])) for node in free}
    order: list[tuple[int, dict[int, float]]] = []
    while rows:
        node = min(rows, key=lambda one: (len(rows[one]), one))
        row = rows.pop(node)
        order.append((node, row))
        for other, share in row.items():
            part, theirs = share / weights[node], rows[other]
            del theirs[node]
            sums[other] += part * sums[node]
            weights[other] -= part * share
            for third, more in row.items():
                if third != other:
                    theirs[third] = theirs.get(third, 0.0) + part * more
    found = dict(fixed)
    for node, row in reversed(order):
        known = sum(share * found[other] for other, share in row.items())
        found[node] = (sums[node] + known) / weights[node]
    return [found[node] for node in range(len(near))]
