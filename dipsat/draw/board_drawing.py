"""A board as layers of markup, to which other pictures add their own.

`draw` makes a `Drawing`; `svg` writes it. To add to a board, ask it where things are (`place`,
`anchor`, `line`), and lay markup over it: `drawing.with_layer("badges", markup, styles=rules)`.
`markup` gives a board for use within another picture, such as two boards side by side: an `svg`
element with its own styles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import TypeGuard

from dipsat.base import kept_on_first, titled
from dipsat.board import Map
from dipsat.draw.map_picture import Picture, Point, Ring, Window
from dipsat.draw.markup import (
    FONT,
    Svg,
    attributes_of,
    element,
    number,
    quoted,
    told,
    width_of,
    words,
)
from dipsat.draw.order_lines import (
    HEAD,
    Curve,
    DrawnOrder,
    Line,
    Scene,
    lines_of,
    placed,
    shapes,
    spot,
    unit_shape,
)
from dipsat.draw.picture_choice import picture_for
from dipsat.draw.places import COAST_SIZE, NAME_SIZE
from dipsat.draw.raster import Box, bounds_of, meet
from dipsat.draw.style_sheet import colors_of, scoped, style_of
from dipsat.orders import Unit

# --- ground ---------------------------------------------------------------------------------------

# What lies under the units of a board: provinces as paths, blank land, links and names; and what a
# map has besides borders: lines such as railways, and features of borders and provinces.


_BEYOND_GROUND = 8.0
"""The size of the names of provinces beyond an edge of the picture."""
_MARK = '<path d="M0-6.4L6.4 0 0 6.4-6.4 0z"/>'
_PATTERNS = 3  # of dashes, for the features of borders


@kept_on_first()
def province_paths(picture: Picture) -> Mapping[str, str]:
    """Code -> the `d` of the path around a province."""
    return {code: path_of(picture, shape.rings) for code, shape in picture.shapes.items()}


def land_or_sea(board: Map, code: str) -> str:
    """The class of a province."""
    return "sea" if board.provinces[code].kind == "sea" else "land"


def codes_within(picture: Picture, window: Window) -> frozenset[str]:
    """The provinces that a window may show, whole or in part."""
    left, top, wide, high = window
    seen = left, top, left + wide, top + high
    return frozenset(code for code, box in _boxes(picture).items() if meet(box, seen))


@kept_on_first()
def _boxes(picture: Picture) -> Mapping[str, Box]:
    return {
        code: bounds_of([picture.outline(ring) for ring in shape.rings])
        for code, shape in picture.shapes.items()
    }


def path_of(picture: Picture, rings: Iterable[Ring]) -> str:
    """The `d` of the path along outlines, in short steps from point to point."""
    return "".join(_outline(picture.outline(ring)) for ring in rings)


def line_path(points: Sequence[Point]) -> str:
    """The `d` of the path along a line."""
    return "M" + "L".join(map(spot, points)) if points else ""


def _outline(points: Sequence[Point]) -> str:
    grain = [(round(x * 10), round(y * 10)) for x, y in points]
    steps = (f"{_step(to_x - x)} {_step(to_y - y)}" for (x, y), (to_x, to_y) in pairwise(grain))
    return f"M{grain[0][0] / 10:g} {grain[0][1] / 10:g}l{' '.join(steps)}z"


def _step(tenths: int) -> str:
    """Tenths as a short number."""
    return f"{tenths / 10:g}".replace("0.", ".", 1) if -10 < tenths < 10 else f"{tenths / 10:g}"


@kept_on_first()
def ground(picture: Picture) -> str:
    """What lies on the provinces in every phase: blank land, links and lines to names."""
    parts = []
    if picture.blank:
        parts.append(element("path", class_="blank", d=path_of(picture, picture.blank)))
    for one, other, line in picture.links:
        path, name = "".join(map(line_path, picture.strokes(line))), f"{one}-{other}"
        parts.append(element("path", told(name), class_="link", data_link=name, d=path))
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
        size = NAME_SIZE * picture.scale
        kind = "name at-sea" if board.provinces[code].kind == "sea" else "name"
        for label in filter(None, (shape.place.label, *shape.again)):
            parts.append(_text(code, label, size * shape.size, kind))
        for coast, place in shape.coasts.items():
            if place.label is not None:
                parts.append(_text(coast, place.label, size * COAST_SIZE, "name coast"))
    size = _BEYOND_GROUND * picture.scale
    parts += [_text(text, at, size, "name") for text, at in _beyond(picture, size)]
    return "\n".join(parts)


def _text(text: str, at: Point, size: float, kind: str) -> str:
    """A text whose middle is at this height."""
    x, y = at
    return element("text", words(text), class_=kind, x=x, y=y + 0.35 * size, font_size=size)


def _beyond(picture: Picture, size: float) -> Iterator[tuple[str, Point]]:
    """Where links leave at an edge: the code of the province to which a link leads, and the middle
    of its name."""
    for one, other, line in picture.links:
        strokes = picture.strokes(line)
        if len(strokes) == 2:
            for code, (x, y) in ((other, strokes[0][-1]), (one, strokes[1][0])):
                inwards = 0.6 * width_of(code, size) * (1 if x < picture.width / 2 else -1)
                yield code, (x + inwards, y - 0.8 * size)


@kept_on_first()
def features(picture: Picture, board: Map) -> str:
    """The lines and features of a map, each with its name as a tooltip."""
    return "\n".join((*_lines(picture, board), *_borders(picture, board), *_marks(picture, board)))


def _lines(picture: Picture, board: Map) -> Iterator[str]:
    """Lines such as railways: a dark line with light ties, through the middles of provinces."""
    for line in board.lines.values():
        path = line_path(
            [picture.shapes[code].place.unit for code in line.provinces if code in picture.shapes]
        )
        strokes = (element("path", class_=name, d=path) for name in ("rail", "ties"))
        yield element("g", told(line.name), *strokes, data_line=line.name)


def _borders(picture: Picture, board: Map) -> Iterator[str]:
    """Features of borders: along the arcs that the provinces share, else between their middles."""
    links = {frozenset((one, other)): line for one, other, line in picture.links}
    for at, (name, pairs) in enumerate(board.border_features.items()):
        for pair in sorted(map(sorted, pairs)):
            if len(pair) != 2 or not picture.shapes.keys() >= set(pair):
                continue
            arcs = picture.shared.get(frozenset(pair), [])
            middles = [picture.shapes[code].place.unit for code in pair]
            lines = arcs or picture.strokes(links.get(frozenset(pair), middles))
            kind = f"feature f{at % _PATTERNS}" + ("" if arcs else " apart")
            path = element("path", class_=kind, d="".join(map(line_path, lines)))
            yield element("g", told(f"{name}: {'-'.join(pair)}"), path, data_feature=name)


def _marks(picture: Picture, board: Map) -> Iterator[str]:
    """A diamond in provinces with features, around the place of the centre."""
    for code, province in board.provinces.items():
        centre = picture.centre(code)
        if province.features and centre is not None:
            known = sorted(province.features)
            markup = told(f"{code}: {', '.join(known)}") + _MARK
            features = " ".join(known)
            yield placed(markup, centre, picture.scale, class_="mark", data_features=features)


# --- painting -------------------------------------------------------------------------------------


_LOST = 0.72
"""The size of a dislodged unit, 1 being that of other units."""
_UNSIGNED = frozenset({"", "succeeds", "given", "stands"})
_BEYOND = 20.0
"""How far outside a window something may be and still reach into it."""


class Painter:
    """Draws the parts of a scene, or only those that a window shows."""

    def __init__(self, scene: Scene, look: Look, window: Window | None = None) -> None:
        self.scene, self.look, self.window = scene, look, window
        self.picture = picture_for(scene.map)
        self.power = None if look.power is None else scene.map.names.power(look.power)

    def things(self, lines: Sequence[Line]) -> Mapping[str, tuple[str, ...]]:
        """The layers of what stands on the map."""
        named = [names(self.picture, self.scene.map)] if self.look.labels else []
        return {
            "names": (*named, *self._centers()),
            "orders": self.orders(lines),
            "units": self._units(lines),
            "signs": tuple(self._signs(lines)),
        }

    def provinces(self) -> tuple[str, ...]:
        """The shapes of the provinces in the colours of their owners."""
        found = []
        for code, path in province_paths(self.picture).items():
            province, owner = self.scene.map.provinces[code], self.scene.owners.get(code)
            kind = land_or_sea(self.scene.map, code)
            whose = owner or (self.scene.holders.get(code) if self.look.holders else None)
            names = kind if whose is None else f"{kind} o{self.scene.numbers[whose]}"
            found.append(
                element("path", told(province.name), class_=names, data_owner=owner,
                        data_province=code, d=path)
            )  # fmt: skip
        return tuple(found)

    def orders(self, lines: Iterable[Line], names: str = "") -> tuple[str, ...]:
        """The lines of orders, from the bottom up."""
        return tuple(
            self._order(line, names)
            for line in sorted(lines, key=lambda line: _UNDER.index(line.kind))
            if self.window is None or self._is_crossed(line)
        )

    def _centers(self) -> Iterator[str]:
        """The supply centres, with a dot in the colour of the owner."""
        for code in self.scene.map.centers:
            point = self.picture.centre(code)
            if self._is_seen(point):
                owner = self.scene.owners.get(code)
                names = f"center owned p{self.scene.numbers[owner]}" if owner else "center"
                yield placed(_CENTRE, point, self.picture.scale, class_=names, data_center=code)

    def _is_seen(self, point: Point | None) -> TypeGuard[Point]:
        """Whether a point is in the window or near it. None is never seen."""
        if point is None or self.window is None:
            return point is not None
        left, top, wide, high = self.window
        beyond = _BEYOND * self.picture.scale
        x, y = point
        return left - beyond < x < left + wide + beyond and top - beyond < y < top + high + beyond

    def _is_crossed(self, line: Line) -> bool:
        """Whether any part of an order is drawn in the window."""
        points = [] if line.curve is None else line.curve.spread()
        points += [line.middle] if line.ring and line.middle is not None else []
        return any(map(self._is_seen, points))

    def _order(self, line: Line, names: str) -> str:
        one = line.order
        verdict, reason = (
            f": {one.verdict}" * bool(one.verdict),
            f" ({one.reason})" * bool(one.reason),
        )
        parts = [told(f"{titled(one.power)}: {one.text}{verdict}{reason}")]
        if line.curve is not None:
            parts += _stroke(line, line.curve, self.picture.radius)
        if line.ring and line.middle is not None:
            x, y = line.middle
            parts.append(element("circle", class_="ring", cx=x, cy=y, r=line.ring))
        name = one.verdict.replace(" ", "-")
        return element(
            "g", *parts,
            class_=_joined("order", line.kind, name, names, self._whose(one), self._of(one)),
            data_order=one.text, data_unit=one.unit, data_power=one.power,
        )  # fmt: skip

    def _of(self, one: DrawnOrder | Unit) -> str:
        """The class of things in the colour of their power."""
        return f"p{self.scene.numbers[one.power]}"

    def _is_faint(self, unit: str) -> bool:
        return self.look.focus is not None and unit not in self.look.focus

    def _whose(self, one: DrawnOrder) -> str:
        is_others = self._is_faint(one.unit) or self.power not in (None, one.power)
        return "others" if is_others else ""

    def _units(self, lines: Iterable[Line]) -> tuple[str, ...]:
        """The units with their fates, and those that are built."""
        position = self.scene.position
        if position is None:
            return ()
        kinds = {(line.order.unit, line.order.is_lost): line for line in lines}
        found = []
        for unit in position.units:
            fate = self.scene.fates.get(unit.location, "")
            found.append(self._unit(unit, fate, kinds.get((str(unit), False))))
        for lost in position.dislodged:
            line = kinds.get((str(lost.unit), True))
            fate = line.order.fate if line is not None else ""
            found.append(self._unit(lost.unit, fate, line, is_lost=True))
        found += [self._built(line) for line in lines if line.kind == "build"]
        return tuple(filter(None, found))

    def _unit(self, unit: Unit, fate: str, line: Line | None, is_lost: bool = False) -> str:
        point = self.picture.unit(unit.location, is_lost)
        if not self._is_seen(point):
            return ""
        leaves = line is not None and line.kind == "disband" and line.order.verdict != "illegal"
        is_gone = fate in ("destroyed", "disbanded") or leaves
        parts = [told(f"{unit} ({titled(unit.power)})")]
        if line is not None and line.kind == "hold" and line.order.is_given:
            parts.append(shapes()["hold"])
        if fate in ("dislodged", "destroyed") or is_lost or (fate == "disbanded" and not leaves):
            parts.append(shapes()["burst"])
        parts += [_figure(unit), shapes()["cross"] * is_gone]
        names = _joined(
            "unit", self._of(unit), "lost" * is_lost, fate, "others" * self._is_faint(str(unit)),
            "leaving" * is_gone,
        )  # fmt: skip
        scale = self.picture.scale * (_LOST if is_lost else 1)
        return placed(
            "".join(parts), point, scale, class_=names, data_unit=unit, data_power=unit.power
        )

    def _built(self, line: Line) -> str:
        """A unit that is built: hollow if it may not be, and beside a unit that is there."""
        one, position = line.order, self.scene.position
        named, is_illegal = one.named, one.verdict == "illegal"
        units = () if position is None else position.units
        is_beside = any(unit.location == named.location for unit in units)
        point = self.picture.unit(named.location, is_beside)
        if not self._is_seen(point) or named.kind is None:
            return ""
        shape = shapes()["frame"] * (not is_illegal) + unit_shape(named.kind)
        names = _joined("unit", "built", self._of(one), "illegal" * is_illegal)
        return placed(
            shape, point, self.picture.scale * (_LOST if is_beside else 1), class_=names,
            data_unit=named.text(), data_power=one.power,
        )  # fmt: skip

    def _signs(self, lines: Iterable[Line]) -> Iterator[str]:
        """The signs of the verdicts, and those of standoffs."""
        scale, radius = self.picture.scale, self.picture.radius
        for line in lines:
            name = _sign(line)
            if name and self._is_seen(line.at):
                names = _joined("sign", f"sign-{name}", self._whose(line.order))
                yield placed(
                    shapes()[f"sign-{name}"], line.at, scale, class_=names, data_of=line.order.text
                )
        there = self.scene.position.by_province if self.scene.position is not None else {}
        for code in self.scene.contested:
            point = self.picture.unit(code)
            if self._is_seen(point):
                if code in there:  # the unit is still drawn where it was
                    point = point[0] - radius, point[1] - radius
                names = "sign sign-standoff"
                yield placed(
                    shapes()["sign-standoff"], point, scale, class_=names, data_standoff=code
                )


_CENTRE = '<circle r="4"/><circle class="dot" r="2"/>'
_UNDER = (
    "build", "disband", "hold", "other", "convoy", "guard", "support", "retreat", "move",
)  # fmt: skip
"""The kinds of lines, from the bottom up."""


def _joined(*names: str) -> str:
    """The classes of an element, without empty ones."""
    return " ".join(filter(None, names))


def _figure(unit: Unit) -> str:
    """The shape of a unit, with the initials of its attributes, such as a colour."""
    initials = "".join(value[:1].upper() for _, value in unit.attributes)
    tag = element("text", words(initials), class_="tag", x=9, y=-5) if initials else ""
    return unit_shape(unit.kind) + tag


def _sign(line: Line) -> str:
    """The sign of an order, or "" if it has none."""
    verdict = line.order.verdict
    if line.kind == "build" and verdict != "illegal":
        return "build"
    if verdict in _UNSIGNED or (verdict == "available" and line.kind != "convoy"):
        return ""
    return verdict if f"sign-{verdict}" in shapes() else ""


def _stroke(line: Line, curve: Curve, radius: float) -> list[str]:
    """The line of an order with an arrow's head or a dot at its end."""
    unit = 0.1 * radius
    shaft, tip = curve.path, ""
    if line.kind in ("move", "retreat", "other"):
        size = HEAD * radius if line.kind == "move" else 7.0 * unit
        shaft, tip = curve.trimmed(0.0, 0.7 * size).path, tip_of(curve, size, 0.55 * size)
    elif line.kind != "guard":
        radius = 2.6 * unit
        arc = f"a{number(radius)} {number(radius)} 0 1 0"
        start = spot((curve.end[0] - radius, curve.end[1]))
        tip = f"M{start}{arc} {number(2 * radius)} 0{arc} {number(-2 * radius)} 0z"
    paths = {"halo": shaft, "ink": shaft, "tip": tip}
    return [element("path", class_=name, d=path) for name, path in paths.items() if path]


