"""`python -m tools.boards_sheet FOLDER [MAP...]` draws every shipped map for a visual check.

Each map has a page of four boards: the start and a busy board, light and dark. The pages are PNG
files; boards are 1400 and 390 pixels wide, as on a desktop and on a phone. `sheet.html` has all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import dipsat
from dipsat.draw import Svg, picture_for
from dipsat.draw.board_drawing import Drawing, Look, draw
from dipsat.draw.board_picture import scene_of
from dipsat.draw.markup import element
from dipsat.studies import random_board

WIDTHS = (1400, 390)
"""The width of a board in pixels."""
_GAP = 10


def boards_of(name: str) -> Iterator[Drawing]:
    """The start of a map and a busy board, light and dark."""
    start = dipsat.Position.start(name)
    count = max(len(start.units), len(start.map.centers) * 2 // 3)
    busy = random_board(1, count, name)
    position = dipsat.Position.from_units(busy.units, name, start.phase.or_moves())
    scenes = scene_of(start), scene_of(dipsat.adjudicate(position, busy.orders))
    for dark in (False, True):
        for scene in scenes:
            yield draw(scene, Look(dark=dark, caption=scene.title, legend=True))


def page_of(name: str, width: int) -> Svg:
    """The four boards of a map, each this wide."""
    boards = list(boards_of(name))
    picture = picture_for(boards[0].scene.map)
    highs = [board.height * width / picture.width for board in boards]
    high = max(highs) + _GAP
    parts = [
        board.markup(x=(width + _GAP) * (at % 2), y=high * (at // 2), width=width, height=highs[at])
        for at, board in enumerate(boards)
    ]
    whole = {"width": 2 * width + _GAP, "height": 2 * high}
    return Svg(element("svg", *parts, xmlns="http://www.w3.org/2000/svg", **whole))


def write(folder: Path, names: Iterable[str] = ()) -> Mapping[str, list[Path]]:
    """Write the pages of these maps, or of all; map -> its files."""
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, list[Path]] = {}
    for name in names or sorted(dipsat.map_names()):
        for width in WIDTHS:
            path = folder / f"{name}-{width}.png"
            path.write_bytes(page_of(name, width).to_png(2 * width + _GAP))
            found.setdefault(name, []).append(path)
        print(name, flush=True)
    images = "".join(
        f"<h2>{name}</h2>" + "".join(f'<img src="{path.name}">' for path in paths)
        for name, paths in found.items()
    )
    (folder / "sheet.html").write_text(f"<!doctype html><title>Boards</title>{images}\n", "utf-8")
    return found


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit("Usage: python -m tools.boards_sheet FOLDER [MAP...]")
    write(Path(sys.argv[1]), sys.argv[2:])
