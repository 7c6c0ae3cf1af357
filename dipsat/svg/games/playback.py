"""A game as one HTML page: a slider through its phases, the board, and the orders with results.

The map is in the page once; a script swaps units, orders and owners. The page loads nothing, and
tells the browser so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from string import Template
from typing import Any

from dipsat.documents import read_text
from dipsat.game.next_phase import adjustment_lines
from dipsat.game.position import Position
from dipsat.pages import counted, titled
from dipsat.play.game import Game
from dipsat.proof.outcome import Outcome, lines_of_fights
from dipsat.svg.boards.drawing import Drawing, Look, draw
from dipsat.svg.boards.scene import DrawnOrder, Scene, colors_of, scene_of, style_of
from dipsat.svg.html import head_of
from dipsat.svg.markup import quoted
from dipsat.values import grouped

_SWAPPED = ("orders", "units", "signs")
"""The layers of a board that differ from phase to phase."""
_FOLDER = Path(__file__).parent / "page"
_GOOD = frozenset({"succeeds", "given", "available", "stands", ""})


def game_page(
    game: Game,
    *,
    title: str = "",
    colors: Mapping[str, str] | None = None,
    labels: bool = True,
    dark: bool | None = None,
) -> str:
    """Return a game as an HTML page that needs no network: the board of every phase with its
    orders and results, a slider and keys to go through them, and the results as a table.

    The last phase is the current position with the orders submitted for it. `title` is the
    heading (default: the game's name if it has one, the map, and the first and last phase).
    `colors`, `labels` and `dark` are as for `board`; None for `dark` lets the reader's preference
    decide. Raises the errors of `board`.
    """
    look = Look(colors=colors, labels=labels, dark=dark)
    phases = [_phase(scene_of(turn.outcome), look, turn.outcome) for turn in game.history]
    phases.append(_phase(scene_of(game, last=False), look, game))
    first = phases[0]
    names = tuple(colors_of(game.position.map, colors).values())
    script = read_text(_FOLDER / "page.js")
    heading = title or _title(game, phases)
    drawing = first.drawing
    layers = {**dict.fromkeys(_SWAPPED, ("",)), **drawing.layers}
    return Template(read_text(_FOLDER / "page.html")).substitute(
        head=head_of(heading, dark, script, read_text(_FOLDER / "page.css")),
        title=quoted(heading),
        last=len(phases) - 1,
        scope=style_of(names, dark, drawing.scale)[1],
        board=replace(drawing, layers=layers).markup(role="img"),
        phase=quoted(first.title),
        list=first.table,
        phases=_json([phase.data() for phase in phases]),
        script=script,
    )


@dataclass(frozen=True, slots=True)
class _Phase:
    """A phase of the game in the page."""

    name: str
    title: str
    drawing: Drawing
    table: str

    def data(self) -> dict[str, Any]:
        """What the script needs."""
        scene = self.drawing.scene
        numbers = {power: at for at, power in enumerate(scene.map.powers)}
        return {
            "name": self.name,
            "title": self.title,
            "said": scene.title,
            "centers": {code: numbers[power] for code, power in scene.owners.items()},
            "layers": {name: "\n".join(self.drawing.layers.get(name, ())) for name in _SWAPPED},
            "list": self.table,
        }


def _phase(scene: Scene, look: Look, what: Outcome | Game) -> _Phase:
    position = what.position
    title = position.phase.title(position.words)
    return _Phase(str(position.phase), title, draw(scene, look), _table(scene, what))


def _title(game: Game, phases: Iterable[_Phase]) -> str:
    board = game.position.map
    names = [phase.name for phase in phases]
    span = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    name = f"{game.name}: " if game.name else ""
    return f"{name}{board.title or board.name}, {span}"


def _table(scene: Scene, what: Outcome | Game) -> str:
    """What followed, and the orders of each power with their results."""
    lines = "".join(f"<p>{quoted(line)}</p>" for line in _remarks(what))
    orders = grouped((one.power, one) for one in scene.orders)
    present = {*orders, *(unit.power for unit in what.position.units), *scene.owners.values()}
    numbers = {power: at for at, power in enumerate(scene.map.powers)}
    bodies = "".join(
        _body(power, at, what.position, orders.get(power, ()))
        for power, at in numbers.items()
        if power in present
    )
    head = '<tr><th scope="col">Order</th><th scope="col">Result</th><th scope="col">Why</th></tr>'
    top = f"<thead>{head}</thead>" if scene.orders else ""
    return f"{lines}<table>{top}{bodies}</table>"


def _remarks(what: Outcome | Game) -> Iterator[str]:
    """What the table does not say."""
    if isinstance(what, Game):
        if what.winner is not None:
            yield f"{titled(what.winner)} has won."
        if not any(what.orders.values()):
            yield "No orders are submitted."
        yield from adjustment_lines(what.position, what.profile.settings)
        return
    if what.is_decided:
        yield from lines_of_fights(what)
    if not what.orders:
        yield "There were no orders."


def _body(power: str, number: int, position: Position, orders: Iterable[DrawnOrder]) -> str:
    units = [unit.power for unit in position.units].count(power)
    count = counted(units, "unit")
    if position.centers and not position.unknown_centers:
        count = f"{counted(len(position.centers.get(power, ())), 'centre')}, {count}"
    swatch = '<svg viewBox="0 0 1 1" aria-hidden="true"><path d="M0 0h1v1H0z" fill="currentColor"/>'
    named = f'<span class="p{number}">{swatch}</svg></span>{quoted(titled(power))}'
    rows = "".join(map(_row, orders))
    return (
        f'<tbody><tr><th scope="rowgroup" colspan="3">{named} '
        f"<small>({count})</small></th></tr>{rows}</tbody>"
    )


def _row(one: DrawnOrder) -> str:
    result = ", ".join(filter(None, (one.verdict, one.fate)))
    bad = "" if one.verdict in _GOOD and not one.fate else ' class="bad"'
    order = quoted(one.text)
    return (
        f'<tr class="result" tabindex="-1" data-order="{order}" '
        f'data-unit="{quoted(one.unit)}" data-power="{quoted(one.power)}"><td>{order}</td>'
        f'<td{bad}>{quoted(result)}</td><td class="why">{quoted(one.reason)}</td></tr>'
    )


def _json(value: object) -> str:
    """Plain values as JSON in which no tag can end the script that holds it."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
