"""All shipped maps in one picture, at a small size: provinces, owners, centres and curved links.

Outlines are thinned to the detail visible at this size, each shared arc once, so that neighbours
still fit. Maps with the same picture share its outlines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot

from dipsat import Map, Position, load_map, map_names
from dipsat.draw import Picture, Svg, picture_for
from dipsat.draw.map_picture import Point, Ring
from dipsat.draw.markup import FONT, element, quoted, words
from dipsat.draw.style_sheet import lands_of, palette, usual_colors

LIGHT = palette(False)
COLUMNS = 5
CELL = (280, 250)
"""The width and height of a map with its title."""
_TITLE = 36
_MARGIN = 8
GRAIN = 4
"""Coordinates count fractions of a pixel; this many make a pixel."""
_FAINTEST = 0.45
"""How far a line may be from the true one, in pixels."""


def contact_sheet(names: Iterable[str] = ()) -> Svg:
    """The sheet of these maps, by default of all shipped maps."""
    boards = [load_map(name) for name in names or sorted(map_names(), key=_place)]
    rows = -(-len(boards) // COLUMNS)
    width, height = COLUMNS * CELL[0], rows * CELL[1]
    parts, known = [], dict[str, Thin]()
    for at, board in enumerate(boards):
        picture = picture_for(board)
        if picture.name not in known:
            known[picture.name] = thin = Thin(picture, len(known))
            parts.append(element("defs", *thin.outlines()))
        x, y = CELL[0] * (at % COLUMNS), CELL[1] * (at // COLUMNS)
        parts.append(
            element("g", *_cell(board, known[picture.name]), transform=f"translate({x} {y})")
        )
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{quoted(FONT)}" role="img">'
        f"<title>The {len(boards)} maps that are shipped</title><style>{_STYLE}</style>"
        f'<rect class="paper" width="{width}" height="{height}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


LINKS = (
    f".link{{fill:none;stroke:{LIGHT['border']};stroke-width:3;stroke-dasharray:2 8;"
    "stroke-linecap:round}"
)
"""The style of curves between neighbours that do not touch."""
_STYLE = (
    ".paper{fill:#fff}.title{font-size:12px;font-weight:600;fill:#1c2430}"
    f".name{{font-size:11px;fill:#5c6672}}.back,.sea{{fill:{LIGHT['sea']}}}"
    f".land{{fill:{LIGHT['land']}}}.blank{{fill:{LIGHT['blank']}}}"
    f".land,.blank{{stroke:{LIGHT['border']}}}.sea{{stroke:{LIGHT['shore']}}}"
    "use{stroke-width:2;stroke-linejoin:round;fill-rule:evenodd}"
    f"{LINKS}.center{{fill:#fff;stroke:#1c1c1c;stroke-width:2}}"
)


def _place(name: str) -> tuple[bool, str]:
    return name != "standard", name


class Thin:
    """The outlines of a picture, scaled into a cell and thinned."""

    def __init__(
        self, picture: Picture, number: int, cell: tuple[int, int] = CELL, title: int = _TITLE
    ) -> None:
        room = cell[0] - 2 * _MARGIN, cell[1] - title - _MARGIN
        pixels = min(room[0] / picture.width, room[1] / picture.height)
        self.picture = picture
        self.number = number
        self.scale = pixels * GRAIN
        self.left = (cell[0] - picture.width * pixels) / 2
        self.arcs = [thinned([self.at(p) for p in arc], _FAINTEST * GRAIN) for arc in picture.arcs]

    def at(self, point: Point) -> Point:
        """A point of the picture, in fractions of a pixel."""
        return round(point[0] * self.scale), round(point[1] * self.scale)

    def path(self, rings: Iterable[Ring]) -> str:
        """The `d` of the path along outlines."""
        return "".join(map(self._outline, rings))

    def _outline(self, ring: Ring) -> str:
        points: list[Point] = []
        for index in ring:
            arc = self.arcs[index] if index >= 0 else self.arcs[~index][::-1]
            points += arc[:-1]
        return steps(points) + "z" if len({*points}) > 2 else ""

    def name(self, code: str) -> str:
        """The name of an outline in the sheet."""
        return f"{self.number}-{code}"

    def outlines(self) -> list[str]:
        """The outlines of the provinces, to be used by the maps with this picture."""
        shapes = self.picture.shapes.items()
        found = [
            element("path", id=self.name(code), d=self.path(shape.rings)) for code, shape in shapes
        ]
        return [*found, element("path", id=self.name(""), d=self.path(self.picture.blank))]

    def centers(self, board: Map, radius: float) -> Iterator[str]:
        """The supply centres of a map with this picture; the radius is in pixels."""
        for code in board.centers:
            if (shape := self.picture.shapes.get(code)) is not None:
                x, y = self.at(shape.centre)
                yield element("circle", cx=x, cy=y, r=round(radius * GRAIN))

    def links(self) -> Iterator[str]:
        """The curves between neighbours that do not touch on the picture."""
        for _, _, line in self.picture.links:
            strokes = self.picture.strokes(line)
            path = "".join(steps([self.at(point) for point in stroke]) for stroke in strokes)
            yield element("path", class_="link", d=path)


def _cell(board: Map, thin: Thin) -> Iterable[str]:
    """A map with its title."""
    picture, scale = thin.picture, thin.scale
    title = board.title or board.name
    title = title if len(title) < _LONGEST else f"{title[: _LONGEST - 1]}…"
    yield element("text", words(title), class_="title", x=_MARGIN, y=16)
    yield element("text", words(board.name), class_="name", x=_MARGIN, y=30)
    owners = {code: power for power, own in Position.start(board).centers.items() for code in own}
    colors = usual_colors(board)
    lands = dict(zip(colors, lands_of(tuple(colors.values()), False), strict=True))
    width, height = round(picture.width * scale), round(picture.height * scale)
    parts = [element("rect", class_="back", width=width, height=height)]
    for kind in ("sea", "land"):
        found = []
        for code, province in board.provinces.items():
            if (province.kind == "sea") == (kind == "sea"):
                owner = owners.get(code)
                found.append(_use(thin.name(code), lands[owner] if owner else None))
        parts.append(element("g", *found, class_=kind))
    if picture.blank:
        parts.append(element("g", _use(thin.name("")), class_="blank"))
    parts += thin.links()
    parts.append(element("g", *thin.centers(board, 1.5), class_="center"))
    place = f"translate({thin.left:.1f} {_TITLE}) scale({1 / GRAIN:g})"
    yield element("g", *parts, transform=place)


_LONGEST = 35  # letters of a title


def _use(name: str, fill: str | None = None) -> str:
    return element("use", href=f"#{name}", fill=fill)


def steps(points: Sequence[Point]) -> str:
    """The path from point to point, without steps of length 0."""
    (x, y), *others = points
    found = [f"M{x:g} {y:g}l"]
    for to_x, to_y in others:
        if (to_x, to_y) != (x, y):
            found.append(f"{to_x - x:g} {to_y - y:g} ")
            x, y = to_x, to_y
    return "".join(found).rstrip(" l")


def thinned(points: Sequence[Point], most: float) -> list[Point]:
    """A line without the points that are closer than `most` to the rest of it (Douglas and
    Peucker). The ends stay, and in a closed line also the point farthest from them."""
    keep = {0, len(points) - 1}
    parts = [_Part(0, len(points) - 1)]
    while parts:
        part = parts.pop()
        far, at = max(
            ((_distance(points[i], points[part.first], points[part.last]), i)
             for i in range(part.first + 1, part.last)),
            default=(0.0, 0),
        )  # fmt: skip
        if far > most:
            keep.add(at)
            parts += (_Part(part.first, at), _Part(at, part.last))
    return [points[i] for i in sorted(keep)]


@dataclass(frozen=True, slots=True)
class _Part:
    first: int
    last: int


def _distance(point: Point, start: Point, end: Point) -> float:
    """The distance of a point from the segment between two points."""
    across, down = end[0] - start[0], end[1] - start[1]
    square = across * across + down * down
    share = 0.0
    if square:
        share = ((point[0] - start[0]) * across + (point[1] - start[1]) * down) / square
        share = min(max(share, 0.0), 1.0)
    x, y = start[0] + share * across, start[1] + share * down
    return hypot(point[0] - x, point[1] - y)
