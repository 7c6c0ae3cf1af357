"""The picture of a map from the shapes of an SVG file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import dist, sqrt
from statistics import median

from dipsat.board.map import Map
from dipsat.board.province import words_of
from dipsat.errors import DocumentError
from dipsat.limits import PICTURE_OUTLINES
from dipsat.svg.layout.places import with_places
from dipsat.svg.layout.raster import Box, bounds_of
from dipsat.svg.own.elements import Drawn, DrawnShape, read_svg
from dipsat.svg.pictures.own_places import with_places_at
from dipsat.svg.pictures.picture import Picture, Place, Point, Ring, Shape

Outline = Sequence[Point]

_BLANK = ("impassable", "blank")
"""What is land of nobody, as an id or a class."""
_NOBODY = "/"
"""Stands for such land; no code has a slash."""
_PROVINCE = 75.0
"""The width of a province of the usual size, in units of a picture."""
_WIDTHS = 400.0, 3000.0
"""The least and the largest width of a picture."""
_DETAIL = 0.3
"""Points nearer to each other, in units of a picture, are one; smaller outlines are left out."""
_NOWHERE = Place((0.0, 0.0), (0.0, 0.0))


def picture_in_svg(board: Map, data: bytes, path: str) -> Picture:
    """The picture of a map from the bytes of an SVG file, with the places that the map states.

    Elements stand for the province whose code or name is their `data-province` or `id`. Raises
    `DocumentError` and `InputLimitError` as `read_svg`, and `DocumentError` if a province has no
    shape there, or one that cannot be shown.
    """
    drawn = read_svg(data, path, _owner_of(board))
    owned: dict[str, list[DrawnShape]] = {}
    for shape in drawn.shapes:
        owned.setdefault(shape.owner, []).append(shape)
    missing = [code for code in board.provinces if code not in owned]
    if missing:
        problem = f"no shape has the id or data-province {', '.join(missing)}"
        raise DocumentError(path, 1, 1, problem)
    blanks = owned.pop(_NOBODY, [])
    scale = _scale(drawn, owned.values())

    def moved(point: Point) -> Point:
        return (point[0] - drawn.left) * scale, (point[1] - drawn.top) * scale

    arcs: list[tuple[Point, ...]] = []

    def ring(outline: Outline) -> Ring:
        arcs.append((*outline, outline[0]))
        return (len(arcs) - 1,)

    width, height = drawn.width * scale, drawn.height * scale
    shapes = {}
    for code, some in owned.items():
        outlines = _outlines(some, moved)
        if not outlines:
            raise DocumentError(*some[0].place, f"the shape of {code} has no area")
        _check_near(outlines, width, height, some[0], code)
        shapes[code] = Shape(tuple(map(ring, outlines)), _NOWHERE, (0.0, 0.0))
    nobody = tuple(ring(one) for each in blanks for one in _outlines([each], moved))
    PICTURE_OUTLINES.check(len(nobody), f"{path}: blank land")
    picture = Picture(board.name, width, height, 1.0, tuple(arcs), shapes, blank=nobody)
    places = {
        location: {kind: moved(point) for kind, point in points.items()}
        for location, points in board.picture.places.items()
    }
    units = {place: points["unit"] for place, points in places.items() if "unit" in points}
    names = {place: points["name"] for place, points in places.items() if "name" in points}
    return with_places_at(
        with_places(picture, board, near=units, names=names, is_layered=True), places
    )


def _owner_of(board: Map) -> Callable[[Mapping[str, str]], str]:
    """Says for the attributes of an element which province it stands for."""
    known: dict[str, str] = {}
    for code, province in board.provinces.items():
        for name in (province.name, *province.aliases):
            known.setdefault(_key(name), code)
    for code, name in board.impassable.items():
        known = {_key(name): _NOBODY, _key(code): _NOBODY, **known}
    known |= {_key(code): code for code in board.provinces}
    known |= {code.casefold(): code for code in board.provinces}
    known.pop("", None)

    def owner(given: Mapping[str, str]) -> str:
        for name in (given.get("data-province", ""), given.get("id", "")):
            found = known.get(name.casefold()) or known.get(_key(name))
            if found:
                return found
        classes = (*given.get("class", "").casefold().split(), given.get("id", "").casefold())
        return _NOBODY if any(one in _BLANK for one in classes) else ""

    return owner


def _key(name: str) -> str:
    """A name as ids have it: without spaces and signs, in small letters."""
    return "".join(words_of(name))


def _scale(drawn: Drawn, owned: Iterable[Sequence[DrawnShape]]) -> float:
    """By how much a drawing grows to become a picture on which units have their usual size."""
    areas = [abs(sum(area(one) for each in some for one in each.outlines)) for some in owned]
    usual = median(areas) if areas else 0.0
    least, most = (width / max(drawn.width, drawn.height) for width in _WIDTHS)
    return min(max(_PROVINCE / sqrt(usual), least), most) if usual else most


def _outlines(shapes: Sequence[DrawnShape], moved: Callable[[Point], Point]) -> list[Outline]:
    """The outlines of a province by the even-odd rule, in units of the picture."""
    parts: dict[tuple[tuple[Point, ...], ...], bool] = {}
    total = 0
    for shape in shapes:
        lines = [_thinned(map(moved, one)) for one in shape.outlines]
        total += len(lines)
        PICTURE_OUTLINES.check(total, ":".join(map(str, shape.place)))
        seen = tuple(tuple(one) for one in lines if len(one) > 2 and abs(area(one)) > _DETAIL**2)
        parts.setdefault(seen, shape.is_even_odd)  # the same shape again is no hole
    return joined(list(parts.items()))


def _thinned(points: Iterable[Point]) -> list[Point]:
    """The points of a closed line without those that are close to the one before."""
    found: list[Point] = []
    for point in points:
        if not found or dist(point, found[-1]) >= _DETAIL:
            found.append(point)
    while len(found) > 1 and dist(found[0], found[-1]) < _DETAIL:
        found.pop()
    return found


def joined(parts: Sequence[tuple[Sequence[Outline], bool]]) -> list[Outline]:
    """The outlines of several shapes together: the lines with inside on one side and outside on the
    other. A shape is what an odd number of its lines surrounds if its flag says so, otherwise what
    they wind around. Lines that cross each other stay as they are."""
    boxed = [([(bounds_of([one]), one) for one in lines], is_odd) for lines, is_odd in parts]
    found = []
    for lines, is_odd in boxed:
        for _, line in lines:
            (x, y), (to_x, to_y) = max(pairwise((*line, line[0])), key=lambda edge: dist(*edge))
            point = (x + to_x) / 2, (y + to_y) / 2  # here it hardly meets another line
            others = [each for each in lines if each[1] is not line]
            around, own = _winding(point, others), 1 if area(line) > 0 else -1
            is_edge = is_odd or (around == 0) != (around + own == 0)
            if is_edge and not any(
                (turns % 2 if odd else turns)
                for other, odd in boxed
                if other is not lines and (turns := _winding(point, other))
            ):
                found.append(line)
    return found


def area(outline: Outline) -> float:
    """The area that a line surrounds, negative if it does so anticlockwise on the screen."""
    around = pairwise((*outline, outline[0]))
    return sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in around) / 2


def _winding(point: Point, outlines: Iterable[tuple[Box, Outline]]) -> int:
    """How often lines wind around a point, clockwise on the screen."""
    x, y = point
    turns = 0
    for (left, top, right, bottom), outline in outlines:
        if not (left <= x <= right and top <= y <= bottom):
            continue
        for (x1, y1), (x2, y2) in pairwise((*outline, outline[0])):
            if (y1 <= y) != (y2 <= y) and x1 + (x2 - x1) * (y - y1) / (y2 - y1) > x:
                turns += 1 if y1 <= y else -1
    return turns


def _check_near(
    outlines: Sequence[Outline], width: float, height: float, shape: DrawnShape, code: str
) -> None:
    """Refuse a shape that nobody sees, or that is so large that no place in it can be found."""
    left, top, right, bottom = bounds_of(outlines)
    if right <= 0 or bottom <= 0 or left >= width or top >= height:
        raise DocumentError(*shape.place, f"the shape of {code} is outside of the drawing")
    if min(left / width, top / height) < -1 or max(right / width, bottom / height) > 2:
        problem = f"the shape of {code} reaches farther out of the drawing than its size"
        raise DocumentError(*shape.place, problem)
