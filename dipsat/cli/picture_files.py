"""Pictures in files: what `-o` and `--svg` write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dipsat.cli.parameters import check_file_name, file_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from dipsat.play.game import Game
    from dipsat.svg.markup import Svg
    from dipsat.svg.pictures.picture import Picture

PICTURES = (".svg", ".png")
"""The ends of names of files for one picture."""
PAGES = (".html",)
"""The ends of names of files for one page."""
GIF_WIDTH = 800
"""Pixels, unless others are asked for."""


svg_option = click.option(
    "--svg", "picture_file", metavar="FILE", callback=file_for("picture", *PICTURES),
    help="Write a picture of the result into FILE, whose name ends in .svg or .png.",
)  # fmt: skip


html_option = click.option(
    "--html", "page_file", metavar="FILE", callback=file_for("page", *PAGES),
    help="Write a page with the tables and pictures of the result into FILE, whose name ends in "
    ".html.",
)  # fmt: skip


def write_picture(picture: Svg, file: str, width: int | None = None) -> None:
    """Write a picture as SVG, or as PNG (of a width in pixels) if the name of the file ends in
    `.png`. Raises `FileError`, `PictureError` or `UsageError`."""
    from dipsat.files.writing import write_bytes, write_text

    if check_file_name(file, "picture", *PICTURES) == ".png":
        write_bytes(file, picture.to_png(width))
    else:
        write_text(file, picture + "\n")


def write_map_picture(file: str, make: Callable[[], Picture]) -> None:
    """Write the picture of a map as JSON, over an older one too, but over nothing else. Raises
    `FileError` or `UsageError` before the picture is made, and what making it raises."""
    from dipsat.errors import DipsatError, FileError
    from dipsat.files.named import ANYWHERE, is_named_file, read_named
    from dipsat.files.writing import write_text
    from dipsat.limits_of_input import PICTURE_BYTES
    from dipsat.svg.pictures.picture_file import read_picture, write_picture

    check_file_name(file, "picture", ".json")
    is_new = not is_named_file(ANYWHERE, file)
    if not is_new:
        try:
            read_picture(read_named(ANYWHERE, file, PICTURE_BYTES.most).decode(), file)
        except (DipsatError, UnicodeError):
            problem = "is there already, and is no picture of a map; name another file"
            raise FileError(file, problem) from None
    write_text(file, write_picture(make()), new=is_new)


def write_game(game: Game, file: str, *, labels: bool, dark: bool, size: int | None) -> None:
    """Write all phases of a game as an animated GIF (of a width in pixels), or else as a page that
    is dark if the reader prefers it. Raises `FileError` or `PictureError`."""
    from dipsat.files.writing import write_bytes, write_text
    from dipsat.svg.games.animation import game_gif
    from dipsat.svg.games.playback import game_page

    if Path(file).suffix.lower() == ".gif":
        write_bytes(file, game_gif(game, labels=labels, dark=dark, width=size or GIF_WIDTH))
    else:
        write_text(file, game_page(game, labels=labels, dark=dark or None))
