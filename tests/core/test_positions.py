"""Positions: units in any notation, and every way in which they can be impossible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from dipsat import Position, load_map, load_profile
from dipsat.errors import AmbiguousNameError, OrderSyntaxError, PositionError, UnknownNameError
from dipsat.game.position import UnitReader
from dipsat.orders import NO_WORDS

BOARD = load_map("standard")


def test_units_with_attributes_are_found_by_their_province() -> None:
    typed = {"ITALY": ["red A VEN", "purple F ROM"], "FRANCE": ["red A PAR"]}
    position = Position.from_units(typed, rules=load_profile("arpiesse").words)
    assert position.by_province == {unit.province: unit for unit in position.units}
    assert list(position.by_province) == ["PAR", "ROM", "VEN"]


def test_a_bounded_number_of_texts_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dipsat.game.position._REMEMBERED", 3)
    read = UnitReader(BOARD, NO_WORDS)
    for number in range(10):
        assert str(read("FRANCE", "A PAR" + " " * number)) == "A PAR"
        assert len(read.known["FRANCE"]) <= 3


def units_of(position: Position) -> list[tuple[str, str]]:
    return [(unit.power, str(unit)) for unit in position.units]


TYPED = {
    "A PAR": ["A PAR", "a par", "Army Paris", "army PARIS", "A Pari", "Paris", "  A   PAR  "],
    "A SPA": ["A Spain"],
    "A STP": ["A St. Petersburg"],
    "F BRE": ["F BRE", "f brest", "fleet Brest", "French F BRE"],
    "F MAO": ["F Mid-Atlantic Ocean", "mid-atlantic"],
    "F ENG": ["English Channel", "ECH"],
    "F SPA/NC": ["F SPA/NC", "SPA/NC", "Spain (nc)"],  # armies are not on coasts
    "F SPA/SC": ["f spa(sc)", "Fleet Spain (south coast)"],
    "F STP/SC": ["F STP SCS"],
    "F BUL/EC": ["F Bulgaria east coast"],
}


@pytest.mark.parametrize(
    ("typed", "unit"), [(typed, unit) for unit, texts in TYPED.items() for typed in texts]
)
def test_a_unit_is_placed_from_any_notation_and_case(typed: str, unit: str) -> None:
    assert units_of(Position.from_units({"FRANCE": [typed]})) == [("FRANCE", unit)]


@pytest.mark.parametrize("power", ["FRANCE", "France", "french", "  French. "])
def test_a_power_is_named_in_any_case_and_by_its_adjective(power: str) -> None:
    assert units_of(Position.from_units({power: ["A PAR"]})) == [("FRANCE", "A PAR")]


def test_units_are_sorted_by_location_whatever_their_order() -> None:
    expected = [("FRANCE", "F BRE"), ("ENGLAND", "F LON"), ("FRANCE", "A PAR")]
    for units in (
        {"FRANCE": ["A PAR", "F BRE"], "ENGLAND": ["F LON"]},
        {"ENGLAND": ["F LON"], "FRANCE": ["F BRE", "A PAR"]},
    ):
        assert units_of(Position.from_units(units)) == expected


def test_one_power_under_two_of_its_names_has_the_units_of_both() -> None:
    found = Position.from_units({"FRANCE": ["A PAR"], "French": ["F BRE"]})
    assert units_of(found) == [("FRANCE", "F BRE"), ("FRANCE", "A PAR")]


def test_a_position_may_be_empty() -> None:
    assert units_of(Position.from_units({})) == units_of(Position.from_units({"ITALY": []})) == []


def test_a_position_says_which_unit_is_where_and_which_fleets_could_convoy() -> None:
    found = Position.from_units(
        {"FRANCE": ["F SPA/SC", "F MAO", "F BRE"], "ENGLAND": ["F NTH", "A LON"]}, BOARD
    )
    assert {code: str(unit) for code, unit in found.by_province.items()} == {
        "SPA": "F SPA/SC", "MAO": "F MAO", "BRE": "F BRE", "NTH": "F NTH", "LON": "A LON",
    }  # fmt: skip
    assert found.fleets_at_sea == {"MAO", "NTH"}


@pytest.mark.parametrize(
    ("units", "unit", "problem"),
    [
        ({"FRANCE": ["A PAR", "Paris"]}, "Paris", "already"),
        ({"FRANCE": ["A BRE", "F BRE"]}, "F BRE", "already"),
        ({"FRANCE": ["F SPA/NC", "F SPA/SC"]}, "F SPA/SC", "already"),
        ({"FRANCE": ["F SPA/NC"], "ITALY": ["A SPA"]}, "A SPA", "FRANCE F SPA/NC already"),
        ({"FRANCE": ["A MAO"]}, "A MAO", "at sea"),
        ({"FRANCE": ["F PAR"]}, "F PAR", "inland"),
        ({"FRANCE": ["F SPA"]}, "F SPA", "F SPA/NC or F SPA/SC"),
        ({"TURKEY": ["F BUL"]}, "F BUL", "F BUL/EC or F BUL/SC"),
        ({"FRANCE": ["F SPA/EC"]}, "F SPA/EC", "F SPA/NC or F SPA/SC"),
        ({"FRANCE": ["F BRE/EC"]}, "F BRE/EC", "F BRE"),
        ({"FRANCE": ["F MAO/NC"]}, "F MAO/NC", "F MAO"),
        ({"FRANCE": ["A SPA/NC"]}, "A SPA/NC", "A SPA"),
        ({"FRANCE": ["A PAR (south coast)"]}, "A PAR (south coast)", "A PAR"),
        ({"FRANCE": ["BRE"]}, "BRE", "(A) or a fleet (F)"),
    ],
)
def test_a_unit_that_cannot_be_there_is_an_error_that_names_it_and_the_remedy(
    units: Mapping[str, Sequence[str]], unit: str, problem: str
) -> None:
    with pytest.raises(PositionError) as caught:
        Position.from_units(units)
    assert caught.value.unit == unit
    assert problem in caught.value.problem
    assert repr(unit) in str(caught.value)


def test_an_unknown_power_is_an_error_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError) as caught:
        Position.from_units({"Frnace": ["A PAR"]})
    assert (caught.value.kind, caught.value.name) == ("power", "Frnace")
    assert caught.value.nearest[0] == "FRANCE"


@pytest.mark.parametrize("typed", ["A Pariz", "Pariz", "army pariz"])
def test_an_unknown_province_is_an_error_with_the_nearest(typed: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        Position.from_units({"FRANCE": [typed]})
    assert caught.value.kind == "province"
    assert caught.value.nearest[0] == "Paris"
    assert typed in str(caught.value)


def test_a_beginning_of_several_provinces_is_ambiguous() -> None:
    with pytest.raises(AmbiguousNameError) as caught:
        Position.from_units({"ENGLAND": ["F North"]})
    assert set(caught.value.choices) == {"NAF", "NAO", "NTH"}


@pytest.mark.parametrize("typed", ["", "-", "A PAR H", "A PAR - BUR", "F SPA(nc", "A PAR F BRE"])
def test_text_that_is_not_a_unit_is_an_error_that_shows_it(typed: str) -> None:
    with pytest.raises(OrderSyntaxError) as caught:
        Position.from_units({"FRANCE": [typed]})
    assert caught.value.text == typed


def test_the_starting_position_has_the_22_units_of_the_game() -> None:
    found = Position.start()
    assert len(found.units) == 22
    assert units_of(found)[:3] == [("TURKEY", "F ANK"), ("GERMANY", "A BER"), ("FRANCE", "F BRE")]
    assert ("RUSSIA", "F STP/SC") in units_of(found)
