"""Path data of SVG 1.1 (section 8.3): the attribute `d`, and lists of points."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import acos, ceil, cos, hypot, pi, radians, sin, sqrt, tan

from dipsat.limits_of_input import Tally
from dipsat.svg.own.curves import Line
from dipsat.svg.pictures.picture import Point

NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_NUMBER = re.compile(NUMBER)
_GAP = re.compile(r"[ \t\r\n\f]*(?:,[ \t\r\n\f]*)?")
_FLAG = re.compile(r"[01]")
_LONGEST = 60  # characters of a number


def numbers_in(text: str) -> list[float]:
    """The numbers of a list, divided by commas or spaces. Raises `ValueError`."""
    reader = _Reader(text)
    found = []
    while not reader.is_at_end():
        found.append(reader.number())
    return found


def points_in(text: str, count: Tally) -> list[Line]:
    """The line through the points of a list, as of a `polygon`. Raises `ValueError`."""
    numbers = numbers_in(text)
    if len(numbers) % 2:
        raise ValueError("a point has no second number")
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    count.add(len(points))
    return [Line(points[0], [(point,) for point in points[1:]])] if points else []


def lines_in(data: str, count: Tally) -> list[Line]:
    """The lines that path data describe. Raises `ValueError` where these are not what SVG says,
    and `InputLimitError` for too many points."""
    return _Pen(_Reader(data), count).lines()


class _Reader:
    """Reads numbers, flags and commands from a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._skip()

    def is_at_end(self) -> bool:
        """Whether there is nothing more."""
        return self.at == len(self.text)

    def has_number(self) -> bool:
        """Whether a number follows."""
        return self.text[self.at : self.at + 1] in tuple("+-.0123456789")

    def number(self) -> float:
        """The next number."""
        return float(self._next(_NUMBER, "a number"))

    def flag(self) -> bool:
        """The next flag, a 0 or 1 that need not be divided from what follows."""
        return self._next(_FLAG, "0 or 1") == "1"

    def command(self) -> str:
        """The next letter."""
        found = self.text[self.at]
        self.at += 1
        self._skip()
        return found

    def _next(self, pattern: re.Pattern[str], what: str) -> str:
        found = pattern.match(self.text, self.at, self.at + _LONGEST)
        if found is None:
            raise ValueError(f"there should be {what} at character {self.at + 1}")
        if found.end() == self.at + _LONGEST:
            raise ValueError(f"the number at character {self.at + 1} has too many digits")
        self.at = found.end()
        self._skip()
        return found[0]

    def _skip(self) -> None:
        gap = _GAP.match(self.text, self.at)
        assert gap is not None  # it may be empty
        self.at = gap.end()


class _Pen:
    """Draws what path data say. A command in small letters counts from where the pen is."""

    def __init__(self, reader: _Reader, count: Tally) -> None:
        self.reader, self.count = reader, count
        self.found: list[Line] = []
        self.line: Line | None = None  # none after one was closed
        self.at = self.start = (0.0, 0.0)
        self.last = ""
        """The last command, in capital letters."""
        self.bend = self.at
        """The last point that bends the curve that ends where the pen is."""

    def lines(self) -> list[Line]:
        """All lines."""
        reader = self.reader
        commands: Mapping[str, Callable[[bool], None]] = {
            "M": self._move, "L": self._straight, "H": self._across, "V": self._down,
            "C": self._cubic, "S": self._smooth, "Q": self._quadratic, "T": self._smooth_quadratic,
            "A": self._arc,
        }  # fmt: skip
        while not reader.is_at_end():
            letter = reader.command()
            name = letter.upper()
            if not self.last and name != "M":
                raise ValueError("a path begins with M")
            if name == "Z":
                self.line, self.at, self.last = None, self.start, name
                continue
            if name not in commands:
                raise ValueError(f"there is no command at character {reader.at}")
            while True:
                commands[name](letter.islower())
                self.last = name
                if not reader.has_number():
                    break
                if name == "M":
                    name = "L"  # a move to several points draws lines to all but the first
        return self.found

    def _point(self, is_relative: bool) -> Point:
        x, y = self.reader.number(), self.reader.number()
        return (self.at[0] + x, self.at[1] + y) if is_relative else (x, y)

    def _step(self, *points: Point) -> None:
        self.count.add()
        if self.line is None:
            self.line = Line(self.at)
            self.found.append(self.line)
        self.line.steps.append(points)
        self.at = points[-1]

    def _move(self, is_relative: bool) -> None:
        self.at = self.start = self._point(is_relative)
        self.line = None

    def _straight(self, is_relative: bool) -> None:
        self._step(self._point(is_relative))

    def _across(self, is_relative: bool) -> None:
        x = self.reader.number()
        self._step((self.at[0] + x if is_relative else x, self.at[1]))

    def _down(self, is_relative: bool) -> None:
        y = self.reader.number()
        self._step((self.at[0], self.at[1] + y if is_relative else y))

    def _cubic(self, is_relative: bool) -> None:
        one, self.bend, end = (self._point(is_relative) for _ in range(3))
        self._step(one, self.bend, end)

    def _smooth(self, is_relative: bool) -> None:
        one = self._mirrored("CS")
        self.bend, end = self._point(is_relative), self._point(is_relative)
        self._step(one, self.bend, end)

    def _quadratic(self, is_relative: bool) -> None:
        self._bent(self._point(is_relative), self._point(is_relative))

    def _smooth_quadratic(self, is_relative: bool) -> None:
        self._bent(self._mirrored("QT"), self._point(is_relative))

    def _bent(self, bend: Point, end: Point) -> None:
        """A quadratic curve, as the cubic one that is the same."""
        self.bend = bend
        (x, y), (x1, y1), (x2, y2) = self.at, bend, end
        one = x + (x1 - x) * 2 / 3, y + (y1 - y) * 2 / 3
        two = x2 + (x1 - x2) * 2 / 3, y2 + (y1 - y2) * 2 / 3
        self._step(one, two, end)

    def _mirrored(self, kinds: str) -> Point:
        """The last bending point mirrored where the pen is, after a curve of the same kind."""
        if self.last not in tuple(kinds):
            return self.at
        return 2 * self.at[0] - self.bend[0], 2 * self.at[1] - self.bend[1]

    def _arc(self, is_relative: bool) -> None:
        reader = self.reader
        across, down, turn = (reader.number() for _ in range(3))
        is_large, is_clockwise = reader.flag(), reader.flag()
        end = self._point(is_relative)
        if end == self.at:
            return
        if not across or not down:
            self._step(end)
            return
        radii = abs(across), abs(down)
        for step in arc(self.at, end, radii, radians(turn % 360), is_large, is_clockwise):
            self._step(*step)


