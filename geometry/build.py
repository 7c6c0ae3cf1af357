"""Writes `rules/pictures/NAME.json`: `python -m geometry.build COUNTRIES_JSON [MAP...]`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import dist
from pathlib import Path

import shapely

from dipsat.board import load_map
from dipsat.draw import Picture
from dipsat.draw.made_map import with_links
from dipsat.draw.map_picture import Place, Point, Shape, with_places_at
from dipsat.draw.places import with_coast_names, with_places
from dipsat.draw.planar import borders_of, by_worth
from geometry.countries import change, read_countries
from geometry.faces import BLANK, WATER, provinces
from geometry.layouts import write
from geometry.projection import Lens, Projection
from geometry.source import read_source, source_names
from geometry.topology import Topology

_LEAST_AREA = 1.0
"""The least area of a ring; a smaller one is only rounding."""
_LEAST = 1.0
"""The least length of a line between two provinces; at a shorter one, four provinces meet."""
_BESIDE = 14.0
"""From the middle of a unit to a line beside it, where the scale is 1."""
_INWARDS = 60.0
"""The greatest length of a line from an edge."""
_NOWHERE = Place((0.0, 0.0), (0.0, 0.0))


def built(name: str, countries: Path) -> Picture:
    """The picture of a map, from the file `countries-50m.json` of world-atlas."""
    map, source = load_map(name), read_source(name)
    projection = Projection(**source.projection, lenses=tuple(Lens(*one) for one in source.lenses))
    outlines = read_countries(countries, projection, shapely.box(0, 0, *source.size))
    changed = change(outlines, source, projection)
    areas = provinces(changed, source, projection, frozenset(map.seas))
    missing = sorted(map.provinces.keys() - areas.keys())
    if missing:
        raise SystemExit(f"{name}: nothing is left for {', '.join(missing)}")
    simple = shapely.coverage_simplify(list(areas.values()), source.detail)
    rings = {
        code: [
            [(round(x, 1), round(y, 1)) for x, y in ring.coords]
            for part in shapely.get_parts(area)
            for ring in (part.exterior, *part.interiors)
            if shapely.Polygon(ring).area >= _LEAST_AREA
        ]
        for code, area in zip(areas, simple, strict=True)
        if code != WATER  # uncovered areas are drawn as open sea
    }
    topology = Topology(rings)
    meeting = {point: arc[0] for arc in topology.arcs if _length(arc) < _LEAST for point in arc}
    topology = Topology(
        {code: [[meeting.get(p, p) for p in ring] for ring in some] for code, some in rings.items()}
    )
    picture = Picture(
        name=name,
        width=float(source.size[0]),
        height=float(source.size[1]),
        scale=source.scale,
        arcs=tuple(topology.arcs),
        shapes={code: Shape(topology.rings[code], _NOWHERE, (0.0, 0.0)) for code in map.provinces},
        blank=topology.rings.get(BLANK, ()),
    )
    near = {place: projection.line([point])[0] for place, point in source.near.items()}
    stated = {
        place: {what: tuple(point) for what, point in points.items()}
        for place, points in source.places.items()
    }
    placed = with_places_at(with_places(picture, map, near=near), stated)
    shapes = dict(placed.shapes)
    for code, points in source.again.items():
        again = tuple((round(x, 1), round(y, 1)) for x, y in projection.line(points))
        shapes[code] = replace(shapes[code], again=again)
    named = with_coast_names(replace(placed, shapes=shapes), map)
    linked = with_links(named, by_worth(borders_of(map)))
    around = [(one, other, _around(linked, one, other)) for one, other in source.around]
    return replace(linked, links=(*linked.links, *around))


def _around(picture: Picture, *codes: str) -> tuple[Point, ...]:
    """A line from beside the unit of the first province to the nearer edge, and from the other edge
    to beside the unit of the second province."""
    (x, y), (u, v) = (picture.shapes[code].place.unit for code in codes)
    side, near, far = (1, 0.0, picture.width) if x < u else (-1, picture.width, 0.0)
    here, there = (
        round(side * min(away - _BESIDE * picture.scale, _INWARDS), 1)
        for away in (abs(x - near), abs(far - u))
    )
    return (near + here, y), (near, y), (far, v), (far - there, v)


def _length(line: Sequence[Point]) -> float:
    return sum(dist(*step) for step in pairwise(line))


def main() -> None:
    """Build the pictures and write them."""
    if len(sys.argv) < 2:
        raise SystemExit("Usage: python -m geometry.build COUNTRIES_JSON [MAP...]")
    for name in sys.argv[2:] or source_names():
        write(built(name, Path(sys.argv[1])))


if __name__ == "__main__":
    main()
