"""The picture of a map: the shapes of its provinces, and where units and names stand.

Coordinates are in units of the picture, x to the right and y down. The outlines are cut into ARCS
that neighbours share, so two provinces border in the picture exactly where they share an arc, and
no gap opens between them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, combinations, pairwise, product
from math import dist
from typing import Any

from dipsat.base import (
    PICTURE_OUTLINES,
    PICTURE_POINTS,
    PROVINCES,
    Tally,
    brief,
    grouped,
    own_fields,
)
from dipsat.board import Map, coast_of, province_of
from dipsat.errors import FileError, PictureError
from dipsat.formats import parse_json

Point = tuple[float, float]
Window = tuple[float, float, float, float]
"""A part of a picture: left, top, width, height."""
Ring = tuple[int, ...]
"""A closed outline, as indices of arcs; `~i` is arc `i` walked backwards."""

_GRAIN = 10
"""The whole numbers of a file count fractions of a unit; this many make a unit."""
_RADIUS = 10.0
"""Half the width of a unit where the picture's scale is 1."""


@brief()
@dataclass(frozen=True, slots=True)
class Place:
    """Where one unit stands: in a province, or on one of its coasts."""

    unit: Point
    """The middle of a unit."""
    dislodged: Point
    """The middle of a dislodged unit, beside the one that dislodged it."""
    label: Point | None = None
    """The middle of the name, None where nothing is written."""


@brief("place.label", "place")
@dataclass(frozen=True, slots=True)
class Shape:
    """A province in the picture."""

    rings: tuple[Ring, ...]
    """Its outlines, including holes; the province is what an odd number of them surrounds."""
    place: Place
    """Where its unit and its name are."""
    centre: Point
    """The middle of its supply centre, if it has one."""
    coasts: Mapping[str, Place] = field(default_factory=dict)
    """Where fleets stand on its coasts, if it has several: suffix -> place."""
    size: float = 1.0
    """The size of its name, 1 being the usual one."""
    leader: tuple[Point, ...] = ()
    """A thin line into the province from a name outside it; empty if the name is inside."""
    again: tuple[Point, ...] = ()
    """The middles of additional names, one in each additional piece of a divided province."""