def tip_of(curve: Curve, size: float, side: float) -> str:
    """The `d` of a triangle at the end of a curve, with this length and half this width."""
    (x, y), (dx, dy) = curve.end, curve.heading(1.0)
    back = x - size * dx, y - size * dy
    left = back[0] - side * dy, back[1] + side * dx
    right = back[0] + side * dy, back[1] - side * dx
    return f"M{spot((x, y))}L{spot(left)}L{spot(right)}z"


# --- legend ---------------------------------------------------------------------------------------

# What is around a board: the caption above it, and the legend of powers and signs below it.


CAPTION = 22.0
"""The height of the caption above a board. `words_scale` multiplies this and the sizes below."""
_SIZE = 13.0  # of letters
_ROW = 21.0
_GAP = 28.0  # between two powers
_USUAL = 1500.0  # the width of the standard board
_SWATCH = '<circle class="body" r="6"/>'


def words_scale(picture: Picture) -> float:
    """The scale of the words around a board: no smaller than on the standard board at the same
    width, however small its units are."""
    return max(picture.scale, picture.width / _USUAL)


def caption_of(text: str, picture: Picture) -> str:
    """The caption above a board."""
    size = _SIZE * words_scale(picture)
    at = {"x": 0.6 * size, "y": -0.5 * size}
    return element("text", words(text), class_="caption", **at, font_size=size)


