"""Order sheets: plain text with a heading per power and one order a line.

    England:
      F North Sea Convoys A London - Belgium
      A London - Belgium

A heading may end with a colon or stand alone, or stand before an order on the same line
(`ENGLAND: A Lon-Bel`). `#` begins a comment; `;` separates orders on one line.
"""

from __future__ import annotations

from dataclasses import dataclass

from dipsat.board.map import Map
from dipsat.board.names import words_of
from dipsat.errors import OrderSyntaxError, UnknownNameError


@dataclass(frozen=True, slots=True)
class OrderLine:
    """An order of a sheet: the power it stands under, its text, its line (from 1)."""

    power: str
    text: str
    line: int


def read_sheet(text: str, board: Map) -> tuple[OrderLine, ...]:
    """The orders of a sheet, in the order written.

    Raises `UnknownNameError` for a heading that names no power, `OrderSyntaxError` for an order
    above the first heading or for a text without orders.
    """
    found: list[OrderLine] = []
    power = ""
    for number, line in enumerate(text.splitlines(), start=1):
        rest = line.partition("#")[0].strip()
        heading, colon, after = rest.partition(":")
        if words_of(heading) in board.names.powers:
            power, rest = board.names.powers[words_of(heading)], after.strip()
        elif colon:
            raise UnknownNameError("power", heading.strip(), board.powers, f"line {number}")
        for part in filter(None, (part.strip() for part in rest.split(";"))):
            if not power:
                problem = "no power stands above it; write a heading such as 'England:'"
                raise OrderSyntaxError(part[:80], problem, number)
            found.append(OrderLine(power, part, number))
    if not found:
        raise OrderSyntaxError(text[:40], "there are no orders in it")
    return tuple(found)
