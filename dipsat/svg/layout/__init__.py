"""Where things stand in a picture: provinces on the sheet, and units and names in provinces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dipsat.board.map import Map
from dipsat.svg.layout.borders import borders_of, by_worth
from dipsat.svg.layout.cells import lay_out
from dipsat.svg.layout.links import curve
from dipsat.svg.layout.mesh import BLANK, mesh_of
from dipsat.svg.layout.outline import arcs_of, named
from dipsat.svg.layout.places import with_places
from dipsat.svg.layout.planar import planar_part
from dipsat.svg.picture import Picture, Place, Point, Shape

_PROVINCE = 92.0
"""The width of a province of the usual size, in units of the picture."""


def layout(map: Map) -> Picture:
    """The picture of a map, drawn from its borders alone."""
    codes = list(map.provinces)
    index = {code: at for at, code in enumerate(codes)}
    borders = by_worth(borders_of(map))
    kept = planar_part(len(codes), [(index[one], index[other]) for one, other in borders])
    touching = {frozenset(pair) for pair in kept}
    mesh = mesh_of(
        len(codes),
        kept,
        lambda one, other: frozenset((one, other)) in touching,
        lambda one: map.provinces[codes[one]].kind == "sea",
    )
    weights = {
        at: 1.5 if map.provinces[code].kind == "sea" else 1.0 for at, code in enumerate(codes)
    }
    board = lay_out(mesh, [], weights, 4 / 3, 500)
    arcs, rings = arcs_of(board, _PROVINCE)
    nowhere = Place((0.0, 0.0), (0.0, 0.0))
    picture = Picture(
        map.name,
        round(board.width * _PROVINCE, 1),
        round(board.height * _PROVINCE, 1),
        1.0,
        arcs,
        {code: Shape(rings, nowhere, (0.0, 0.0)) for code, rings in named(rings, codes).items()},
        (),
        tuple(rings.get(BLANK, ())),
    )
    picture = with_places(picture, map)
    return replace(picture, links=_links(picture, borders))


def _links(
    picture: Picture, borders: Sequence[tuple[str, str]]
) -> tuple[tuple[str, str, tuple[Point, ...]], ...]:
    """A line for each border whose provinces do not touch."""
    return tuple(
        (one, other, curve(picture.shapes[one].place.unit, picture.shapes[other].place.unit))
        for one, other in sorted(borders)
        if frozenset((one, other)) not in picture.touching
    )