_MEANINGS = {
    "burst": "dislodged",
    "cross": "disbanded",
    "sign-fails": "fails",
    "sign-cut": "support cut",
    "sign-disrupted": "convoy disrupted",
    "sign-available": "convoy available",
    "sign-standoff": "standoff",
    "sign-build": "build",
    "sign-illegal": "illegal",
    "sign-invalid": "matches no order",
    "sign-unknown": "undecided",
}
"""Shape -> what it means."""


def legend_height(scene: Scene, picture: Picture, layers: Layers) -> float:
    """The height of the legend below a board."""
    rows = max((row for *_, row, _ in _rows(scene, picture, layers)), default=-1) + 1
    return (rows * _ROW + 0.3 * _ROW) * words_scale(picture) if rows else 0.0


def legend_of(scene: Scene, picture: Picture, layers: Layers) -> Iterator[str]:
    """The powers with units or centres, each with its colour and how many centres it has, and the
    signs on the board with what they mean."""
    scale = words_scale(picture)
    for shape, classes, text, named, row, x in _rows(scene, picture, layers):
        y = picture.height + (row + 0.65) * _ROW * scale
        label = _text(text, (x + 12 * scale, y), _SIZE * scale, "caption")
        yield element("g", placed(shape, (x, y), scale, class_=classes), label, **named)


