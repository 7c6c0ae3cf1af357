"""Where on Earth the provinces of known maps lie, by their names: `rules/gazetteer.csv`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from dipsat.documents import read_text
from dipsat.errors import DocumentError
from dipsat.resources import data_folder

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
        raise DocumentError(path, line, 1, problem) from None
    if not (abs(spot[0]) <= 90 and abs(spot[1]) <= 180):
        raise DocumentError(path, line, 1, problem)
    return spot
