"""Order sheets: plain text with a heading per power and one order per line.

    England:
      F North Sea Convoys A London - Belgium
      A London - Belgium

A heading may end with a colon, be the only word of a line, or precede an order on the same line
(`ENGLAND: A Lon-Bel`). `#` begins a comment; `;` separates orders on one line.
"""

from __future__ import annotations

from dataclasses import dataclass

from dipsat.board.map import Map
from dipsat.board.names import words_of
from dipsat.errors import FileError, OrderSyntaxError, UnknownNameError
from dipsat.limits_of_input import ORDERS


@dataclass(frozen=True, slots=True)
class OrderLine:
    """An order of a sheet: the power above it, its text, its line (from 1)."""

    power: str
    text: str
    line: int


def read_sheet(text: str, board: Map, shown: str = "", above: int = 0) -> tuple[OrderLine, ...]:
    """The orders of a sheet, in the order written.

    Raises `UnknownNameError` for a heading that names no power, `OrderSyntaxError` for an order
    above the first heading or for a text without orders, and `InputLimitError` for too many orders.
    If `shown` names the sheet and `above` is the number of lines before it, a wrong heading raises
    `FileError` with its place instead.
    """
    found: list[OrderLine] = []
    power = ""
    for number, line in enumerate(text.splitlines(), start=1):
        for part in line.partition("#")[0].split(";"):
            heading, colon, after = part.partition(":")
            order = part.strip()
            if words_of(heading) in board.names.powers:
                power, order = board.names.powers[words_of(heading)], after.strip()
            elif colon:
                typed, place = heading.strip()[:80], "" if shown else f"line {number}"
                error = UnknownNameError("power", typed, board.powers, place)
                raise FileError(f"{shown}:{above + number}", str(error)) if shown else error
            if order and not power:
                problem = "there is no power above it; write a heading such as 'England:'"
                raise OrderSyntaxError(order[:80], problem, number)
            if order:
                found.append(OrderLine(power, order, number))
                ORDERS.check(len(found), f"{shown}:{above + number}" if shown else "")
    if not found:
        raise OrderSyntaxError(text[:40], "there are no orders in it")
    return tuple(found)
