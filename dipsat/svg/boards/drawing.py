"""A board as layers of markup, to which other pictures add their own.

`draw` makes a `Drawing`; `svg` writes it. To add to a board, ask it where things stand (`place`,
`anchor`, `line`), and lay markup over it: `drawing.with_layer("badges", markup, styles=rules)`.
`markup` gives a board for use within another picture, such as two boards side by side: an `svg`
element with its own styles.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from dipsat.svg.boards.colors import colors_of
from dipsat.svg.boards.features import features
from dipsat.svg.boards.ground import ground, names, province_paths
from dipsat.svg.boards.legend import CAPTION, caption_of, legend_height, legend_of
from dipsat.svg.boards.order_lines import Line, Places, lines_of
from dipsat.svg.boards.painting import Painter
from dipsat.svg.boards.scene import Scene
from dipsat.svg.boards.styles import scoped, style_of
from dipsat.svg.markup import FONT, Svg, number, quoted, words
from dipsat.svg.pictures.choice import picture_for
from dipsat.svg.pictures.picture import Picture, Point, Window

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
