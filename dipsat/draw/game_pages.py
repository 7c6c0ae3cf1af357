"""Whole games as one HTML page, or as an animated GIF for forums and chats that cannot show
pages."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from string import Template
from typing import TYPE_CHECKING, Any

from dipsat.base import counted, grouped, titled
from dipsat.draw.board_drawing import Drawing, Look, draw
from dipsat.draw.board_picture import holders_after, scene_of
from dipsat.draw.markup import head_of, page_text, quoted, tag
from dipsat.draw.order_lines import DrawnOrder, Scene
from dipsat.draw.png import EXTRA
from dipsat.draw.style_sheet import colors_of, style_of
from dipsat.errors import ArgumentError, PictureError
from dipsat.formats import Game
from dipsat.game import Position, adjustment_lines
from dipsat.outcomes import Outcome, lines_of_fights

if TYPE_CHECKING:
    from PIL.Image import Image


_SWAPPED = ("orders", "units", "signs")
"""The layers of a board that differ from phase to phase."""
_GOOD = frozenset({"succeeds", "given", "available", "stands", ""})


def game_page(
    game: Game,
    *,
    title: str = "",
    colors: Mapping[str, str] | None = None,
    labels: bool = True,
    dark: bool | None = None,
    holders: bool = True,
) -> str:
    """Return a game as an HTML page that needs no network: the board of every phase with its
    orders and results, a slider and keys to go through them, and the results as a table.

    The last phase is the current position with the orders submitted for it. `title` is the
    heading (default: the game's name if it has one, the map, and the first and last phase).
    `colors`, `labels`, `dark` and `holders` are as for `board`; None for `dark` lets the reader's
    preference decide. Raises the errors of `board`.
    """
    look = Look(colors=colors, labels=labels, dark=dark, holders=holders)
    shown: list[tuple[Scene, Outcome | Game]] = [
        *zip(_judged_scenes(game), (turn.outcome for turn in game.history), strict=True),
        (scene_of(game, last=False), game),
    ]
    drawings = [draw(scene, look) for scene, _ in shown]
    phases = [_data(one, what) for one, (_, what) in zip(drawings, shown, strict=True)]
    names = tuple(colors_of(game.position.map, colors).values())
    script = page_text("game.js")
    map, start, end = game.position.map, phases[0]["name"], phases[-1]["name"]
    span = start if len(phases) == 1 else f"{start} to {end}"
    name = f"{game.name}: " if game.name else ""
    heading = title or f"{name}{map.title or map.name}, {span}"
    drawing, first = drawings[0], phases[0]
    layers = {**dict.fromkeys(_SWAPPED, ("",)), **drawing.layers}
    return Template(page_text("game.html")).substitute(
        head=head_of(heading, dark, script, page_text("game.css")),
        title=quoted(heading),
        last=len(phases) - 1,
        scope=style_of(names, dark, drawing.scale)[1],
        board=replace(drawing, layers=layers).markup(role="img"),
        phase=quoted(first["title"]),
        list=first["list"],
        phases=_json(phases),
        script=script,
    )


def _judged_scenes(game: Game) -> Iterator[Scene]:
    """The judged phases, each with the land held in the phases before."""
    played = [turn.position for turn in game.history]
    for at, turn in enumerate(game.history, 1):
        yield replace(scene_of(turn.outcome), holders=holders_after(played[:at]))


def _data(drawing: Drawing, what: Outcome | Game) -> dict[str, Any]:
    """The data of a phase that the script needs."""
    scene, position = drawing.scene, what.position
    return {
        "name": str(position.phase),
        "title": position.phase.title(position.words),
        "said": scene.title,
        "centers": {code: scene.numbers[power] for code, power in scene.owners.items()},
        "held": {code: scene.numbers[power] for code, power in drawing.held.items()},
        "layers": {name: "\n".join(drawing.layers.get(name, ())) for name in _SWAPPED},
        "list": _table(scene, what),
    }


def _table(scene: Scene, what: Outcome | Game) -> str:
    """The remarks, and the orders of each power with their results."""
    lines = "".join(f"<p>{quoted(line)}</p>" for line in _remarks(what))
    orders = grouped((one.power, one) for one in scene.orders)
    present = {*orders, *(unit.power for unit in what.position.units), *scene.owners.values()}
    bodies = "".join(
        _body(power, at, what.position, orders.get(power, ()))
        for power, at in scene.numbers.items()
        if power in present
    )
    head = '<tr><th scope="col">Order</th><th scope="col">Result</th><th scope="col">Why</th></tr>'
    top = f"<thead>{head}</thead>" if scene.orders else ""
    return f"{lines}<table>{top}{bodies}</table>"


def _remarks(what: Outcome | Game) -> Iterator[str]:
    """Remarks on what the table does not show."""
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
    bad = None if one.verdict in _GOOD and not one.fate else "bad"
    return tag(
        "tr",
        tag("td", quoted(one.text)),
        tag("td", quoted(result), class_=bad),
        tag("td", quoted(one.reason), class_="why"),
        class_="result", tabindex=-1,
        data_order=one.text, data_unit=one.unit, data_power=one.power,
    )  # fmt: skip


def _json(value: object) -> str:
    """Plain values as JSON in which no tag can end the script that holds it."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


# --- animated GIFs --------------------------------------------------------------------------------

_COLORS = 256  # that a GIF can have
_ALIKE = 4  # low bits in which colours that look alike may differ
MOST_PIXELS = 400_000_000
"""The most pixels of all frames together; each takes a byte of memory."""
_LAST = 3  # how many times as long the last frame is shown


def game_gif(
    game: Game,
    *,
    width: int = 800,
    delay: float = 2.0,
    colors: Mapping[str, str] | None = None,
    labels: bool = True,
    dark: bool = False,
    holders: bool = True,
) -> bytes:
    """Return a game as the bytes of an animated GIF: a frame with the orders and results of every
    phase, and one with the current position.

    `width` is in pixels. `delay` is how many seconds a frame is shown, the last one three times as
    long. `colors`, `labels`, `dark` and `holders` are as for `board`. Raises `PictureError` as
    `Svg.to_png` does, and if all frames together would have more than four hundred million pixels;
    `ArgumentError` for a `delay` of 0 or less or above 60; and the errors of `board`.
    """
    if not 0 < delay <= 60:
        raise ArgumentError(
            "dipsat.draw.game_gif", "delay", delay, "a number of seconds, such as 2"
        )
    try:
        from PIL import Image
    except ImportError:
        raise PictureError(f"GIF needs the package pillow: {EXTRA}") from None
    shown = [*_judged_scenes(game), scene_of(game, last=False)]
    drawn: list[bytes] = []  # as PNG, since the pixels of a long game would fill the memory
    for scene in shown:
        look = Look(colors, labels, dark, caption=scene.title, holders=holders)
        drawn.append(draw(scene, look).svg().to_png(width))
        if len(drawn) == 1:
            wide, high = _solid(drawn[0]).size
            if wide * high * len(shown) > MOST_PIXELS:
                size = f"{counted(len(shown), 'frame')} of {wide:,} by {high:,} pixels"
                raise PictureError(f"a GIF with {size} is too large; choose a smaller width")
    palette = Image.new("P", (1, 1))
    palette.putpalette(_palette(map(_solid, drawn)))
    frames = (_solid(one).quantize(palette=palette, dither=Image.Dither.NONE) for one in drawn)
    times = [round(1000 * delay)] * len(drawn)
    times[-1] *= _LAST
    file = io.BytesIO()
    next(frames).save(
        file, "GIF", save_all=True, append_images=frames, duration=times, loop=0, optimize=True
    )
    return file.getvalue()


def _solid(drawn: bytes) -> Image:
    """The pixels of a PNG."""
    from PIL import Image

    with Image.open(io.BytesIO(drawn)) as image:
        return image.convert("RGB")


def _palette(images: Iterable[Image]) -> list[int]:
    """The colours of a GIF: boards have flat colours, with shades of two of them at edges.

    Among colours that look alike, only the most frequent counts, so that units are not lost among
    the shades of large provinces.
    """
    counts = Counter[tuple[int, int, int]]()
    for image in images:
        found: Any = image.getcolors(image.width * image.height)  # in RGB, three numbers each
        for count, color in found:
            counts[color] += count
    alike: dict[tuple[int, ...], tuple[int, int, int]] = {}
    for color, _ in counts.most_common():
        alike.setdefault(tuple(part >> _ALIKE for part in color), color)
    return [part for color in list(alike.values())[:_COLORS] for part in color]
