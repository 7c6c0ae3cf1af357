"""Drawing a board on the terminal, if it has enough colours and room."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.text import Text

from dipsat.app.printing import echo
from dipsat.app.view import terminal
from dipsat.base import titled
from dipsat.errors import DipsatError
from dipsat.game import Position

if TYPE_CHECKING:
    from dipsat.draw import Cell, Picture

_LEGEND = 2
"""Lines below a board: the legend, and the next prompt."""


def show_board(position: Position, drawn: bool | None, below: int = 0) -> None:
    """Print a board and the colours of its powers. If the terminal lacks colours or room, print
    nothing if `drawn` is None, and the reason if it is true. `below` is the number of lines that
    follow; the board leaves room for them where possible."""
    if drawn is False:
        return
    from dipsat.draw import HALF, cells_of, columns_for

    console = terminal()
    picture, problem = None, _problem(console, HALF)
    if not problem:
        try:
            picture = _picture(position, drawn)
        except DipsatError as error:
            problem = str(error)
    if picture is not None:
        columns = columns_for(picture, console.width, console.height - below - _LEGEND)
        if columns is not None:
            for row in cells_of(position, picture, columns):
                console.print(_line(row), soft_wrap=True)
            console.print(_legend(position))
            return
        problem = f"the terminal has only {console.width} columns"
    if drawn and problem:
        echo(f"remark: the board is not drawn: {problem}", err=True)


def _problem(console: Console, sample: str) -> str:
    """Why no board can be drawn on a terminal; "" if one can."""
    if not console.is_terminal:
        return "standard output is not a terminal"
    if console.no_color or console.color_system not in ("256", "truecolor"):
        return "the terminal does not show 256 colours"
    try:
        sample.encode(console.encoding)
    except UnicodeEncodeError:
        return f"the terminal's encoding {console.encoding} has no blocks"
    return ""


def _picture(position: Position, drawn: bool | None) -> Picture | None:
    """The picture of the map; a missing one is computed only if the user asked for the board."""
    from dipsat.draw import known_picture, picture_for

    return picture_for(position.map) if drawn else known_picture(position.map)


def _line(cells: Iterable[Cell]) -> Text:
    """A row of a board; adjacent cells of the same style become one part."""
    parts: list[tuple[str, Style]] = []
    for cell in cells:
        front, back = Color.from_rgb(*cell.front), Color.from_rgb(*cell.back)
        style = Style(color=front, bgcolor=back, bold=cell.bold)
        if parts and parts[-1][1] == style:
            parts[-1] = parts[-1][0] + cell.text, style
        else:
            parts.append((cell.text, style))
    return Text.assemble(*parts)


def _legend(position: Position) -> Text:
    """The powers that have units or centres, each with its colour."""
    from dipsat.draw import inks_of

    board, found = position.map, Text()
    present = {unit.power for unit in position.units}
    present |= {power for power, owned in position.centers.items() if owned}
    for power in board.powers:
        if power in present:
            back = Color.from_rgb(*inks_of(board, power)[0])
            found.append("   ", Style(bgcolor=back))
            found.append(f" {titled(power)}  ")
    return found