def arc(
    start: Point,
    end: Point,
    radii: tuple[float, float],
    turn: float,
    is_large: bool,
    is_clockwise: bool,
) -> Iterator[tuple[Point, ...]]:
    """The cubic curves along part of an ellipse, by the formulas of SVG 1.1, F.6; `turn` is in
    radians. Raises `ValueError` for numbers that are too large."""
    try:
        yield from _curves(start, end, radii, turn, is_large, is_clockwise)
    except (OverflowError, ZeroDivisionError):
        raise ValueError("an arc is too large or too small") from None


def _curves(
    start: Point,
    end: Point,
    radii: tuple[float, float],
    turn: float,
    is_large: bool,
    is_clockwise: bool,
) -> Sequence[tuple[Point, ...]]:
    cosine, sine = cos(turn), sin(turn)
    half = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = cosine * half[0] + sine * half[1], cosine * half[1] - sine * half[0]
    wide = hypot(x / radii[0], y / radii[1])
    across, down = (max(1.0, wide) * radius for radius in radii)
    x, y = x / across, y / down  # on a circle of radius 1
    away = x * x + y * y
    factor = sqrt(max(0.0, (1 - away) / away)) * (-1 if is_large == is_clockwise else 1)
    middle = factor * y, -factor * x
    first = _angle((1.0, 0.0), (x - middle[0], y - middle[1]))
    swept = _angle((x - middle[0], y - middle[1]), (-x - middle[0], -y - middle[1]))
    if is_clockwise and swept < 0:
        swept += 2 * pi
    elif not is_clockwise and swept > 0:
        swept -= 2 * pi

    def placed(point: Point) -> Point:
        wide, high = across * (point[0] + middle[0]), down * (point[1] + middle[1])
        return (
            cosine * wide - sine * high + (start[0] + end[0]) / 2,
            sine * wide + cosine * high + (start[1] + end[1]) / 2,
        )

    parts = max(1, ceil(abs(swept) / (pi / 2) - 1e-9))
    part = swept / parts
    reach = 4 / 3 * tan(part / 4)
    found = []
    for number in range(parts):
        here = first + part * number
        there = here + part
        found.append(
            (
                placed((cos(here) - reach * sin(here), sin(here) + reach * cos(here))),
                placed((cos(there) + reach * sin(there), sin(there) - reach * cos(there))),
                end if number == parts - 1 else placed((cos(there), sin(there))),
            )
        )
    return found


def _angle(one: Point, other: Point) -> float:
    """The angle from one direction to another, in radians from -pi to pi."""
    along = (one[0] * other[0] + one[1] * other[1]) / (hypot(*one) * hypot(*other))
    angle = acos(max(-1.0, min(1.0, along)))
    return -angle if one[0] * other[1] < one[1] * other[0] else angle
