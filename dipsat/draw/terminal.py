"""A board in the characters of a terminal: half blocks of two pixels, with texts on top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from dipsat.board import Map
from dipsat.draw.map_picture import Picture
from dipsat.draw.raster import spans
from dipsat.draw.style_sheet import Rgb, blend, is_light, lands_of, palette, rgb, usual_colors
from dipsat.game import Position

# --- grid -----------------------------------------------------------------------------------------

# The province under each point of a grid: a picture in the pixels of a terminal.


BLANK = "-"
"""Stands for land that belongs to no province; no code has a hyphen."""


def codes_under(picture: Picture, columns: int, rows: int) -> list[list[str]]:
    """The codes of the provinces under the middles of a grid's cells, row by row: BLANK for land
    without a province, "" outside all outlines."""
    grid = [[""] * columns for _ in range(rows)]
    blank = [(BLANK, (ring,)) for ring in picture.blank]
    across, down = columns / picture.width, rows / picture.height
    for code, rings in (*((code, one.rings) for code, one in picture.shapes.items()), *blank):
        outlines = [[(x * across, y * down) for x, y in picture.outline(ring)] for ring in rings]
        for row, start, end in spans(outlines, columns, rows):
            grid[row][start:end] = [code] * (end - start)
    return grid


# --- half blocks ----------------------------------------------------------------------------------


HALF = "\N{UPPER HALF BLOCK}"
_SEA, _LAND, _BLANK = (rgb(palette(False)[name]) for name in ("sea", "land", "blank"))
_INK, _PAPER = (24, 26, 32), (255, 255, 255)
_LEAST_UNIT, _BEST_UNIT = 1.7, 3.2
"""The least columns for a unit's width (with fewer, texts would hide the board), and the best."""
_UNIT_WIDTH = 20
"""In units of a picture, see `Picture.scale`."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A character on the terminal."""

    text: str
    """The character."""
    front: Rgb
    """The colour of the character; for a half block, of its upper half."""
    back: Rgb
    """The colour behind it."""
    bold: bool = False
    """Whether it is printed in bold."""


def columns_for(picture: Picture, columns: int, rows: int) -> int | None:
    """How many columns a board takes on a terminal of this size, or None if it does not fit.

    It may be higher than the terminal, but no higher than its texts need.
    """
    of_unit = picture.width / (_UNIT_WIDTH * picture.scale)
    least, best = ceil(of_unit * _LEAST_UNIT), ceil(of_unit * _BEST_UNIT)
    if columns < least:
        return None
    that_fit = int(2 * rows * picture.width / picture.height)
    return min(columns, best, max(least, that_fit))


def cells_of(position: Position, picture: Picture, columns: int) -> list[list[Cell]]:
    """A board with this many columns, row by row."""
    rows = max(round(columns * picture.height / picture.width / 2), 1)
    codes = codes_under(picture, columns, 2 * rows)
    found = _Canvas(codes, _ground(position, codes))
    for text in _texts(position, picture, columns, rows):
        found.write(text)
    return found.cells


def inks_of(board: Map, power: str) -> tuple[Rgb, Rgb]:
    """The colour of a power, and the colour for text on it."""
    color = usual_colors(board)[power]
    return rgb(color), _INK if is_light(color) else _PAPER


def _ground(position: Position, codes: Sequence[Sequence[str]]) -> list[list[Rgb]]:
    """The colour of every pixel: its province's, darker at a border that is not a coast."""
    board, under = position.map, {code for row in codes for code in row}
    owners = {code: power for power, owned in position.centers.items() for code in owned}
    fills: dict[str, Rgb] = {**dict.fromkeys(under, _BLANK), "": _SEA}
    colors = usual_colors(board)
    lands = dict(zip(colors, map(rgb, lands_of(tuple(colors.values()), False)), strict=True))
    for code, province in board.provinces.items():
        fill = _SEA if province.kind == "sea" else _LAND
        fills[code] = lands[owners[code]] if code in owners else fill
    seas = {code for code, province in board.provinces.items() if province.kind == "sea"}
    edges = {code: blend(_INK, fill, 0.2) for code, fill in fills.items()}

    def pixel(code: str, left: str, above: str) -> Rgb:
        is_edge = any(one != code and (one in seas) == (code in seas) for one in (left, above))
        return (edges if is_edge else fills)[code]

    rows = zip(codes, (codes[0], *codes), strict=False)
    return [list(map(pixel, row, (row[0], *row), above)) for row, above in rows]


