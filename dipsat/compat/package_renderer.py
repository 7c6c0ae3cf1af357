"""Pictures of games, with the interface of the package `diplomacy`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from dipsat.base import write_text
from dipsat.draw import board
from dipsat.errors import ArgumentError
from dipsat.game import Position


class Drawable(Protocol):
    """The parts of a game that its picture shows."""

    @property
    def position(self) -> Position: ...  # noqa: D102

    def get_orders(self) -> Mapping[str, Sequence[str]]:
        """Power -> its orders."""


class Renderer:
    """Draws a game."""

    def __init__(self, game: Drawable, svg_path: str | Path | None = None) -> None:
        if svg_path is not None:
            wanted = "None: dipsat draws its own picture"
            raise ArgumentError("Renderer", "svg_path", svg_path, wanted)
        self.game = game

    def render(
        self,
        incl_orders: bool = True,
        incl_abbrev: bool = False,
        output_format: str = "svg",
        output_path: str | Path | None = None,
    ) -> str:
        """Return the picture of the current board as SVG, optionally with its orders and the codes
        of provinces. With `output_path`, also write it to a file.

        Raises `ArgumentError` for another format, and `FileError`.
        """
        if output_format != "svg":
            raise ArgumentError("render", "output_format", output_format, "'svg'")
        game = self.game
        orders = {p: own for p, own in game.get_orders().items() if own} if incl_orders else None
        found = str(board(game.position, orders=orders or None, labels=incl_abbrev))
        if output_path is not None:
            write_text(output_path, found)
        return found
