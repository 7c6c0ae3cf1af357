"""The picture of a map from the shapes of an untrusted SVG file: nothing that the file refers to is
opened, and no entity is expanded.

svgelements computes curves and transformations. It ignores what it does not understand, and its
time grows with the square of the number of closed subpaths. So texts are checked and counted first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil, dist, hypot, isfinite, sqrt
from statistics import median
from typing import NoReturn, TypeVar
from xml.parsers import expat

from svgelements import (
    Arc,
    Circle,
    Close,
    Ellipse,
    Length,
    Line,
    Matrix,
    Move,
    Path,
    PathSegment,
    Rect,
)

from dipsat.base import MAX_DEPTH, PICTURE_OUTLINES, PICTURE_POINTS, Tally, grouped
from dipsat.board import Map, words_of
from dipsat.draw.map_picture import Picture, Place, Point, Ring, Shape, with_places_at
from dipsat.draw.places import with_places
from dipsat.draw.raster import Box, bounds_of
from dipsat.errors import DocumentError

Attributes = Mapping[str, str]
_Given = TypeVar("_Given")
_Value = TypeVar("_Value")

_SVG = "http://www.w3.org/2000/svg"
_GROUPS = ("g", "a")
_EVEN_ODD = re.compile(r"(?:^|;)\s*fill-rule\s*:\s*evenodd\b")
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_GAPS = " \t\r\n\f,"
_NUMBERS = re.compile(_NUMBER)
_WORDS = re.compile(rf"[MmZzLlHhVvCcSsQqTtAa]|{_NUMBER}")
_LENGTH = re.compile(rf"{_NUMBER}\s*(?:px|in|cm|mm|pt|pc)?")
_TAKEN = {
    ("matrix", 6), ("translate", 1), ("translate", 2), ("scale", 1), ("scale", 2), ("rotate", 1),
    ("rotate", 3), ("skewX", 1), ("skewY", 1),
}  # fmt: skip
"""Functions of a transformation, each with a number of arguments that it may take."""
_FUNCTION = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)")
_ROUNDED = {
    "rect": (Rect, ("x", "y", "width", "height", "rx", "ry")),
    "circle": (Circle, ("cx", "cy", "r")),
    "ellipse": (Ellipse, ("cx", "cy", "rx", "ry")),
}  # fmt: skip
_NUMBERS_OF_POINT = {
    "M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 2,
}  # fmt: skip
"""How many numbers a path's command takes per point that it adds; an arc becomes several curves."""
_MOST_FUNCTIONS = 100  # of one transformation
_MOST_PARTS = 64  # of one curve
_FINEST = 20_000
"""Curves are exact to the drawing's width plus height, divided by this."""
_FARTHEST = 1e7
"""The largest coordinate of a point, whatever its sign."""


@dataclass(frozen=True, slots=True)
class DrawnShape:
    """A shape of the drawing that represents something, in the coordinates of its `viewBox`."""

    owner: str
    """What it represents."""
    outlines: list[list[Point]]
    """The closed lines around it; the last point does not repeat the first."""
    is_even_odd: bool
    """Whether the even-odd rule fills it, not the nonzero rule."""
    place: tuple[str, int, int]
    """The path of the file, the line and the column."""


@dataclass(slots=True)
class Drawn:
    """The contents of an SVG file."""

    left: float = 0.0
    top: float = 0.0
    width: float = 0.0
    height: float = 0.0
    shapes: list[DrawnShape] = field(default_factory=list)
    """In the order of the file; later shapes cover earlier ones."""


def read_svg(data: bytes, path: str, owner_of: Callable[[Attributes], str]) -> Drawn:
    """The drawing in the bytes of an SVG file. From an element's attributes, `owner_of` returns
    what it and the elements in it represent; "" leaves them out.

    Raises `DocumentError` for data that is not SVG, and for documents that define entities, nest
    deeply or have faulty shapes; `InputLimitError` for too many points.
    """
    return _Reader(path, owner_of).read(data)


