"""Curved lines for borders whose provinces do not touch in the picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product, repeat

from dipsat.svg.layout.boxes import box_around, grown, meet
from dipsat.svg.layout.raster import Box, bounds_of
from dipsat.svg.layout.room import UNIT, name_box
from dipsat.svg.pictures.picture import Picture, Point

Line = tuple[Point, ...]

_DEEP = 15.0
"""How far a line leads into a province."""
_BEND = 0.16
"""How far a line bends to a side, as a part of its length."""
_BENDS = (_BEND, -_BEND, 0.3, -0.3, 0.45, -0.45, 0.6, -0.6)
_STEPS = 12
_CLOSE = 6
"""Each so many points of an outline are compared first."""
_ENDS = 4
"""In a province, how many further ends of a line are tried."""
_APART = 9.0
"""From a line to another one, at least, where there is room."""
_EDGE_STEPS = 24
"""At the edge of a round world, how many points are tried where a line comes in."""
_MOST = 60
"""Links beyond which each takes the shortest way: there is no room to choose another one."""
_EDGE = 0.06
"""Files keep tenths."""


def links_of(
    picture: Picture, pairs: Iterable[tuple[str, str]]
) -> tuple[tuple[str, str, Line], ...]:
    """A line for each pair of provinces, by the shortest way between them if nothing is in it:
    units and names, and the lines before it. In a round world cut open, a line that would cross
    most of it leaves at one edge and comes in at the other; `Picture.strokes` tells its parts."""
    pairs = list(pairs)
    found: list[tuple[str, str, Line]] = []
    is_round = len(pairs) > 0 and _is_round(picture)
    for one, other in pairs:
        lines = [line for _, _, line in found]
        way = _Way(picture, one, other)
        if is_round and way.length > picture.width / 2:
            line = _around(picture, one, other)
        elif len(pairs) > _MOST:
            line = way.shortest
        else:
            line = way.best(lines)
        found.append((one, other, line))
    return tuple(found)


class _Way:
    """The ways from a province to another."""

    def __init__(self, picture: Picture, one: str, other: str) -> None:
        self.picture, self.one, self.other = picture, one, other
        self.outlines = _outline(picture, one), _outline(picture, other)
        self.nearest = _nearest(*self.outlines)
        self.length = math.dist(*self.nearest)

    @property
    def shortest(self) -> Line:
        """The usual line."""
        start, end = self.nearest
        return _curve(
            _inwards(self.picture, self.one, start), _inwards(self.picture, self.other, end), _BEND
        )

    def best(self, others: Sequence[Line]) -> Line:
        """The line with the least in its way, the usual one if nothing is."""
        usual = self.shortest
        boxes = _boxes(self.picture)
        if not _cost(usual, self.picture, boxes, others):
            return usual
        usual_length = _length(usual)
        lines = [usual, *self._further()]

        def cost(line: Line) -> float:
            longer = (_length(line) - usual_length) / (UNIT * self.picture.scale)
            return _cost(line, self.picture, boxes, others) + 0.5 * longer

        return min(lines, key=cost)

    def _further(self) -> Iterator[Line]:
        ends = [
            [
                _inwards(self.picture, code, point)
                for point in _some_near(outline, near, self.picture)
            ]
            for code, outline, near in zip(
                (self.one, self.other), self.outlines, self.nearest, strict=True
            )
        ]
        for start, end in product(*ends):
            for bend in _BENDS:
                yield _curve(start, end, bend)


def _some_near(outline: Sequence[Point], point: Point, picture: Picture) -> list[Point]:
    """A point of an outline, and some others that are not far from it, nor from each other."""
    found = [point]
    least = 1.1 * UNIT * picture.scale
    for other in sorted(outline, key=lambda other: math.dist(other, point)):
        if len(found) > _ENDS:
            break
        if all(math.dist(other, one) >= least for one in found):
            found.append(other)
    return found


def _cost(line: Line, picture: Picture, boxes: Iterable[Box], others: Iterable[Line]) -> float:
    """How much is in the way of a line: 0 if nothing is."""
    s = picture.scale
    left, top, right, bottom = around = bounds_of([line])
    if left < 2 or top < 2 or right > picture.width - 2 or bottom > picture.height - 2:
        return math.inf
    near = [box for box in boxes if meet(box, around)]
    cost = 0.0
    for x, y in line:
        cost += 3 * sum(box[0] < x < box[2] and box[1] < y < box[3] for box in near)
    for other in others:
        region = grown(bounds_of([other]), _APART * s)
        if meet(region, around):
            # What is outside the region is farther away than what counts.
            close = [
                (x, y)
                for x, y in line
                if region[0] <= x <= region[2] and region[1] <= y <= region[3]
            ]
            away = [min(map(math.dist, repeat(point), other)) for point in close]
            cost += sum(1 - one / (_APART * s) for one in away if one < _APART * s)
            # Two lines that end at one point look like one that leads on.
            ends = product((line[0], line[-1]), (other[0], other[-1]))
            cost += 3 * sum(math.dist(*two) < 1.5 * _APART * s for two in ends)
    return cost


def _boxes(picture: Picture) -> list[Box]:
    """The boxes of all units and names."""
    s = picture.scale
    found: list[Box] = []
    for code, shape in picture.shapes.items():
        found.append(box_around(shape.place.unit, (UNIT + 4) * s, (UNIT + 4) * s))
        for label in (shape.place.label, *shape.again):
            if label is not None:
                found.append(name_box(label, code, shape.size, s))
    return found


# --- Around a round world -------------------------------------------------------------------


def _is_round(picture: Picture) -> bool:
    """Whether a province has a piece at the left edge and another one at the right edge."""
    for shape in picture.shapes.values():
        bounds = [bounds_of([picture.outline(ring)]) for ring in shape.rings]
        left = {at for at, box in enumerate(bounds) if box[0] < _EDGE}
        right = {at for at, box in enumerate(bounds) if box[2] > picture.width - _EDGE}
        if left - right and right - left:
            return True
    return False


def _around(picture: Picture, one: str, other: str) -> Line:
    """A line that leaves at one edge and comes in at the other."""
    first = min(x for x, _ in _outline(picture, one))
    second = min(x for x, _ in _outline(picture, other))
    edges = (0.0, picture.width) if first < second else (picture.width, 0.0)
    return *_to_edge(picture, one, edges[0]), *_to_edge(picture, other, edges[1])[::-1]


def _to_edge(picture: Picture, code: str, edge: float) -> Line:
    """The line from a province to an edge that passes the fewest others, then the shortest one."""
    boxes = _boxes(picture)
    bounds = {
        other: bounds_of([_outline(picture, other)]) for other in picture.shapes if other != code
    }

    def cost(line: Line) -> float:
        passed = {
            other
            for x, y in line
            for other, box in bounds.items()
            if box[0] <= x <= box[2] and box[1] <= y <= box[3]
            and _contains(picture, other, (x, y))
        }  # fmt: skip
        covered = sum(box[0] < x < box[2] and box[1] < y < box[3] for x, y in line for box in boxes)
        return len(passed) + covered + 4 * _length(line) / picture.width

    outline = _outline(picture, code)
    lines = []
    for step in range(1, _EDGE_STEPS):
        end = edge, round(step * picture.height / _EDGE_STEPS, 1)
        start = min(outline, key=lambda point: math.dist(point, end))
        lines.append(_curve(_inwards(picture, code, start), end, 0.0))
    return min(lines, key=cost)


# --- Lines and outlines ---------------------------------------------------------------------


def _outline(picture: Picture, code: str) -> list[Point]:
    return [point for ring in picture.shapes[code].rings for point in picture.outline(ring)]


def _nearest(some: list[Point], others: list[Point]) -> tuple[Point, Point]:
    pairs = product(some[::_CLOSE] or some, others[::_CLOSE] or others)
    rough = min(pairs, key=lambda pair: math.dist(*pair))
    end = min(others, key=lambda point: math.dist(point, rough[0]))
    start = min(some, key=lambda point: math.dist(point, end))
    return start, min(others, key=lambda point: math.dist(point, start))


def _inwards(picture: Picture, code: str, point: Point) -> Point:
    """A point inside a province near one of its outline: on the way to where its unit stands."""
    middle = picture.shapes[code].place.unit
    away = math.dist(point, middle)
    part = min(_DEEP * picture.scale / away, 1.0) if away else 1.0
    found = (
        point[0] + part * (middle[0] - point[0]),
        point[1] + part * (middle[1] - point[1]),
    )
    return found if _contains(picture, code, found) else middle


def _contains(picture: Picture, code: str, point: Point) -> bool:
    """Whether a ray to the right crosses the outlines of a province an odd number of times."""
    x, y = point
    found = False
    for ring in picture.shapes[code].rings:
        before = picture.outline(ring)[-1]
        for here in picture.outline(ring):
            if (before[1] > y) != (here[1] > y):
                slope = (here[0] - before[0]) / (here[1] - before[1])
                found ^= x < before[0] + (y - before[1]) * slope
            before = here
    return found


def _curve(start: Point, end: Point, bend: float) -> Line:
    dx, dy = end[0] - start[0], end[1] - start[1]
    middle = ((start[0] + end[0]) / 2 - bend * dy, (start[1] + end[1]) / 2 + bend * dx)
    line: list[Point] = []
    for step in range(_STEPS + 1):
        t = step / _STEPS
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        x = a * start[0] + b * middle[0] + c * end[0]
        y = a * start[1] + b * middle[1] + c * end[1]
        line.append((round(x, 1), round(y, 1)))
    return tuple(line)


def _length(line: Line) -> float:
    return sum(math.dist(*two) for two in pairwise(line))
