"""Cuts the sheet into provinces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import shapely
from shapely.geometry.base import BaseGeometry

from dipsat.draw.map_picture import Point
from geometry.lines import border, curve
from geometry.projection import Projection
from geometry.source import Source

_GRID = 0.01
"""Points of all outlines are rounded to this, so that lines that should meet do meet."""
_OVER = 0.6
"""How far a sea border reaches onto the land, so that it meets the shore."""
_SEA = "sea"

BLANK = "blank"
"""The name of the land that belongs to no province."""

WATER = "water"
"""The name of the water that belongs to no province."""

_Seeds = list[tuple[str, BaseGeometry]]


def provinces(
    countries: Mapping[str, BaseGeometry],
    source: Source,
    projection: Projection,
    seas: frozenset[str],
) -> dict[str, BaseGeometry]:
    """Code -> area, including `BLANK` and `WATER`. Together they cover the sheet, and neighbours
    have the same points along their common borders."""
    sheet = shapely.box(0, 0, *source.size)
    lands = _joined(countries, source, sheet)
    ground = shapely.union_all([*lands.values()])
    water = sheet.difference(ground)
    owners = _Owners(lands, source, projection, seas)
    lines = [*(shapely.boundary(outline) for outline in lands.values()), shapely.boundary(sheet)]
    lines += [_line(border(n, projection.line(p)), ground) for n, p in source.borders.items()]
    shore = water.buffer(_OVER)
    lines += [_line(curve(projection.line(p)), shore) for p in source.sea_borders.values()]
    faces = _faces(lines)
    cuts = [cut for face in faces for cut in owners.cuts(face)]
    if cuts:
        faces = _faces([*lines, *cuts])
    found: dict[str, list[BaseGeometry]] = {}
    for face in faces:
        found.setdefault(owners.of(face), []).append(face)
    return {owner: shapely.coverage_union_all(found[owner]) for owner in sorted(found)}


def _faces(lines: Sequence[BaseGeometry]) -> list[BaseGeometry]:
    network = shapely.union_all(lines, grid_size=_GRID)
    return list(shapely.get_parts(shapely.polygonize(shapely.get_parts(network))))


def _joined(
    countries: Mapping[str, BaseGeometry], source: Source, sheet: BaseGeometry
) -> dict[str, BaseGeometry]:
    """The outlines on the sheet; joined countries have one, under the name of the first."""
    groups = [[*countries]] if source.joined == "all" else source.joined
    first = {name: names[0] for names in groups for name in names}
    parts: dict[str, list[BaseGeometry]] = {}
    for name, outline in countries.items():
        parts.setdefault(first.get(name, name), []).append(outline.intersection(sheet))
    return {
        name: some[0] if len(some) == 1 else shapely.union_all(some, grid_size=_GRID)
        for name, some in parts.items()
    }


def _line(points: Sequence[Point], within: BaseGeometry) -> BaseGeometry:
    return shapely.LineString(points).intersection(within)


class _Owners:
    """Tells to which province each part of the sheet belongs."""

    def __init__(
        self,
        lands: Mapping[str, BaseGeometry],
        source: Source,
        projection: Projection,
        seas: frozenset[str],
    ) -> None:
        self.lands = {name: outline for name, outline in lands.items() if not outline.is_empty}
        self.names = list(self.lands)
        self.tree = shapely.STRtree([*self.lands.values()])
        self.whole = {
            country: code for code, names in source.countries.items() for country in names
        }
        self.seeds: dict[str, _Seeds] = {}
        for code, points in (*source.seeds.items(), (BLANK, source.nobody)):
            for point in map(shapely.Point, projection.line(points) if points else ()):
                near = self.tree.nearest(point)
                is_wet = code == BLANK and self.tree.geometries[near].distance(point) > 0
                land = _SEA if code in seas or is_wet else self.names[near]
                self.seeds.setdefault(land, []).append((WATER if is_wet else code, point))

    def of(self, face: BaseGeometry) -> str:
        """The province of a part, or `BLANK`. Bays and islands without a point belong to the
        nearest point."""
        land = self._land(face)
        if land in self.whole:
            return self.whole[land]
        seeds = self.seeds.get(land, [])
        within = [code for code, point in seeds if face.contains(point)]
        if within:
            return within[0]
        return min((face.distance(point), code) for code, point in seeds)[1] if seeds else BLANK

    def cuts(self, face: BaseGeometry) -> Iterator[BaseGeometry]:
        """The borders half way between the points of several provinces in a part."""
        land = self._land(face)
        if land in self.whole:
            return
        seeds = [one for one in self.seeds.get(land, []) if face.contains(one[1])]
        if len({code for code, _ in seeds}) < 2:
            return
        points = shapely.MultiPoint([point for _, point in seeds])
        cells = shapely.get_parts(shapely.voronoi_polygons(points, extend_to=face, ordered=True))
        reach = face.buffer(_OVER)
        for (one, cell), (other, near) in combinations(zip(seeds, cells, strict=True), 2):
            if one[0] == other[0] or not cell.intersects(near):
                continue
            side = cell.intersection(near)
            if side.length > 0 and side.geom_type == "LineString":
                line = list(side.coords)
                name = "-".join(sorted((one[0], other[0])))
                crooked = line if land == _SEA else border(f"{name} {line[0]}", line)
                yield _line(crooked, reach)

    def _land(self, face: BaseGeometry) -> str:
        within = self.tree.query(face.representative_point(), predicate="within")
        return self.names[within[0]] if len(within) else _SEA
