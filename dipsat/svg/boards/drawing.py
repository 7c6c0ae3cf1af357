"""A board as layers of markup, to which other pictures add their own.

`draw` makes a `Drawing`; `svg` writes it. To add to a board, ask it where things stand (`place`,
`anchor`, `line`), and lay markup over it: `drawing.with_layer("badges", markup, styles=rules)`.
`markup` gives a board for use within another picture, such as two boards side by side: an `svg`
element with its own styles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeGuard

from dipsat.board.map import Map
from dipsat.game.position import Unit
from dipsat.pages import titled
from dipsat.svg.boards.look import colors_of, scoped, style_of
from dipsat.svg.boards.order_lines import (
    BURST,
    CROSS,
    FRAME,
    HOLD,
    SIGNS,
    Curve,
    DrawnOrder,
    Line,
    Places,
    Scene,
    lines_of,
    placed,
    spot,
    unit_shape,
)
from dipsat.svg.markup import FONT, Svg, element, number, quoted, width_of, words
from dipsat.svg.pictures.choice import picture_for
from dipsat.svg.pictures.picture import Picture, Point, Ring, Window
from dipsat.values import kept_on_first

# --- ground ---------------------------------------------------------------------------------------

# What lies under the units of a board: provinces as paths, blank land, links and names.


_BEYOND_GROUND = 8.0
"""The size of the names of provinces beyond an edge."""


@kept_on_first()
def province_paths(picture: Picture) -> Mapping[str, str]:
    """Code -> the `d` of the path around a province."""
    return {code: path_of(picture, shape.rings) for code, shape in picture.shapes.items()}


@kept_on_first()
def province_parts(picture: Picture, board: Map) -> tuple[tuple[str, str, str], ...]:
    """For each province: its code, the classes of its path, and the path after these."""
    return tuple(
        (
            code,
            "sea" if board.provinces[code].kind == "sea" else "land",
            f' data-province="{quoted(code)}" d="{path}">'
            f"<title>{words(board.provinces[code].name)}</title></path>",
        )
        for code, path in province_paths(picture).items()
    )


def codes_within(picture: Picture, window: Window) -> frozenset[str]:
    """The provinces that a window may show, whole or in part."""
    left, top, wide, high = window
    return frozenset(
        code
        for code, (start, end) in _boxes(picture).items()
        if start[0] < left + wide and end[0] > left and start[1] < top + high and end[1] > top
    )


@kept_on_first()
def _boxes(picture: Picture) -> Mapping[str, tuple[Point, Point]]:
    """The corners of each province."""
    found = {}
    for code, shape in picture.shapes.items():
        points = [one for ring in shape.rings for one in picture.outline(ring)]
        across, down = zip(*points, strict=True)
        found[code] = (min(across), min(down)), (max(across), max(down))
    return found


def path_of(picture: Picture, rings: Iterable[Ring]) -> str:
    """The `d` of the path along outlines, in short steps from point to point."""
    return "".join(_outline(picture.outline(ring)) for ring in rings)


def line_path(points: Sequence[Point]) -> str:
    """The `d` of the path along a line."""
    return "M" + "L".join(map(spot, points)) if points else ""


def _outline(points: Sequence[Point]) -> str:
    grain = [(round(x * 10), round(y * 10)) for x, y in points]
    parts = [f"M{grain[0][0] / 10:g} {grain[0][1] / 10:g}l"]
    x, y = grain[0]
    for one, two in grain[1:]:
        parts.append(f"{_step(one - x)} {_step(two - y)} ")
        x, y = one, two
    return "".join(parts).rstrip() + "z"


def _step(tenths: int) -> str:
    """Tenths as a short number."""
    return f"{tenths / 10:g}".replace("0.", ".", 1) if -10 < tenths < 10 else f"{tenths / 10:g}"


@kept_on_first()
def ground(picture: Picture) -> str:
    """What lies on the provinces whatever happens: blank land, links and lines to names."""
    parts = []
    if picture.blank:
        parts.append(element("path", class_="blank", d=path_of(picture, picture.blank)))
    for one, other, line in picture.links:
        path = "".join(map(line_path, picture.strokes(line)))
        name = f"{one}-{other}"
        parts.append(
            f'<path class="link" data-link="{quoted(name)}" d="{path}">'
            f"<title>{words(name)}</title></path>"
        )
    for shape in picture.shapes.values():
        if shape.leader:
            points = " ".join(map(spot, shape.leader))
            parts.append(element("polyline", class_="leader", points=points))
    return "\n".join(parts)


@kept_on_first()
def names(picture: Picture, board: Map) -> str:
    """The codes of the provinces, and of their coasts where these have places of their own."""
    parts = []
    for code, shape in picture.shapes.items():
        size = 10 * picture.scale * shape.size
        kind = " at-sea" if board.provinces[code].kind == "sea" else ""
        texts = [(code, label) for label in (shape.place.label, *shape.again)]
        texts += [(f"{code}/{coast}", place.label) for coast, place in shape.coasts.items()]
        parts += [_name(text, at, size, kind) for text, at in texts if at is not None]
    parts += [_name(text, at, _BEYOND_GROUND * picture.scale) for text, at in _beyond(picture)]
    return "\n".join(parts)


def _name(text: str, at: Point, size: float, kind: str = "") -> str:
    return (
        f'<text class="name{kind}" x="{number(at[0])}" y="{number(at[1] + 0.35 * size)}" '
        f'font-size="{number(size)}">{words(text)}</text>'
    )


def _beyond(picture: Picture) -> Iterator[tuple[str, Point]]:
    """Where links leave at an edge: the code of the province that they lead to, and the middle of
    its name."""
    size = _BEYOND_GROUND * picture.scale
    for one, other, line in picture.links:
        strokes = picture.strokes(line)
        if len(strokes) == 2:
            for code, (x, y) in ((other, strokes[0][-1]), (one, strokes[1][0])):
                inwards = 0.6 * width_of(code, size) * (1 if x < picture.width / 2 else -1)
                yield code, (x + inwards, y - 0.8 * size)


# --- features -------------------------------------------------------------------------------------

# What a map says besides its borders: lines such as railways, and features of borders and
# provinces.


_MARK = '<path d="M0-6.4L6.4 0 0 6.4-6.4 0z"/>'
_PATTERNS = 3  # of features of borders, which differ in their dashes


@kept_on_first()
def features(picture: Picture, board: Map) -> str:
    """The lines and features of a map, each with its name where one points at it."""
    return "\n".join((*_lines(picture, board), *_borders(picture, board), *_marks(picture, board)))


def _lines(picture: Picture, board: Map) -> Iterator[str]:
    """Railways and the like: a dark line with light ties, through the middles of provinces."""
    for line in board.lines.values():
        points = [
            picture.shapes[code].place.unit for code in line.provinces if code in picture.shapes
        ]
        path = f'd="{line_path(points)}"'
        yield _named(
            f'<path class="rail" {path}/><path class="ties" {path}/>',
            line.name,
            f' data-line="{quoted(line.name)}"',
        )


def _borders(picture: Picture, board: Map) -> Iterator[str]:
    """Features of borders, along what the provinces share, else between their middles."""
    shared = _shared(picture)
    links = {frozenset((one, other)): line for one, other, line in picture.links}
    for at, (name, pairs) in enumerate(board.border_features.items()):
        for pair in sorted(map(sorted, pairs)):
            if len(pair) != 2 or not picture.shapes.keys() >= set(pair):
                continue
            arcs = shared.get(frozenset(pair), [])
            middles = [picture.shapes[code].place.unit for code in pair]
            lines = arcs or picture.strokes(links.get(frozenset(pair), middles))
            path = "".join(map(line_path, lines))
            names = f"feature f{at % _PATTERNS}" + ("" if arcs else " apart")
            title = f"{name}: {'-'.join(pair)}"
            data = f' data-feature="{quoted(name)}"'
            yield _named(f'<path class="{names}" d="{path}"/>', title, data)


def _marks(picture: Picture, board: Map) -> Iterator[str]:
    """A diamond in provinces with features, around the place of the centre."""
    for code, province in board.provinces.items():
        if province.features and code in picture.shapes:
            names = sorted(province.features)
            title = words(f"{code}: {', '.join(names)}")
            data = f' data-features="{quoted(" ".join(names))}"'
            centre = Places(picture).centre(code)
            if centre is not None:
                markup = f"<title>{title}</title>{_MARK}"
                yield placed(markup, centre, picture.scale, "mark", data)


@kept_on_first()
def _shared(picture: Picture) -> dict[frozenset[str], list[tuple[Point, ...]]]:
    """Two provinces -> the arcs that they share."""
    beside: dict[int, list[str]] = {}
    for code, shape in picture.shapes.items():
        for ring in shape.rings:
            for index in ring:
                beside.setdefault(max(index, ~index), []).append(code)
    found: dict[frozenset[str], list[tuple[Point, ...]]] = {}
    for index, codes in beside.items():
        if len(set(codes)) == 2:
            found.setdefault(frozenset(codes), []).append(picture.arcs[index])
    return found


def _named(markup: str, title: str, data: str) -> str:
    return f"<g{data}><title>{words(title)}</title>{markup}</g>"


# --- painting -------------------------------------------------------------------------------------

# The parts of a scene as markup: provinces, centres, orders, units and signs.


_LOST = 0.72
"""The size of a dislodged unit beside the one that dislodged it."""
_UNSIGNED = frozenset({"", "succeeds", "given", "stands"})
_BEYOND = 20.0
"""How far from what is seen a thing still reaches into it."""


@dataclass(frozen=True, slots=True)
class Painter:
    """Draws the parts of a scene."""

    scene: Scene
    picture: Picture
    places: Places
    numbers: Mapping[str, int]
    """Power -> its number in classes."""
    power: str | None
    """The power whose view it is."""
    focus: frozenset[str] | None = None
    """The units whose orders stand out, None for all."""
    window: Window | None = None
    """The part of the picture that is seen, None for all of it."""

    def provinces(self) -> tuple[str, ...]:
        """The shapes of the provinces in the colours of their owners."""
        found = []
        owners = self.scene.owners
        for code, names, rest in province_parts(self.picture, self.scene.map):
            owner = owners.get(code)
            if owner is None:
                found.append(f'<path class="{names}"{rest}')
            else:
                data = f' data-owner="{quoted(owner)}"'
                found.append(f'<path class="{names} o{self.numbers[owner]}"{data}{rest}')
        return tuple(found)

    def centers(self) -> tuple[str, ...]:
        """The supply centres, with a dot in the colour of the owner."""
        found = []
        for code in self.scene.map.centers:
            point = self.places.centre(code)
            if not self._is_seen(point):
                continue
            owner = self.scene.owners.get(code)
            names = f"center owned p{self.numbers[owner]}" if owner else "center"
            data = f' data-center="{quoted(code)}"'
            found.append(
                placed(
                    '<circle r="4"/><circle class="dot" r="2"/>',
                    point,
                    self.picture.scale,
                    names,
                    data,
                )
            )
        return tuple(found)

    def orders(self, lines: Iterable[Line], names: str = "") -> tuple[str, ...]:
        """The lines of orders: those under others first."""
        return tuple(
            self._order(line, names)
            for line in sorted(lines, key=lambda line: _UNDER[line.kind])
            if self.window is None or self._is_crossed(line)
        )

    def _is_seen(self, point: Point | None) -> TypeGuard[Point]:
        """Whether a point is in the window, or near it; None is nowhere."""
        if point is None or self.window is None:
            return point is not None
        left, top, wide, high = self.window
        beyond = _BEYOND * self.picture.scale
        x, y = point
        return left - beyond < x < left + wide + beyond and top - beyond < y < top + high + beyond

    def _is_crossed(self, line: Line) -> bool:
        """Whether something is drawn of an order in the window."""
        points = [] if line.curve is None else line.curve.spread()
        points += [line.middle] if line.ring and line.middle is not None else []
        return any(map(self._is_seen, points))

    def _order(self, line: Line, names: str) -> str:
        one = line.order
        classes = ["order", line.kind, *filter(None, (_word(one.verdict), names, self._whose(one)))]
        parts = [f"<title>{words(_told(one))}</title>"]
        if line.curve is not None:
            parts += _stroke(line, self.places.radius)
        if line.ring and line.middle is not None:
            x, y = line.middle
            parts.append(
                f'<circle class="ring" cx="{number(x)}" cy="{number(y)}" r="{number(line.ring)}"/>'
            )
        return (
            f'<g class="{" ".join(classes)} p{self.numbers[one.power]}"'
            f"{_data(one)}>{''.join(parts)}</g>"
        )

    def _whose(self, one: DrawnOrder) -> str:
        is_faint = self.focus is not None and one.unit not in self.focus
        return "others" if is_faint or self.power not in (None, one.power) else ""

    def units(self, lines: Iterable[Line]) -> tuple[str, ...]:
        """The units with what becomes of them, and those that are built."""
        position = self.scene.position
        if position is None:
            return ()
        kinds = {(line.order.unit, line.order.is_lost): line for line in lines}
        found = []
        for unit in position.units:
            line = kinds.get((str(unit), False))
            fate = self.scene.fates.get(unit.location, "")
            found.append(self._unit(unit, fate, line))
        for lost in position.dislodged:
            line = kinds.get((str(lost.unit), True))
            fate = line.order.fate if line is not None else ""
            found.append(self._unit(lost.unit, fate, line, is_lost=True))
        found += [self._built(line) for line in lines if line.kind == "build"]
        return tuple(filter(None, found))

    def _unit(self, unit: Unit, fate: str, line: Line | None, is_lost: bool = False) -> str:
        point = self.places.unit(unit.location, is_lost)
        if not self._is_seen(point):
            return ""
        parts, names = [_figure(unit)], ["unit", f"p{self.numbers[unit.power]}"]
        if is_lost:
            names.append("lost")
        if fate:
            names.append(fate)
        if self.focus is not None and str(unit) not in self.focus:
            names.append("others")
        leaves = line is not None and line.kind == "disband" and line.order.verdict != "illegal"
        if fate in ("dislodged", "destroyed") or is_lost or (fate == "disbanded" and not leaves):
            parts.insert(0, BURST)
        if line is not None and line.kind == "hold" and line.order.is_given:
            parts.insert(0, HOLD)
        if fate in ("destroyed", "disbanded") or leaves:
            names.append("leaving")
            parts.append(CROSS)
        told = f"<title>{words(f'{unit} ({titled(unit.power)})')}</title>"
        data = f' data-unit="{quoted(str(unit))}" data-power="{quoted(unit.power)}"'
        scale = self.picture.scale * (_LOST if is_lost else 1)
        return placed(told + "".join(parts), point, scale, " ".join(names), data)

    def _built(self, line: Line) -> str:
        one = line.order
        point = self.places.unit(one.named.location)
        kind = one.named.kind
        if not self._is_seen(point) or kind is None or one.verdict == "illegal":
            return ""
        names = f"unit built p{self.numbers[one.power]}"
        data = f' data-unit="{quoted(one.named.text())}" data-power="{quoted(one.power)}"'
        return placed(FRAME + unit_shape(kind), point, self.picture.scale, names, data)

    def signs(self, lines: Iterable[Line]) -> tuple[str, ...]:
        """The signs of the verdicts, and those of standoffs."""
        found = []
        for line in lines:
            name = _sign(line)
            if name and self._is_seen(line.at):
                whose = self._whose(line.order)
                names = " ".join(filter(None, ("sign", f"sign-{name}", whose)))
                data = f' data-of="{quoted(line.order.text)}"'
                found.append(placed(SIGNS[name], line.at, self.picture.scale, names, data))
        there = self.scene.position.by_province if self.scene.position is not None else {}
        for code in self.scene.contested:
            point = self.places.unit(code)
            if self._is_seen(point):
                if code in there:  # the unit is still drawn where it was
                    point = point[0] - self.places.radius, point[1] - self.places.radius
                data = f' data-standoff="{quoted(code)}"'
                names = "sign sign-standoff"
                found.append(placed(SIGNS["standoff"], point, self.picture.scale, names, data))
        return tuple(found)


_UNDER = {
    name: at
    for at, name in enumerate(
        ("build", "disband", "hold", "other", "convoy", "guard", "support", "retreat", "move")
    )
}
"""Kind of a line -> its place in the pile, from the bottom."""


def _figure(unit: Unit) -> str:
    """The shape of a unit, with the initials of its attributes, such as a colour."""
    shape = unit_shape(unit.kind)
    if not unit.attributes:
        return shape
    initials = "".join(value[:1].upper() for _, value in unit.attributes)
    return f'{shape}<text class="tag" x="9" y="-5">{words(initials)}</text>'


def _sign(line: Line) -> str:
    """The sign of an order, "" if it has none."""
    verdict = line.order.verdict
    if line.kind == "build" and verdict != "illegal":
        return "build"
    if verdict in _UNSIGNED:
        return ""
    if verdict == "available" and line.kind != "convoy":
        return ""
    return verdict if verdict in SIGNS else ""


def _stroke(line: Line, radius: float) -> list[str]:
    """The line of an order with what is at its end: an arrow's head, or a dot."""
    curve = line.curve
    assert curve is not None
    unit = 0.1 * radius
    shaft, tip = curve.path, ""
    if line.kind in ("move", "retreat", "other"):
        size = (8.5 if line.kind == "move" else 7.0) * unit
        shaft, tip = curve.trimmed(0.0, 0.7 * size).path, _head(curve, size)
    elif line.kind != "guard":
        tip = _dot(curve.end, 2.6 * unit)
    found = [f'<path class="halo" d="{shaft}"/>', f'<path class="ink" d="{shaft}"/>']
    return [*found, f'<path class="tip" d="{tip}"/>'] if tip else found


