"""In which directions provinces lie from each other, as far as names and coasts tell.

`rules/gazetteer.csv` says where on Earth the provinces of known maps lie, by their names. Even a
map of unknown places has words such as "North" in its names, and coasts named after the side on
which they lie.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from statistics import median

from dipsat.base import data_folder, read_text
from dipsat.board import Map, province_of
from dipsat.errors import DocumentError

Spot = tuple[float, float]
"""Latitude, north of the equator, and longitude, east of Greenwich, in degrees."""
Bearing = tuple[int, int, complex, float]
"""Two provinces, the direction from the first to the second on the sheet as a vector of length 1,
and its weight."""

_ASPECT = 4 / 3  # width / height of a picture that does not state its size
_LEAST_KNOWN = 0.2  # of the provinces; fewer may have the names of other places by chance
_ASPECTS = (0.7, 1.9)
_SEA = 0.5  # the weight of the middle of a sea, that of a land being 1
_SIDES = {"N": -1j, "S": 1j, "E": 1 + 0j, "W": -1 + 0j}
_WORDS = re.compile(
    r"\b(north|south|east|west|upper|lower|northern|southern|eastern|western)(east|west)?(?:ern)?\b"
)
_OTHER_WORDS = {"upper": "N", "lower": "S"}


def compass_of(
    map: Map, borders: Mapping[str, set[str]], at: Mapping[str, Spot]
) -> tuple[list[Bearing], float]:
    """What names and coasts tell about a map with these `borders`: in which directions provinces
    lie from each other, and the width of the picture for a height of 1. `at` has the known places
    of some provinces."""
    codes = list(map.provinces)
    index = {code: at for at, code in enumerate(codes)}
    spots = _spots([map.provinces[code].name for code in codes])
    spots |= {index[code]: spot for code, spot in at.items()}
    found = [*_by_coasts(map, index), *_by_words(map)]
    if len(spots) < max(2, _LEAST_KNOWN * len(codes)):
        return found, _ASPECT
    seas = {index[code] for code, province in map.provinces.items() if province.kind == "sea"}
    near = {(index[one], index[other]) for one, others in borders.items() for other in others}
    for one, other in sorted(near):
        if one < other and one in spots and other in spots:
            way = _way(spots[one], spots[other])
            found += _bearing(one, other, way, _SEA if seas & {one, other} else 1.0)
    return found, _aspect([*spots.values()])


def _bearing(one: int, other: int, way: complex, weight: float) -> list[Bearing]:
    """The bearing in a direction of any length, or none if the length is 0."""
    length = abs(way)
    return [(one, other, way / length, weight)] if length > 1e-6 else []


def _spots(names: Sequence[str]) -> dict[int, Spot]:
    """Province -> latitude and longitude. If several places have a name, the one nearest to the
    other provinces counts."""
    found = {
        at: places for at, name in enumerate(names) if (places := gazetteer().get(plain(name)))
    }
    single = [places[0] for places in found.values() if len(places) == 1]
    if not single:
        return {at: places[0] for at, places in found.items()}
    middle = median(p[0] for p in single), median(p[1] for p in single)
    return {at: min(places, key=lambda p: math.dist(p, middle)) for at, places in found.items()}


def _way(one: Spot, other: Spot) -> complex:
    """The direction from one place on Earth to another, or 0 if they are far apart."""
    east = (other[1] - one[1] + 180) % 360 - 180
    shrunk = math.cos(math.radians((one[0] + other[0]) / 2))
    return complex(east * shrunk, one[0] - other[0]) if abs(east) <= 120 else 0j


def _aspect(spots: Sequence[Spot]) -> float:
    """The width, for a height of 1, of a frame that holds nine tenths of the places on Earth."""
    edge = len(spots) // 20
    (south, north), (west, east) = (
        (values[edge], values[-1 - edge]) for values in map(sorted, zip(*spots, strict=True))
    )
    shrunk = math.cos(math.radians((north + south) / 2))
    found = ((east - west) or 2.0) * shrunk / ((north - south) or 2.0)
    return min(max(found, _ASPECTS[0]), _ASPECTS[1])


def _by_coasts(map: Map, index: Mapping[str, int]) -> Iterator[Bearing]:
    """Bearings from a province with several coasts to the seas of each coast named after a side."""
    for location in sorted(map.fleet):
        code, _, coast = location.partition("/")
        if coast[1:] == "C" and coast[0] in _SIDES:
            for other in sorted({province_of(place) for place in map.fleet[location]}):
                if map.provinces[other].kind == "sea":
                    yield index[code], index[other], _SIDES[coast[0]], _SEA


def _by_words(map: Map) -> Iterator[Bearing]:
    """Bearings between provinces whose names differ only in words such as North and South."""
    alike: dict[str, list[tuple[int, complex]]] = {}
    for at, province in enumerate(map.provinces.values()):
        name = province.name.casefold()
        words = [part for pair in _WORDS.findall(name) for part in pair if part]
        side = sum(_SIDES[_OTHER_WORDS.get(word, word[:1].upper())] for word in words)
        alike.setdefault(plain(_WORDS.sub("", name)), []).append((at, side))
    for some in alike.values():
        for (one, side), (other, far) in combinations(some, 2):
            yield from _bearing(one, other, far - side, _SEA)


# --- rules/gazetteer.csv --------------------------------------------------------------------------

_HEAD = ("name", "latitude", "longitude")


@cache
def gazetteer() -> Mapping[str, tuple[Spot, ...]]:
    """Plain name -> the places with that name. Raises `DocumentError` if the file has a fault."""
    path = data_folder("rules") / "gazetteer.csv"
    return read_gazetteer(read_text(path), str(path))


def read_gazetteer(text: str, path: str) -> dict[str, tuple[Spot, ...]]:
    """Parse the text of a gazetteer. Raises `DocumentError`."""
    head, *lines = text.splitlines() or [""]
    if head != ",".join(_HEAD):
        raise DocumentError(path, 1, 1, f"the first line must be {','.join(_HEAD)}")
    found: dict[str, tuple[Spot, ...]] = {}
    for at, line in enumerate(lines, 2):
        name, *numbers = line.rsplit(",", 2)
        try:
            latitude, longitude = map(float, numbers)
        except ValueError:
            latitude = longitude = math.inf
        if line and not (abs(latitude) <= 90 and abs(longitude) <= 180):
            problem = "expected a name, a latitude from -90 to 90 and a longitude from -180 to 180"
            raise DocumentError(path, at, 1, problem)
        if line:
            found[plain(name)] = (*found.get(plain(name), ()), (latitude, longitude))
    return found


def plain(name: str) -> str:
    """A name without the things in which spellings differ: case, and signs such as hyphens."""
    return re.sub(r"[^a-z0-9]+", " ", name.casefold().removeprefix("province of ")).strip()
