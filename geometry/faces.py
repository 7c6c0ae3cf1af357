"""Cuts the sheet into provinces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import shapely
from shapely.geometry.base import BaseGeometry

from dipsat.draw.map_picture import Point
from geometry import land, seas
from geometry.countries import SHEET, sheet_line
from geometry.lines import border, curve

_GRID = 0.01
"""Points of all outlines are rounded to this, so that lines that should meet do meet."""
_OVER = 0.6
"""How far a sea border reaches onto the land, so that it meets the shore."""

BLANK = "blank"
"""The name of the land that belongs to no province."""


def provinces(countries: Mapping[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    """Code -> area, that of `BLANK` among them. Together they cover the sheet, and neighbours have
    the same points along their common borders. Raises `ValueError` where the tables are wrong."""
    names = list(countries)
    outlines = [countries[name].intersection(SHEET) for name in names]
    ground = shapely.union_all(outlines)
    water = SHEET.difference(ground)
    lines = [*(shapely.boundary(outline) for outline in outlines), shapely.boundary(SHEET)]
    lines += [_line(border(name, sheet_line(p)), ground) for name, p in land.BORDERS.items()]
    shore = water.buffer(_OVER)
    lines += [_line(curve(sheet_line(points)), shore) for points in seas.BORDERS.values()]
    network = shapely.union_all(lines, grid_size=_GRID)
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(network)))
    owners = _Owners(names, outlines)
    found: dict[str, list[BaseGeometry]] = {}
    for face in faces:
        found.setdefault(owners.of(face), []).append(face)
    return {owner: shapely.coverage_union_all(found[owner]) for owner in sorted(found)}


def _line(points: Sequence[Point], within: BaseGeometry) -> BaseGeometry:
    return shapely.LineString(points).intersection(within)


class _Owners:
    """Whose each part of the sheet is."""

    def __init__(self, names: Sequence[str], outlines: Sequence[BaseGeometry]) -> None:
        self.names, self.tree = names, shapely.STRtree(outlines)
        self.sea = _seeds(seas.SEEDS)
        self.land = {country: _seeds(seeds) for country, seeds in land.SEEDS.items()}

    def of(self, face: BaseGeometry) -> str:
        """The province of a part, or `BLANK`. Bays and islands that hold no point of the tables go
        with the nearest one."""
        within = self.tree.query(face.representative_point(), predicate="within")
        if not len(within):
            return _nearest(face, self.sea)
        country = self.names[within[0]]
        if country in land.WHOLE:
            return land.WHOLE[country]
        return _nearest(face, self.land.get(country, [])) or BLANK


def _seeds(points: Mapping[str, Sequence[land.Degrees]]) -> list[tuple[str, BaseGeometry]]:
    return [
        (code, shapely.Point(point))
        for code, found in points.items()
        for point in sheet_line(found)
    ]


def _nearest(face: BaseGeometry, seeds: Sequence[tuple[str, BaseGeometry]]) -> str:
    """The province of the point that is nearest to a part, "" if there are none."""
    within = {code for code, point in seeds if face.contains(point)}
    if len(within) > 1:
        around = [round(value) for value in face.bounds]
        raise ValueError(f"No border parts {' and '.join(sorted(within))} in {around}.")
    return min((face.distance(point), code) for code, point in seeds)[1] if seeds else ""