_Entry = tuple[str, str, str, Mapping[str, str]]
"""A shape, its classes, its text, and the attributes of the element with both."""


def _rows(
    scene: Scene, picture: Picture, layers: Layers
) -> Iterator[tuple[str, str, str, Mapping[str, str], int, float]]:
    """The entries of a legend, each with its row and the x where it begins."""
    scale, row = words_scale(picture), 0
    left = 14 * scale
    signs = chain(_signs_shown(layers), _features_shown(scene.map, layers, scale))
    for entries in (_powers(scene), signs):
        x = left
        for shape, classes, text, named in entries:
            width = (12 + width_of(text, _SIZE)) * scale
            if x > left and x + width > picture.width:
                row, x = row + 1, left
            yield shape, classes, text, named, row, x
            x += width + _GAP * scale
        row += x > left


def _powers(scene: Scene) -> Iterator[_Entry]:
    position, owned = scene.position, list(scene.owners.values())
    present = {*owned}
    if position is not None:
        units = (*position.units, *(lost.unit for lost in position.dislodged))
        present |= {unit.power for unit in units}
    for power in scene.map.powers:
        if position is None or power in present:
            text = f"{titled(power)} {owned.count(power)}" if owned else titled(power)
            yield _SWATCH, f"p{scene.numbers[power]}", text, {"data_legend": power}