@brief("name", "width", "height")
@dataclass(frozen=True)
class Picture:
    """The geometry of a map, without units, owners or orders."""

    name: str
    """The name of the picture: that of the map it was made for."""
    width: float
    """In units of the picture; a unit on the board is about 20 wide where `scale` is 1."""
    height: float
    """In units of the picture."""
    scale: float
    """The size of units, centres and names, 1 being the usual one."""
    arcs: tuple[tuple[Point, ...], ...]
    """The lines that outlines consist of."""
    shapes: Mapping[str, Shape]
    """The provinces, by code."""
    links: tuple[tuple[str, str, tuple[Point, ...]], ...] = ()
    """Borders whose provinces do not touch in the picture, each with the line that shows it (see
    `strokes`)."""
    blank: tuple[Ring, ...] = ()
    """Land that belongs to no province, such as Switzerland."""

    __getstate__ = own_fields  # without cached values

    def place(self, location: str) -> Place | None:
        """Where units stand at a location, or None if it is not in the picture."""
        shape = self.shapes.get(province_of(location))
        return None if shape is None else shape.coasts.get(coast_of(location), shape.place)

    def unit(self, location: str, lost: bool = False) -> Point | None:
        """The middle of a unit at a location, or of one dislodged there if it is `lost`; None if
        the picture has no such place."""
        place = self.place(location)
        return None if place is None else place.dislodged if lost else place.unit

    def centre(self, code: str) -> Point | None:
        """The middle of a province's supply centre, or of a mark in place of one."""
        shape = self.shapes.get(code)
        if shape is None or shape.centre != shape.place.unit:
            return None if shape is None else shape.centre
        x, y = shape.centre  # the map of this picture has no centre there
        return x - 1.45 * self.radius, y - 0.6 * self.radius

    @property
    def radius(self) -> float:
        """Half the width of a unit."""
        return _RADIUS * self.scale

    def outline(self, ring: Ring) -> list[Point]:
        """The points of a ring; the last one does not repeat the first."""
        points: list[Point] = []
        for index in ring:
            arc = self.arcs[index] if index >= 0 else self.arcs[~index][::-1]
            points += arc[:-1]
        return points

    def strokes(self, line: Sequence[Point]) -> list[tuple[Point, ...]]:
        """The parts of a line: two if it leaves at one side edge and returns at the other, as in a
        round world that is cut open there."""
        for at, (here, there) in enumerate(pairwise(line), 1):
            if abs(here[0] - there[0]) > self.width - 2 / _GRAIN:
                return [tuple(line[:at]), tuple(line[at:])]
        return [tuple(line)]

    def legs(self, line: Sequence[Point]) -> list[list[Point]]:
        """The parts of a line through points, by the shortest way. Where that is around a round
        world, it leaves at one side edge and returns at the other. On other maps, the place of a
        unit in a divided province may be replaced by the name in another of its pieces."""
        found: list[list[Point]] = []
        for (x, y), (u, v) in (self._nearest(*ends) for ends in pairwise(line)):
            if not found or found[-1][-1] != (x, y):
                found.append([(x, y)])
            if abs(u - x) > self.width / 2 and self.is_round:
                near, far = (0.0, self.width) if x < u else (self.width, 0.0)
                before, after = abs(near - x), abs(far - u)
                height = y + (v - y) * before / (before + after or 1.0)
                found[-1].append((near, height))
                found.append([(far, height)])
            found[-1].append((u, v))
        return found

    def _nearest(self, one: Point, other: Point) -> tuple[Point, Point]:
        """The two points, each replaced by that of its copies that is nearest to the other."""
        copies = {} if self.is_round else self._copies
        ways = product((one, *copies.get(one, ())), (other, *copies.get(other, ())))
        return min(ways, key=lambda way: dist(*way))

    @cached_property
    def _copies(self) -> Mapping[Point, tuple[Point, ...]]:
        """The place of a unit in a divided province -> the names in its other pieces."""
        return {
            point: shape.again
            for shape in self.shapes.values()
            for point in (shape.place.unit, shape.place.dislodged)
        }

    @cached_property
    def is_round(self) -> bool:
        """Whether it shows a round world cut open: a link leaves at one side edge and returns at
        the other, or provinces have one piece at the left edge and another at the right edge. A
        single one with a name in each piece may be the ocean around a continent."""
        if any(len(self.strokes(line)) > 1 for *_, line in self.links):
            return True
        halved = []
        for shape in self.shapes.values():
            outlines = map(self.outline, shape.rings)
            sides = {(min(one)[0] < 1, max(one)[0] > self.width - 1) for one in outlines}
            if {(True, False), (False, True)} <= sides:
                halved.append(shape)
        return len(halved) > 1 or any(not shape.again for shape in halved)

    @cached_property
    def shared(self) -> Mapping[frozenset[str], list[tuple[Point, ...]]]:
        """Two provinces that touch -> the arcs that they share."""
        beside: dict[int, set[str]] = {}
        for code, shape in self.shapes.items():
            for ring in shape.rings:
                for index in ring:
                    beside.setdefault(max(index, ~index), set()).add(code)
        pairs = (
            (frozenset(pair), self.arcs[index])
            for index, codes in beside.items()
            for pair in combinations(codes, 2)
        )
        return grouped(pairs)

    @cached_property
    def touching(self) -> frozenset[frozenset[str]]:
        """The pairs of provinces that share an arc."""
        return frozenset(self.shared)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data in whole numbers, which `picture_of` reads."""
        return {
            "name": self.name,
            "size": _numbers((self.width, self.height)),
            "scale": self.scale,
            "arcs": [_steps(arc) for arc in self.arcs],
            "provinces": {code: _shape_data(shape) for code, shape in self.shapes.items()},
            "links": [[one, other, _steps(line)] for one, other, line in self.links],
            "blank": [list(ring) for ring in self.blank],
        }


def picture_of(data: Mapping[str, Any]) -> Picture:
    """The picture in the data that `Picture.to_dict` returned."""
    width, height = _point(data["size"])
    return Picture(
        name=data["name"],
        width=width,
        height=height,
        scale=data["scale"],
        arcs=tuple(map(_line, data["arcs"])),
        shapes={code: _shape_of(entry) for code, entry in data["provinces"].items()},
        links=tuple((one, other, _line(steps)) for one, other, steps in data["links"]),
        blank=tuple(map(tuple, data["blank"])),
    )


def _shape_data(shape: Shape) -> dict[str, Any]:
    found: dict[str, Any] = {
        "rings": [list(ring) for ring in shape.rings],
        **_place_data(shape.place),
        "centre": _numbers(shape.centre),
    }
    if shape.coasts:
        found["coasts"] = {coast: _place_data(place) for coast, place in shape.coasts.items()}
    if shape.size != 1:
        found["size"] = shape.size
    if shape.leader:
        found["leader"] = _steps(shape.leader)
    if shape.again:
        found["again"] = _steps(shape.again)
    return found


def _shape_of(entry: Mapping[str, Any]) -> Shape:
    return Shape(
        rings=tuple(map(tuple, entry["rings"])),
        place=_place_of(entry),
        centre=_point(entry["centre"]),
        coasts={coast: _place_of(place) for coast, place in entry.get("coasts", {}).items()},
        size=entry.get("size", 1.0),
        leader=_line(entry.get("leader", ())),
        again=_line(entry.get("again", ())),
    )


def _place_data(place: Place) -> dict[str, Any]:
    found = {"unit": _numbers(place.unit), "dislodged": _numbers(place.dislodged)}
    return found if place.label is None else {**found, "label": _numbers(place.label)}


def _place_of(entry: Mapping[str, Any]) -> Place:
    label = entry.get("label")
    return Place(
        _point(entry["unit"]), _point(entry["dislodged"]), None if label is None else _point(label)
    )


def _numbers(point: Iterable[float]) -> list[int]:
    return [round(value * _GRAIN) for value in point]


def _point(numbers: Sequence[int]) -> Point:
    return numbers[0] / _GRAIN, numbers[1] / _GRAIN


def _steps(line: Iterable[Point]) -> list[int]:
    """A line as its first point, then the step to each next point, which keeps files small."""
    found: list[int] = []
    at = [0, 0]
    for point in line:
        to = _numbers(point)
        found += (to[0] - at[0], to[1] - at[1])
        at = to
    return found


def _line(steps: Sequence[int]) -> tuple[Point, ...]:
    across = accumulate(steps[::2])
    down = accumulate(steps[1::2])
    return tuple((x / _GRAIN, y / _GRAIN) for x, y in zip(across, down, strict=True))


# --- places that a map states ---------------------------------------------------------------------


def with_places_at(picture: Picture, places: Mapping[str, Mapping[str, Point]]) -> Picture:
    """The picture with the places that `OwnPicture.places` states. Raises `PictureError` for a
    point so far off the picture that nothing there would be visible."""
    if not places:
        return picture
    shapes, edge = dict(picture.shapes), picture.radius
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
    """The picture of another map for a map without additional provinces. Provinces that the map
    lacks become land or sea that belongs to nobody. Raises `PictureError`."""
    missing = sorted(board.provinces.keys() - picture.shapes.keys())
    if missing:
        more = f" (nor {len(missing) - 1} others)" * (len(missing) > 1)
        problem = f"cannot be drawn like {board.picture.like}, which has no {missing[0]}{more}"
        raise PictureError(f"the map {board.name} {problem}")
    return without_others(board, picture)


def without_others(board: Map, picture: Picture) -> Picture:
    """The picture without the provinces that a map lacks; their areas become blank."""
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


# --- files ----------------------------------------------------------------------------------------

# A picture in someone else's file: read strictly, since nothing in it can be trusted.


_KEYS = ("name", "size", "scale", "arcs", "provinces", "links", "blank")
_PLACE_KEYS = ("unit", "dislodged", "label")
_SHAPE_KEYS = ("rings", *_PLACE_KEYS, "centre", "coasts", "size", "leader", "again")
_KINDS: Mapping[type, str] = {str: "a text", list: "a list", dict: "an object"}
_FARTHEST = 1_000_000  # tenths of a unit, from the corner
_SCALES = 0.01, 100.0


def write_picture(picture: Picture) -> str:
    """The text of a picture's file."""
    return json.dumps(picture.to_dict(), separators=(",", ":"), ensure_ascii=False) + "\n"