def _head(curve: Curve, size: float) -> str:
    """The `d` of a triangle at the end of a curve."""
    (x, y), (dx, dy) = curve.end, curve.heading(1.0)
    back, side = (x - size * dx, y - size * dy), 0.55 * size
    left = back[0] - side * dy, back[1] + side * dx
    right = back[0] + side * dy, back[1] - side * dx
    return f"M{spot((x, y))}L{spot(left)}L{spot(right)}z"


def _dot(point: Point, radius: float) -> str:
    """The `d` of a disc."""
    arc = f"a{number(radius)} {number(radius)} 0 1 0"
    start = spot((point[0] - radius, point[1]))
    return f"M{start}{arc} {number(2 * radius)} 0{arc} {number(-2 * radius)} 0z"


def _word(verdict: str) -> str:
    """A verdict as the name of a class."""
    return verdict.replace(" ", "-")


def _told(one: DrawnOrder) -> str:
    """What is said of an order where one points at it."""
    told = f"{titled(one.power)}: {one.text}"
    if one.verdict:
        told += f": {one.verdict}"
    return f"{told} ({one.reason})" if one.reason else told


def _data(one: DrawnOrder) -> str:
    return (
        f' data-order="{quoted(one.text)}" data-unit="{quoted(one.unit)}"'
        f' data-power="{quoted(one.power)}"'
    )


