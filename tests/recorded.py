"""The recorded games of people and bots, where they lie beside the checkout."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any

import pytest

from bench.replay import RECORDED as GAMES
from tests.exhaustive import parts_of

__all__ = ["GAMES", "each_part", "needs_games", "recorded_games", "recorded_phases"]

FEW = 12  # games in every run; the others are exhaustive

needs_games = pytest.mark.skipif(
    not GAMES.is_file(), reason="the recorded games (shared/data) are not beside the checkout"
)


each_part = pytest.mark.parametrize("games", parts_of(range(354), FEW), scope="module")


def recorded_games(games: range) -> Iterator[list[dict[str, Any]]]:
    """The phases of each of these games."""
    with gzip.open(GAMES, "rt", encoding="utf-8") as lines:
        by_game = groupby(map(json.loads, lines), itemgetter("source"))
        for _, phases in islice(by_game, games.start, games.stop):
            yield list(phases)


def recorded_phases(games: range) -> Iterator[dict[str, Any]]:
    """The phases of these games, one game after the other."""
    return chain.from_iterable(recorded_games(games))
