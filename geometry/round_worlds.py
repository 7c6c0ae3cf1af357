"""Round worlds, whose pictures are cut open: a province at both edges has a name at each of them,
and a border across the edge is a line that leaves at one edge and returns at the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import dist, hypot

from dipsat.board import Map
from dipsat.draw import Picture
from dipsat.draw.compass import Spot
from dipsat.draw.made_map import (
    boxes_in_the_way,
    curve,
    inside,
    inwards,
    layout,
    length,
    outline_of,
    with_links,
)
from dipsat.draw.map_picture import Point, Shape
from dipsat.draw.mesh import BLANK, Mesh, merit
from dipsat.draw.planar import borders_of, by_worth
from dipsat.draw.raster import bounds_of, raster

Line = tuple[Point, ...]

_STEP = 12.0
"""The distance between the places tried for a name, in units of the picture."""
_FLAT = 0.4
"""The weight of a distance to the side, 1 being that of one up or down: names are wide."""
_EDGE_STEPS = 24
"""How many points at the edge are tried for a line."""


@dataclass(frozen=True, slots=True)
class Hints:
    """How to lay out a map, as for `layout`; each part may be empty."""

    frame: tuple[str, ...] = ()
    at: Mapping[str, Spot] = field(default_factory=dict)
    unseen: tuple[tuple[str, str], ...] = ()


def round_world(map: Map, hints: Hints, cut: Sequence[str]) -> Picture:
    """The picture of a map, cut along a path of provinces from the top to the bottom."""
    index = {code: at for at, code in enumerate(map.provinces)}

    def opened(mesh: Mesh, cells: Mapping[int, int]) -> list[int]:
        path, frame = ([cells[index[code]] for code in some] for some in (cut, hints.frame))
        return cut_open(mesh, path, frame)

    picture = with_further_names(layout(map, hints.frame, hints.at, hints.unseen, opened))
    picture = with_links(picture, by_worth(borders_of(map)))
    links = []
    for one, other, line in picture.links:
        is_far = abs(line[0][0] - line[-1][0]) > picture.width / 2
        links.append((one, other, _around(picture, one, other) if is_far else line))
    return replace(picture, links=tuple(links))


def cut_open(mesh: Mesh, path: Sequence[int], frame: Sequence[int]) -> list[int]:
    """Cut a mesh along a path of cells, and return the face that opens. Each cell but the first and
    the last becomes two. If there is a frame, the last cell lies along it and becomes two as well,
    and the cut opens the frame's face."""
    if not frame:
        return _cut(mesh, path)
    face = max(mesh.faces(), key=lambda face: merit(mesh, face, frame))
    bottom = mesh.insert(BLANK, face, range(len(face)))
    opened = _cut(mesh, [*path, bottom])
    place = opened.index(bottom)
    near = mesh.around[bottom]
    start = near.index(opened[place + 1]) + 1
    near = near[start:] + near[:start]
    return _without(mesh, bottom, [*opened[:place], *near[-3::-1], *opened[place + 1 :]])


def _without(mesh: Mesh, gone: int, face: Sequence[int]) -> list[int]:
    """Remove a cell from a mesh, and return the face with its cells renumbered."""

    def kept(cells: Sequence[int]) -> list[int]:
        return [cell - (cell > gone) for cell in cells if cell != gone]

    del mesh.around[gone], mesh.owner[gone]
    mesh.around = [kept(near) for near in mesh.around]
    return kept(face)


