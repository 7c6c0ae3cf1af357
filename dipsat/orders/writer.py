"""The notations, and orders written in them; `OrderReader.read` reads each of them back.

`diplomacy` is the notation of the Python package of that name and of dipsat's output. It has no
word for a unit's nationality; the other notations write it. `daide` is the syntax of bots (see
`dipsat.orders.daide`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.board.province import coast_of, province_of
from dipsat.errors import UnknownNameError, escaped
from dipsat.orders.daide import DAIDE
from dipsat.orders.notation import Notation
from dipsat.orders.order import (
    Build,
    Convoy,
    DeclaredOrder,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Unreadable,
    Waive,
    value_texts,
)

DEFAULT_NOTATION = "diplomacy"


@dataclass(frozen=True, slots=True)
class _Style:
    """The words and signs of a notation that people type."""

    place: Callable[[Map, str], str]
    nationality: bool
    hold: str
    support: str
    convoy: str
    arrow: str
    via: str
    retreat: str
    disband: str
    build: str
    waive: str = "WAIVE"

    def write(self, order: Order, board: Map, *_: object) -> str:
        """The order in this style."""
        return _written(order, board, self)


def _code(board: Map, location: str) -> str:
    return location


def _full_name(board: Map, location: str) -> str:
    coast, code = coast_of(location), province_of(location)
    if code not in board.provinces:
        raise UnknownNameError("province", code, board.provinces)
    name = board.provinces[code].name
    return f"{name}({coast.lower()})" if coast else name


def _judge_name(board: Map, location: str) -> str:
    coast = coast_of(location)
    name = province_of(location).capitalize()
    return f"{name}({coast.lower()})" if coast else name


# fmt: off
_DIPLOMACY = _Style(_code, False, "H", "S", "C", " - ", "VIA", "R", "D", "B")
_DATC = _Style(
    _full_name, True, "Holds", "Supports", "Convoys", " - ", "via convoy",
    "Retreats to", "Disbands", "Builds", "Waive",
)
_JUDGE = _Style(_judge_name, True, "H", "S", "C", "-", "via convoy", "R", "D", "B")
# fmt: on
REGISTER: tuple[Notation, ...] = (
    Notation(DEFAULT_NOTATION, _DIPLOMACY.write),
    Notation("datc", _DATC.write),
    Notation("judge", _JUDGE.write),
    DAIDE,
)
"""Every notation. Whatever reads, recognises or writes orders takes them from here."""
NOTATIONS: tuple[str, ...] = tuple(one.name for one in REGISTER if one.write is not None)
"""The names of the notations in which orders can be written."""


_BEGINNING = 300  # characters in which a notation shows


def notation_of(text: str) -> Notation | None:
    """The notation with a reader of its own in which a text seems to be; None for a text in the
    words and letters that people type."""
    start = text[:_BEGINNING]
    return next((one for one in REGISTER if one.begins and one.begins.match(start)), None)


def write_order(
    order: Order,
    map: str | Path | Map,
    notation: str = DEFAULT_NOTATION,
    *,
    power: str | None = None,
    adjustment: bool = False,
) -> str:
    """Return the order as text in a notation of `NOTATIONS`, with the names of a map.

    Two arguments matter only to `daide`. With `power`, the power that gives the order, it can write
    a waived build and a unit that is named without its power. With `adjustment`, it writes a
    disband order of an adjustment phase, which removes the unit.

    Raises `UnknownNameError` for another notation, and for a name that is not on the map if the
    notation has other names than its codes (`datc`, `daide`); `OrderWriteError` for an order
    without something that the notation requires; and the errors of `load_map`.
    """
    board = map if isinstance(map, Map) else load_map(map)
    for one in REGISTER:
        if one.name == notation and one.write is not None:
            return one.write(order, board, power, adjustment)
    raise UnknownNameError("notation", notation, NOTATIONS)


def _written(order: Order, board: Map, style: _Style) -> str:
    if isinstance(order, Waive):
        return style.waive
    if isinstance(order, DeclaredOrder | Unreadable):
        return order.text if order.text.isprintable() else escaped(order.text)
    first = _unit(order.unit, board, style)
    match order:
        case Convoy(army=other, target=target):
            named = _unit(other, board, style)
            return f"{first} {style.convoy} {named}{style.arrow}{style.place(board, target)}"
        case SupportMove(supported=other, target=target):
            named = _unit(other, board, style)
            return f"{first} {style.support} {named}{style.arrow}{style.place(board, target)}"
        case Move():
            places = [style.place(board, place) for place in (*order.path, order.target)]
            via = f" {style.via}" if order.via else ""
            return style.arrow.join([first, *places]) + via
        case SupportHold(supported=other):
            return f"{first} {style.support} {_unit(other, board, style)}"
        case Retreat(target=target):
            return f"{first} {style.retreat} {style.place(board, target)}"
        case Hold():
            return f"{first} {style.hold}"
        case Disband():
            return f"{first} {style.disband}"
        case Build():
            return f"{first} {style.build}"


def _unit(named: UnitName, board: Map, style: _Style) -> str:
    place = style.place(board, named.location)
    text = f"{named.kind} {place}" if named.kind else place
    if named.attributes:
        text = " ".join((*value_texts(named.attributes), text))
    if named.power and style.nationality:
        text = f"{_adjective(board, named.power)} {text}"
    return text


def _adjective(board: Map, power: str) -> str:
    aliases = board.powers[power].aliases if power in board.powers else ()
    return aliases[0] if aliases else power
