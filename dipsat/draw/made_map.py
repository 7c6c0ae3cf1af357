"""The picture of a map from its borders alone."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product, repeat
from math import dist, inf
from types import MappingProxyType

from dipsat.board import Map
from dipsat.draw.cells import Board, Side, lay_out
from dipsat.draw.compass import Spot, compass_of
from dipsat.draw.map_picture import Picture, Place, Point, Ring, Shape
from dipsat.draw.mesh import BLANK, NoRoomError, Opened, mesh_of
from dipsat.draw.places import UNIT, name_box, with_places
from dipsat.draw.planar import Pair, borders_of, by_worth, drawable, parts_of
from dipsat.draw.raster import Box, bounds_of, box_around, grown, meet

_WORK = 120_000
"""How many moves of cells each of the two passes of evening out may make in all its steps."""
_MOST = 400
"""The most provinces that are laid out; the largest shipped map has 269."""
_PROVINCE = 92.0
"""The width of a province of the usual size, in units of the picture."""
_SEA = 1.5
"""The size of a sea, that of a land being 1."""


def layout(
    map: Map,
    frame: Sequence[str] = (),
    at: Mapping[str, Spot] = MappingProxyType({}),
    unseen: Iterable[Sequence[str]] = (),
    opened: Opened | None = None,
) -> Picture:
    """Return the picture of a map, drawn from its borders alone.

    Provinces touch exactly where they border on the map; where the plane does not allow that, a
    link shows the border. Names and coasts say which way is up, see `compass`.

    First, as many borders as possible are chosen that fit in a plane (`planar`). Each province
    becomes one cell or several, and blank cells fill the gaps (`mesh`). The cells begin where W. T.
    Tutte, How to Draw a Graph (1963), puts them, and are then evened out without ever turning over
    (`cells`). Last, borders and coasts are roughened within their own fields.

    The other arguments are for someone who knows the map: `frame` is the province that surrounds
    the board, or several along its edge; `at` adds to the gazetteer where on Earth provinces lie,
    or any coordinates for a map that is not on Earth; `unseen` are borders to show as links;
    `opened` cuts a round world.

    A map of 75 provinces takes one or two seconds, a map of 270 about ten. Counted steps bound the
    work. A map of more than 400 provinces or 60 islands, or one whose provinces lie within each
    other so deeply that they become too small, is drawn as squares with links.
    """
    codes = list(map.provinces)
    index = {code: at for at, code in enumerate(codes)}
    near = borders_of(map)
    borders = by_worth(near)
    seas = [map.provinces[code].kind == "sea" for code in codes]
    ways, aspect = compass_of(map, near, at)
    kept: list[Pair] = []
    if len(codes) <= _MOST:
        hidden = {frozenset(pair) for pair in unseen}
        shown = [pair for pair in borders if frozenset(pair) not in hidden]
        wanted = [(index[one], index[other]) for one, other in shown]
        kept = drawable(len(codes), wanted)
    edge = [index[code] for code in frame]
    weights, boards = [_SEA if sea else 1.0 for sea in seas], list[Board]()
    for part in parts_of(len(codes), kept):
        try:
            mesh = mesh_of(part, seas.__getitem__, edge, opened)
            boards.append(lay_out(mesh, ways, aspect, weights, _WORK))
        except NoRoomError:
            boards += [square(one) for one in sorted(part)]
    board = side_by_side(boards, aspect)
    picture = with_places(_picture(map.name, board, codes, seas.__getitem__), map)
    return with_links(picture, borders)


def _picture(
    name: str, board: Board, codes: Sequence[str], is_sea: Callable[[int], bool]
) -> Picture:
    """The outlines of a board, without any places."""
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


# --- Several boards on one sheet ------------------------------------------------------------------

_GAP = 0.35
"""The space between two boards, as a fraction of the width of a province of the usual size."""


def square(province: int) -> Board:
    """The board of one province that touches no other."""
    corners: list[Point] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    return Board([province], [(0.5, 0.5)], corners, [Side(0, -1, (0, 1, 2, 3, 0))], 1.0, 1.0)


def side_by_side(boards: Sequence[Board], aspect: float) -> Board:
    """The boards in rows, the highest first, on a sheet about `aspect` times as wide as high."""
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
"""The roughness of lines between two lands, between land and water, and between two waters."""
_GRAIN = 0.085
"""The smallest part of a line, as a fraction of the width of a province of the usual size."""


def arcs_of(
    board: Board, scale: float, is_sea: Callable[[int], bool]
) -> tuple[tuple[Arc, ...], dict[int, list[Ring]]]:
    """The arcs between provinces, and the rings of each; the key `BLANK` has those of blanks."""
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
    chance = random.Random(side.left * len(board.owner) + side.right)
    one, other = board.middles[side.left], board.middles[side.right]
    found = []
    for start, end in pairwise(points):
        found += _rough((start, one, end, other), roughness, _GRAIN, chance)
    return [*found, points[-1]]


# --- Lines that look drawn by hand ----------------------------------------------------------------

Field = tuple[Point, Point, Point, Point]
"""The start, the middle of one cell, the end, and the middle of the other cell."""


def _rough(field: Field, roughness: float, grain: float, chance: random.Random) -> list[Point]:
    """A line from the start to just before the end of a field. It never leaves the field, because
    its halves have fields of their own that meet in one point. `roughness` is how far it strays, as
    a fraction of its length; `grain` is the length of its smallest parts."""
    start, left, end, right = field
    if dist(start, end) <= 1.6 * grain or roughness <= 0:
        return [start]
    off = chance.uniform(-1, 1) * roughness
    x, y = _half(start, end)
    middle = x - off * (end[1] - start[1]), y + off * (end[0] - start[0])
    halves = (
        (start, _half(start, left), middle, _half(start, right)),
        (middle, _half(left, end), end, _half(right, end)),
    )
    if not all(map(_is_open, halves)):
        return [start]
    return [point for half in halves for point in _rough(half, roughness, grain, chance)]


def _half(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _is_open(field: Field) -> bool:
    """Whether the straight line from the start to the end stays in a field."""
    start, left, end, right = field
    return _turn(start, left, end) * _turn(start, right, end) < 0


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# --- links ----------------------------------------------------------------------------------------

# Curved lines for borders whose provinces do not touch in the picture.

Line = tuple[Point, ...]

_DEEP = 15.0
"""How far a line leads into a province."""
_BENDS = (0.16, -0.16, 0.3, -0.3, 0.45, -0.45, 0.6, -0.6)
"""How far a line bends to one side, as a fraction of its length."""
_PARTS = 12
_ENDS = 5
"""How many ends of a line are tried in a province."""
_CHOSEN = 60
"""With more links than this, each uses the nearest ends: there is no room for a choice."""
_APART = 9.0
"""The least distance between two lines, where there is room."""


def with_links(picture: Picture, borders: Sequence[tuple[str, str]]) -> Picture:
    """Return the picture with a line for each border whose provinces do not touch. A line takes the
    shortest way between them, bent to avoid units, names and earlier lines."""
    pairs = [pair for pair in sorted(borders) if frozenset(pair) not in picture.touching]
    tried, bends = (_ENDS, _BENDS) if len(pairs) <= _CHOSEN else (1, _BENDS[:1])
    boxes, taken, apart = boxes_in_the_way(picture), list[Point](), _APART * picture.scale

    def cost(line: Line) -> float:
        left, top, right, bottom = bounds_of([line])
        if left < 2 or top < 2 or right > picture.width - 2 or bottom > picture.height - 2:
            return inf
        around = grown((left, top, right, bottom), apart)
        near = [box for box in boxes if meet(box, around)]
        covered = sum(_lies_in(point, box) for point in line for box in near)
        beside = [point for point in taken if _lies_in(point, around)]
        away = [min(map(dist, repeat(point), beside), default=inf) for point in line]
        close = sum(max(1 - one / apart, 0.0) for one in away)
        return 3 * covered + close + length(line) / (2 * UNIT * picture.scale)

    links = []
    for one, other in pairs:
        outlines = outline_of(picture, one), outline_of(picture, other)
        nearest = min(product(*outlines), key=lambda ends: dist(*ends))
        starts, stops = (
            [inwards(picture, code, end) for end in _some_near(outline, near, picture.scale, tried)]
            for code, outline, near in zip((one, other), outlines, nearest, strict=True)
        )
        lines = (curve(a, b, bend) for a, b in product(starts, stops) for bend in bends)
        links.append((one, other, min(lines, key=cost)))
        taken += links[-1][2]
    return replace(picture, links=tuple(links))


def _lies_in(point: Point, box: Box) -> bool:
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def _some_near(outline: Sequence[Point], point: Point, scale: float, most: int) -> list[Point]:
    """A point of an outline, and some others close to it but apart from each other."""
    found = [point]
    for other in sorted(outline, key=lambda other: dist(other, point)):
        if len(found) < most and all(dist(other, one) >= 1.1 * UNIT * scale for one in found):
            found.append(other)
    return found


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
    """A point inside a province near a point of its outline, in the direction of its unit."""
    (x, y), middle = point, picture.shapes[code].place.unit
    part = min(_DEEP * picture.scale / (dist(point, middle) or 1.0), 1.0)
    found = x + part * (middle[0] - x), y + part * (middle[1] - y)
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
    """A line that bends to one side."""
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
    """The length of a line."""
    return sum(dist(*two) for two in pairwise(line))
