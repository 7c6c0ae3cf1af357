"""A board that two stalemate lines share: whose each province is, the units and their supports.

The outlines are thinned as those of the sheet of all maps, so that the picture is small.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bench.contact_sheet import GRAIN, Thin, steps
from dipsat import StalemateLine
from dipsat.board.unit_kind import UnitKind
from dipsat.svg import Svg
from dipsat.svg.boards.styles import LIGHT
from dipsat.svg.markup import FONT, element, quoted, words
from dipsat.svg.pictures.choice import picture_for
from dipsat.svg.pictures.picture import Picture, Point

_SIZE = (620, 590)
_COLORS = (("#a9c7e4", "#2f6ea8"), ("#efcf8f", "#b0701a"))  # of the provinces and units of a side
_UNIT = 9 * GRAIN  # the radius of a unit
_STYLE = (
    f".paper{{fill:#fff}}.back,.sea{{fill:{LIGHT.sea}}}.land{{fill:{LIGHT.land}}}"
    ".sea{fill-opacity:.65}"
    f".blank{{fill:{LIGHT.blank}}}path{{stroke:{LIGHT.border};stroke-width:3;"
    "stroke-linejoin:round;fill-rule:evenodd}.support{fill:none;stroke-width:8}"
    ".center{fill:#fff;stroke:#1c1c1c;stroke-width:3}"
    f".unit text{{fill:#fff;font-size:{1.4 * _UNIT:g}px;font-weight:600;text-anchor:middle}}"
)


def split_picture(first: StalemateLine, second: StalemateLine) -> Svg:
    """The board of two lines of one map."""
    board, sides = first.map, (first, second)
    picture = picture_for(board)
    thin = Thin(picture, 0, _SIZE, title=0)
    fills = {
        code: color
        for line, (color, _) in zip(sides, _COLORS, strict=True)
        for code in (*line.region, *line.by_province)
    }
    right, bottom = thin.at((picture.width, picture.height))
    parts = [element("rect", class_="back", width=right, height=bottom)]
    for sea in (True, False):
        for code, shape in picture.shapes.items():
            kind = board.provinces[code].kind
            if (kind == "sea") == sea:
                found, usual = thin.path(shape.rings), "sea" if sea else "land"
                parts.append(element("path", class_=usual, style=_fill(fills.get(code)), d=found))
    if picture.blank:
        parts.append(element("path", class_="blank", d=thin.path(picture.blank)))
    for code in board.centers:
        x, y = thin.at(picture.shapes[code].centre)
        parts.append(element("circle", class_="center", cx=x, cy=y, r=2 * GRAIN))
    for line, (_, color) in zip(sides, _COLORS, strict=True):
        places = {
            code: thin.at(_place(picture, unit.location)) for code, unit in line.by_province.items()
        }
        parts += _units(line, places, color)
    said = " and ".join(f"{len(line.units)} units" for line in sides)
    width, height = _SIZE
    place = f"translate({thin.left:.1f} 8) scale({1 / GRAIN:g})"
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{quoted(FONT)}" role="img">'
        f"<title>{words(said)} that hold their sides of the board</title><style>{_STYLE}</style>"
        f'<rect class="paper" width="{width}" height="{height}"/>\n'
        + element("g", *parts, transform=place)
        + "\n</svg>\n"
    )


def _place(picture: Picture, location: str) -> Point:
    code, _, coast = location.partition("/")
    shape = picture.shapes[code]
    return shape.coasts.get(coast, shape.place).unit


def _fill(color: str | None) -> str | None:
    return f"fill:{color}" if color else None


def _units(line: StalemateLine, places: Mapping[str, Point], color: str) -> Iterator[str]:
    """The units of a line, and a stroke from each that supports another to that one."""
    for supporter, supported in line.supports.items():
        path = steps([places[supporter], places[supported]])
        yield element("path", class_="support", style=f"stroke:{color}", d=path)
    for code, unit in line.by_province.items():
        x, y = places[code]
        letter = "A" if unit.kind is UnitKind.ARMY else "F"
        yield element(
            "g",
            element("circle", cx=x, cy=y, r=_UNIT, style=_fill(color)),
            element("text", letter, x=x, y=y + _UNIT // 2),
            class_="unit",
        )