class _Reader:
    def __init__(self, path: str, owner_of: Callable[[Attributes], str]) -> None:
        self.path, self.owner_of = path, owner_of
        self.found = Drawn()
        self.count = Tally(PICTURE_POINTS)
        self.open: list[tuple[Matrix, str, bool] | None] = []
        """For each element that is still open: its transformation, what it represents, and whether
        the even-odd rule fills it; None if it is left out."""
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self.parser.SkippedEntityHandler = self._entity
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = lambda _: self.open.pop()

    def read(self, data: bytes) -> Drawn:
        """Return the contents of the file."""
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            problem = f"malformed XML: {expat.ErrorString(error.code)}"
            raise DocumentError(self.path, error.lineno, error.offset + 1, problem) from None
        except (LookupError, ValueError):
            self._fail("malformed XML: its encoding is unknown; save it as UTF-8")
        return self.found

    def _fail(self, problem: str) -> NoReturn:
        raise DocumentError(*self._place, problem)

    @property
    def _place(self) -> tuple[str, int, int]:
        return self.path, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def _doctype(self, _: str, __: str | None, ___: str | None, has_own: int) -> None:
        if has_own:
            self._fail("a document type with definitions of its own is not allowed; save plain SVG")

    def _entity(self, *_: object) -> None:
        self._fail("entities are not allowed; save plain SVG")

    def _start(self, name: str, given: dict[str, str]) -> None:
        if len(self.open) >= MAX_DEPTH:
            self._fail(f"nested deeper than {MAX_DEPTH} levels")
        space, _, tag = name.rpartition(" ")
        tag = tag if space in ("", _SVG) else ""
        if not self.open:
            if tag != "svg":
                self._fail("this is not SVG: its outermost element should be <svg>")
            self._read(self._page, given)
            self.open.append((Matrix(), "", False))
            return
        outer = self.open[-1]
        self.open.append(None)
        if outer is None or tag not in (*_GROUPS, *_ROUNDED, "path", "polygon"):
            return
        matrix, owner, is_even_odd = outer
        owner = self.owner_of(given) or owner
        if "fill-rule" in given:
            is_even_odd = given["fill-rule"] == "evenodd"
        is_even_odd = is_even_odd or _EVEN_ODD.search(given.get("style", "")) is not None
        if tag in _GROUPS or owner:
            matrix = self._read(transformation, given.get("transform", "")) * matrix
        if tag in _GROUPS:
            self.open[-1] = matrix, owner, is_even_odd
        elif owner:
            closed = given.get("d", "").upper().count("Z")
            PICTURE_OUTLINES.check(closed, ":".join(map(str, self._place)))
            grain = (self.found.width + self.found.height) / _FINEST
            lines = self._read(lambda given: lines_of(tag, given, self.count), given)
            outlines = self._read(lambda path: outlines_of(path, matrix, grain, self.count), lines)
            self.found.shapes.append(DrawnShape(owner, outlines, is_even_odd, self._place))

    def _page(self, given: Attributes) -> None:
        """Set the part of the plane that the file shows."""
        found = self.found
        if "viewBox" in given:
            numbers = numbers_in(given["viewBox"])
            if len(numbers) != 4:
                raise ValueError("a viewBox has four numbers: left, top, width and height")
            found.left, found.top, found.width, found.height = numbers
        elif "width" in given and "height" in given:
            found.width, found.height = length(given["width"]), length(given["height"])
        else:
            raise ValueError("the <svg> should have a viewBox, or else a width and a height")
        sides = found.width, found.height
        if not (min(sides) >= 1e-3 and max(sides) <= min(1e6, 100 * min(sides))):
            raise ValueError("the drawing is too narrow, too small or too large")
        if max(abs(found.left), abs(found.top)) > 1e6:
            raise ValueError("the drawing is too far from its origin")

    def _read(self, read: Callable[[_Given], _Value], given: _Given) -> _Value:
        """What a reader of attributes returns; its errors are raised with the element's place."""
        try:
            return read(given)
        except (ValueError, OverflowError) as error:
            self._fail(str(error))


def numbers_in(text: str) -> list[float]:
    """The numbers of a list, separated by commas or spaces. Raises `ValueError`."""
    if _NUMBERS.sub("", text).strip(_GAPS):
        raise ValueError("expected numbers, separated by commas or spaces")
    return [float(number) for number in _NUMBERS.findall(text)]


