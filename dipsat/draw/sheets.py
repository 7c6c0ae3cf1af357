"""Sheets: parts of boards side by side, with a headline above and lines of text below; and the
layers of pictures of reasons: numbers, and light around the orders in question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist

from dipsat.draw.board_drawing import Drawing, codes_within
from dipsat.draw.map_picture import Picture, Point, Window
from dipsat.draw.markup import Svg, element, page_text, svg, told, width_of, words
from dipsat.draw.style_sheet import Rules, rules_in, stated_colors


@dataclass(frozen=True, slots=True)
class Inks:
    """Colours by meaning; no meaning depends on colour alone."""

    paper: str
    text: str
    faint: str
    """For things in the background."""
    line: str
    box: str
    bad: str
    """For things that fail, hinder or invert values."""
    true: str
    """The background of a value that is true."""
    false: str
    number: str


def inks_of(dark: bool) -> Inks:
    """The colours for a light or a dark page."""
    return Inks(**stated_colors()["reasons"]["dark" if dark else "light"])


# --- sheets ---------------------------------------------------------------------------------------

Block = tuple[str, float, float]
"""Markup with its top left corner at (0, 0), and its width and height."""

_AROUND = 70.0  # the margin of a window around the things in it at scale 1
_LEAST = (330.0, 250.0)  # the size of a window
_BROADEST, _HIGHEST = 1.75, 0.9  # the greatest width of a window by its height, and the reverse
_MOST_HEIGHT = 560.0  # of a board on a sheet
_MARGIN, _GAP = 18.0, 16.0
_HEAD, _TEXT = 15.0, 13.0
_LINE = 18.5
_INDENT = 18.0
_LEAST_WIDTH = 420.0  # of a sheet
_IN_A_ROW = 2
MOST_ZOOM = 2.0
"""How much larger things may be than on a whole board."""
MOST_LINES = 30
"""The most lines of text below the boards."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a board with a title."""

    drawing: Drawing
    window: Window
    title: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A line below the boards."""

    text: str
    depth: int = 0
    """How far it is indented below a line that it explains."""
    is_faint: bool = False


def window_around(picture: Picture, points: Iterable[Point]) -> Window:
    """The part of a picture around some points, or all of it if there are none."""
    found = list(points)
    if not found:
        return 0.0, 0.0, picture.width, picture.height
    around = _AROUND * picture.scale
    ends = [(min(values) - around, max(values) + around) for values in zip(*found, strict=True)]
    wide, high = (
        max(end - start, least * picture.scale)
        for (start, end), least in zip(ends, _LEAST, strict=True)
    )
    wide, high = max(wide, high / _HIGHEST), max(high, wide / _BROADEST)
    (left, width), (top, height) = (
        _within((start + end) / 2, size, most)
        for (start, end), size, most in zip(
            ends, (wide, high), (picture.width, picture.height), strict=True
        )
    )
    return left, top, width, height


def _within(middle: float, size: float, most: float) -> tuple[float, float]:
    """The start and the length of a part of a line; the whole line has the length `most`."""
    length = min(size, most)
    return min(max(middle - length / 2, 0.0), most - length), length


def sheet(
    panels: Sequence[Panel],
    headline: str,
    notes: Sequence[Note],
    *,
    width: float,
    dark: bool,
    below: Block | None = None,
    names: str,
) -> Svg:
    """A sheet about as wide as `width`, with up to two boards in a row. `below` is extra markup
    under the boards. `names` are the classes of the picture."""
    inks = inks_of(dark)
    rows = [panels[at : at + _IN_A_ROW] for at in range(0, len(panels), _IN_A_ROW)]
    columns = min(len(panels), _IN_A_ROW)
    each = (width - _GAP * (columns - 1)) / columns
    boards = [_boards(row, each, inks) for row in rows]
    full = max(_LEAST_WIDTH, *(wide for _, wide, _ in (*boards, *([below] if below else []))))
    lines = wrapped(headline, _HEAD * 1.09, full)
    top_lines = [
        _text(line, 0.0, at * 20 + _HEAD, _HEAD, inks.text, bold=True)
        for at, line in enumerate(lines)
    ]
    blocks = [("".join(top_lines), full, 20.0 * len(lines)), *boards]
    blocks += [*([below] if below else []), _text_block(notes, full, inks)]
    parts, top = [], _MARGIN
    for markup, _, high in blocks:
        parts.append(element("g", markup, transform=f"translate({_MARGIN:g} {top:.1f})"))
        top += high + 8
    wide, high = full + 2 * _MARGIN, top + _MARGIN - 12
    paper = element("rect", width=wide, height=high, fill=inks.paper)
    return svg(wide, high, [paper, *parts], headline, class_=names)


def _boards(panels: Sequence[Panel], each: float, inks: Inks) -> Block:
    """A row of boards with their titles."""
    top = 20.0 if any(panel.title for panel in panels) else 0.0
    parts, left, highest = [], 0.0, 0.0
    for panel in panels:
        _, _, wide, high = panel.window
        zoom = min(each / wide, MOST_ZOOM / panel.drawing.scale, _MOST_HEIGHT / high)
        wide, high = wide * zoom, high * zoom
        if panel.title:
            title = _text(panel.title, left, 12.0, _TEXT, inks.text, bold=True)
            parts.append(element("g", title, class_="board-title"))
        parts.append(_board(panel, (left, top, wide, high), inks))
        left, highest = left + wide + _GAP, max(highest, high)
    return "".join(parts), left - _GAP, top + highest


def _text_block(notes: Iterable[Note], width: float, inks: Inks) -> Block:
    """The lines below the boards."""
    lines = [
        (replace(note, text=text), not at)
        for note in notes
        for at, text in enumerate(wrapped(note.text, _TEXT, width - note.depth * _INDENT))
    ]
    if len(lines) > MOST_LINES:
        left_out = len(lines) - MOST_LINES
        lines = [*lines[:MOST_LINES], (Note(f"and {left_out} more lines", 0, True), True)]
    parts = []
    for at, (note, is_first) in enumerate(lines):
        x, y = note.depth * _INDENT, at * _LINE + _TEXT
        colour = inks.faint if note.is_faint else inks.text
        parts.append(_text(note.text, x, y, _TEXT, colour))
        if note.depth and is_first:
            path = f"M{x - 12:g} {y - 14:g}V{y - 4.5:g}H{x - 4:g}"
            parts.append(element("path", d=path, fill="none", stroke=inks.faint, stroke_width=1))
    return "".join(parts), width, _LINE * len(lines)


def _board(panel: Panel, place: Window, inks: Inks) -> str:
    """The part of a board that a panel shows."""
    left, top, wide, high = panel.window
    drawing, picture = panel.drawing, panel.drawing.picture
    # Most of a board's text is provinces that the panel does not show.
    seen, paths = codes_within(picture, panel.window), drawing.layers["provinces"]
    kept = tuple(path for code, path in zip(picture.shapes, paths, strict=True) if code in seen)
    drawing = replace(drawing, layers={**drawing.layers, "provinces": kept})
    markup = drawing.markup(width=picture.width, height=picture.height)
    x, y, width, height = place
    part = element(
        "svg", markup, x=x, y=y, width=width, height=height,
        viewBox=f"{left:.1f} {top:.1f} {wide:.1f} {high:.1f}",
    )  # fmt: skip
    frame = element("rect", x=x, y=y, width=width, height=height, fill="none", stroke=inks.faint)
    return part + frame


def wrapped(text: str, size: float, width: float) -> list[str]:
    """A text in lines of a width. A line is longer only if a single word is."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines or [""]


