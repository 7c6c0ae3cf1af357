"""Areas, insides and boxes in pictures, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from dipsat.board import Map, province_of
from dipsat.draw import Picture
from dipsat.draw.map_picture import Point, Shape
from dipsat.draw.places import CENTRE, COAST_SIZE, DISLODGED, UNIT, name_box
from dipsat.draw.raster import Box


def things(picture: Picture, board: Map) -> Iterator[tuple[str, Box]]:
    """Everything that can be on the board, each with the box around it."""
    s = picture.scale
    for code, shape in picture.shapes.items():
        for suffix, place in (("", shape.place), *shape.coasts.items()):
            where = f"{code}/{suffix}".rstrip("/")
            yield f"unit {where}", _square(place.unit, UNIT * s)
            yield f"dislodged {where}", _square(place.dislodged, DISLODGED * s)
            if suffix:
                assert place.label is not None
                yield f"coast {where}", name_box(place.label, suffix, COAST_SIZE, s)
        assert shape.place.label is not None
        for label in (shape.place.label, *shape.again):
            yield f"name {code}", name_box(label, code, shape.size, s)
        if board.provinces[code].supply:
            yield f"centre {code}", _square(shape.centre, 2 * CENTRE * s)


def borders(board: Map) -> frozenset[frozenset[str]]:
    """The pairs of provinces between which units move."""
    return frozenset(
        frozenset((province_of(place), province_of(near)))
        for reached in (board.army, board.fleet)
        for place, all_near in reached.items()
        for near in all_near
        if province_of(place) != province_of(near)
    )


def closed_rings(picture: Picture) -> list[tuple[int, ...]]:
    """All outlines of provinces and blank land; the arcs of each lead back to where it begins."""
    rings = [*picture.blank, *(ring for shape in picture.shapes.values() for ring in shape.rings)]
    for ring in rings:
        lines = [picture.arcs[arc] if arc >= 0 else picture.arcs[~arc][::-1] for arc in ring]
        assert all(one[-1] == other[0] for one, other in pairwise([*lines, lines[0]]))
    return rings


def never_both(one: str, other: str) -> bool:
    """Whether two things are never on the board together: units on different coasts, say."""
    what, where = one.split()
    what_else, elsewhere = other.split()
    return what == what_else and province_of(where) == province_of(elsewhere)


def _square(middle: Point, width: float) -> Box:
    x, y = middle
    return x - width / 2, y - width / 2, x + width / 2, y + width / 2


def meet(one: Box, other: Box) -> bool:
    hair = 0.11  # files keep tenths
    return (
        one[0] + hair < other[2]
        and other[0] + hair < one[2]
        and one[1] + hair < other[3]
        and other[1] + hair < one[3]
    )


def area(picture: Picture, rings: tuple[tuple[int, ...], ...]) -> float:
    """The area between outlines, of which some are holes in others."""
    outlines = [picture.outline(ring) for ring in rings]
    signs = [
        -1 if sum(within(other, one[0]) for other in outlines if other is not one) % 2 else 1
        for one in outlines
    ]
    return sum(sign * _enclosed(one) for sign, one in zip(signs, outlines, strict=True))


def _enclosed(outline: list[Point]) -> float:
    around = pairwise([*outline, outline[0]])
    return abs(sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in around)) / 2


def contains(picture: Picture, shape: Shape, point: Point) -> bool:
    return sum(within(picture.outline(ring), point) for ring in shape.rings) % 2 == 1


def within(outline: list[Point], point: Point) -> bool:
    """Whether a ray from the point to the right crosses the outline an odd number of times."""
    x, y = point
    crossed = 0
    for (one_x, one_y), (other_x, other_y) in pairwise([*outline, outline[0]]):
        if (one_y > y) != (other_y > y):
            crossed += x < one_x + (other_x - one_x) * (y - one_y) / (other_y - one_y)
    return crossed % 2 == 1
