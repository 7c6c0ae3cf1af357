"""The shipped maps against the facts of other programs, and what works on each of them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

import dipsat
from dipsat.board import check_map, words_of
from dipsat.game import RulingStatus, legal_orders
from dipsat.orders import MovementOrder, SupportHold
from dipsat.rules import Settings
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of
from tests.large_boards import full_orders, full_position, grid_map, grid_phase

Facts: TypeAlias = dict[str, Any]
FACTS = ROOT.parent / "shared" / "data" / "maps"
NAMES = dipsat.map_names()
STARTED = {"standard", "loeb9", "colonial", "chaos", "1898", "ancient_mediterranean", "modern"} | {
    "hundred", "pure", "fleet_rome", "youngstown", "france_austria"
}  # fmt: skip
FEATURES = {"convoyable coast": "convoyable_coast", "ice: closed in fall": "ice"} | {
    "controls the Suez Canal": "suez_control"
}
OPTIONS = {"hong_kong": ("HON", "treaty_port")}
"""Optional rules of DATC 2.4 chapter 7 about a province: the province and its feature."""
RAILROAD = "Trans-Siberian Railroad"
BRACKETED = {"Grain (Trade)": "Grain", "Iron (Trade)": "Iron", "Wood (Trade)": "Wood"}
OTHER_NAMES = {**BRACKETED, "Washington D+C": "Washington DC", "St. Petersburg": "St Petersburg"}
"""Names that cannot be typed in an order as the source has them, or are spelt otherwise."""


@pytest.fixture
def facts(name: str) -> Facts:
    path = FACTS / f"{name}.json"
    if not path.is_file():
        pytest.skip("the map facts are not here (../shared/data/maps beside the checkout)")
    found: Facts = json.loads(path.read_text(encoding="utf-8"))
    return found


@pytest.fixture
def board(name: str) -> dipsat.Map:
    return dipsat.load_map(name)


def sets(borders: dict[str, list[str]]) -> dict[str, set[str]]:
    return {place: set(others) for place, others in borders.items() if others}


def canal(facts: Facts) -> dict[str, list[str]]:
    """Where fleets that may pass the Suez canal go; the facts list it separately."""
    ends = facts.get("suez", {}).get("ends", [])
    return {here: [*facts["fleet"][here], *(set(ends) - {here})] for here in ends}


def test_every_map_of_the_facts_is_shipped() -> None:
    assert set(NAMES) >= STARTED
    if FACTS.is_dir():
        assert {path.stem for path in FACTS.glob("*.json")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
class TestFacts:
    """Province by province, border by border."""

    def test_borders(self, facts: Facts, board: dipsat.Map) -> None:
        assert board.army == sets(facts["army"])
        assert board.fleet == sets(facts["fleet"] | canal(facts))

    def test_provinces(self, facts: Facts, board: dipsat.Map) -> None:
        found = {
            code: (p.kind, sorted(c.lower() for c in p.coasts), p.supply)
            for code, p in board.provinces.items()
        }
        assert found == {
            code: (p["type"], sorted(p["coasts"]), p["supply"])
            for code, p in facts["provinces"].items()
        }

    def test_names(self, facts: Facts, board: dipsat.Map) -> None:
        for code, province in facts["provinces"].items():
            known = OTHER_NAMES.get(province["name"], province["name"])
            assert words_of(board.provinces[code].name) == words_of(known), code

    def test_powers(self, facts: Facts, board: dipsat.Map) -> None:
        players = {power: p for power, p in board.powers.items() if not p.neutral}
        assert {power: (set(p.home), set(p.start)) for power, p in players.items()} == {
            power: (set(p["home"]), set(p["start"])) for power, p in facts["powers"].items()
        }
        owners = facts.get("start_owners") or {n: p["home"] for n, p in facts["powers"].items()}
        assert {power: set(p.centers) for power, p in players.items()} == sets(owners) | {
            power: set[str]() for power in players if not owners.get(power)
        }

    def test_neutral_units(self, facts: Facts, board: dipsat.Map) -> None:
        neutral = [unit for p in board.powers.values() if p.neutral for unit in p.start]
        assert set(neutral) == set(facts.get("neutral_units", ()))

    def test_course_of_the_game(self, facts: Facts, board: dipsat.Map) -> None:
        found = (board.victory, board.first_phase, board.build)
        assert found == (facts["victory"], facts["first_phase"], facts["build"])

    def test_features(self, facts: Facts, board: dipsat.Map) -> None:
        found = {(code, f) for code, p in board.provinces.items() for f in p.features}
        notes = {code: p["notes"] for code, p in facts["provinces"].items() if p["notes"]}
        noted = {(code, FEATURES[note]) for code, note in notes.items() if note != RAILROAD}
        options = {OPTIONS[option] for option in facts.get("options", ())}
        assert found == noted | options
        special = {
            (b["kind"], frozenset((b["from"], b["to"])))
            for b in facts["borders"]
            if b["kind"] != "ice"
        }
        assert {(kind, b) for kind, listed in board.border_features.items() for b in listed} == (
            special
        )

    def test_lines(self, facts: Facts, board: dipsat.Map) -> None:
        line = facts.get("railroad")
        found = [(line.power, list(line.provinces)) for line in board.lines.values()]
        assert found == ([(line["power"], line["line"])] if line else [])

    def test_one_way_borders(self, facts: Facts, board: dipsat.Map) -> None:
        one_way = {
            f"{kind} one-way {place}-{other}"
            for kind, borders in (("army", board.army), ("fleet", board.fleet))
            for place, others in borders.items()
            for other in others
            if place not in borders.get(other, ())
        }
        assert one_way == set(facts.get("asymmetric", ()))

    def test_aliases_do_not_name_another_province(
        self, facts: dict[str, Any], board: dipsat.Map
    ) -> None:
        for code, province in facts["provinces"].items():
            for alias in province["aliases"]:
                assert board.names.provinces.get(words_of(alias), code) == code, alias


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_map_has_no_remarks(name: str) -> None:
    board, remarks = check_map(name)
    assert board.name == name
    assert remarks == ()


@pytest.mark.parametrize("name", NAMES)
def test_no_name_of_a_province_is_a_word_of_orders(name: str) -> None:
    for province in dipsat.load_map(name).provinces.values():
        for alias in (province.code, province.name, *province.aliases):
            assert not set(words_of(alias)) <= WORDS, alias


WORDS = {
    "a", "f", "army", "fleet", "h", "hold", "holds", "s", "support", "supports", "c", "convoy",
    "convoys", "move", "moves", "to", "via", "by", "r", "retreat", "retreats", "d", "disband",
    "disbands", "remove", "removes", "b", "build", "builds", "waive", "waives",
}  # fmt: skip


# --- everything works on every map ----------------------------------------------------------------


def without_power(order: MovementOrder) -> MovementOrder:
    """The order as in the notation `diplomacy`, which does not name the other unit's power."""
    for field in ("supported", "army"):
        if hasattr(order, field):
            named = replace(getattr(order, field), power=None)
            return replace(order, **{field: named})
    return order


