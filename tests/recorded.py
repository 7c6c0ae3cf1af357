"""Recorded games of people and bots, if they are beside the checkout."""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection, Iterator
from itertools import chain, groupby
from typing import Any

import pytest

from tests.checkout import ROOT
from tests.exhaustive import exhaustive

GAMES = ROOT.parent / "shared" / "data" / "games.jsonl.gz"
GAMES_RECORDED = range(354)
FEW = GAMES_RECORDED[::30]
REST = [number for number in GAMES_RECORDED if number not in FEW]

needs_games = pytest.mark.skipif(
    not GAMES.is_file(), reason="the recorded games (shared/data) are not beside the checkout"
)


each_part = pytest.mark.parametrize(
    "games",
    [pytest.param(FEW, id="few"), pytest.param(REST, id="rest", marks=exhaustive)],
    scope="module",
)


def recorded_games(games: Collection[int]) -> Iterator[list[dict[str, Any]]]:
    """The phases of the games with these numbers."""
    with gzip.open(GAMES, "rt", encoding="utf-8") as lines:
        by_source = groupby(lines, lambda line: line.partition('","phase":')[0])
        for number, (_, game) in enumerate(by_source):
            if number in games:
                yield list(map(json.loads, game))


def recorded_phases(games: Collection[int]) -> Iterator[dict[str, Any]]:
    """The phases of these games, one game after the other."""
    return chain.from_iterable(recorded_games(games))