def _cut(mesh: Mesh, path: Sequence[int]) -> list[int]:
    """Cut a mesh along a path of cells, and return the face that opens. Each cell but the first and
    the last becomes two."""
    first, *inner, last = path
    twins = {cell: mesh.add(mesh.owner[cell]) for cell in inner}
    left: dict[int, list[int]] = {}
    right: dict[int, list[int]] = {}
    for before, cell, after in zip(path, inner, path[2:], strict=False):
        near = mesh.around[cell]
        if before not in near or after not in near:
            raise ValueError("each province of a cut must border the next in the picture")
        start = near.index(before)
        near = near[start:] + near[:start]
        end = near.index(after)
        left[cell], right[cell] = near[1:end], near[end + 1 :]

    def seen(from_cell: int, cell: int) -> list[int]:
        if cell not in twins:
            return [cell]
        if from_cell in left[cell]:
            return [cell]
        if from_cell in right[cell]:
            return [twins[cell]]
        return [cell, twins[cell]] if from_cell == first else [twins[cell], cell]

    around = [
        [one for other in near for one in seen(cell, other)]
        for cell, near in enumerate(mesh.around)
    ]
    for before, cell, after in zip(path, inner, path[2:], strict=False):
        lefts = [one for other in left[cell] for one in seen(cell, other)]
        rights = [one for other in right[cell] for one in seen(cell, other)]
        around[cell] = [before, *lefts, after]
        around[twins[cell]] = [twins.get(after, after), *rights, twins.get(before, before)]
    mesh.around = around
    return [first, *twins.values(), last, *reversed(inner)]


def with_further_names(picture: Picture) -> Picture:
    """Return the picture with a name in each piece of a province that has none yet."""
    shapes = {
        code: replace(shape, again=_further(picture, shape)) if len(shape.rings) > 1 else shape
        for code, shape in picture.shapes.items()
    }
    return replace(picture, shapes=shapes)


def _further(picture: Picture, shape: Shape) -> tuple[Point, ...]:
    """The places of the other names. Holes have the opposite direction to the largest outline."""
    outlines = [picture.outline(ring) for ring in shape.rings]
    around = max((_area(outline) for outline in outlines), key=abs)
    found: list[Point] = []
    for outline in outlines:
        cells = raster([outline], _STEP / 4)
        if _area(outline) * around < 0 or cells.contains(shape.place.label or shape.place.unit):
            continue
        flat = [(x * _FLAT, y) for x, y in outline]
        sides = list(pairwise([*flat, flat[0]]))
        room = {
            (x, y): min(_distance((x * _FLAT, y), a, b) for a, b in sides)
            for x, y in cells.points(_STEP)
        }
        if room:
            x, y = max(room, key=room.__getitem__)
            found.append((round(x, 1), round(y, 1)))
    return tuple(found)


def _distance(point: Point, a: Point, b: Point) -> float:
    """The distance from a point to the nearest point of the line from `a` to `b`."""
    (x, y), (ax, ay) = point, a
    dx, dy = b[0] - ax, b[1] - ay
    length = dx * dx + dy * dy
    part = min(max(((x - ax) * dx + (y - ay) * dy) / length, 0.0), 1.0) if length else 0.0
    return hypot(x - ax - part * dx, y - ay - part * dy)


def _area(outline: list[Point]) -> float:
    around = pairwise([*outline, outline[0]])
    return sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in around)


def _around(picture: Picture, one: str, other: str) -> Line:
    """A line that leaves at one edge and returns at the other."""
    first = min(x for x, _ in outline_of(picture, one))
    second = min(x for x, _ in outline_of(picture, other))
    edges = (0.0, picture.width) if first < second else (picture.width, 0.0)
    return *_to_edge(picture, one, edges[0]), *_to_edge(picture, other, edges[1])[::-1]


def _to_edge(picture: Picture, code: str, edge: float) -> Line:
    """The line from a province to an edge that passes the fewest provinces and is short."""
    boxes = boxes_in_the_way(picture)
    outlines = {
        other: [picture.outline(ring) for ring in shape.rings]
        for other, shape in picture.shapes.items()
        if other != code
    }
    bounds = {other: bounds_of(some) for other, some in outlines.items()}

    def cost(line: Line) -> float:
        passed = {
            other
            for x, y in line
            for other, box in bounds.items()
            if box[0] <= x <= box[2] and box[1] <= y <= box[3]
            and inside((x, y), outlines[other])
        }  # fmt: skip
        covered = sum(box[0] < x < box[2] and box[1] < y < box[3] for x, y in line for box in boxes)
        return len(passed) + covered + 4 * length(line) / picture.width

    outline = outline_of(picture, code)
    lines = []
    for step in range(1, _EDGE_STEPS):
        end = edge, round(step * picture.height / _EDGE_STEPS, 1)
        start = min(outline, key=lambda point: dist(point, end))
        lines.append(curve(inwards(picture, code, start), end, 0.0))
    return min(lines, key=cost)
