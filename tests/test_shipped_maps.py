"""The shipped maps against the facts of other programs, and what works on each of them."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat.board.load import check_map
from dipsat.board.names import words_of

FACTS = Path(__file__).resolve().parents[2] / "shared" / "data" / "maps"
NAMES = dipsat.map_names()
STARTED = {"standard", "loeb9", "colonial", "chaos", "1898", "ancient_mediterranean", "modern"} | {
    "hundred", "pure", "fleet_rome", "youngstown", "france_austria"
}  # fmt: skip
FEATURES = {"convoyable coast": "convoyable_coast", "ice: closed in fall": "ice"} | {
    "controls the Suez Canal": "suez_control", "Trans-Siberian Railroad": "railroad"
}  # fmt: skip
OPTIONS = {"hong_kong": "HON"}
"""Optional rules of DATC 2.4 chapter 7 that are about a province."""
BRACKETED = {"Grain (Trade)": "Grain", "Iron (Trade)": "Iron", "Wood (Trade)": "Wood"}
OTHER_NAMES = {**BRACKETED, "Washington D+C": "Washington DC", "St. Petersburg": "St Petersburg"}
"""Names that cannot be typed in an order as the source has them, or are spelt otherwise."""


def facts_of(name: str) -> dict[str, Any]:
    path = FACTS / f"{name}.json"
    if not path.is_file():
        pytest.skip("the map facts are not here (../shared/data/maps beside the checkout)")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def sets(borders: dict[str, list[str]]) -> dict[str, set[str]]:
    return {place: set(others) for place, others in borders.items() if others}


def test_every_map_of_the_facts_is_shipped() -> None:
    assert set(NAMES) >= STARTED
    if FACTS.is_dir():
        assert {path.stem for path in FACTS.glob("*.json")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
class TestFacts:
    """Province by province, border by border."""

    def test_borders(self, name: str) -> None:
        facts, board = facts_of(name), dipsat.load_map(name)
        assert board.army == sets(facts["army"])
        assert board.fleet == sets(facts["fleet"])

    def test_provinces(self, name: str) -> None:
        facts, board = facts_of(name), dipsat.load_map(name)
        found = {
            code: (p.kind, sorted(c.lower() for c in p.coasts), p.supply)
            for code, p in board.provinces.items()
        }
        assert found == {
            code: (p["type"], sorted(p["coasts"]), p["supply"])
            for code, p in facts["provinces"].items()
        }

    def test_names(self, name: str) -> None:
        facts, board = facts_of(name), dipsat.load_map(name)
        for code, province in facts["provinces"].items():
            known = OTHER_NAMES.get(province["name"], province["name"])
            assert words_of(board.provinces[code].name) == words_of(known), code

    def test_powers(self, name: str) -> None:
        facts, board = facts_of(name), dipsat.load_map(name)
        players = {power: p for power, p in board.powers.items() if not p.neutral}
        assert {power: (set(p.home), set(p.start)) for power, p in players.items()} == {
            power: (set(p["home"]), set(p["start"])) for power, p in facts["powers"].items()
        }
        owners = facts.get("start_owners") or {n: p["home"] for n, p in facts["powers"].items()}
        assert {power: set(p.centers) for power, p in players.items()} == sets(owners) | {
            power: set[str]() for power in players if not owners.get(power)
        }

    def test_neutral_units(self, name: str) -> None:
        facts, board = facts_of(name), dipsat.load_map(name)
        neutral = [unit for p in board.powers.values() if p.neutral for unit in p.start]
        assert set(neutral) == set(facts.get("neutral_units", ()))

    def test_course_of_the_game(self, name: str) -> None:
        facts, board = facts_of(name), dipsat.load_map(name)
        found = (board.victory, board.first_phase, board.build)
        assert found == (facts["victory"], facts["first_phase"], facts["build"])

    def test_features(self, name: str) -> None:
        facts, board = facts_of(name), dipsat.load_map(name)
        found = {(code, f) for code, p in board.provinces.items() for f in p.features}
        noted = {(c, FEATURES[p["notes"]]) for c, p in facts["provinces"].items() if p["notes"]}
        options = {(OPTIONS[option], option) for option in facts.get("options", ())}
        assert found == noted | options
        special = {
            (b["kind"], frozenset((b["from"], b["to"])))
            for b in facts["borders"]
            if b["kind"] != "ice"
        }
        line = facts.get("railroad", {}).get("line", [])
        special |= {("railroad", frozenset(ends)) for ends in pairwise(line)}
        assert {(kind, b) for kind, listed in board.border_features.items() for b in listed} == (
            special
        )

    def test_one_way_borders(self, name: str) -> None:
        facts, board = facts_of(name), dipsat.load_map(name)
        one_way = {
            f"{kind} one-way {place}-{other}"
            for kind, borders in (("army", board.army), ("fleet", board.fleet))
            for place, others in borders.items()
            for other in others
            if place not in borders.get(other, ())
        }
        assert one_way == set(facts.get("asymmetric", ()))

    def test_aliases_stand_for_no_other_province(self, name: str) -> None:
        facts, board = facts_of(name), dipsat.load_map(name)
        for code, province in facts["provinces"].items():
            for alias in province["aliases"]:
                assert board.names.provinces.get(words_of(alias), code) == code, alias


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_map_is_without_remarks(name: str) -> None:
    board, remarks = check_map(name)
    assert board.name == name
    assert remarks == ()


@pytest.mark.parametrize("name", NAMES)
def test_no_alias_is_a_word_of_the_order_language(name: str) -> None:
    board = dipsat.load_map(name)
    words = {w for _, texts in WORDS for w in texts}
    for province in board.provinces.values():
        for alias in (province.code, province.name, *province.aliases):
            assert not set(words_of(alias)) <= words, alias


WORDS = [
    ("kinds", {"a", "f", "army", "fleet"}),
    ("actions", {"h", "s", "c", "r", "d", "b", "hold", "holds", "support", "supports", "convoy"}),
    ("more actions", {"convoys", "move", "moves", "to", "via", "by", "retreat", "retreats"}),
    ("adjustments", {"build", "builds", "disband", "disbands", "remove", "removes", "waive"}),
]
