"""A picture in a file of somebody else's: read strictly, since nothing in it is to be trusted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, NoReturn

from dipsat.errors import FileError
from dipsat.formats.json_text import parse_json
from dipsat.limits import PICTURE_OUTLINES, PICTURE_POINTS, PROVINCES, Tally
from dipsat.svg.pictures.picture import Picture, picture_of

_KEYS = ("name", "size", "scale", "arcs", "provinces", "links", "blank")
_PLACE_KEYS = ("unit", "dislodged", "label")
_SHAPE_KEYS = ("rings", *_PLACE_KEYS, "centre", "coasts", "size", "leader", "again")
_FARTHEST = 1_000_000  # tenths of a unit, from the corner
_SCALES = 0.01, 100.0


def write_picture(picture: Picture) -> str:
    """The text of the file of a picture."""
    return json.dumps(picture.to_dict(), separators=(",", ":"), ensure_ascii=False) + "\n"


def read_picture(text: str, path: str) -> Picture:
    """The picture in the text of a file that `write_picture` wrote.

    Raises `DocumentError` for text that is no JSON, `InputLimitError` for too much of something,
    and `FileError` for what is no picture; its message repeats nothing of the text.
    """
    return _Checker(path).picture(parse_json(text, path))


class _Checker:
    def __init__(self, path: str) -> None:
        self.path = path
        self.count = Tally(PICTURE_POINTS)
        self.ends: list[tuple[tuple[int, int], tuple[int, int], int]] = []

    def picture(self, data: Any) -> Picture:
        """The picture in the value of a whole file."""
        if not isinstance(data, dict) or not {*data} >= {*_KEYS}:
            self._fail("is no picture of a map; `dipsat maps draw MAP -o FILE` writes one")
        self._keys(data, _KEYS, "the picture")
        self._text(data["name"], "name")
        width, height = self._point(data["size"], "size")
        if min(width, height) < 10:
            self._fail("size should be a width and a height of 10 or more tenths of a unit")
        self._ratio(data["scale"], "scale")
        arcs = self._list(data["arcs"], "arcs")
        self.ends = [self._line(one, f"arcs[{at}]", 2) for at, one in enumerate(arcs)]
        provinces = self._dict(data["provinces"], "provinces")
        PROVINCES.check(len(provinces), self.path)
        for at, shape in enumerate(provinces.values()):
            self._shape(shape, f"province {at + 1}")
        for at, link in enumerate(self._list(data["links"], "links")):
            self._link(link, f"links[{at}]", provinces)
        for at, ring in enumerate(self._list(data["blank"], "blank")):
            self._ring(ring, f"blank[{at}]")
        return picture_of(data)

    def _fail(self, problem: str) -> NoReturn:
        raise FileError(self.path, problem)

    def _shape(self, data: Any, what: str) -> None:
        shape = self._dict(data, what)
        self._keys(shape, _SHAPE_KEYS, what)
        rings = self._list(shape.get("rings"), f"{what}, rings")
        if not rings:
            self._fail(f"{what} has no outline")
        PICTURE_OUTLINES.check(len(rings), self.path)
        for ring in rings:
            self._ring(ring, f"{what}, rings")
        self._place({key: shape[key] for key in _PLACE_KEYS if key in shape}, what)
        self._point(shape.get("centre"), f"{what}, centre")
        for place in self._dict(shape.get("coasts", {}), f"{what}, coasts").values():
            self._place(self._dict(place, f"{what}, coasts"), f"{what}, coasts")
        self._ratio(shape.get("size", 1), f"{what}, size")
        for key in ("leader", "again"):
            if key in shape:
                self._line(shape[key], f"{what}, {key}", 0)

    def _place(self, place: Mapping[str, Any], what: str) -> None:
        self._keys(place, _PLACE_KEYS, what)
        for key in ("unit", "dislodged"):
            self._point(place.get(key), f"{what}, {key}")
        if "label" in place:
            self._point(place["label"], f"{what}, label")

    def _ring(self, data: Any, what: str) -> None:
        """Refuse what is no closed outline."""
        ring, ends = self._list(data, what), self.ends
        if not ring:
            self._fail(f"{what}: an outline has at least one arc")
        walked = []
        for index in ring:
            if type(index) is not int or not -len(ends) <= index < len(ends):
                self._fail(f"{what}: an outline consists of numbers of arcs")
            start, end, points = ends[max(index, ~index)]
            self.count.add(points)
            walked.append((start, end) if index >= 0 else (end, start))
        for (_, end), (start, _) in zip(walked, (*walked[1:], walked[0]), strict=True):
            if start != end:
                self._fail(f"{what}: an outline is not closed")

    def _link(self, data: Any, what: str, provinces: Mapping[str, Any]) -> None:
        link = self._list(data, what)
        if len(link) != 3 or not all(isinstance(one, str) and one in provinces for one in link[:2]):
            self._fail(f"{what} should be two provinces of the picture and a line")
        self._line(link[2], what, 2)

    def _line(self, data: Any, what: str, least: int) -> tuple[Any, Any, int]:
        """The first point of a line, its last one, and how many it has."""
        steps = self._list(data, what)
        if len(steps) % 2 or len(steps) < 2 * least or any(type(one) is not int for one in steps):
            self._fail(f"{what} should be a line: pairs of whole numbers, at least {least}")
        across, down = list(accumulate(steps[::2])), list(accumulate(steps[1::2]))
        if any(abs(one) > _FARTHEST for one in (*across, *down)):
            self._fail(f"{what} has a point farther away than {_FARTHEST:,} tenths of a unit")
        self.count.add(len(across))
        if not across:
            return None, None, 0
        return (across[0], down[0]), (across[-1], down[-1]), len(across)

    def _point(self, data: Any, what: str) -> tuple[int, int]:
        match data:
            case [x, y] if type(x) is type(y) is int and max(abs(x), abs(y)) <= _FARTHEST:
                return x, y
        self._fail(f"{what} should be two whole numbers, none beyond {_FARTHEST:,}")

    def _ratio(self, data: Any, what: str) -> None:
        if type(data) not in (int, float) or not _SCALES[0] <= data <= _SCALES[1]:
            self._fail(f"{what} should be a number from {_SCALES[0]:g} to {_SCALES[1]:g}")

    def _text(self, data: Any, what: str) -> None:
        if not isinstance(data, str):
            self._fail(f"{what} should be a text")

    def _list(self, data: Any, what: str) -> Sequence[Any]:
        if not isinstance(data, list):
            self._fail(f"{what} should be a list")
        return data

    def _dict(self, data: Any, what: str) -> Mapping[str, Any]:
        if not isinstance(data, dict):
            self._fail(f"{what} should be an object")
        return data

    def _keys(self, data: Mapping[str, Any], known: Sequence[str], what: str) -> None:
        if not {*data} <= {*known}:
            self._fail(f"{what} has other keys than {', '.join(known)}")
