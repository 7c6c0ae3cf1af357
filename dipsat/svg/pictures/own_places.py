"""What a map file says about its picture, put into a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dipsat.board.map import Map
from dipsat.board.province import coast_of, province_of
from dipsat.errors import PictureError
from dipsat.svg.pictures.picture import Picture, Place, Point, Shape

_EDGE = 10.0  # half of a unit where the picture's scale is 1


def with_places_of(board: Map, picture: Picture) -> Picture:
    """The picture with the places that a map states in place of its own."""
    return with_places_at(picture, board.picture.places)


def with_places_at(picture: Picture, places: Mapping[str, Mapping[str, Point]]) -> Picture:
    """The picture with other places, as `OwnPicture.places` states them. Raises `PictureError` for
    a point so far off the picture that nothing there would be seen."""
    if not places:
        return picture
    shapes, edge = dict(picture.shapes), _EDGE * picture.scale
    for location, points in places.items():
        code, coast = province_of(location), coast_of(location)
        for what, (x, y) in points.items():
            if not (-edge < x < picture.width + edge and -edge < y < picture.height + edge):
                size = f"which is {picture.width:g} wide and {picture.height:g} high"
                problem = f"would stand at [{x:g}, {y:g}], off the picture, {size}"
                raise PictureError(f"the {what} of {location} {problem}")
        if code in shapes:
            shapes[code] = _changed(shapes[code], coast, points)
    return replace(picture, shapes=shapes)


def drawn_like_picture(board: Map, picture: Picture) -> Picture:
    """The picture of another map for a map that has no provinces besides; those that it lacks are
    land or sea that belongs to nobody. Raises `PictureError`."""
    missing = sorted(board.provinces.keys() - picture.shapes.keys())
    if missing:
        more = f" (nor {len(missing) - 1} others)" * (len(missing) > 1)
        problem = f"cannot be drawn like {board.picture.like}, which has no {missing[0]}{more}"
        raise PictureError(f"the map {board.name} {problem}")
    return without_others(board, picture)


def without_others(board: Map, picture: Picture) -> Picture:
    """The picture without the provinces that a map lacks; where they lie, it is blank."""
    lost = picture.shapes.keys() - board.provinces.keys()
    if not lost:
        return picture
    blank = [ring for code in sorted(lost) for ring in picture.shapes[code].rings]
    return replace(
        picture,
        shapes={code: one for code, one in picture.shapes.items() if code not in lost},
        blank=(*picture.blank, *blank),
        links=tuple(one for one in picture.links if not lost & {one[0], one[1]}),
    )


def _changed(shape: Shape, coast: str, points: Mapping[str, Point]) -> Shape:
    before = shape.coasts.get(coast, shape.place)
    place = Place(
        points.get("unit", before.unit),
        points.get("dislodged", before.dislodged),
        points.get("name", before.label),
    )
    centre = points.get("center", shape.centre)
    if coast:
        return replace(shape, coasts={**shape.coasts, coast: place}, centre=centre)
    leader = () if "name" in points else shape.leader
    return replace(shape, place=place, centre=centre, leader=leader)