# --- legend ---------------------------------------------------------------------------------------

# What stands around a board: the line above it, and whose colour is which below it.


CAPTION = 22.0
"""The height of the line above a board; this and all below is multiplied by the scale."""
_SIZE = 13.0  # of letters
_ROW = 21.0
_GAP = 28.0  # between two powers
_SWATCH = '<circle class="body" r="6"/>'


def caption_of(text: str, picture: Picture) -> str:
    """The line above a board."""
    size = _SIZE * picture.scale
    return (
        f'<text class="caption" x="{number(0.6 * size)}" y="{number(-0.5 * size)}" '
        f'font-size="{number(size)}">{words(text)}</text>'
    )


def legend_height(scene: Scene, picture: Picture) -> float:
    """The height of the lines below a board."""
    rows = max((row for _, _, row, _ in _entries(scene, picture)), default=-1) + 1
    return (rows * _ROW + 0.3 * _ROW) * picture.scale if rows else 0.0


def legend_of(scene: Scene, picture: Picture) -> tuple[str, ...]:
    """The powers with units or centres, each with its colour and how many centres it has."""
    scale, found = picture.scale, []
    numbers = {name: at for at, name in enumerate(scene.map.powers)}
    for power, text, row, x in _entries(scene, picture):
        y = picture.height + (row + 0.65) * _ROW * scale
        start = f'x="{number(x + 12 * scale)}" y="{number(y + 0.35 * _SIZE * scale)}"'
        label = f'<text class="caption" {start} font-size="{number(_SIZE * scale)}">'
        swatch = placed(_SWATCH, (x, y), scale)
        found.append(
            f'<g class="p{numbers[power]}" data-legend="{quoted(power)}">'
            f"{swatch}{label}{words(text)}</text></g>"
        )
    return tuple(found)


