"""A stalemate line drawn small: its provinces, its units and whom they support.

The outlines are thinned as on the sheet of all maps, which keeps the picture small.
"""

from __future__ import annotations

from collections.abc import Iterator

from dipsat.board import UnitKind
from dipsat.draw.markup import element
from dipsat.searches import StalemateLine
from tools.contact_sheet import GRAIN, LIGHT, Thin, steps

COLORS = (("#a9c7e4", "#2f6ea8"), ("#efcf8f", "#b0701a"))
"""The colours of the provinces and the units of a line, and of a second line."""


def style_of(radius: float) -> str:
    """The style sheet of boards whose units have this radius, in pixels."""
    return (
        f".paper{{fill:#fff}}.back,.sea{{fill:{LIGHT['sea']}}}.land{{fill:{LIGHT['land']}}}"
        ".sea{fill-opacity:.65}"
        f".blank{{fill:{LIGHT['blank']}}}.sea,.land,.blank{{stroke:{LIGHT['border']};stroke-width:3;"
        "stroke-linejoin:round;fill-rule:evenodd}.support{fill:none;stroke-width:8}"
        ".center{fill:#fff;stroke:#1c1c1c;stroke-width:3}"
        f".unit text{{fill:#fff;font-size:{1.4 * radius * GRAIN:g}px;font-weight:600;"
        "text-anchor:middle}"
    )


def held_by(line: StalemateLine) -> frozenset[str]:
    """The provinces behind a line and under its units."""
    return line.region | line.by_province.keys()


def fill(color: str | None) -> str | None:
    """The `style` of elements with this color."""
    return f"fill:{color}" if color else None


def units_of(line: StalemateLine, thin: Thin, color: str, radius: float) -> Iterator[str]:
    """The units of a line, and a stroke from each supporting unit to the one that it supports."""
    places = {}
    for unit in line.units:
        code, _, coast = unit.location.partition("/")
        shape = thin.picture.shapes[code]
        places[code] = thin.at(shape.coasts.get(coast, shape.place).unit)
    for supporter, supported in line.supports.items():
        path = steps([places[supporter], places[supported]])
        yield element("path", class_="support", style=f"stroke:{color}", d=path)
    size = round(radius * GRAIN)
    for code, unit in line.by_province.items():
        x, y = places[code]
        letter = "A" if unit.kind is UnitKind.ARMY else "F"
        yield element(
            "g",
            element("circle", cx=x, cy=y, r=size, style=fill(color)),
            element("text", letter, x=x, y=y + size // 2),
            class_="unit",
        )