def _signs_shown(layers: Layers) -> Iterator[_Entry]:
    """The signs that the layers have: what is drawn decides, not why it was drawn."""
    drawn = "".join(chain.from_iterable(layers.get(name, ()) for name in ("units", "signs")))
    for name, text in _MEANINGS.items():
        shape, kind = shapes()[name], name.removeprefix("sign-")
        if shape in drawn:
            if kind == name:  # as wide as a unit
                shape, classes = f'<g transform="scale(.45)">{shape}</g>', ""
            else:
                classes = f"sign {name}"
            yield shape, classes, text, {"data_meaning": kind}


def _features_shown(board: Map, layers: Layers, scale: float) -> Iterator[_Entry]:
    """The lines and features of the map that the layers have, as wide as on the board. `scale` is
    that of the words around it."""
    drawn = "".join(layers.get("features", ()))
    found = [("data_line", line.name, ["rail", "ties"]) for line in board.lines.values()]
    for at, name in enumerate(board.border_features):
        found.append(("data_feature", name, [f"feature f{at % _PATTERNS}"]))
    for attribute, name, kinds in found:
        if attributes_of({attribute: name}) in drawn:
            path = f"M{number(-8 * scale)} 0H{number(8 * scale)}"
            lines = (element("path", class_=kind, d=path) for kind in kinds)
            shape = element("g", *lines, transform=f"scale({1 / scale:g})")
            yield shape, "", name.replace("_", " "), {"data_meaning": name}
    if _MARK in drawn:
        known = {name for province in board.provinces.values() for name in province.features}
        text = ", ".join(sorted(known)).replace("_", " ")
        yield _MARK, "mark", text, {"data_meaning": "mark"}