def _entries(scene: Scene, picture: Picture) -> Iterator[tuple[str, str, int, float]]:
    """The powers with their texts, each with its row and where it begins."""
    scale, row = picture.scale, 0
    x = left = 14 * scale
    for power, text in _texts(scene):
        width = (12 + width_of(text, _SIZE) + _GAP) * scale
        if x > left and x + width > picture.width:
            row, x = row + 1, left
        yield power, text, row, x
        x += width


def _texts(scene: Scene) -> Iterator[tuple[str, str]]:
    owned = list(scene.owners.values())
    position = scene.position
    there = {unit.power for unit in position.units} if position is not None else set[str]()
    for power in scene.map.powers:
        count = owned.count(power)
        if position is None or count or power in there:
            yield power, f"{titled(power)} {count}" if owned else titled(power)


# --- drawing --------------------------------------------------------------------------------------


LAYERS = (
    "provinces", "regions", "features", "last", "orders", "units", "names", "signs", "badges",
    "caption",
)  # fmt: skip
"""The layers of a board, each drawn over those before it. Names lie over units, since they keep off
these, but not off the rings around units and what bursts behind them."""

_NARROWEST = 600.0  # pixels of a picture whose size nobody states


@dataclass(frozen=True, slots=True)
class Look:
    """How a board is drawn."""

    colors: Mapping[str, str] | None = None
    """Power -> its colour, where it should not be the usual one."""
    labels: bool = True
    """Whether the codes of provinces are written."""
    dark: bool | None = False
    """Whether the board is dark; None means as the viewer prefers."""
    size: float | None = None
    """Its width in pixels, None for its own."""
    power: str | None = None
    """The power whose view it is."""
    caption: str = ""
    """What is written above it."""
    legend: bool = False
    """Whether the powers stand below it, each with its colour."""
    focus: frozenset[str] | None = None
    """The units whose orders stand out, all others being faint; None for all."""


