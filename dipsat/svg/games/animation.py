"""A game as an animated GIF: forums and chats show it where they show no page and no SVG."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dipsat.errors import ArgumentError, PictureError
from dipsat.pages import counted
from dipsat.play.game import Game
from dipsat.proof.outcome import Outcome
from dipsat.svg.boards.board import board
from dipsat.svg.png import EXTRA

if TYPE_CHECKING:
    from PIL.Image import Image

_COLORS = 256  # that a GIF can have
_ALIKE = 4  # bits by which colours may differ that look alike
MOST_PIXELS = 400_000_000
"""Pixels of all frames together; each takes a byte of memory."""
_LAST = 3  # times as long as the others stands the last frame


def game_gif(
    game: Game,
    *,
    width: int = 800,
    delay: float = 2.0,
    colors: Mapping[str, str] | None = None,
    labels: bool = True,
    dark: bool = False,
) -> bytes:
    """Return a game as the bytes of an animated GIF, with a frame for every phase: its orders with
    their results, at last the current position.

    `width` is in pixels, `delay` is how many seconds a frame stands, the last one three times as
    many.
    `colors`, `labels` and `dark` are as for `board`. Raises `PictureError` as `Svg.to_png` does,
    also if all frames together would have more than four hundred million pixels; `ArgumentError`
    for a time that is not positive, and the errors of `board`.
    """
    if not 0 < delay <= 60:
        raise ArgumentError("dipsat.svg.game_gif", "delay", delay, "a number of seconds, such as 2")
    try:
        from PIL import Image
    except ImportError:
        raise PictureError(f"GIF needs the package pillow: {EXTRA}") from None
    shown: list[Outcome | Game] = [*(turn.outcome for turn in game.history), game]
    drawn: list[bytes] = []  # as PNG, since the pixels of a long game would fill the memory
    for what in shown:
        picture = board(what, last=False, colors=colors, labels=labels, dark=dark, caption=True)
        drawn.append(picture.to_png(width))
        if len(drawn) == 1:
            _check_size(_solid(drawn[0]), len(shown))
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


def _check_size(first: Image, frames: int) -> None:
    """Raise `PictureError` if the frames would have too many pixels."""
    if first.width * first.height * frames > MOST_PIXELS:
        size = f"{counted(frames, 'frame')} of {first.width:,} by {first.height:,} pixels"
        raise PictureError(f"a GIF with {size} is too large; choose a smaller width")


def _palette(images: Iterable[Image]) -> list[int]:
    """The colours of a GIF: boards are flat colours, and shades of two of them at edges.

    Of colours that look alike, only the most frequent one counts, so that units are not lost among
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
