"""The orders of a file, for the phase that a game is in, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from dipsat.documents import read_text
from dipsat.errors import FileError
from dipsat.formats.json_text import FilePlace
from dipsat.formats.phase_file import orders_for, refuse_other_phase
from dipsat.formats.transcript import headed_sheet
from dipsat.game.position import Position
from dipsat.orders.sheet import read_sheet
from dipsat.play.entered import Typed


def typed_in(file: str, position: Position) -> list[Typed]:
    """The orders in an order sheet, or in YAML or JSON with `orders`.

    Raises `FileError` for a file that has no orders for this phase, and what reading it raises.
    """
    text, words = read_text(file), position.words
    if Path(file).suffix.lower() in (".yaml", ".yml", ".json"):
        return list(_listed(orders_for(position, text, file, words), file))
    phase, text = headed_sheet(text, file, words, of_any_kind=True)
    refuse_other_phase(phase, position, file)
    with FilePlace(file):
        lines = read_sheet(text, position.map, file)
    return [Typed(line.power, line.text, f"{file}:{line.line}") for line in lines]


def _listed(orders: Mapping[str, object], file: str) -> Iterator[Typed]:
    for power, own in orders.items():
        for text in own if isinstance(own, tuple) else (None,):
            if not isinstance(text, str):
                raise FileError(file, f"{power} has several sets of orders; keep one of them")
            yield Typed(power, text, file)
