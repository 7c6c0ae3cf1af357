"""The picture of a board: `dipsat.draw.board`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from dipsat.board import Map, UnitKind, load_map, province_of
from dipsat.draw.board_drawing import Drawing, Look, draw
from dipsat.draw.markup import Svg, element
from dipsat.draw.order_lines import DrawnOrder, Scene, placed
from dipsat.draw.style_sheet import checked_color
from dipsat.errors import ArgumentError, DipsatError
from dipsat.formats import Game
from dipsat.game import MoveFacts, PhaseKind, Position, PowerOrders, read_order_sets
from dipsat.orders import (
    DeclaredOrder,
    Move,
    Order,
    Retreat,
    Unit,
    UnitName,
    Unreadable,
    Waive,
    write_order,
)
from dipsat.outcomes import MovementOrderOutcome, OrderOutcome, Outcome

Shown: TypeAlias = Position | Outcome | Game | Map | str | Path
"""What can be shown as a board."""
Ordered: TypeAlias = Mapping[str, PowerOrders]
"""Power -> its orders, as for `dipsat.adjudicate`."""

_WIDEST = 100_000  # pixels


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
    holders: bool = True,
) -> Svg:
    """Return the picture of a board as SVG.

    `what` is an outcome (its position, with every order and its result), a position, a game (its
    current position with the orders submitted for it, or else with the results of the last phase),
    or a map or its name (owned as at the start of a game, without units).

    `orders` (power -> orders) are drawn as given, without results, on a position, or on a game in
    place of those submitted. `last` is the outcome of the phase before, whose results are drawn
    faintly; for a game, True or False says whether to draw them. `colors` maps powers to colours
    such as "#2f86c9". `labels` says whether provinces have their codes, `size` is the width in
    pixels. `dark` draws a dark board; None lets the viewer's preference decide. `highlight` names
    provinces and units, or maps each to its colour. `power` shows what this power may see: orders
    without results are only its own, and the results of others are faint. `caption` is a line above
    the board; True means the map and the phase. `legend` adds a legend below it: the powers'
    colours, how many centres each owns, and what the signs on the board mean. `holders` colours
    land without a supply centre for the power whose unit was last there.

    Raises `ArgumentError` for something that is not a colour, and for orders or results that the
    board cannot show (an outcome has its own orders, a map has neither), the name errors for
    unknown powers, provinces and maps, and the errors of reading orders.
    """
    _check_fits(what, orders, last)
    scene = scene_of(what, orders, last)
    text = scene.title if caption is True else caption or ""
    if size is not None and not 1 <= size <= _WIDEST:
        wanted = f"a number of pixels up to {_WIDEST:,}"
        raise ArgumentError("dipsat.draw.board", "size", size, wanted)
    look = Look(
        colors, labels, dark, None if size is None else float(size), power, text,
        legend=legend, holders=holders,
    )  # fmt: skip
    return _highlighted(draw(scene, look), highlight).svg()


def _check_fits(what: Shown, orders: Ordered | None, last: Outcome | bool | None) -> None:
    """Raise `ArgumentError` for orders or results that the board of `what` could not show."""
    is_map = not isinstance(what, Outcome | Game | Position)
    if orders is not None and (is_map or isinstance(what, Outcome)):
        wanted = "None for a map" if is_map else "None for an outcome, which has its own orders"
        raise ArgumentError("dipsat.draw.board", "orders", orders, wanted)
    if is_map and last is not None and last is not False:
        raise ArgumentError("dipsat.draw.board", "last", last, "None for a map")
    if last is True and not isinstance(what, Game):
        wanted = "an Outcome or None, unless the board is that of a Game"
        raise ArgumentError("dipsat.draw.board", "last", last, wanted)


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
            style = f"stroke:{color}" if color else None
            glow = element("circle", class_="glow", r=14, stroke_width=3, style=style)
            drawing = drawing.with_layer("regions", placed(glow, point, drawing.scale))
    return drawing


def _place_named(scene: Scene, name: str) -> tuple[str, bool]:
    """The province with this name, or the location of the unit with this name, and whether it is a
    unit. Raises the name errors."""
    board = scene.map
    if name in board.provinces:
        return name, False
    if scene.position is not None and " " in name:
        named = scene.position.reader.read_unit(name)
        if named.kind is not None:
            unit = scene.position.by_province.get(province_of(named.location))
            return unit.location if unit else named.location, True
    return board.names.province(name), False


# --- scenes ---------------------------------------------------------------------------------------


def scene_of(
    what: Shown, orders: Ordered | None = None, last: Outcome | bool | None = None
) -> Scene:
    """What the board of `what` shows.

    `orders` are those given for a position, or those that replace the submitted ones of a game.
    `last` is the outcome of the phase before, or for a game whether to show it; None shows it if
    the game has no submitted orders.
    """
    contested, fates, before = tuple[str, ...](), dict[str, str](), tuple[Position, ...]()
    if isinstance(what, Outcome):
        position, drawn = what.position, _judged(what)
        contested = what.contested if what.is_decided else ()
        fates = {one.location: one.fate for one in drawn if one.fate and not one.is_lost}
    elif isinstance(what, Game):
        given = what.orders if orders is None else orders
        position, drawn = what.position, _given(what.position, given)
        is_wanted = not any(given.values()) if last is None else last
        before = tuple(turn.position for turn in what.history)
        if is_wanted is True:
            last = what.history[-1].outcome if what.history else None
    elif isinstance(what, Position):
        position, drawn = what, _given(what, orders or {})
    else:
        board = load_map(what)
        owners = {code: power.name for power in board.powers.values() for code in power.centers}
        return Scene(board, None, owners, title=board.title or board.name)
    board = position.map
    owners = {code: power for power, codes in position.centers.items() for code in codes}
    results = _judged(last) if isinstance(last, Outcome) else ()
    title = f"{board.title or board.name}, {position.phase.title(position.words)}"
    held = holders_after((*before, position))
    return Scene(board, position, owners, drawn, results, contested, title, fates, held)


def holders_after(positions: Iterable[Position]) -> dict[str, str]:
    """Land without a supply centre -> the power whose unit was last there."""
    found = {}
    for position in positions:
        lands = position.map.provinces
        for unit in position.units:
            province = lands[unit.province]
            if province.kind != "sea" and not province.supply:
                found[unit.province] = unit.power
    return found


def _given(position: Position, orders: Ordered) -> tuple[DrawnOrder, ...]:
    """Orders that have not been judged. Raises the errors of reading orders."""
    found = []
    read, board = position.reader.read, position.map
    for typed, listed in orders.items():
        power = board.names.power(typed)
        sets = read_order_sets(power, listed).sets
        for one in (one for given in sets for one in given.orders):
            order = read(one) if isinstance(one, str) else one
            unit, is_lost = _unit_text(position, power, order), _is_lost(position, power, order)
            by_sea, text = _by_sea(position, order), write_order(order, board)
            found.append(DrawnOrder(power, unit, order, text, by_sea=by_sea, is_lost=is_lost))
    return tuple(dict.fromkeys(found))  # a repeated order looks the same


def _judged(outcome: Outcome) -> tuple[DrawnOrder, ...]:
    """The orders of a phase with their results."""
    return tuple(dict.fromkeys(_with_result(outcome.position, one) for one in outcome.orders))


def _with_result(position: Position, one: OrderOutcome) -> DrawnOrder:
    order: Order
    try:
        order = position.reader.read(one.order)
    except DipsatError as error:
        order = Unreadable(UnitName(one.unit.rpartition(" ")[2]), one.order, str(error))
    by_sea = _by_sea(position, order)
    if isinstance(one, MovementOrderOutcome) and one.facts and one.verdict != "illegal":
        move = one.facts.candidate
        by_sea = move.convoyed if isinstance(move, MoveFacts) else by_sea
    return DrawnOrder(
        one.power, one.unit, order, one.order, one.verdict, one.fate, one.reason.text,
        one.submitted is not None, by_sea, _is_lost(position, one.power, order),
    )  # fmt: skip


def _by_sea(position: Position, order: Order) -> bool:
    """Whether an order can only be meant as a move by convoy."""
    if not isinstance(order, Move):
        return False
    start, end = province_of(order.unit.location), province_of(order.target)
    if order.via or order.path:
        return True
    unit = position.by_province.get(start)
    kind = order.unit.kind or (unit.kind if unit else UnitKind.ARMY)
    board = position.map
    if kind is not UnitKind.ARMY or not {start, end} <= board.coastal:
        return False
    return end not in board.army.get(start, ())


def _unit_text(position: Position, power: str, order: Order) -> str:
    """The ordered unit as it stands on the board, else as the order names it."""
    if isinstance(order, Waive):
        return ""
    found = _lost_unit(position, power, order) or position.by_province.get(
        province_of(order.unit.location)
    )
    return str(found) if found is not None and found.power == power else order.unit.text()


def _is_lost(position: Position, power: str, order: Order) -> bool:
    return isinstance(order, Retreat) or _lost_unit(position, power, order) is not None


def _lost_unit(position: Position, power: str, order: Order) -> Unit | None:
    """The dislodged unit that an order is for, if there is one."""
    if position.phase.kind is not PhaseKind.RETREAT or isinstance(order, Waive | DeclaredOrder):
        return None
    code = province_of(order.unit.location)
    lost = (one.unit for one in position.dislodged)
    return next((one for one in lost if one.province == code and one.power == power), None)