def length(text: str) -> float:
    """A length in pixels. Raises `ValueError` for a relative length."""
    if len(text) > 100 or not _LENGTH.fullmatch(text.strip()):
        raise ValueError(
            "a length is a number, perhaps with one of the units px, in, cm, mm, pt, pc"
        )
    value: float = Length(text).value(ppi=96)
    if not isfinite(value):
        raise ValueError("a length is too large")
    return value


def transformation(text: str) -> Matrix:
    """The matrix of the attribute `transform`. Raises `ValueError`."""
    functions = _FUNCTION.findall(text)
    counts = [(name, len(numbers_in(given))) for name, given in functions]
    rest = _FUNCTION.sub("", text).strip(_GAPS)
    if rest or len(functions) > _MOST_FUNCTIONS or any(one not in _TAKEN for one in counts):
        raise ValueError("a transform is a short list such as `translate(10, 20) scale(2)`")
    return Matrix(text)


def lines_of(tag: str, given: Attributes, count: Tally) -> Path:
    """The lines around a shape; none if SVG does not draw it. Raises `ValueError` if the attributes
    are not valid SVG, and `InputLimitError` for too many points."""
    if tag in _ROUNDED:
        shape, names = _ROUNDED[tag]
        sizes = {one: length(given[one]) for one in names if given.get(one, "auto") != "auto"}
        if any(value < 0 for name, value in sizes.items() if name not in ("x", "y", "cx", "cy")):
            raise ValueError("a width, a height or a radius cannot be negative")
        radius = sizes.get("rx", sizes.get("ry", 0.0))  # if one is not stated, it is the other
        sizes = {"rx": radius, "ry": radius, **sizes}
        return Path(shape(*(sizes.get(name, 0.0) for name in names)))
    data = given.get("d", "").strip()
    if tag == "polygon":
        data = " ".join(["M", *map(repr, numbers_in(given.get("points", "")))])
    if _WORDS.sub("", data).strip(_GAPS) or data[:1] not in ("", "M", "m"):
        raise ValueError("path data must be commands and numbers, beginning with M")
    points, numbers = 0.0, 1.0
    for word in _WORDS.findall(data):
        if word.isalpha():
            numbers = _NUMBERS_OF_POINT.get(word.upper(), 1.0)
        else:
            points += 1 / numbers
    count.add(round(points))
    try:
        return Path(data if len(data) > 1 else "")
    except (ValueError, ArithmeticError):
        raise ValueError("path data lack a number, or have one that is too large") from None


def outlines_of(path: Path, matrix: Matrix, grain: float, count: Tally) -> list[list[Point]]:
    """The points of closed lines after a transformation; curves are exact to a grain. Raises
    `ValueError` for points too far away, and `InputLimitError` for too many."""
    found: list[list[Point]] = []
    is_open = False
    for step in path:
        if isinstance(step, (Move, Close)):
            is_open = False
            continue
        for curve in _curves(step):
            moved = curve * matrix
            ends = [_near(point) for point in moved]
            if not is_open:
                found.append(ends[:1])
                is_open = True
            parts = _parts(ends, grain)
            count.add(parts - 1)
            found[-1] += [_near(moved.point(part / parts)) for part in range(1, parts)]
            found[-1].append(ends[-1])
    return found


def _curves(step: PathSegment) -> Iterable[PathSegment]:
    """The lines and Bézier curves of a step; an arc consists of several."""
    if not isinstance(step, Arc):
        return [step]
    if step.start == step.end:
        return []
    return step.as_cubic_curves() if step.rx and step.ry else [Line(step.start, step.end)]


def _near(point: Point) -> Point:
    x, y = point
    if not (abs(x) <= _FARTHEST and abs(y) <= _FARTHEST):
        raise ValueError(f"a point is farther away than {_FARTHEST:,.0f}")
    return float(x), float(y)


def _parts(ends: Sequence[Point], grain: float) -> int:
    """The number of straight parts into which a Bézier curve is cut. Its second differences bound
    how far these parts stray from it."""
    bends = [
        hypot(x - 2 * x1 + x2, y - 2 * y1 + y2)
        for (x, y), (x1, y1), (x2, y2) in zip(ends, ends[1:], ends[2:], strict=False)
    ]
    degree = len(ends) - 1
    strays = degree * (degree - 1) / 8 * max(bends, default=0.0)
    return max(1, min(_MOST_PARTS, ceil(sqrt(strays / grain))))