# --- drawing --------------------------------------------------------------------------------------


LAYERS = (
    "provinces", "regions", "features", "last", "orders", "units", "names", "signs", "badges",
    "caption",
)  # fmt: skip
"""The layers of a board, each drawn over those before it. Names lie over units: they are placed
clear of units, but not of the rings around units and the bursts behind them."""

Layers = Mapping[str, tuple[str, ...]]
"""Name of a layer (one of `LAYERS`) -> its markup."""

_NARROWEST = 600.0  # pixels of a picture whose size is not stated


@dataclass(frozen=True, slots=True)
class Look:
    """How a board is drawn."""

    colors: Mapping[str, str] | None = None
    """Power -> its colour, where it differs from the usual one."""
    labels: bool = True
    """Whether the codes of provinces are written."""
    dark: bool | None = False
    """Whether the board is dark. None follows the viewer's preference."""
    size: float | None = None
    """Its width in pixels; None for the width of the picture."""
    power: str | None = None
    """The power whose view it is."""
    caption: str = ""
    """The text above it."""
    legend: bool = False
    """Whether a legend of powers and signs is below it."""
    holders: bool = True
    """Whether land without a supply centre has the colour of the power that last held it."""
    focus: frozenset[str] | None = None
    """The units whose orders stand out while all others are faint; None for all units."""


