"""The recorded games of people and bots, if they are beside the checkout."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from bench.replay import RECORDED as GAMES

__all__ = ["GAMES", "needs_games", "recorded_phases"]

needs_games = pytest.mark.skipif(
    not GAMES.is_file(), reason="the recorded games (shared/data) are not beside the checkout"
)


def recorded_phases() -> Iterator[dict[str, Any]]:
    """The lines of the file, each a phase; those of a game follow each other."""
    with gzip.open(GAMES, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
