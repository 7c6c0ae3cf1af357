"""Variants as their programs have them: each becomes a map that can be played for ten years. The
environment variable DIPSAT_VARIANTS names a folder of variants, or of folders with variants.

    DIPSAT_VARIANTS=FOLDER python -m pytest tests/formats/test_fetched_variants.py
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import dipsat
from dipsat.errors import DipsatError, FileError
from dipsat.formats import ImportedMap, import_maps
from tests.made_games import random_orders

FOLDER = os.environ.get("DIPSAT_VARIANTS", "")
YEARS = 10


def found_in(folder: str) -> Iterator[ImportedMap | DipsatError]:
    """What becomes of each variant there. A folder without variants is skipped."""
    tops = [Path(folder), *sorted(path for path in Path(folder).iterdir() if path.is_dir())]
    for top in tops:
        with suppress(FileError):
            yield from import_maps(top)


FOUND = [*found_in(FOLDER)] if FOLDER else []
MAPS = [pytest.param(one, id=one.source) for one in FOUND if isinstance(one, ImportedMap)]
pytestmark = pytest.mark.skipif(not FOUND, reason="DIPSAT_VARIANTS names no folder with variants")


def test_nine_of_ten_become_maps() -> None:
    refused = [str(one) for one in FOUND if isinstance(one, DipsatError)]
    assert len(refused) <= len(FOUND) / 10, refused


@pytest.mark.parametrize("made", MAPS or [None])
def test_a_variant_is_played_for_ten_years(made: ImportedMap) -> None:
    game = dipsat.Game.new(made.map)
    last = game.phase.year + YEARS
    chance = random.Random(made.map.name)
    while game.phase.year < last and not game.is_over:
        orders = random_orders(game.all_legal_orders(), chance, moving=0.7)
        game.submit(orders)
        for power in orders:
            for ruling in game.check(power, game.orders[power]):
                assert ruling.code in ("", "nothing_due"), ruling  # fewer builds are due
        game.advance()
    assert game.history
