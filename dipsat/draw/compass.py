"""Which way provinces lie from each other, as far as names and coasts tell.

`rules/gazetteer.csv` says where on Earth the provinces of known maps lie, by their names. A map of
places that nobody knows still has words such as "North" in its names, and coasts that are named
after the side they lie on.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from statistics import median

from dipsat.base import data_folder, read_text
from dipsat.board import Map, province_of
from dipsat.draw.map_picture import Point
from dipsat.errors import DocumentError


@dataclass(frozen=True, slots=True)
class Bearing:
    """The direction (x, y), of length 1, from one province to another."""

    start: int
    end: int
    x: float
    y: float
    weight: float = 1.0


@dataclass(frozen=True)
class Compass:
    """What is known about the places of a map's provinces."""

    bearings: Sequence[Bearing] = ()
    aspect: float = 4 / 3
    """The width of the picture for a height of 1."""


_LEAST_KNOWN = 0.2  # of the provinces; fewer may bear the names of other places by chance
_ASPECTS = (0.7, 1.9)
_SEA = 0.5  # how much the middle of a sea counts, against that of a land
_SIDES = {"N": (0, -1), "S": (0, 1), "E": (1, 0), "W": (-1, 0)}
_WORDS = re.compile(
    r"\b(north|south|east|west|upper|lower|northern|southern|eastern|western)(east|west)?(?:ern)?\b"
)
_OTHER_WORDS = {"upper": "N", "lower": "S"}


def compass_of(
    map: Map, borders: Mapping[str, set[str]], at: Mapping[str, tuple[float, float]]
) -> Compass:
    """What names and coasts tell about a map whose provinces border as `borders` says. `at` says
    for some of them where they lie, as latitude and longitude."""
    codes = list(map.provinces)
    index = {code: at for at, code in enumerate(codes)}
    spots = _spots([map.provinces[code].name for code in codes])
    spots |= {index[code]: spot for code, spot in at.items()}
    hints = [*_by_coasts(map, index), *_by_words(map, codes)]
    if len(spots) < max(2, _LEAST_KNOWN * len(codes)):
        return Compass(hints)
    seas = {index[code] for code, province in map.provinces.items() if province.kind == "sea"}
    near = {(index[one], index[other]) for one, others in borders.items() for other in others}
    bearings = [
        Bearing(one, other, x, y, _SEA if seas & {one, other} else 1.0)
        for one, other in sorted(near)
        if one < other and one in spots and other in spots
        for x, y in _way(spots[one], spots[other])
    ]
    return Compass([*bearings, *hints], _aspect([*spots.values()]))


def _spots(names: Sequence[str]) -> dict[int, Point]:
    """Province -> latitude and longitude. Of several places with a name, the one nearest to the
    rest counts."""
    found = {
        at: places for at, name in enumerate(names) if (places := gazetteer().get(plain(name)))
    }
    single = [places[0] for places in found.values() if len(places) == 1]
    if not single:
        return {at: places[0] for at, places in found.items()}
    middle = median(p[0] for p in single), median(p[1] for p in single)
    return {at: min(places, key=lambda p: math.dist(p, middle)) for at, places in found.items()}


def _way(one: Point, other: Point) -> Iterator[Point]:
    """The direction from one place on Earth to another, if there is one."""
    east = (other[1] - one[1] + 180) % 360 - 180
    if abs(east) > 120:
        return
    x = east * math.cos(math.radians((one[0] + other[0]) / 2))
    y = one[0] - other[0]
    length = math.hypot(x, y)
    if length > 1e-6:
        yield x / length, y / length


def _aspect(spots: Sequence[Point]) -> float:
    """The width for a height of 1 of a frame that holds nine of ten places on Earth."""
    edge = len(spots) // 20
    (south, north), (west, east) = (
        (values[edge], values[-1 - edge]) for values in map(sorted, zip(*spots, strict=True))
    )
    shrunk = math.cos(math.radians((north + south) / 2))
    found = ((east - west) or 2.0) * shrunk / ((north - south) or 2.0)
    return min(max(found, _ASPECTS[0]), _ASPECTS[1])