@exhaustive
@pytest.mark.parametrize("name", few_of(NAMES, 1))
def test_every_legal_order_reads_back_as_itself(name: str) -> None:
    position = full_position(dipsat.load_map(name), seed=0)
    read, count = dipsat.reader_for(position.map).read, 0
    for orders in legal_orders(position, Settings()).values():
        for order in orders:
            assert isinstance(order, MovementOrder)
            for notation in ("diplomacy", "datc", "judge"):
                text = dipsat.write_order(order, position.map, notation)
                wanted = without_power(order) if notation == "diplomacy" else order
                assert read(text) == wanted, text
                count += 1
    assert count > 3 * len(position.units)


@pytest.mark.parametrize("name", few_of(NAMES, 5))
def test_a_full_board_is_adjudicated_and_every_listed_order_is_legal(name: str) -> None:
    position = full_position(dipsat.load_map(name), seed=1)
    outcome = dipsat.adjudicate(position, full_orders(position, seed=1))
    assert len(outcome.orders) == len(position.units)
    assert {ruling.status for ruling in outcome.rulings} <= {
        RulingStatus.LEGAL,
        RulingStatus.AMENDED,
    }
    standing = {unit.province for unit in outcome.next.units}
    assert len(standing) == len(outcome.next.units)


@pytest.mark.parametrize("name", few_of(sorted(set(NAMES) - {"chaos"}), 5))
def test_a_game_can_be_played_until_the_second_year(name: str) -> None:
    game = dipsat.Game.new(dipsat.load_map(name))
    first = game.phase
    assert str(first) == game.position.map.first_phase
    assert game.position.units
    while game.phase.year == first.year:
        game.submit(full_orders(game.position, seed=2))
        game.advance()
    assert [turn.position.phase.season for turn in game.history][:1] == ["S"]
    assert "F" in {turn.position.phase.season for turn in game.history}


def test_chaos_begins_with_a_build_of_each_of_34_powers() -> None:
    game = dipsat.Game.new(dipsat.load_map("chaos"))
    homes = {name: power.home for name, power in game.position.map.powers.items()}
    game.submit({name: [f"A {home} B"] for name, (home,) in homes.items()}).advance()
    assert str(game.phase) == "S1901M"
    assert {str(unit) for unit in game.position.units} == {
        f"A {home}" for (home,) in homes.values()
    }
    assert len(game.position.units) == 34


def test_a_power_with_the_name_of_a_province_is_not_mistaken_for_it() -> None:
    read = dipsat.reader_for(dipsat.load_map("chaos")).read
    assert read("A Ankara - Constantinople") == read("A ANK - CON")
    assert read("A Smyrna S Ankara - Constantinople") == read("A SMY S ANK - CON")
    assert read("A Smyrna S Ankara") == read("A SMY S ANK")
    supported = read("A Smyrna S Ankara A Constantinople")
    assert isinstance(supported, SupportHold)
    assert (supported.supported.power, supported.supported.location) == ("ANKARA", "CON")


@pytest.mark.parametrize(
    ("name", "typed", "code"),
    [
        ("youngstown", "mid atlantic", "MAO"), ("loeb9", "Artic Ocean", "ARC"),
        ("sailho", "Cecrops' Channel", "CEC"), ("sailho", "cecrops channel", "CEC"),
        ("known_world_901", "Chang\u2019an", "CHA"), ("rootz", "adriatic sea one", "ADR1"),
        ("modern", "St Petersburg", "STP"), ("hundred", "Wash", "WAS"), ("1900", "gob", "GBO"),
    ],
)  # fmt: skip
def test_names_people_type_find_their_province(name: str, typed: str, code: str) -> None:
    assert dipsat.load_map(name).names.province(typed) == code


# --- convoys over many seas -----------------------------------------------------------------------


def test_sixty_fleets_convoy_one_army() -> None:
    board = grid_map(10, 6)
    assert len(board.seas) == 60
    for target in ("C01", "C16", "C20"):
        outcome = dipsat.adjudicate(*grid_phase(board, target))
        assert outcome.order("A C00").verdict == "succeeds", target
        assert outcome.is_proven
