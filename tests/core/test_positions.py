"""Positions: units in any notation, and every way in which they can be impossible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from dipsat import Position, load_map, load_profile
from dipsat.errors import AmbiguousNameError, OrderSyntaxError, PositionError, UnknownNameError
from dipsat.game.position import UnitReader
from dipsat.orders import NO_WORDS

BOARD = load_map("standard")


@pytest.mark.parametrize("rules", ["datc", "arpiesse"])
def test_units_by_province_are_the_units(rules: str) -> None:
    """Also where rules have completed the units with attributes."""
    words = load_profile(rules).words
    typed = {"ITALY": ["red A VEN", "purple F ROM"], "FRANCE": ["red A PAR"]}
    if rules == "datc":
        typed = {power: [text.split(" ", 1)[1] for text in units] for power, units in typed.items()}
    position = Position.from_units(typed, rules=words)
    expected = {unit.province: unit for unit in position.units}
    assert list(position.by_province.items()) == list(expected.items())
    assert list(expected) == ["PAR", "ROM", "VEN"]


def test_a_bounded_number_of_texts_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dipsat.game.position._REMEMBERED", 3)
    read = UnitReader(BOARD, NO_WORDS)
    for number in range(10):
        text = "A PAR" + " " * number
        assert str(read("FRANCE", text)) == "A PAR"
        assert text in read.known["FRANCE"]
        assert len(read.known["FRANCE"]) <= 3


def units_of(position: Position) -> list[tuple[str, str]]:
    return [(unit.power, str(unit)) for unit in position.units]


@pytest.mark.parametrize(
    ("typed", "unit"),
    [
        ("A PAR", "A PAR"),
        ("a par", "A PAR"),
        ("Army Paris", "A PAR"),
        ("army PARIS", "A PAR"),
        ("A Pari", "A PAR"),
        ("Paris", "A PAR"),
        ("  A   PAR  ", "A PAR"),
        ("A Spain", "A SPA"),
        ("A St. Petersburg", "A STP"),
        ("F BRE", "F BRE"),
        ("f brest", "F BRE"),
        ("fleet Brest", "F BRE"),
        ("F Mid-Atlantic Ocean", "F MAO"),
        ("mid-atlantic", "F MAO"),
        ("English Channel", "F ENG"),
        ("ECH", "F ENG"),
        ("F SPA/NC", "F SPA/NC"),
        ("f spa(sc)", "F SPA/SC"),
        ("Fleet Spain (south coast)", "F SPA/SC"),
        ("F STP SCS", "F STP/SC"),
        ("F Bulgaria east coast", "F BUL/EC"),
        ("French F BRE", "F BRE"),
    ],
)
def test_a_unit_is_placed_from_any_notation_and_case(typed: str, unit: str) -> None:
    assert units_of(Position.from_units({"FRANCE": [typed]})) == [("FRANCE", unit)]


@pytest.mark.parametrize("power", ["FRANCE", "France", "french", "  French. "])
def test_a_power_is_named_in_any_case_and_by_its_adjective(power: str) -> None:
    assert units_of(Position.from_units({power: ["A PAR"]})) == [("FRANCE", "A PAR")]


def test_units_are_sorted_by_location_whatever_their_order() -> None:
    expected = [("FRANCE", "F BRE"), ("ENGLAND", "F LON"), ("FRANCE", "A PAR")]
    assert units_of(Position.from_units({"FRANCE": ["A PAR", "F BRE"], "ENGLAND": ["F LON"]})) == (
        expected
    )
    assert units_of(Position.from_units({"ENGLAND": ["F LON"], "FRANCE": ["F BRE", "A PAR"]})) == (
        expected
    )


def test_one_power_under_two_of_its_names_has_the_units_of_both() -> None:
    found = Position.from_units({"FRANCE": ["A PAR"], "French": ["F BRE"]})
    assert units_of(found) == [("FRANCE", "F BRE"), ("FRANCE", "A PAR")]


def test_a_position_may_be_empty() -> None:
    assert units_of(Position.from_units({})) == units_of(Position.from_units({"ITALY": []})) == []


def test_a_position_tells_who_stands_where_and_which_fleets_could_convoy() -> None:
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
        ({"FRANCE": ["A PAR", "A PAR"]}, "A PAR", "already"),
        ({"FRANCE": ["A PAR", "Paris"]}, "Paris", "already"),
        ({"FRANCE": ["A BRE", "F BRE"]}, "F BRE", "already"),
        ({"FRANCE": ["F SPA/NC", "F SPA/SC"]}, "F SPA/SC", "already"),
        ({"FRANCE": ["F SPA/NC"], "ITALY": ["A SPA"]}, "A SPA", "FRANCE F SPA/NC already"),
        ({"FRANCE": ["A MAO"]}, "A MAO", "at sea"),
        ({"ENGLAND": ["Army North Sea"]}, "Army North Sea", "at sea"),
        ({"FRANCE": ["F PAR"]}, "F PAR", "inland"),
        ({"GERMANY": ["f munich"]}, "f munich", "inland"),
        ({"FRANCE": ["F SPA"]}, "F SPA", "F SPA/NC or F SPA/SC"),
        ({"RUSSIA": ["Fleet St Petersburg"]}, "Fleet St Petersburg", "F STP/NC or F STP/SC"),
        ({"TURKEY": ["F BUL"]}, "F BUL", "F BUL/EC or F BUL/SC"),
        ({"FRANCE": ["F SPA/EC"]}, "F SPA/EC", "F SPA/NC or F SPA/SC"),
        ({"TURKEY": ["F BUL(nc)"]}, "F BUL(nc)", "F BUL/EC or F BUL/SC"),
        ({"FRANCE": ["F BRE/EC"]}, "F BRE/EC", "F BRE"),
        ({"FRANCE": ["F MAO/NC"]}, "F MAO/NC", "F MAO"),
        ({"FRANCE": ["A SPA/NC"]}, "A SPA/NC", "A SPA"),
        ({"FRANCE": ["A PAR (south coast)"]}, "A PAR (south coast)", "A PAR"),
        ({"FRANCE": ["BRE"]}, "BRE", "(A) or a fleet (F)"),
        ({"FRANCE": ["Spain"]}, "Spain", "(A) or a fleet (F)"),
    ],
)
def test_a_unit_that_cannot_stand_so_is_an_error_that_names_it_and_the_remedy(
    units: Mapping[str, Sequence[str]], unit: str, problem: str
) -> None:
    with pytest.raises(PositionError) as caught:
        Position.from_units(units)
    assert caught.value.unit == unit
    assert problem in caught.value.problem
    assert repr(unit) in str(caught.value)


@pytest.mark.parametrize("typed", ["SPA/NC", "Spain (nc)"])
def test_a_missing_kind_is_filled_in_where_the_coast_says_fleet(typed: str) -> None:
    """Armies are not on coasts, so only one kind is possible."""
    assert units_of(Position.from_units({"FRANCE": [typed]})) == [("FRANCE", "F SPA/NC")]


@pytest.mark.parametrize(
    ("power", "nearest"), [("Frnace", "FRANCE"), ("Turky", "TURKEY"), ("RUSIA", "RUSSIA")]
)
def test_an_unknown_power_is_an_error_with_the_nearest(power: str, nearest: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        Position.from_units({power: ["A PAR"]})
    assert (caught.value.kind, caught.value.name) == ("power", power)
    assert caught.value.nearest[0] == nearest


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
def test_what_is_no_unit_is_an_error_that_shows_it(typed: str) -> None:
    with pytest.raises(OrderSyntaxError) as caught:
        Position.from_units({"FRANCE": [typed]})
    assert caught.value.text == typed


def test_the_starting_position_has_the_22_units_of_the_game() -> None:
    found = Position.start()
    assert len(found.units) == 22
    assert units_of(found)[:3] == [("TURKEY", "F ANK"), ("GERMANY", "A BER"), ("FRANCE", "F BRE")]
    assert ("RUSSIA", "F STP/SC") in units_of(found)