def read_picture(text: str, path: str) -> Picture:
    """Read the picture in the text of a file that `write_picture` wrote.

    Raises `DocumentError` for text that is not JSON, `InputLimitError` for too much data, and
    `FileError` for data that is not a picture; its message repeats nothing from the text.
    """
    return _Checker(path).picture(parse_json(text, path))


class _Checker:
    def __init__(self, path: str) -> None:
        self.path = path
        self.count = Tally(PICTURE_POINTS)
        self.ends: list[tuple[Any, Any, int]] = []

    def picture(self, data: Any) -> Picture:
        """The picture in the parsed value of a file."""
        is_one = isinstance(data, dict) and {*data} >= {*_KEYS}
        self._check(is_one, "is not a picture of a map; `dipsat maps draw MAP -o FILE` writes one")
        self._keys(data, _KEYS, "the picture")
        self._of(str, data["name"], "name")
        self._point(data["size"], "size")
        problem = "size should be a width and a height of 10 or more tenths of a unit"
        self._check(min(data["size"]) >= 10, problem)
        self._ratio(data["scale"], "scale")
        arcs = self._of(list, data["arcs"], "arcs")
        self.ends = [self._line(one, f"arcs[{at}]", 2) for at, one in enumerate(arcs)]
        provinces = self._of(dict, data["provinces"], "provinces")
        PROVINCES.check(len(provinces), self.path)
        for at, shape in enumerate(provinces.values()):
            self._shape(shape, f"province {at + 1}")
        for at, link in enumerate(self._of(list, data["links"], "links")):
            self._link(link, f"links[{at}]", provinces)
        for at, ring in enumerate(self._of(list, data["blank"], "blank")):
            self._ring(ring, f"blank[{at}]")
        return picture_of(data)

    def _check(self, is_right: bool, problem: str) -> None:
        if not is_right:
            raise FileError(self.path, problem)

    def _of(self, kind: type, data: Any, what: str) -> Any:
        """A value, which must be of this kind."""
        self._check(isinstance(data, kind), f"{what} should be {_KINDS[kind]}")
        return data

    def _shape(self, data: Any, what: str) -> None:
        shape = self._of(dict, data, what)
        self._keys(shape, _SHAPE_KEYS, what)
        rings = self._of(list, shape.get("rings"), f"{what}, rings")
        self._check(bool(rings), f"{what} has no outline")
        PICTURE_OUTLINES.check(len(rings), self.path)
        for ring in rings:
            self._ring(ring, f"{what}, rings")
        self._place({key: shape[key] for key in _PLACE_KEYS if key in shape}, what)
        self._point(shape.get("centre"), f"{what}, centre")
        for place in self._of(dict, shape.get("coasts", {}), f"{what}, coasts").values():
            self._place(self._of(dict, place, f"{what}, coasts"), f"{what}, coasts")
        self._ratio(shape.get("size", 1), f"{what}, size")
        for key in ("leader", "again"):
            if key in shape:
                self._line(shape[key], f"{what}, {key}", 0)

    def _place(self, place: Mapping[str, Any], what: str) -> None:
        self._keys(place, _PLACE_KEYS, what)
        for key in _PLACE_KEYS:
            if key != "label" or key in place:
                self._point(place.get(key), f"{what}, {key}")

    def _ring(self, data: Any, what: str) -> None:
        """Refuse a ring that is not a closed outline."""
        ring, ends = self._of(list, data, what), self.ends
        self._check(bool(ring), f"{what}: an outline has at least one arc")
        walked = []
        for index in ring:
            is_arc = type(index) is int and -len(ends) <= index < len(ends)
            self._check(is_arc, f"{what}: an outline consists of numbers of arcs")
            start, end, points = ends[max(index, ~index)]
            self.count.add(points)
            walked.append((start, end) if index >= 0 else (end, start))
        for (_, end), (start, _) in zip(walked, (*walked[1:], walked[0]), strict=True):
            self._check(start == end, f"{what}: an outline is not closed")

    def _link(self, data: Any, what: str, provinces: Mapping[str, Any]) -> None:
        link = self._of(list, data, what)
        are_known = all(isinstance(one, str) and one in provinces for one in link[:2])
        problem = f"{what} should be two provinces of the picture and a line"
        self._check(len(link) == 3 and are_known, problem)
        self._line(link[2], what, 2)

    def _line(self, data: Any, what: str, least: int) -> tuple[Any, Any, int]:
        """The first and the last point of a line, and its number of points."""
        steps = self._of(list, data, what)
        are_pairs = not len(steps) % 2 and all(type(one) is int for one in steps)
        problem = f"{what} should be a line: pairs of whole numbers, at least {least}"
        self._check(are_pairs and len(steps) >= 2 * least, problem)
        points = list(zip(accumulate(steps[::2]), accumulate(steps[1::2]), strict=True))
        problem = f"{what} has a point farther away than {_FARTHEST:,} tenths of a unit"
        self._check(all(max(abs(x), abs(y)) <= _FARTHEST for x, y in points), problem)
        self.count.add(len(points))
        return (points[0], points[-1], len(points)) if points else (None, None, 0)

    def _point(self, data: Any, what: str) -> None:
        match data:
            case [x, y] if type(x) is type(y) is int and max(abs(x), abs(y)) <= _FARTHEST:
                return
        self._check(False, f"{what} should be two whole numbers, none beyond {_FARTHEST:,}")

    def _ratio(self, data: Any, what: str) -> None:
        least, most = _SCALES
        is_ratio = type(data) in (int, float) and least <= data <= most
        self._check(is_ratio, f"{what} should be a number from {least:g} to {most:g}")

    def _keys(self, data: Mapping[str, Any], known: Sequence[str], what: str) -> None:
        self._check({*data} <= {*known}, f"{what} has keys other than {', '.join(known)}")
