"""Legal orders as texts."""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.game import Position, listed_order_texts
from dipsat.rules import Settings


def legal_order_texts(
    position: Position, settings: Settings, notation: str = "diplomacy"
) -> Mapping[str, tuple[str, ...]]:
    """The legal orders of each unit, or of each province to build in, in a notation."""
    listed = listed_order_texts(position, settings, notation)
    return {subject: texts for _, subject, texts in listed}
