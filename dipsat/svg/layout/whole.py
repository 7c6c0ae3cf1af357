"""The picture of a map from its borders alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from dipsat.board.map import Map
from dipsat.svg.layout.blocks import components
from dipsat.svg.layout.borders import borders_of, by_worth, drawable
from dipsat.svg.layout.cells import Board, lay_out
from dipsat.svg.layout.compass import Compass, compass_of
from dipsat.svg.layout.hints import NO_HINTS, Hints
from dipsat.svg.layout.links import links_of
from dipsat.svg.layout.mesh import BLANK
from dipsat.svg.layout.meshes import NoRoomError, mesh_of
from dipsat.svg.layout.outline import arcs_of
from dipsat.svg.layout.pieces import with_further_names
from dipsat.svg.layout.places import with_places
from dipsat.svg.layout.planar import Near, near_of
from dipsat.svg.layout.sheet import side_by_side, square
from dipsat.svg.layout.spread import FlatError
from dipsat.svg.pictures.picture import Picture, Place, Shape

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


def layout(map: Map, hints: Hints = NO_HINTS) -> Picture:
    """Return the picture of a map, drawn from its borders alone.

    Provinces touch in it exactly where they border on the map; where a plane does not allow that,
    a link shows the border. Names and coasts say which way is up, see `compass`.

    First as many borders as possible are chosen that a plane takes (`borders`, `planar`). Each
    province becomes one cell or several, between which blanks fill what is nobody's (`mesh`). They
    begin where W. T. Tutte, How to Draw a Graph (1963), puts them, and are then evened out without
    any of them ever turning over (`cells`, `spread`). Last, borders and coasts are roughened within
    their own fields (`coast`).

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
            [index[code] for code in hints.cut],
        )
    picture = with_places(_picture(map.name, board, codes, seas.__getitem__), map)
    return with_links(with_further_names(picture), borders)


def _board(
    near: Near,
    is_sea: Callable[[int], bool],
    compass: Compass,
    frame: Sequence[int],
    cut: Sequence[int],
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
                part[0], near, lambda one, other: (one, other) in touching, is_sea, frame, cut
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