@dataclass(frozen=True)
class Drawing:
    """A board that is drawn."""

    scene: Scene
    """What it shows."""
    look: Look
    """How."""
    lines: tuple[Line, ...]
    """The orders of the phase, as drawn."""
    layers: Mapping[str, tuple[str, ...]]
    """Name of a layer, of `LAYERS` -> its markup."""
    styles: tuple[tuple[str, str], ...] = ()
    """Rules besides the usual ones: selectors -> what they set."""

    @cached_property
    def picture(self) -> Picture:
        """The picture of the map."""
        return picture_for(self.scene.map)

    @cached_property
    def places(self) -> Places:
        """Where units stand."""
        return Places(self.picture)

    @property
    def scale(self) -> float:
        """The size of things: 1 if a unit is 20 wide."""
        return self.picture.scale

    @property
    def height(self) -> float:
        """The height with the caption and the legend, in units of the picture."""
        below = legend_height(self.scene, self.picture) if self.look.legend else 0.0
        return self._top + self.picture.height + below

    @property
    def _top(self) -> float:
        return CAPTION * self.scale if self.look.caption else 0.0

    def line(self, unit: str) -> Line | None:
        """The order of a unit as it is drawn: `A PAR`. None if it has none."""
        return next((line for line in self.lines if line.order.unit == unit), None)

    def place(self, location: str, lost: bool = False) -> Point | None:
        """Where a unit at a location stands, or one that was dislodged there."""
        return self.places.unit(location, lost)

    def anchor(self, unit: str) -> Point | None:
        """Where something about the order of a unit should stand: in the middle of its line, else
        at the corner of the unit. None for a unit that is not there."""
        line = self.line(unit)
        if line is not None:
            return line.at if line.curve is None else line.curve.at(0.5)
        return self.place(unit.rpartition(" ")[2])

    def with_layer(
        self, name: str, *markup: str, styles: Iterable[tuple[str, str]] = ()
    ) -> Drawing:
        """The board with more markup in a layer, and perhaps rules for it."""
        layers = {**self.layers, name: (*self.layers.get(name, ()), *markup)}
        return replace(self, layers=layers, styles=(*self.styles, *styles))

    def with_provinces(
        self, codes: Iterable[str], classes: str = "lit", color: str = ""
    ) -> Drawing:
        """The board with a shape laid over each of these provinces, of these classes, in a
        colour of its own if one is given."""
        paths = province_paths(self.picture)
        own = f' style="fill:{quoted(color)};stroke:{quoted(color)}"' if color else ""
        shapes = [
            f'<path class="{quoted(classes)}"{own} d="{paths[code]}"/>'
            for code in codes
            if code in paths
        ]
        return self.with_layer("regions", *shapes)

    def markup(self, **attributes: object) -> str:
        """The board as an `svg` element with these attributes (`x`, `y`, `width`)."""
        board, look = self.scene.map, self.look
        colors = tuple(colors_of(board, look.colors).values())
        style, scope = style_of(colors, look.dark, self.scale)
        if self.styles:
            style += scoped(scope, self.styles)
        width, height = self.picture.width, self.height
        top = -self._top
        given = " ".join(
            f'{name}="{number(value) if isinstance(value, float) else quoted(str(value))}"'
            for name, value in attributes.items()
        )
        parts = [
            f'<svg class="dipsat-board {scope}" viewBox="0 {number(top)} {number(width)} '
            f'{number(height)}" font-family="{quoted(FONT)}" {given}>',
            f"<title>{words(self.scene.title)}</title><style>{style}</style>",
            f'<rect class="open-sea" y="{number(top)}" width="{number(width)}" '
            f'height="{number(height)}"/>',
        ]
        for name in LAYERS:
            if content := self.layers.get(name):
                parts += (f'<g class="layer-{name}">', *content, "</g>")
        return "\n".join((*parts, "</svg>"))

    def svg(self) -> Svg:
        """The board as a picture of its own."""
        width = self.look.size or max(self.picture.width, _NARROWEST)
        height = width * self.height / self.picture.width
        return Svg(
            self.markup(
                xmlns="http://www.w3.org/2000/svg",
                role="img",
                width=width,
                height=height,
                style="max-width:100%;height:auto",  # in pages and notebooks narrower than it
            )
        )


