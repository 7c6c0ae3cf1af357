"""Attributes of SVG elements: lengths, transformations and the lines around basic shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite, radians

from dipsat.limits_of_input import Tally
from dipsat.svg.own.curves import UNMOVED, Line, Matrix, moved_by, slanted_by, turned_by
from dipsat.svg.own.paths import NUMBER, arc, lines_in, numbers_in, points_in

_LENGTH = re.compile(rf"({NUMBER})(?:\s*([a-z%]+))?")
_PIXELS: Mapping[str, float] = {
    "": 1.0, "px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "pt": 4 / 3, "pc": 16.0,
}  # fmt: skip
"""Unit of length -> pixels, as CSS says."""
_FUNCTION = re.compile(r"[\s,]*(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)")
_MOST_FUNCTIONS = 100  # of one transformation

_Attributes = Mapping[str, str]


def length(text: str) -> float:
    """A length in pixels. Raises `ValueError` for one that depends on something else."""
    found = _LENGTH.fullmatch(text.strip()) if len(text) < 100 else None
    unit = "" if found is None else found[2] or ""
    if found is None or unit not in _PIXELS:
        known = ", ".join(filter(None, _PIXELS))
        raise ValueError(f"a length is a number, perhaps with one of the units {known}")
    value = float(found[1]) * _PIXELS[unit]
    if not isfinite(value):
        raise ValueError("a length is too large")
    return value


def transformation(text: str) -> Matrix:
    """What the attribute `transform` says. Raises `ValueError`."""
    matrix, at = UNMOVED, 0
    for _ in range(_MOST_FUNCTIONS):
        found = _FUNCTION.match(text, at)
        if found is None:
            break
        matrix = matrix.after(_function(found[1], numbers_in(found[2])))
        at = found.end()
    if text[at:].strip(" \t\r\n\f,"):
        raise ValueError(f"a transform is a list such as `translate(10, 20)`; see character {at}")
    return matrix


def _function(name: str, given: list[float]) -> Matrix:
    match name, given:
        case "matrix", [a, b, c, d, e, f]:
            return Matrix(a, b, c, d, e, f)
        case "translate", [x]:
            return moved_by(x)
        case "translate", [x, y]:
            return moved_by(x, y)
        case "scale", [size]:
            return Matrix(a=size, d=size)
        case "scale", [across, down]:
            return Matrix(a=across, d=down)
        case "rotate", [angle]:
            return turned_by(radians(angle % 360))
        case "rotate", [angle, x, y]:
            return turned_by(radians(angle % 360), x, y)
        case "skewX", [angle]:
            return slanted_by(radians(angle % 360), 0.0)
        case "skewY", [angle]:
            return slanted_by(0.0, radians(angle % 360))
    raise ValueError(f"{name} in a transform does not take {len(given)} numbers")


def lines_of(tag: str, given: _Attributes, count: Tally) -> list[Line]:
    """The lines around a shape; none around one that SVG does not draw. Raises `ValueError` for
    attributes that SVG does not have, and `InputLimitError` for too many points."""
    return SHAPES[tag](given, count)


def _path(given: _Attributes, count: Tally) -> list[Line]:
    return lines_in(given.get("d", ""), count)


def _polygon(given: _Attributes, count: Tally) -> list[Line]:
    return points_in(given.get("points", ""), count)


def _circle(given: _Attributes, _: Tally) -> list[Line]:
    radius = length(given.get("r", "0"))
    return _around(given, radius, radius)


def _ellipse(given: _Attributes, _: Tally) -> list[Line]:
    return _around(given, *_radii(given))


def _around(given: _Attributes, across: float, down: float) -> list[Line]:
    """The line around an ellipse."""
    if across < 0 or down < 0:
        raise ValueError("a radius is not below 0")
    if not across or not down:
        return []
    x, y = length(given.get("cx", "0")), length(given.get("cy", "0"))
    line, ends = Line((x + across, y)), ((x - across, y), (x + across, y))
    for start, end in zip((line.start, ends[0]), ends, strict=True):
        line.steps += arc(start, end, (across, down), 0.0, False, True)
    return [line]


def _rect(given: _Attributes, _: Tally) -> list[Line]:
    x, y, wide, high = (length(given.get(name, "0")) for name in ("x", "y", "width", "height"))
    if wide < 0 or high < 0:
        raise ValueError("a width or height is not below 0")
    if not wide or not high:
        return []
    across, down = _radii(given)
    across, down = min(max(across, 0.0), wide / 2), min(max(down, 0.0), high / 2)
    right, bottom = x + wide, y + high
    if not across or not down:
        return [Line((x, y), [((right, y),), ((right, bottom),), ((x, bottom),)])]
    line = Line((x + across, y))
    for before, after in (
        ((right - across, y), (right, y + down)),
        ((right, bottom - down), (right - across, bottom)),
        ((x + across, bottom), (x, bottom - down)),
        ((x, y + down), (x + across, y)),
    ):
        line.steps.append((before,))
        line.steps += arc(before, after, (across, down), 0.0, False, True)
    return [line]


def _radii(given: _Attributes) -> tuple[float, float]:
    """Both radii; one that is not stated, or `auto`, is the other."""
    stated = [given.get(name, "auto").strip() for name in ("rx", "ry")]
    across, down = (None if text == "auto" else length(text) for text in stated)
    across = down if across is None else across
    down = across if down is None else down
    return across or 0.0, down or 0.0


SHAPES: Mapping[str, Callable[[_Attributes, Tally], list[Line]]] = {
    "path": _path, "polygon": _polygon, "rect": _rect, "circle": _circle, "ellipse": _ellipse,
}  # fmt: skip
"""Tag of a shape -> the lines around it."""
