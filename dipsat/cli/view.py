"""Output for people: tables of 80 columns, colour only on a terminal, boards, and progress."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

from rich.color import Color
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.segment import Segment
from rich.style import Style
from rich.table import Column, Table
from rich.text import Text

from dipsat.cli.printing import echo, printable_lines
from dipsat.errors import DipsatError
from dipsat.pages import WIDTH, Part, Styled, lines_of, titled

if TYPE_CHECKING:
    from dipsat.board.map import Map
    from dipsat.board.province import Province
    from dipsat.game.listed_maps import ListedMap
    from dipsat.game.position import Position
    from dipsat.svg.pictures.picture import Picture
    from dipsat.svg.terminal.half_blocks import Cell

# --- tables ---------------------------------------------------------------------------------------


class _SafeConsole(Console):
    """A console that writes characters which would control the terminal as escapes."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The parts of what is printed, each with its style."""
        for part in super().render(renderable, options):
            safe = part.control or part.text.isprintable()
            yield part if safe else Segment(printable_lines(part.text), part.style)


def terminal() -> Console:
    """The console for standard output: as wide as the terminal, otherwise 80 columns."""
    if sys.stdout.isatty():
        return _SafeConsole(highlight=False, emoji=False, markup=False)
    trimmed = cast("IO[str]", _Trimmed(sys.stdout))
    return _SafeConsole(file=trimmed, width=WIDTH, highlight=False, emoji=False, markup=False)


class _Trimmed:
    """A stream that is written without the spaces with which tables fill their lines."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write text whose lines are complete."""
        return self._stream.write("\n".join(line.rstrip(" ") for line in text.split("\n")))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def plain_table(*columns: Column | str) -> Table:
    """A table with these columns, without lines between them."""
    return Table(*columns, box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bold")


def show(parts: Iterable[Part]) -> None:
    """Print what a result shows of itself, laid out as `str` does it, but as wide as the
    terminal."""
    console = terminal()
    for line in lines_of(parts, console.width):
        styled = [(one.text, one.style) if isinstance(one, Styled) else one for one in line]
        console.print(Text.assemble(*styled), soft_wrap=True)


# --- bar ------------------------------------------------------------------------------------------

# A progress bar for long work.


class Bar:
    """A bar on standard error, if that is a terminal, for one stage of the work after another.

    It has no thread, so that processes may be forked while it exists.
    """

    def __init__(self, what: str) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %{task.fields[besides]}"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            auto_refresh=False,
            disable=not console.is_terminal,
        )
        self._what = what
        self._task = self._progress.add_task(what, total=None, besides="")

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def __call__(self, what: str, done: float, total: float, besides: str = "") -> None:
        """Show how much of the work is done; `besides` follows the percentage."""
        if what != self._what:
            self._what = what
            self._progress.reset(self._task, description=what, total=total)
        done = min(done, total)
        self._progress.update(
            self._task, completed=done, total=total, besides=besides, refresh=True
        )


# --- boards ---------------------------------------------------------------------------------------

# A board drawn on the terminal, where that has colours and room.


_LEGEND = 2
"""Lines below a board: the legend, and the next prompt."""


def show_board(position: Position, drawn: bool | None, below: int = 0) -> None:
    """Print a board, and whose colour is which. If `drawn` is None and the terminal has no colours
    or no room, print nothing; if it is true, say why. `below` is how many lines of text follow,
    which should be on the terminal together with the board if they can."""
    if drawn is False:
        return
    from dipsat.svg.terminal.half_blocks import HALF, cells_of, columns_for

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
        return "standard output is no terminal"
    if console.no_color or console.color_system not in ("256", "truecolor"):
        return "the terminal does not show 256 colours"
    try:
        sample.encode(console.encoding)
    except UnicodeEncodeError:
        return f"the terminal's encoding {console.encoding} has no blocks"
    return ""


def _picture(position: Position, drawn: bool | None) -> Picture | None:
    """The picture of the map; nobody waits for one that must be computed unless he asks."""
    from dipsat.svg.pictures.choice import known_picture, picture_for

    return picture_for(position.map) if drawn else known_picture(position.map)


def _line(cells: Iterable[Cell]) -> Text:
    """A row of a board; cells with one style are one part."""
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
    from dipsat.svg.terminal.half_blocks import inks_of

    board, found = position.map, Text()
    present = {unit.power for unit in position.units}
    present |= {power for power, owned in position.centers.items() if owned}
    for power in board.powers:
        if power in present:
            back = Color.from_rgb(*inks_of(board, power)[0])
            found.append("   ", Style(bgcolor=back))
            found.append(f" {titled(power)}  ")
    return found


# --- maps -----------------------------------------------------------------------------------------

# The output of `dipsat maps`: the list of maps, or one map.


def show_list(rows: Sequence[ListedMap]) -> None:
    """Print the maps as a table."""
    counted = ("Provinces", "Centres", "Powers", "To win")
    numbers = (Column(heading, justify="right", no_wrap=True) for heading in counted)
    table = _table(Column("Name", no_wrap=True), "Title", *numbers)
    for row in rows:
        counts = (row.provinces, row.centers, row.powers, row.victory)
        table.add_row(row.name, row.title, *map(str, counts))
    terminal().print(table)


def show_map(board: Map, drawn: bool | None) -> None:
    """Print a map: heading, board if that is `drawn` (see `show_board`), powers, provinces,
    features and lines."""
    from dipsat.game.listed_maps import row_of
    from dipsat.game.position import Position

    console, row = terminal(), row_of(board)
    console.print(f"{row.title} ({row.name})", style="bold")
    console.print(
        f"{row.provinces} provinces, {row.centers} supply centres, {row.powers} powers; "
        f"{row.victory} centres win; from {board.first_phase}; builds: {board.build}"
    )
    for note in board.notes:
        console.print(note)
    console.print()
    show_board(Position.start(board), drawn)
    console.print(_powers(board))
    console.print()
    console.print(_provinces(board))
    for name, borders in board.border_features.items():
        pairs = sorted(" - ".join(sorted(border)) for border in borders)
        console.print(f"\n{name}: {', '.join(pairs)}")
    for line in board.lines.values():
        console.print(f"\n{line.name}: {' - '.join(line.provinces)} {line.power}".rstrip())
    if board.impassable:
        lands = (f"{land} ({code})" for code, land in board.impassable.items())
        console.print(f"\nimpassable: {', '.join(lands)}")


def _table(*columns: Column | str) -> Table:
    return Table(*columns, box=None, header_style="bold", pad_edge=False)


def _powers(board: Map) -> Table:
    table = _table("Power", "Home", "Starts with")
    for power in board.powers.values():
        name = f"{power.name} (neutral)" if power.neutral else power.name
        home = ", ".join(power.home)
        if set(power.centers) != set(power.home):
            home = f"{home}; owns {', '.join(power.centers) or 'none'}".removeprefix("; ")
        table.add_row(name, home, ", ".join(power.start))
    return table


def _provinces(board: Map) -> Table:
    table = _table("Code", "Province", "Kind", "Armies go to", "Fleets go to")
    for code, province in board.provinces.items():
        fleets = "; ".join(
            f"{place.partition('/')[2]} {', '.join(sorted(board.fleet.get(place, ())))}".strip()
            for place in province.locations
        )
        table.add_row(
            code,
            province.name,
            _kind(province),
            ", ".join(sorted(board.army.get(code, ()))),
            fleets,
        )
    return table


def _kind(province: Province) -> str:
    words = (province.kind, "centre" if province.supply else "", *sorted(province.features))
    return ", ".join(filter(None, words))