def _by_coasts(map: Map, index: Mapping[str, int]) -> Iterator[Bearing]:
    """From a province with several coasts to the seas of each that is named after a side."""
    for location in sorted(map.fleet):
        code, _, coast = location.partition("/")
        if coast[1:] == "C" and coast[0] in _SIDES:
            x, y = _SIDES[coast[0]]
            for other in sorted({province_of(place) for place in map.fleet[location]}):
                if map.provinces[other].kind == "sea":
                    yield Bearing(index[code], index[other], x, y, _SEA)


def _by_words(map: Map, codes: Sequence[str]) -> Iterator[Bearing]:
    """Between provinces whose names differ only in words such as North and South."""
    alike: dict[str, list[tuple[int, Point]]] = {}
    for at, code in enumerate(codes):
        name = map.provinces[code].name.casefold()
        words = _WORDS.findall(name)
        stem = plain(_WORDS.sub("", name))
        sides = [
            _SIDES[_OTHER_WORDS.get(part, part[:1].upper())]
            for pair in words
            for part in pair
            if part
        ]
        x, y = sum(side[0] for side in sides), sum(side[1] for side in sides)
        alike.setdefault(stem, []).append((at, (float(x), float(y))))
    for some in alike.values():
        for one, (x1, y1) in some:
            for other, (x2, y2) in some:
                length = math.hypot(x2 - x1, y2 - y1)
                if one < other and length > 0:
                    yield Bearing(one, other, (x2 - x1) / length, (y2 - y1) / length, _SEA)


# --- What somebody who knows a map may say --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hints:
    """How to lay out a map; each part may be empty."""

    frame: tuple[str, ...] = ()
    """The province that surrounds the board, or several that lie along its edge."""
    at: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Province -> latitude and longitude, where the gazetteer has none or those of another place
    with the same name. A map of no place on Earth may use numbers of its own."""
    unseen: tuple[tuple[str, str], ...] = ()
    """Borders that had better be links."""


NO_HINTS = Hints()


# --- rules/gazetteer.csv --------------------------------------------------------------------------

Spot = tuple[float, float]
"""Latitude, north of the equator, and longitude, east of Greenwich, in degrees."""

HEAD = ["name", "latitude", "longitude"]


@cache
def gazetteer() -> Mapping[str, tuple[Spot, ...]]:
    """Plain name -> the places that bear it. Raises `DocumentError` if the file has a fault."""
    path = data_folder("rules") / "gazetteer.csv"
    return read_gazetteer(read_text(path), str(path))


def read_gazetteer(text: str, path: str) -> dict[str, tuple[Spot, ...]]:
    """What a gazetteer's text says. Raises `DocumentError`."""
    found: dict[str, tuple[Spot, ...]] = {}
    for line, words in enumerate(text.splitlines() or [""], 1):
        row = words.rsplit(",", 2)
        if line == 1 and row != HEAD:
            raise DocumentError(path, 1, 1, f"the first line must be {','.join(HEAD)}")
        if line > 1 and words:
            name = plain(row[0])
            found[name] = (*found.get(name, ()), _spot(row, path, line))
    return found


def plain(name: str) -> str:
    """A name without what spellings differ in: case, and signs other than letters and digits."""
    return re.sub(r"[^a-z0-9]+", " ", name.casefold().removeprefix("province of ")).strip()


def _spot(row: Sequence[str], path: str, line: int) -> Spot:
    problem = "expected a name, a latitude from -90 to 90 and a longitude from -180 to 180"
    try:
        _, latitude, longitude = row
        spot = float(latitude), float(longitude)
    except ValueError:
        spot = math.inf, math.inf
    if not (abs(spot[0]) <= 90 and abs(spot[1]) <= 180):
        raise DocumentError(path, line, 1, problem)
    return spot
