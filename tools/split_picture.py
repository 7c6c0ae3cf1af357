"""A board divided between two stalemate lines: their provinces, units and supports."""

from __future__ import annotations

from dipsat.draw import Svg, picture_for
from dipsat.draw.markup import FONT, element, quoted, words
from dipsat.searches import StalemateLine
from tools.contact_sheet import GRAIN, Thin
from tools.line_board import COLORS, fill, held_by, style_of, units_of

_SIZE = (620, 590)
_UNIT, _CENTER = 9, 2  # pixels


def split_picture(first: StalemateLine, second: StalemateLine) -> Svg:
    """The board of two lines of one map."""
    board, sides = first.map, (first, second)
    picture = picture_for(board)
    thin = Thin(picture, 0, _SIZE, title=0)
    fills = {
        code: color
        for line, (color, _) in zip(sides, COLORS, strict=True)
        for code in held_by(line)
    }
    right, bottom = thin.at((picture.width, picture.height))
    parts = [element("rect", class_="back", width=right, height=bottom)]
    for sea in (True, False):
        for code, shape in picture.shapes.items():
            kind = board.provinces[code].kind
            if (kind == "sea") == sea:
                found, usual = thin.path(shape.rings), "sea" if sea else "land"
                parts.append(element("path", class_=usual, style=fill(fills.get(code)), d=found))
    if picture.blank:
        parts.append(element("path", class_="blank", d=thin.path(picture.blank)))
    parts.append(element("g", *thin.centers(board, _CENTER), class_="center"))
    for line, (_, color) in zip(sides, COLORS, strict=True):
        parts += units_of(line, thin, color, _UNIT)
    said = " and ".join(f"{len(line.units)} units" for line in sides)
    width, height = _SIZE
    place = f"translate({thin.left:.1f} 8) scale({1 / GRAIN:g})"
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{quoted(FONT)}" role="img">'
        f"<title>{words(said)} that hold their sides of the board</title>"
        f"<style>{style_of(_UNIT)}</style>"
        f'<rect class="paper" width="{width}" height="{height}"/>\n'
        + element("g", *parts, transform=place)
        + "\n</svg>\n"
    )