def _text(text: str, x: float, y: float, size: float, colour: str, *, bold: bool = False) -> str:
    weight = "bold" if bold else None
    return element("text", words(text), x=x, y=y, font_size=size, fill=colour, font_weight=weight)


# --- marks ----------------------------------------------------------------------------------------


def styles_of(dark: bool) -> Rules:
    """The style rules of these marks."""
    return rules_in(page_text("reasons.css"), dark)


def light(drawing: Drawing, unit: str, name: str) -> str:
    """Light around a unit and its order, with a class; "" if the unit is not there."""
    scale = drawing.scale
    line, place = drawing.line(unit), drawing.place(unit.rpartition(" ")[2])
    parts = ""
    if line is not None and line.curve is not None:
        parts += element("path", class_=name, stroke_width=10 * scale, d=line.curve.path)
    if place is not None and (line is None or not line.order.is_lost):
        x, y = place
        wide, radius = 5 * scale, 12.5 * scale
        parts += element("circle", class_=name, stroke_width=wide, cx=x, cy=y, r=radius)
    return parts


def strength(text: str, at: Point, scale: float, decision: str) -> str:
    """A number in a frame, with the decision as a tooltip."""
    size, high, (x, y) = 11 * scale, 15 * scale, at
    wide = max(width_of(text, size) * 1.08 + 7 * scale, high)
    return element(
        "g",
        told(decision),
        element("rect", x=x - wide / 2, y=y - high / 2, width=wide, height=high, rx=high / 2),
        element("text", words(text), x=x, y=y + 0.36 * size, font_size=size),
        class_="strength",
        data_decision=decision,
    )


def corners(middle: Point, away: float) -> list[Point]:
    """The four points diagonal to a point, at `away` in both directions."""
    x, y = middle
    return [(x + across * away, y + down * away) for down in (-1, 1) for across in (-1, 1)]


def free_place(drawing: Drawing, places: Iterable[Point], taken: Iterable[Point]) -> Point:
    """The place farthest from units, lines, names and the places `taken`."""
    lines = [line for line in drawing.lines if line.curve is not None]
    others = [line.curve.at(part / 10) for line in lines if line.curve for part in range(11)]
    others += [line.at for line in lines]
    position = drawing.scene.position
    units = () if position is None else position.units
    others += [place for unit in units if (place := drawing.place(unit.location)) is not None]
    shapes = drawing.picture.shapes.values()
    labels = [shape.place.label for shape in shapes if shape.place.label is not None]
    others += [(x + side * 9 * drawing.scale, y) for x, y in labels for side in (-1, 0, 1)]
    others += taken
    return max(places, key=lambda place: min((dist(place, one) for one in others), default=0.0))


def points_of(drawing: Drawing, units: Iterable[str], locations: Iterable[str] = ()) -> list[Point]:
    """The places of these locations and units, and the points along the orders of these units."""
    known = {*units}
    places = map(drawing.place, (*locations, *(unit.rpartition(" ")[2] for unit in known)))
    found = [place for place in places if place is not None]
    for line in drawing.lines:
        if line.order.unit in known and line.curve is not None:
            found += (line.curve.start, line.curve.at(0.5), line.curve.end)
    return found
