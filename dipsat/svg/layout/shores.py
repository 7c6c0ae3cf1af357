"""The stretch of shore that belongs to each coast of a province with several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil, hypot

from dipsat.board.map import Map
from dipsat.board.province import Province, province_of
from dipsat.svg.layout.boxes import box_around
from dipsat.svg.layout.raster import Raster
from dipsat.svg.pictures.picture import Picture, Point, Shape

_SIDES: Mapping[str, Point] = {"N": (0, -1), "S": (0, 1), "E": (1, 0), "W": (-1, 0)}
"""The first letter of a coast's suffix -> where it lies; y grows downwards."""

_BESIDE = 12.0  # the width of what is looked at around a point of an outline
_WET = 0.2  # how much of that is water on a shore
_ENOUGH = 80
"""Points of a shore that stand for all of it."""


def shores(
    picture: Picture, map: Map, province: Province, rasters: Mapping[str, Raster]
) -> dict[str, list[Point]]:
    """Return coast -> points along its shore, at least one for each.

    The shore of a coast is what its province shares with the seas that only this coast borders: the
    arcs of both, or where no provinces share arcs, what has these seas beside it. `rasters` are the
    provinces as far as they are seen.
    """
    raster = rasters[province.code]
    found: dict[str, list[Point]] = {}
    for coast in province.coasts:
        seas = _seas_of(map, province, coast)
        shared = [
            point
            for sea in seas
            if sea in picture.shapes
            for point in _shared(picture, picture.shapes[province.code], picture.shapes[sea])
        ]
        if not picture.touching:
            line = _around(picture, picture.shapes[province.code])
            waters = [rasters[sea] for sea in seas if sea in rasters]
            shared = [point for point in line if _is_wet(point, waters, picture.scale)]
        shared = shared[:: len(shared) // _ENOUGH + 1]
        found[coast] = shared or [_guess(picture, raster, coast, seas)]
    return found


def _seas_of(map: Map, province: Province, coast: str) -> list[str]:
    """The seas that this coast borders and, if there are such, no other coast of the province."""
    own = {province_of(place) for place in map.fleet.get(f"{province.code}/{coast}", ())}
    others = {
        province_of(place)
        for other in province.coasts
        if other != coast
        for place in map.fleet.get(f"{province.code}/{other}", ())
    }
    seas = {code for code in own if map.provinces[code].kind == "sea"}
    return sorted(seas - others or seas or own - others or own)


def _shared(picture: Picture, one: Shape, other: Shape) -> list[Point]:
    """Points along the arcs that two provinces share, close enough to measure distances to."""
    arcs = _arcs(one) & _arcs(other)
    return _along(picture, sorted(arcs))


def _around(picture: Picture, shape: Shape) -> list[Point]:
    """Points along all outlines of a province."""
    return _along(picture, sorted(_arcs(shape)))


def _is_wet(point: Point, waters: Sequence[Raster], scale: float) -> bool:
    """Whether waters lie beside a point of an outline."""
    box = box_around(point, _BESIDE * scale, _BESIDE * scale)
    return any(water.covers(box) > _WET for water in waters)


def _arcs(shape: Shape) -> set[int]:
    return {max(arc, ~arc) for ring in shape.rings for arc in ring}


def _along(picture: Picture, arcs: Iterable[int]) -> list[Point]:
    points: list[Point] = []
    for arc in arcs:
        line = picture.arcs[arc]
        for (x, y), (to_x, to_y) in pairwise(line):
            parts = max(1, ceil(hypot(to_x - x, to_y - y) / (8 * picture.scale)))
            points += [
                (x + (to_x - x) * part / parts, y + (to_y - y) * part / parts)
                for part in range(parts)
            ]
    return points


def _guess(picture: Picture, raster: Raster, coast: str, seas: list[str]) -> Point:
    """Where a coast may lie that touches none of its seas: towards them, or where its name says."""
    left, top, right, bottom = raster.bounds
    x, y = raster.middle
    towards = _SIDES.get(coast[:1].upper(), (0.0, 0.0))
    points = [
        picture.outline(picture.shapes[sea].rings[0])[0] for sea in seas if sea in picture.shapes
    ]
    if towards == (0.0, 0.0) and points:
        away = hypot(points[0][0] - x, points[0][1] - y) or 1.0
        towards = (points[0][0] - x) / away, (points[0][1] - y) / away
    return x + towards[0] * (right - left) / 2, y + towards[1] * (bottom - top) / 2
