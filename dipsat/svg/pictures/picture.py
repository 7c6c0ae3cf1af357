"""The picture of a map: the shapes of its provinces, and where units and names stand.

Coordinates are in units of the picture, x to the right and y down. The outlines are cut into ARCS
that neighbours share, so two provinces border in the picture exactly where they share an arc, and
no gap opens between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, combinations, pairwise
from typing import Any

from dipsat.values import brief, own_fields

Point = tuple[float, float]
Window = tuple[float, float, float, float]
"""A part of a picture: left, top, width, height."""
Ring = tuple[int, ...]
"""A closed outline, as indices of arcs; `~i` is arc `i` walked backwards."""

_GRAIN = 10
"""Parts of a unit that a file's whole numbers count."""


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
    """Its outlines, holes among them; what an odd number of them surrounds is the province."""
    place: Place
    """Where its unit and its name stand."""
    centre: Point
    """The middle of its supply centre, if it has one."""
    coasts: Mapping[str, Place] = field(default_factory=dict)
    """Where fleets stand on its coasts, if it has several: suffix -> place."""
    size: float = 1.0
    """The size of its name, 1 being the usual one."""
    leader: tuple[Point, ...] = ()
    """A thin line from a name outside the province into it; empty if the name is inside."""
    again: tuple[Point, ...] = ()
    """The middles of further names: one in each further piece of a province in several pieces."""


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
    """Borders whose provinces do not touch in the picture, each with the line that shows it, see
    `strokes`."""
    blank: tuple[Ring, ...] = ()
    """Land that belongs to no province, such as Switzerland."""

    __getstate__ = own_fields  # without what is kept on it

    def outline(self, ring: Ring) -> list[Point]:
        """The points of a ring, the last one not repeating the first."""
        points: list[Point] = []
        for index in ring:
            arc = self.arcs[index] if index >= 0 else self.arcs[~index][::-1]
            points += arc[:-1]
        return points

    def strokes(self, line: Sequence[Point]) -> list[tuple[Point, ...]]:
        """The parts of a line: two if it leaves at one side edge and comes in at the other, as in a
        round world that is cut open there."""
        for at, (here, there) in enumerate(pairwise(line), 1):
            if abs(here[0] - there[0]) > self.width - 2 / _GRAIN:
                return [tuple(line[:at]), tuple(line[at:])]
        return [tuple(line)]

    @cached_property
    def touching(self) -> frozenset[frozenset[str]]:
        """The pairs of provinces that share an arc."""
        beside: dict[int, set[str]] = {}
        for code, shape in self.shapes.items():
            for ring in shape.rings:
                for index in ring:
                    beside.setdefault(max(index, ~index), set()).add(code)
        return frozenset(
            frozenset(pair) for codes in beside.values() for pair in combinations(sorted(codes), 2)
        )

    def to_dict(self) -> dict[str, Any]:
        """The picture as plain data, in whole numbers; `picture_of` reads it."""
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
    """The picture in what `Picture.to_dict` gave."""
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
    """A line as its first point, then the step to each further one, so that files stay small."""
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
