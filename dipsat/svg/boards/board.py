"""The picture of a board: `dipsat.svg.board`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dipsat.board.province import province_of
from dipsat.errors import ArgumentError
from dipsat.game.position import Position
from dipsat.play.game import Game
from dipsat.proof.outcome import Outcome
from dipsat.svg.boards.drawing import Drawing, Look, draw
from dipsat.svg.boards.order_lines import placed
from dipsat.svg.boards.scene import Ordered, Scene, Shown, checked_color, scene_of
from dipsat.svg.markup import Svg

_WIDEST = 100_000  # pixels
_GLOW = '<circle class="glow" r="14" stroke-width="3"{}/>'


def board(
    what: Shown,
    *,
    orders: Ordered | None = None,
    last: Outcome | bool | None = None,
    colors: Mapping[str, str] | None = None,
    labels: bool = True,
    size: int | float | None = None,
    dark: bool | None = False,
    highlight: Iterable[str] | Mapping[str, str] = (),
    power: str | None = None,
    caption: str | bool = False,
    legend: bool = False,
) -> Svg:
    """Return the picture of a board as SVG.

    `what` is an outcome (its position, with every order and its result), a position, a game (its
    current position with the orders submitted for it, or else with the results of the last phase),
    or a map or its name (owned as at the start of a game, without units).

    `orders` (power -> orders) are drawn as given, without results, in a position or in place of
    those submitted in a game. `last` is the outcome of the phase before, whose results are drawn
    faintly; in a game, True or False says whether they are drawn. `colors` maps powers to colours
    such as "#2f86c9". `labels` says whether provinces have their codes, `size` is the width in
    pixels. `dark` draws a dark board; None lets the viewer's preference decide. `highlight` names
    provinces and units, or maps each to its colour. `power` shows what this power may see: of
    orders without results only its own; results of others are faint. `caption` is a line above the
    board; True means the map and the phase. `legend` writes below it whose colour is which, and how
    many centres each power owns.

    Raises `ArgumentError` for what is no colour, and for orders or results where there is no place
    for them (an outcome has its own orders, a map has neither), the name errors for unknown powers,
    provinces and maps, and the errors of reading orders.
    """
    _check_fits(what, orders, last)
    scene = scene_of(what, orders, last)
    text = scene.title if caption is True else caption or ""
    if size is not None and not 1 <= size <= _WIDEST:
        wanted = f"a number of pixels up to {_WIDEST:,}"
        raise ArgumentError("dipsat.svg.board", "size", size, wanted)
    look = Look(
        colors, labels, dark, None if size is None else float(size), power, text, legend=legend
    )
    return _highlighted(draw(scene, look), highlight).svg()


def _check_fits(what: Shown, orders: Ordered | None, last: Outcome | bool | None) -> None:
    """Raise `ArgumentError` for orders or results that the board of a thing could not show."""
    is_map = not isinstance(what, Outcome | Game | Position)
    if orders is not None and (is_map or isinstance(what, Outcome)):
        wanted = "None for a map" if is_map else "None for an outcome, which has its own orders"
        raise ArgumentError("dipsat.svg.board", "orders", orders, wanted)
    if is_map and last is not None and last is not False:
        raise ArgumentError("dipsat.svg.board", "last", last, "None for a map")
    if last is True and not isinstance(what, Game):
        wanted = "an Outcome or None, unless the board is that of a Game"
        raise ArgumentError("dipsat.svg.board", "last", last, wanted)


def _highlighted(drawing: Drawing, names: Iterable[str] | Mapping[str, str]) -> Drawing:
    """The board with provinces and units highlighted, each in its own colour if it has one."""
    scene = drawing.scene
    colors: Mapping[str, str] = names if isinstance(names, Mapping) else {}
    for name in names:
        color = checked_color(f"highlight[{name!r}]", colors[name]) if colors else ""
        location, is_unit = _place_named(scene, name)
        if not is_unit:
            drawing = drawing.with_provinces([location], color=color)
        elif (point := drawing.place(location)) is not None:
            glow = _GLOW.format(f' style="stroke:{color}"' if color else "")
            drawing = drawing.with_layer("regions", placed(glow, point, drawing.scale))
    return drawing


def _place_named(scene: Scene, name: str) -> tuple[str, bool]:
    """The province or the location of a unit with this name, and whether it is a unit. Raises the
    name errors."""
    board = scene.map
    if name in board.provinces:
        return name, False
    if scene.position is not None and " " in name:
        named = scene.position.reader.read_unit(name)
        if named.kind is not None:
            unit = scene.position.by_province.get(province_of(named.location))
            return unit.location if unit else named.location, True
    return board.names.province(name), False