def draw(scene: Scene, look: Look = Look()) -> Drawing:
    """The board of a scene.

    Raises `UnknownNameError` and `ArgumentError` for colours that are not right, and
    `UnknownNameError` for an unknown power.
    """
    picture = picture_for(scene.map)
    power = _power(scene, look)
    orders = scene.orders
    if power is not None:  # orders are secret until they are judged
        orders = tuple(one for one in orders if one.verdict or one.power == power)
    places = Places(picture)
    lines = lines_of(scene, orders, places)
    painter = _painter(scene, look, places)
    layers = {
        "provinces": painter.provinces(),
        "features": tuple(filter(None, (ground(picture), features(picture, scene.map)))),
        "last": painter.orders(lines_of(scene, scene.last, places), "last"),
        **_things(painter, lines, look),
    }
    drawing = Drawing(scene, look, lines, {name: parts for name, parts in layers.items() if parts})
    if look.caption:
        drawing = drawing.with_layer("caption", caption_of(look.caption, picture))
    if look.legend:
        drawing = drawing.with_layer("caption", *legend_of(scene, picture))
    return drawing


def cropped(drawing: Drawing, window: Window) -> Drawing:
    """A board without the centres, orders, units and signs that a window does not show."""
    painter = _painter(drawing.scene, drawing.look, drawing.places, window)
    things = _things(painter, drawing.lines, drawing.look)
    return replace(drawing, layers={**drawing.layers, **things})


def _power(scene: Scene, look: Look) -> str | None:
    return None if look.power is None else scene.map.names.power(look.power)


def _painter(scene: Scene, look: Look, places: Places, window: Window | None = None) -> Painter:
    numbers = {name: at for at, name in enumerate(scene.map.powers)}
    power = _power(scene, look)
    return Painter(scene, places.picture, places, numbers, power, look.focus, window)


def _things(painter: Painter, lines: tuple[Line, ...], look: Look) -> Mapping[str, tuple[str, ...]]:
    """The layers of what stands on the map."""
    named = [names(painter.picture, painter.scene.map)] if look.labels else []
    return {
        "names": (*named, *painter.centers()),
        "orders": painter.orders(lines),
        "units": painter.units(lines),
        "signs": painter.signs(lines),
    }
