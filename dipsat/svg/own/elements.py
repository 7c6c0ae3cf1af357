"""The shapes of an SVG file, read as the file of a stranger: nothing that it refers to is opened,
and no entity is expanded."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NoReturn, TypeVar
from xml.parsers import expat

from dipsat.documents import MAX_DEPTH
from dipsat.errors import DocumentError
from dipsat.limits_of_input import PICTURE_POINTS, Tally
from dipsat.svg.own.attributes import SHAPES, length, lines_of, transformation
from dipsat.svg.own.curves import UNMOVED, Matrix, points_of
from dipsat.svg.own.paths import numbers_in
from dipsat.svg.pictures.picture import Point

_SVG = "http://www.w3.org/2000/svg"
_GROUPS = ("g", "a")
_EVEN_ODD = re.compile(r"(?:^|;)\s*fill-rule\s*:\s*evenodd\b")
_FINEST = 20_000
"""Curves keep to their place within this part of the width and height of the drawing together."""

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class DrawnShape:
    """A shape of the drawing that stands for something, in the coordinates of its `viewBox`."""

    owner: str
    """What it stands for."""
    outlines: list[list[Point]]
    """The closed lines around it; the last point is not the first one again."""
    is_even_odd: bool
    """Whether it is what an odd number of these lines surrounds, and not what they wind around."""
    place: tuple[str, int, int]
    """The path of the file, the line and the column."""


@dataclass(slots=True)
class Drawn:
    """What an SVG file draws."""

    left: float = 0.0
    top: float = 0.0
    width: float = 0.0
    height: float = 0.0
    shapes: list[DrawnShape] = field(default_factory=list)
    """In the order of the file, in which later ones cover earlier ones."""


def read_svg(data: bytes, path: str, owner_of: Callable[[Mapping[str, str]], str]) -> Drawn:
    """What the bytes of an SVG file draw. `owner_of` says for the attributes of an element what it
    and the elements in it stand for, "" for nothing; what stands for nothing is left out.

    Raises `DocumentError` for what is no SVG, and for documents that define entities, nest deeply
    or state shapes wrongly; `InputLimitError` for too many points.
    """
    return _Reader(path, owner_of).read(data)


@dataclass(frozen=True, slots=True)
class _Open:
    """An element whose end has not been seen: what holds for the elements in it."""

    matrix: Matrix = UNMOVED
    owner: str = ""
    is_even_odd: bool = False
    is_left_out: bool = False


_LEFT_OUT = _Open(is_left_out=True)


class _Reader:
    def __init__(self, path: str, owner_of: Callable[[Mapping[str, str]], str]) -> None:
        self.path, self.owner_of = path, owner_of
        self.found = Drawn()
        self.count = Tally(PICTURE_POINTS)
        self.open: list[_Open] = []
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self._entity
        self.parser.SkippedEntityHandler = self._entity
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def read(self, data: bytes) -> Drawn:
        """What the file draws."""
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
        if space not in ("", _SVG):
            tag = ""
        if not self.open:
            if tag != "svg":
                self._fail("this is no SVG: its outermost element should be <svg>")
            self._page(given)
            self.open.append(_Open())
            return
        outer = self.open[-1]
        if outer.is_left_out or (tag not in SHAPES and tag not in _GROUPS):
            self.open.append(_LEFT_OUT)
            return
        owner = self.owner_of(given) or outer.owner
        rule = given.get("fill-rule")
        is_even_odd = outer.is_even_odd if rule is None else rule == "evenodd"
        is_even_odd = is_even_odd or _EVEN_ODD.search(given.get("style", "")) is not None
        matrix = outer.matrix
        if tag in _GROUPS or owner:
            inner = self._read(transformation, given.get("transform", ""))
            matrix = matrix.after(inner)
        if tag in _GROUPS:
            self.open.append(_Open(matrix, owner, is_even_odd))
            return
        self.open.append(_LEFT_OUT)
        if owner:
            self._add(tag, given, owner, matrix, is_even_odd)

    def _end(self, _: str) -> None:
        self.open.pop()

    def _page(self, given: Mapping[str, str]) -> None:
        """The part of the plane that the file shows."""
        found = self.found
        if "viewBox" in given:
            numbers = self._read(numbers_in, given["viewBox"])
            if len(numbers) != 4:
                self._fail("a viewBox has four numbers: left, top, width and height")
            found.left, found.top, found.width, found.height = numbers
        elif "width" in given and "height" in given:
            found.width, found.height = (
                self._read(length, given[name]) for name in ("width", "height")
            )
        else:
            self._fail("the <svg> should have a viewBox, or else a width and a height")
        sides = found.width, found.height
        if not (min(sides) >= 1e-3 and max(sides) <= min(1e6, 100 * min(sides))):
            self._fail("the drawing is too narrow, too small or too large")
        if max(abs(found.left), abs(found.top)) > 1e6:
            self._fail("the drawing is too far from its origin")

    def _add(
        self, tag: str, given: Mapping[str, str], owner: str, matrix: Matrix, is_even_odd: bool
    ) -> None:
        grain = (self.found.width + self.found.height) / _FINEST
        outlines = self._read(
            lambda attributes: [
                points_of(line, matrix, grain, self.count)
                for line in lines_of(tag, attributes, self.count)
            ],
            given,
        )
        self.found.shapes.append(DrawnShape(owner, outlines, is_even_odd, self._place))

    def _read(self, read: Callable[..., _Value], given: object) -> _Value:
        """What a reader of attributes gives, its errors at the place of the element."""
        try:
            return read(given)
        except (ValueError, OverflowError) as error:
            self._fail(str(error))
