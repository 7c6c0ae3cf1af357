"""The names of powers as people write them."""

from __future__ import annotations

import pytest

import dipsat
from dipsat.base import titled


@pytest.mark.parametrize(
    "name",
    ["France", "USSR", "UK", "Oz", "Wu", "Eire", "South Africa", "Kingdom of Denmark", "Austria1"],
)  # fmt: skip
def test_names_of_powers_are_written_as_people_do(name: str) -> None:
    powers = {power for board in map(dipsat.load_map, dipsat.map_names()) for power in board.powers}
    assert name.upper() in powers
    assert titled(name.upper()) == name


def test_names_written_as_one_word_are_shown_as_several_and_read_back() -> None:
    assert titled("FROZENANTARCTICA") == "Frozen Antarctica"
    for board in map(dipsat.load_map, dipsat.map_names()):
        for power in board.powers:
            assert board.names.power(titled(power)) == power


@pytest.mark.parametrize(
    ("power", "name"),
    [
        ("OF THE STEPPE", "Of the Steppe"),
        ("GUINEA-BISSAU", "Guinea-Bissau"),
        ("KHAN'S HORDE", "Khan's Horde"),
        ("ÖSTERREICH", "Österreich"),
        ("", ""),
    ],
)
def test_powers_of_own_maps_have_readable_names(power: str, name: str) -> None:
    assert titled(power) == name


def test_names_are_the_same_everywhere() -> None:
    start = dipsat.Position.start("coldwar")
    legend = dipsat.draw.board(start, legend=True)
    page = dipsat.draw.game_page(dipsat.Game(start))
    for text in (str(start), legend, page):
        assert "USSR" in text
        assert "Ussr" not in text
        assert "Nato" not in text
