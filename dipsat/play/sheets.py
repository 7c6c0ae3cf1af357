"""The orders of a file, for the phase that a game is in, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dipsat.documents import read_text
from dipsat.errors import FileError
from dipsat.formats.json_text import GatheredFaults
from dipsat.formats.phase_file import entries_for, is_document, orders_for, sheet_of
from dipsat.game.position import Position
from dipsat.play.entered import Typed
from dipsat.profiles.profile import Profile


def typed_in(file: str, position: Position, rules: Profile) -> tuple[list[Typed], tuple[str, ...]]:
    """The orders in an order sheet, or in YAML or JSON with `orders`, and what was skipped.

    Raises `FileError` for a file that has no orders for this phase, and what reading it raises.
    """
    text, faults = read_text(file), GatheredFaults()
    if is_document(file):
        return list(listed_in(file, orders_for(position, text, file, rules).orders)), ()
    letter = sheet_of(position, text, file, rules.words)
    entries = list(entries_for(position, letter, file, rules.words, faults))
    faults.raise_all()
    return [Typed(power, order, place) for place, power, order in entries], letter.skipped


def listed_in(file: str, orders: Mapping[str, object]) -> Iterator[Typed]:
    """The orders of a document. Raises `FileError` for several sets of orders of a power."""
    for power, own in orders.items():
        for text in own if isinstance(own, tuple) else (None,):
            if not isinstance(text, str):
                raise FileError(file, f"{power} has several sets of orders; keep one of them")
            yield Typed(power, text, file)