@dataclass(frozen=True, slots=True)
class _Text:
    """A text to be written as near as possible to a place."""

    text: str
    row: float
    column: float
    """The column of its middle."""
    code: str
    """The province in which it should stay."""
    front: Rgb = _INK
    back: Rgb | None = None
    bold: bool = False
    must: bool = False
    """Whether it is written even where it hides another text."""


def _texts(position: Position, picture: Picture, columns: int, rows: int) -> Iterator[_Text]:
    """The texts of a board: units first, since no name may hide them, then names."""
    across, down = columns / picture.width, rows / picture.height
    board = position.map
    standing = [(one, False) for one in position.units]
    standing += [(one.unit, True) for one in position.dislodged]
    for unit, is_lost in standing:
        place = picture.place(unit.location)
        if place is not None:
            color, ink = inks_of(board, unit.power)
            letter = str(unit.kind)[:1]
            words, front, back = f" {letter} ", ink, color
            if is_lost:
                words, front, back = f"{letter}!", color, _PAPER
            x, y = place.dislodged if is_lost else place.unit
            yield _Text(words, y * down, x * across, unit.province, front, back, True, True)
    for code, shape in picture.shapes.items():
        label = shape.place.label
        if label is not None and code in board.provinces:
            supply, (x, y) = board.provinces[code].supply, label
            yield _Text(f"{code}{'*' * supply}", y * down, x * across, code, bold=supply)


_NEAR = sorted(
    ((down, right) for down in range(-2, 3) for right in range(-5, 6)),
    key=lambda step: (abs(step[0]) * 2 + abs(step[1]), -step[0], step[1]),
)
"""How far a text may move from its place: the nearest steps first, and below before above."""


class _Canvas:
    """A board on which texts are written."""

    def __init__(self, codes: Sequence[Sequence[str]], ground: Sequence[Sequence[Rgb]]) -> None:
        self.codes = codes
        self.cells = [
            [Cell(HALF, above, below) for above, below in zip(upper, lower, strict=True)]
            for upper, lower in zip(ground[::2], ground[1::2], strict=True)
        ]
        self._taken = set[tuple[int, int]]()

    def write(self, text: _Text) -> None:
        """Write a text where it hides no other text and stays in its province as far as possible.
        Without such a place, a text is left out unless it `must` be there."""
        places = [place for place in self._places(text) if not self._taken.intersection(place[1])]
        if places:
            _, cells = min(places, key=lambda place: place[0])
        elif text.must:
            _, cells = next(self._places(text))
        else:
            return
        self._taken.update(cells)
        for letter, (row, column) in zip(text.text, cells, strict=True):
            under = self.cells[row][column]
            back = text.back or blend(under.front, under.back, 0.5)
            self.cells[row][column] = Cell(letter, text.front, back, text.bold)

    def _places(self, text: _Text) -> Iterator[tuple[float, list[tuple[int, int]]]]:
        """The cells where a text may be, each with its cost, the nearest first."""
        width = len(text.text)
        for down, right in _NEAR:
            row = min(max(int(text.row) + down, 0), len(self.cells) - 1)
            start = round(text.column - width / 2) + right
            start = max(min(start, len(self.cells[0]) - width), 0)
            cells = [(row, column) for column in range(start, start + width)]
            if cells[-1][1] < len(self.cells[0]):
                pixels = (self.codes[2 * row + half][at] for row, at in cells for half in (0, 1))
                outside = sum(under != text.code for under in pixels)
                yield 2 * abs(down) + abs(right) + 0.7 * outside, cells
