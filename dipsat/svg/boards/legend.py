"""What stands around a board: the line above it, and whose colour is which below it."""

from __future__ import annotations

from collections.abc import Iterator

from dipsat.svg.boards.glyphs import placed
from dipsat.svg.boards.scene import Scene
from dipsat.svg.markup import number, quoted, width_of, words
from dipsat.svg.pictures.picture import Picture
from dipsat.titles import titled

CAPTION = 22.0
"""The height of the line above a board; this and all below is multiplied by the scale."""
_SIZE = 13.0  # of letters
_ROW = 21.0
_GAP = 28.0  # between two powers
_SWATCH = '<circle class="body" r="6"/>'


def caption_of(text: str, picture: Picture) -> str:
    """The line above a board."""
    size = _SIZE * picture.scale
    return (
        f'<text class="caption" x="{number(0.6 * size)}" y="{number(-0.5 * size)}" '
        f'font-size="{number(size)}">{words(text)}</text>'
    )


def legend_height(scene: Scene, picture: Picture) -> float:
    """The height of the lines below a board."""
    rows = max((row for _, _, row, _ in _entries(scene, picture)), default=-1) + 1
    return (rows * _ROW + 0.3 * _ROW) * picture.scale if rows else 0.0


def legend_of(scene: Scene, picture: Picture) -> tuple[str, ...]:
    """The powers with units or centres, each with its colour and how many centres it has."""
    scale, found = picture.scale, []
    numbers = {name: at for at, name in enumerate(scene.map.powers)}
    for power, text, row, x in _entries(scene, picture):
        y = picture.height + (row + 0.65) * _ROW * scale
        start = f'x="{number(x + 12 * scale)}" y="{number(y + 0.35 * _SIZE * scale)}"'
        label = f'<text class="caption" {start} font-size="{number(_SIZE * scale)}">'
        swatch = placed(_SWATCH, (x, y), scale)
        found.append(
            f'<g class="p{numbers[power]}" data-legend="{quoted(power)}">'
            f"{swatch}{label}{words(text)}</text></g>"
        )
    return tuple(found)


def _entries(scene: Scene, picture: Picture) -> Iterator[tuple[str, str, int, float]]:
    """The powers with their texts, each with its row and where it begins."""
    scale, row = picture.scale, 0
    x = left = 14 * scale
    for power, text in _texts(scene):
        width = (12 + width_of(text, _SIZE) + _GAP) * scale
        if x > left and x + width > picture.width:
            row, x = row + 1, left
        yield power, text, row, x
        x += width


def _texts(scene: Scene) -> Iterator[tuple[str, str]]:
    owned = list(scene.owners.values())
    position = scene.position
    there = {unit.power for unit in position.units} if position is not None else set[str]()
    for power in scene.map.powers:
        count = owned.count(power)
        if position is None or count or power in there:
            yield power, f"{titled(power)} {count}" if owned else titled(power)
