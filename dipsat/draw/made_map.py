"""The picture of a map from its borders alone."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, product, repeat
from math import dist, inf

from dipsat.board import Map
from dipsat.draw.cells import Board, FlatError, Side, lay_out
from dipsat.draw.compass import NO_HINTS, Compass, Hints, compass_of
from dipsat.draw.map_picture import Picture, Place, Point, Ring, Shape
from dipsat.draw.mesh import BLANK, NoRoomError, Opened, components, mesh_of
from dipsat.draw.places import UNIT, name_box, with_places
from dipsat.draw.planar import Near, borders_of, by_worth, drawable, near_of
from dipsat.draw.raster import Box, bounds_of, box_around, grown, meet

_STEPS = 400
"""The most steps by which each of the two passes evens out a drawing."""
_LARGE = 300
"""Maps with more provinces are evened out by so many fewer steps that all take about as long."""
_MOST = 400
"""The most provinces that are laid out; the largest shipped map has 269."""
_PROVINCE = 92.0
"""The width of a province of the usual size, in units of the picture."""
_SEA = 1.5
"""The size of a sea, that of a land being 1."""


def layout(map: Map, hints: Hints = NO_HINTS, opened: Opened | None = None) -> Picture:
    """Return the picture of a map, drawn from its borders alone.

    Provinces touch in it exactly where they border on the map; where a plane does not allow that,
    a link shows the border. Names and coasts say which way is up, see `compass`.

    First as many borders as possible are chosen that a plane takes (`planar`). Each province
    becomes one cell or several, between which blanks fill what is nobody's (`mesh`). They begin
    where W. T. Tutte, How to Draw a Graph (1963), puts them, and are then evened out without any of
    them ever turning over (`cells`). Last, borders and coasts are roughened within their own
    fields.

    A map of 75 provinces takes one or two seconds, one of 270 about ten. The work is bounded by
    counted steps. A map of more than 400 provinces or 60 islands, or one whose provinces lie within
    each other so deeply that they become too small, is drawn as squares with links.
    """
    codes = list(map.provinces)
    index = {code: at for at, code in enumerate(codes)}
    near = borders_of(map)
    borders = by_worth(near)
    seas = [map.provinces[code].kind == "sea" for code in codes]
    if len(codes) > _MOST:
        board = _squares(range(len(codes)))
    else:
        hidden = {frozenset(pair) for pair in hints.unseen}
        wanted = [
            (index[one], index[other]) for one, other in borders if {one, other} not in hidden
        ]
        board = _board(
            near_of(len(codes), drawable(len(codes), wanted)),
            seas.__getitem__,
            compass_of(map, near, hints.at),
            [index[code] for code in hints.frame],
            opened,
        )
    picture = with_places(_picture(map.name, board, codes, seas.__getitem__), map)
    return with_links(picture, borders)


def _board(
    near: Near,
    is_sea: Callable[[int], bool],
    compass: Compass,
    frame: Sequence[int],
    opened: Opened | None,
) -> Board:
    """All parts of a map that hang together, side by side."""
    touching = {(one, other) for one, others in enumerate(near) for other in others}
    weights = {one: _SEA if is_sea(one) else 1.0 for one in range(len(near))}
    steps = _STEPS * _LARGE**2 // max(len(near), _LARGE) ** 2
    boards: list[Board] = []
    for part in components(near):
        if len(part) == 1:
            boards.append(square(part[0]))
            continue
        try:
            mesh = mesh_of(
                part[0], near, lambda one, other: (one, other) in touching, is_sea, frame, opened
            )
            boards.append(lay_out(mesh, compass, weights, steps))
        except (NoRoomError, FlatError):
            boards.append(_squares(part))
    return side_by_side(boards, compass.aspect)


def _squares(part: Sequence[int]) -> Board:
    return side_by_side([square(one) for one in part], 4 / 3)


def _picture(
    name: str, board: Board, codes: Sequence[str], is_sea: Callable[[int], bool]
) -> Picture:
    """The outlines of a board, without the places of anything."""
    arcs, rings = arcs_of(board, _PROVINCE, is_sea)
    nowhere = Place((0.0, 0.0), (0.0, 0.0))
    return Picture(
        name=name,
        width=round(board.width * _PROVINCE, 1),
        height=round(board.height * _PROVINCE, 1),
        scale=1.0,
        arcs=arcs,
        shapes={
            code: Shape(tuple(rings[at]), nowhere, (0.0, 0.0)) for at, code in enumerate(codes)
        },
        blank=tuple(rings.get(BLANK, ())),
    )


def with_links(picture: Picture, borders: Sequence[tuple[str, str]]) -> Picture:
    """Return the picture with a line for each of the borders whose provinces do not touch."""
    pairs = (pair for pair in sorted(borders) if frozenset(pair) not in picture.touching)
    return replace(picture, links=links_of(picture, pairs))


# --- Several boards on one sheet ------------------------------------------------------------------

_GAP = 0.35
"""Between two boards, as a part of the width of a province of the usual size."""


def square(province: int) -> Board:
    """A province that touches no other."""
    corners: list[Point] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    return Board([province], [(0.5, 0.5)], corners, [Side(0, -1, (0, 1, 2, 3, 0))], 1.0, 1.0)


def side_by_side(boards: Sequence[Board], aspect: float) -> Board:
    """The boards in rows, the largest first, on a sheet whose sides relate about as `aspect`."""
    if len(boards) == 1:
        return boards[0]
    ordered = sorted(boards, key=lambda board: -board.height)
    room = sum((board.width + _GAP) * (board.height + _GAP) for board in ordered)
    wide = max(math.sqrt(room * aspect), *(board.width for board in ordered))
    owner: list[int] = []
    middles: list[Point] = []
    points: list[Point] = []
    sides: list[Side] = []
    x = y = right = bottom = 0.0
    for board in ordered:
        if x > 0 and x + board.width > wide:
            x, y = 0.0, bottom + _GAP
        cells, first = len(owner), len(points)
        owner += board.owner
        middles += [(px + x, py + y) for px, py in board.middles]
        points += [(px + x, py + y) for px, py in board.points]
        sides += [
            Side(
                side.left + cells,
                side.right if side.right < 0 else side.right + cells,
                tuple(point + first for point in side.points),
            )
            for side in board.sides
        ]
        right, bottom = max(right, x + board.width), max(bottom, y + board.height)
        x += board.width + _GAP
    return Board(owner, middles, points, sides, right, bottom)


# --- Outlines -------------------------------------------------------------------------------------

Arc = tuple[Point, ...]

_ROUGHNESS = (0.07, 0.17, 0.0)
"""Of a line between two lands, between land and water, and between two waters."""
_GRAIN = 0.085
"""The smallest part of a line, as a part of the width of a province of the usual size."""


def arcs_of(
    board: Board, scale: float, is_sea: Callable[[int], bool]
) -> tuple[tuple[Arc, ...], dict[int, list[Ring]]]:
    """The arcs between provinces, and the rings of each, those of the blanks under `BLANK`."""
    arcs: list[Arc] = []
    sides: dict[int, list[tuple[int, int, int]]] = {}
    for side in board.sides:
        left = board.owner[side.left]
        right = board.owner[side.right] if side.right >= 0 else None
        if left == right and right != BLANK:
            continue
        index = len(arcs)
        curve = _curve(board, side, is_sea)
        arcs.append(tuple((round(x * scale, 1), round(y * scale, 1)) for x, y in curve))
        start, end = side.points[0], side.points[-1]
        key = left if left != BLANK else -2 - side.left
        sides.setdefault(key, []).append((start, end, index))
        if right is not None:
            key = right if right != BLANK else -2 - side.right
            sides.setdefault(key, []).append((end, start, ~index))
    rings: dict[int, list[Ring]] = {}
    for owner, some in sides.items():
        rings.setdefault(owner if owner >= 0 else BLANK, []).extend(_rings(some))
    return tuple(arcs), rings


def _rings(sides: Iterable[tuple[int, int, int]]) -> list[Ring]:
    ahead = {start: (end, arc) for start, end, arc in sides}
    found: list[Ring] = []
    while ahead:
        first = here = next(iter(ahead))
        ring: list[int] = []
        while here in ahead:
            here, arc = ahead.pop(here)
            ring.append(arc)
        if here != first:
            raise ValueError("an outline is not closed")
        found.append(tuple(ring))
    return found


def _curve(board: Board, side: Side, is_sea: Callable[[int], bool]) -> list[Point]:
    """The line of a side: rough between land and water, less so between lands."""
    points = [board.points[point] for point in side.points]
    if side.right < 0:
        return points
    kinds = [
        owner == BLANK or is_sea(owner)
        for owner in (board.owner[side.left], board.owner[side.right])
    ]
    roughness = _ROUGHNESS[sum(kinds)]
    start, bend, end = points
    field = (board.middles[side.left], start, board.middles[side.right], end)
    return line(field, bend, roughness, _GRAIN, side.left * len(board.owner) + side.right)


# --- Lines that look drawn by hand ----------------------------------------------------------------

Field = tuple[Point, Point, Point, Point]
"""The middle of the one cell, the start, the middle of the other cell, the end."""

_SHARES = (1.0, 0.6, 0.3, 0.0)
"""Parts of the wanted roughness that are tried in turn."""


def line(field: Field, bend: Point, roughness: float, grain: float, seed: int) -> list[Point]:
    """A line from the start to the end of a field, by way of `bend`. `roughness` is how far it
    strays, as a part of its length; `grain` the length of its smallest parts."""
    _, start, _, end = field
    for share in _SHARES:
        chance = random.Random(seed)
        found = _rough([start, bend, end], roughness * share, grain, chance)
        if _stays_inside(found, field):
            return found
    return [start, bend, end]


def _rough(
    points: Sequence[Point], roughness: float, grain: float, chance: random.Random
) -> list[Point]:
    """The line with the middle of each part pushed to a side, again and again."""
    found = list(points)
    while roughness > 0:
        finer: list[Point] = []
        for a, b in pairwise(found):
            finer.append(a)
            if math.dist(a, b) > 1.6 * grain:
                off = chance.uniform(-1, 1) * roughness
                x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
                finer.append((x - off * (b[1] - a[1]), y + off * (b[0] - a[0])))
        finer.append(found[-1])
        if len(finer) == len(found):
            break
        found = finer
    return found


def _stays_inside(points: Sequence[Point], field: Field) -> bool:
    """Whether a line leaves its field nowhere and meets itself nowhere."""
    inner = points[1:-1]
    if not all(inside(point, [field]) for point in inner):
        return False
    parts = list(pairwise(points))
    sides = list(pairwise([*field, field[0]]))
    for a, b in parts:
        for c, d in sides:
            if a not in (c, d) and b not in (c, d) and _cross(a, b, c, d):
                return False
    return not any(
        _cross(*one, *other) for one, other in combinations(parts, 2) if one[1] != other[0]
    )


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _turn(a, b, c) * _turn(a, b, d) <= 0 and _turn(c, d, a) * _turn(c, d, b) <= 0


# --- links ----------------------------------------------------------------------------------------

# Curved lines for borders whose provinces do not touch in the picture.


Line = tuple[Point, ...]

_DEEP = 15.0
"""How far a line leads into a province."""
_BENDS = (0.16, -0.16, 0.3, -0.3, 0.45, -0.45, 0.6, -0.6)
"""How far a line bends to a side, as a part of its length."""
_PARTS = 12
_ENDS = 5
"""In a province, how many ends of a line are tried."""
_CHOSEN = 60
"""Links beyond which each takes the nearest ends: there is no room to choose others."""
_APART = 9.0
"""From a line to another one, at least, where there is room."""


def links_of(
    picture: Picture, pairs: Iterable[tuple[str, str]]
) -> tuple[tuple[str, str, Line], ...]:
    """A line for each pair of provinces, by the shortest way between them, bent so that little is
    in its way: units and names, and the lines before it."""
    boxes = boxes_in_the_way(picture)
    pairs = list(pairs)
    tried, bends = (_ENDS, _BENDS) if len(pairs) <= _CHOSEN else (1, _BENDS[:1])
    found: list[tuple[str, str, Line]] = []
    others: list[tuple[Line, Box]] = []

    def cost(line: Line) -> float:
        return _cost(line, picture, boxes, others) + length(line) / (2 * UNIT * picture.scale)

    for one, other in pairs:
        outlines = outline_of(picture, one), outline_of(picture, other)
        nearest = min(product(*outlines), key=lambda ends: dist(*ends))
        ends = [
            [inwards(picture, code, end) for end in _some_near(outline, near, picture.scale, tried)]
            for code, outline, near in zip((one, other), outlines, nearest, strict=True)
        ]
        starts, stops = ends
        lines = (curve(a, b, bend) for a, b in product(starts, stops) for bend in bends)
        line = min(lines, key=cost)
        found.append((one, other, line))
        others.append((line, grown(bounds_of([line]), _APART * picture.scale)))
    return tuple(found)


def _some_near(outline: Sequence[Point], point: Point, scale: float, most: int) -> list[Point]:
    """A point of an outline, and some others that are not far from it, nor from each other."""
    found = [point]
    for other in sorted(outline, key=lambda other: dist(other, point)):
        if len(found) < most and all(dist(other, one) >= 1.1 * UNIT * scale for one in found):
            found.append(other)
    return found


def _cost(
    line: Line, picture: Picture, boxes: Iterable[Box], others: Iterable[tuple[Line, Box]]
) -> float:
    """How much is in the way of a line: 0 if nothing is. Other lines come with the boxes in which
    they are too near."""
    s = picture.scale
    left, top, right, bottom = around = bounds_of([line])
    if left < 2 or top < 2 or right > picture.width - 2 or bottom > picture.height - 2:
        return inf
    near = [box for box in boxes if meet(box, around)]
    cost = 0.0
    for x, y in line:
        cost += 3 * sum(box[0] < x < box[2] and box[1] < y < box[3] for box in near)
    for other, region in others:
        if meet(region, around):
            # What is outside the region is farther away than what counts.
            close = [
                (x, y)
                for x, y in line
                if region[0] <= x <= region[2] and region[1] <= y <= region[3]
            ]
            away = [min(map(dist, repeat(point), other)) for point in close]
            cost += sum(1 - one / (_APART * s) for one in away if one < _APART * s)
            # Two lines that end at one point look like one that leads on.
            ends = product((line[0], line[-1]), (other[0], other[-1]))
            cost += 3 * sum(dist(*two) < 1.5 * _APART * s for two in ends)
    return cost


def boxes_in_the_way(picture: Picture) -> list[Box]:
    """The boxes of all units and names."""
    s = picture.scale
    found: list[Box] = []
    for code, shape in picture.shapes.items():
        found.append(box_around(shape.place.unit, (UNIT + 4) * s, (UNIT + 4) * s))
        for label in (shape.place.label, *shape.again):
            if label is not None:
                found.append(name_box(label, code, shape.size, s))
    return found


def outline_of(picture: Picture, code: str) -> list[Point]:
    """The points of all outlines of a province."""
    return [point for ring in picture.shapes[code].rings for point in picture.outline(ring)]


def inwards(picture: Picture, code: str, point: Point) -> Point:
    """A point inside a province near one of its outline: on the way to where its unit stands."""
    middle = picture.shapes[code].place.unit
    away = dist(point, middle)
    part = min(_DEEP * picture.scale / away, 1.0) if away else 1.0
    found = (
        point[0] + part * (middle[0] - point[0]),
        point[1] + part * (middle[1] - point[1]),
    )
    outlines = [picture.outline(ring) for ring in picture.shapes[code].rings]
    return found if inside(found, outlines) else middle


def inside(point: Point, outlines: Iterable[Sequence[Point]]) -> bool:
    """Whether a ray to the right crosses closed lines an odd number of times."""
    x, y = point
    found = False
    for outline in outlines:
        for (ax, ay), (bx, by) in pairwise((*outline, outline[0])):
            if (ay > y) != (by > y):
                found ^= x < ax + (y - ay) * (bx - ax) / (by - ay)
    return found


def curve(start: Point, end: Point, bend: float) -> Line:
    """A line that bends to a side."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    middle = ((start[0] + end[0]) / 2 - bend * dy, (start[1] + end[1]) / 2 + bend * dx)
    line: list[Point] = []
    for step in range(_PARTS + 1):
        t = step / _PARTS
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        x = a * start[0] + b * middle[0] + c * end[0]
        y = a * start[1] + b * middle[1] + c * end[1]
        line.append((round(x, 1), round(y, 1)))
    return tuple(line)


def length(line: Line) -> float:
    """How long a line is."""
    return sum(dist(*two) for two in pairwise(line))
