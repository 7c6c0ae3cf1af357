"""Cuts the sheet into provinces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import shapely
from shapely.geometry.base import BaseGeometry

from dipsat.svg.picture import Point
from geometry import land, seas
from geometry.countries import SHEET, sheet_line
from geometry.lines import border, curve

_GRID = 0.01
"""Points of all outlines are rounded to this, so that lines that should meet do meet."""
_OVER = 0.6
"""How far a sea border reaches onto the land, so that it meets the shore."""

_LARGEST_BAY = 900.0

BLANK = "blank"
"""The name of the land that belongs to no province."""


def provinces(countries: Mapping[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    """Code -> area on the sheet, that of `BLANK` among them. What no area covers is water that
    belongs to no sea: the Caspian Sea."""
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
        owner = owners.of(face)
        if owner is not None:
            found.setdefault(owner, []).append(face)
    return {owner: shapely.coverage_union_all(found[owner]) for owner in sorted(found)}


def _line(points: Sequence[Point], within: BaseGeometry) -> BaseGeometry:
    return shapely.LineString(points).intersection(within)


class _Owners:
    """Whose each part of the sheet is."""

    def __init__(self, names: Sequence[str], outlines: Sequence[BaseGeometry]) -> None:
        self.names, self.tree = names, shapely.STRtree(outlines)
        self.sea = _seeds(seas.SEEDS)
        self.land = {country: _seeds(seeds) for country, seeds in land.SEEDS.items()}

    def of(self, face: BaseGeometry) -> str | None:
        """The province of a part, blank land or, for water that no sea has, None."""
        within = self.tree.query(face.representative_point(), predicate="within")
        if not len(within):
            return self._sea(face)
        country = self.names[within[0]]
        if country in land.WHOLE:
            return land.WHOLE[country]
        return _nearest(face, self.land.get(country, [("", face)]))[0] or BLANK

    def _sea(self, face: BaseGeometry) -> str | None:
        """The sea of a part of the water. Bays that a border cuts off hold no point of a sea: they
        go with the nearest one, unless they are lakes."""
        code, away = _nearest(face, self.sea)
        return code if away == 0 or face.area < _LARGEST_BAY else None


def _seeds(points: Mapping[str, Sequence[land.Degrees]]) -> list[tuple[str, BaseGeometry]]:
    return [
        (code, shapely.Point(point))
        for code, found in points.items()
        for point in sheet_line(found)
    ]


def _nearest(face: BaseGeometry, seeds: Sequence[tuple[str, BaseGeometry]]) -> tuple[str, float]:
    """The province of the point that is nearest to a part, and how far away that is."""
    within = {code for code, point in seeds if face.contains(point)}
    if len(within) > 1:
        around = [round(value) for value in face.bounds]
        print(f"No border parts {' and '.join(sorted(within))} in {around}.")
    away, code = min((face.distance(point), code) for code, point in seeds)
    return code, away