@dataclass(frozen=True)
class Drawing:
    """A board that is drawn."""

    scene: Scene
    """The scene that it shows."""
    look: Look
    """How it is drawn."""
    lines: tuple[Line, ...]
    """The orders of the phase, as drawn."""
    layers: Layers
    """Its markup."""
    styles: tuple[tuple[str, str], ...] = ()
    """Extra style rules: selectors -> declarations."""

    @cached_property
    def picture(self) -> Picture:
        """The picture of the map."""
        return picture_for(self.scene.map)

    @property
    def scale(self) -> float:
        """The size of things: 1 if a unit is 20 wide."""
        return self.picture.scale

    @property
    def held(self) -> Mapping[str, str]:
        """Land without a supply centre -> the power in whose colour it is drawn."""
        return self.scene.holders if self.look.holders else {}

    @property
    def height(self) -> float:
        """The height with the caption and the legend, in units of the picture."""
        below = legend_height(self.scene, self.picture, self.layers) if self.look.legend else 0.0
        return self._top + self.picture.height + below

    @property
    def _top(self) -> float:
        return CAPTION * words_scale(self.picture) if self.look.caption else 0.0

    def line(self, unit: str) -> Line | None:
        """The order of a unit such as `A PAR`, as it is drawn. None if the unit has none."""
        return next((line for line in self.lines if line.order.unit == unit), None)

    def place(self, location: str, lost: bool = False) -> Point | None:
        """Where a unit at a location stands, or the one dislodged there if it is `lost`."""
        return self.picture.unit(location, lost)

    def anchor(self, unit: str) -> Point | None:
        """Where to write something about the order of a unit: at the middle of its line, else at
        the corner of the unit. None for a unit that is not there."""
        line = self.line(unit)
        if line is not None:
            return line.at if line.curve is None else line.curve.at(0.5)
        return self.place(unit.rpartition(" ")[2])

    def with_layer(
        self, name: str, *markup: str, styles: Iterable[tuple[str, str]] = ()
    ) -> Drawing:
        """The board with more markup in a layer, and optional style rules for it."""
        layers = {**self.layers, name: (*self.layers.get(name, ()), *markup)}
        return replace(self, layers=layers, styles=(*self.styles, *styles))

    def with_provinces(
        self, codes: Iterable[str], classes: str = "lit", color: str = ""
    ) -> Drawing:
        """The board with a shape of these classes laid over each of these provinces, in `color` if
        one is given."""
        paths = province_paths(self.picture)
        own = f"fill:{color};stroke:{color}" if color else None
        shapes = [
            element("path", class_=classes, style=own, d=paths[code])
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
        parts = [
            f'<svg class="dipsat-board {scope}" viewBox="0 {number(top)} {number(width)} '
            f'{number(height)}" font-family="{quoted(FONT)}"{attributes_of(attributes)}>',
            f"{told(self.scene.title)}<style>{style}</style>",
            element("rect", class_="open-sea", y=top, width=width, height=height),
        ]
        for name in LAYERS:
            if content := self.layers.get(name):
                parts += (f'<g class="layer-{name}">', *content, "</g>")
        return "\n".join((*parts, "</svg>"))

    def svg(self) -> Svg:
        """The board as a separate picture."""
        width = self.look.size or max(self.picture.width, _NARROWEST)
        height = width * self.height / self.picture.width
        return Svg(
            self.markup(
                xmlns="http://www.w3.org/2000/svg",
                role="img",
                width=width,
                height=height,
                style="max-width:100%;height:auto",  # in narrower pages and notebooks
            )
        )


def draw(scene: Scene, look: Look = Look()) -> Drawing:
    """The board of a scene.

    Raises `UnknownNameError` and `ArgumentError` for wrong colours, and `UnknownNameError` for an
    unknown power.
    """
    painter = Painter(scene, look)
    picture, power = painter.picture, painter.power
    orders = scene.orders
    if power is not None:  # orders are secret until they are judged
        orders = tuple(one for one in orders if one.verdict or one.power == power)
    lines = lines_of(scene, orders, picture)
    layers = {
        "provinces": painter.provinces(),
        "features": tuple(filter(None, (ground(picture), features(picture, scene.map)))),
        "last": painter.orders(lines_of(scene, scene.last, picture), "last"),
        **painter.things(lines),
    }
    drawing = Drawing(scene, look, lines, {name: parts for name, parts in layers.items() if parts})
    if look.caption:
        drawing = drawing.with_layer("caption", caption_of(look.caption, picture))
    if look.legend:
        drawing = drawing.with_layer("caption", *legend_of(scene, picture, drawing.layers))
    return drawing


def cropped(drawing: Drawing, window: Window) -> Drawing:
    """A board without the centres, orders, units and signs that a window does not show."""
    things = Painter(drawing.scene, drawing.look, window).things(drawing.lines)
    return replace(drawing, layers={**drawing.layers, **things})
