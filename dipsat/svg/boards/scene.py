"""What a board shows: a position, orders with their results, and what the last phase brought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.board.unit_kind import UnitKind
from dipsat.errors import DipsatError
from dipsat.game.facts import MoveFacts
from dipsat.game.order_sets import PowerOrders, read_order_sets
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.game.unit import Unit
from dipsat.orders.order import DeclaredOrder, Move, Order, Retreat, UnitName, Unreadable, Waive
from dipsat.orders.writer import write_order
from dipsat.play.game import Game
from dipsat.proof.movement import MovementOrderOutcome
from dipsat.proof.order_outcome import OrderOutcome
from dipsat.proof.outcome import Outcome

Shown: TypeAlias = Position | Outcome | Game | Map | str | Path
"""What can be shown as a board."""
Ordered: TypeAlias = Mapping[str, PowerOrders]
"""Power -> its orders, as for `dipsat.adjudicate`."""

_NO_UNIT = UnitName("")


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """An order as it is drawn, with its result if it has been judged."""

    power: str
    """The power that gave it."""
    unit: str
    """The ordered unit, such as `A PAR`; "" if it has none."""
    order: Order
    """The order itself."""
    text: str
    """Its text."""
    verdict: str = ""
    """The verdict in the words of `OrderOutcome.verdict`, "" if it has not been judged."""
    fate: str = ""
    """The fate of the unit in the words of `OrderOutcome.fate`."""
    reason: str = ""
    """Why, for people."""
    is_given: bool = True
    """Whether somebody gave it; units without orders hold or disband."""
    by_sea: bool = False
    """Whether it is a move that fleets convoy."""
    is_lost: bool = False
    """Whether the unit stands beside the one that dislodged it."""

    @property
    def location(self) -> str:
        """The location of the unit, "" if it has none."""
        return self.unit.rpartition(" ")[2]

    @property
    def named(self) -> UnitName:
        """The unit as the order names it."""
        return _NO_UNIT if isinstance(self.order, Waive) else self.order.unit


@dataclass(frozen=True)
class Scene:
    """What a board shows."""

    map: Map
    """The map."""
    position: Position | None
    """The position, None for a map alone."""
    owners: Mapping[str, str]
    """Supply centre -> the power that owns it."""
    orders: tuple[DrawnOrder, ...] = ()
    """The orders of the phase."""
    last: tuple[DrawnOrder, ...] = ()
    """The orders of the phase before, with their results."""
    contested: tuple[str, ...] = ()
    """The provinces that a standoff left vacant."""
    title: str = ""
    """The map and the phase in words."""
    fates: Mapping[str, str] = field(default_factory=dict)
    """Location -> the fate of the unit there in the phase."""


def scene_of(
    what: Shown, orders: Ordered | None = None, last: Outcome | bool | None = None
) -> Scene:
    """What the board of a thing shows.

    `orders` are those given for a position, or in place of those submitted in a game. `last` are
    results of the phase before: an outcome, or for a game whether to show them; None means in a
    game without submitted orders.
    """
    if isinstance(what, Outcome):
        return _outcome_scene(what, last)
    if isinstance(what, Game):
        return _game_scene(what, orders, last)
    if isinstance(what, Position):
        return _scene(what, _given(what, orders or {}), _results(last))
    board = load_map(what)
    owners = {code: power.name for power in board.powers.values() for code in power.centers}
    return Scene(board, None, owners, title=board.title or board.name)


def _game_scene(game: Game, orders: Ordered | None, last: Outcome | bool | None) -> Scene:
    shown = game.orders if orders is None else orders
    if last is None:
        last = not any(shown.values())
    if last is True:
        last = game.history[-1].outcome if game.history else None
    return _scene(game.position, _given(game.position, shown), _results(last))


def _outcome_scene(outcome: Outcome, last: Outcome | bool | None) -> Scene:
    position = outcome.position
    drawn = tuple(_judged(position, one) for one in outcome.orders)
    found = _scene(position, drawn, _results(last))
    is_decided = outcome.is_decided
    return Scene(
        found.map,
        position,
        found.owners,
        drawn,
        found.last,
        outcome.contested if is_decided else (),
        found.title,
        {one.location: one.fate for one in drawn if one.fate and not one.is_lost},
    )


def _results(last: Outcome | bool | None) -> tuple[DrawnOrder, ...]:
    if not isinstance(last, Outcome):
        return ()
    return tuple(_judged(last.position, one) for one in last.orders)


def _scene(
    position: Position, orders: tuple[DrawnOrder, ...], last: tuple[DrawnOrder, ...]
) -> Scene:
    board = position.map
    owners = {code: power for power, codes in position.centers.items() for code in codes}
    title = f"{board.title or board.name}, {position.phase.title(position.words)}"
    return Scene(board, position, owners, orders, last, title=title)


def _given(position: Position, orders: Ordered) -> tuple[DrawnOrder, ...]:
    """Orders that have not been judged. Raises the errors of reading orders."""
    found = []
    read, board = position.reader.read, position.map
    for typed, listed in orders.items():
        power = board.names.power(typed)
        sets = read_order_sets(power, listed).sets
        for one in (one for given in sets for one in given.orders):
            order = read(one) if isinstance(one, str) else one
            text = write_order(order, board)
            found.append(
                DrawnOrder(
                    power,
                    _unit_text(position, power, order),
                    order,
                    text,
                    by_sea=_by_sea(position, order),
                    is_lost=_is_lost(position, power, order),
                )
            )
    return tuple(found)


def _judged(position: Position, outcome: OrderOutcome) -> DrawnOrder:
    """An order with its result."""
    order: Order
    try:
        order = position.reader.read(outcome.order)
    except DipsatError as error:
        order = Unreadable(UnitName(outcome.unit.rpartition(" ")[2]), outcome.order, str(error))
    by_sea = _by_sea(position, order)
    if isinstance(outcome, MovementOrderOutcome) and outcome.verdict != "illegal":
        move = outcome.facts.candidate if outcome.facts else None
        by_sea = move.convoyed if isinstance(move, MoveFacts) else by_sea
    return DrawnOrder(
        outcome.power,
        outcome.unit,
        order,
        outcome.order,
        outcome.verdict,
        outcome.fate,
        outcome.reason.text,
        outcome.submitted is not None,
        by_sea,
        _is_lost(position, outcome.power, order),
    )


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
    """The ordered unit, as it stands there if it does."""
    if isinstance(order, Waive):
        return ""
    found = _lost_unit(position, power, order) or position.by_province.get(
        province_of(order.unit.location)
    )
    return str(found) if found is not None and found.power == power else order.unit.text()


def _is_lost(position: Position, power: str, order: Order) -> bool:
    return isinstance(order, Retreat) or _lost_unit(position, power, order) is not None


def _lost_unit(position: Position, power: str, order: Order) -> Unit | None:
    """The dislodged unit that an order is for, if it is for one."""
    if position.phase.kind is not PhaseKind.RETREAT or isinstance(order, Waive | DeclaredOrder):
        return None
    code = province_of(order.unit.location)
    lost = (one.unit for one in position.dislodged)
    return next((one for one in lost if one.province == code and one.power == power), None)