# --- pictures -------------------------------------------------------------------------------------

Outline = Sequence[Point]

_BLANK = ("impassable", "blank")
"""Ids and classes of land that belongs to nobody."""
_NOBODY = "/"
"""The owner of such land; no code has a slash."""
_PROVINCE = 75.0
"""The width of a province of the usual size, in units of a picture."""
_WIDTHS = 400.0, 3000.0
"""The least and the largest width of a picture."""
_DETAIL = 0.3
"""Points closer than this, in units of a picture, are merged; smaller outlines are left out."""
_NOWHERE = Place((0.0, 0.0), (0.0, 0.0))


def picture_in_svg(board: Map, data: bytes, path: str) -> Picture:
    """The picture of a map from the bytes of an SVG file, with the places that the map states.

    An element represents the province whose code or name is its `data-province` or `id`. Raises
    `DocumentError` and `InputLimitError` as `read_svg`, and `DocumentError` if a province has no
    shape there, or one that cannot be shown.
    """
    drawn = read_svg(data, path, _owner_of(board))
    owned = grouped((shape.owner, shape) for shape in drawn.shapes)
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
        left, top, right, bottom = bounds_of(outlines)
        if right <= 0 or bottom <= 0 or left >= width or top >= height:
            raise DocumentError(*some[0].place, f"the shape of {code} is outside the drawing")
        if min(left / width, top / height) < -1 or max(right / width, bottom / height) > 2:
            # so large that no place in it can be found
            problem = f"the shape of {code} extends too far beyond the drawing"
            raise DocumentError(*some[0].place, problem)
        shapes[code] = Shape(tuple(map(ring, outlines)), _NOWHERE, (0.0, 0.0))
    nobody = tuple(ring(one) for each in blanks for one in _outlines([each], moved))
    PICTURE_OUTLINES.check(len(nobody), f"{path}: blank land")
    picture = Picture(board.name, width, height, 1.0, tuple(arcs), shapes, blank=nobody)
    places = {
        location: {kind: moved(point) for kind, point in points.items()}
        for location, points in board.picture.places.items()
    }
    units, names = (
        {place: points[kind] for place, points in places.items() if kind in points}
        for kind in ("unit", "name")
    )
    picture = with_places(picture, board, near=units, names=names, is_layered=True)
    return with_places_at(picture, places)


def _owner_of(board: Map) -> Callable[[Mapping[str, str]], str]:
    """Return a function from the attributes of an element to the province that it represents."""
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
    """A name as it is in ids: without spaces and signs, in lower case."""
    return "".join(words_of(name))


def _scale(drawn: Drawn, owned: Iterable[Sequence[DrawnShape]]) -> float:
    """The factor by which a drawing grows to a picture on which units have their usual size."""
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
        parts.setdefault(seen, shape.is_even_odd)  # the same shape again is not a hole
    return joined(list(parts.items()))


def _thinned(points: Iterable[Point]) -> list[Point]:
    """The points of a closed line without those that are close to the previous point."""
    found: list[Point] = []
    for point in points:
        if not found or dist(point, found[-1]) >= _DETAIL:
            found.append(point)
    while len(found) > 1 and dist(found[0], found[-1]) < _DETAIL:
        found.pop()
    return found


def joined(parts: Sequence[tuple[Sequence[Outline], bool]]) -> list[Outline]:
    """The outlines of several shapes together: the lines that have the inside on one side and the
    outside on the other. A shape is filled by the even-odd rule if its flag says so, otherwise by
    the nonzero rule. Lines that cross each other stay as they are."""
    boxed = [([(bounds_of([one]), one) for one in lines], is_odd) for lines, is_odd in parts]
    found = []
    for lines, is_odd in boxed:
        for _, line in lines:
            (x, y), (to_x, to_y) = max(pairwise((*line, line[0])), key=lambda edge: dist(*edge))
            point = (x + to_x) / 2, (y + to_y) / 2  # here another line is unlikely
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
