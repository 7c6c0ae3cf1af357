"""Attributes of units as words in texts: in orders, positions, files, games and builds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat.board import UnitKind
from dipsat.cli import main
from dipsat.errors import (
    FileError,
    OrderSyntaxError,
    OrderWriteError,
    PositionError,
    UnknownNameError,
)
from dipsat.formats import parse_phase_text
from dipsat.orders import Build, Move, UnitName, reader_for, write_order
from dipsat.rules import Profile, parse_profile

# North is also how names of provinces begin.
MOODS = """\
extends: datc
name: moods
domains:
  Mood: [angry, very calm, north]
  Rank: [old, young]
attributes:
  mood: {domain: Mood, default: very calm}
  rank: {domain: Rank}
"""
BOARD = dipsat.load_map("standard")


@pytest.fixture(scope="module")
def rules() -> Profile:
    return parse_profile(MOODS, "moods.yaml")


def attributes(mood: str = "", rank: str = "") -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in (("mood", mood), ("rank", rank)) if value)


READ = {
    "A VEN H": attributes(),
    "Angry A VEN H": attributes("angry"),
    "angry Italian old A VEN H": attributes("angry", "old"),
    "very calm A VEN H": attributes("very calm"),
    "North Old A VEN H": attributes("north", "old"),
    "young Venice H": attributes("", "young"),
    "F North Sea H": attributes(),
    "F north North Sea H": attributes("north"),
}


@pytest.mark.parametrize("text", READ)
def test_values_are_read_before_a_unit_in_any_case(rules: Profile, text: str) -> None:
    assert reader_for(BOARD, rules.words).read(text).unit.attributes == READ[text]  # type: ignore[union-attr]  # a hold is of a unit


def test_a_unit_that_is_supported_or_built_has_its_values(rules: Profile) -> None:
    read = reader_for(BOARD, rules.words).read
    supported = read("F Adr S Angry old A VEN - TRI")
    assert supported.supported.attributes == attributes("angry", "old")  # type: ignore[union-attr]  # a support
    for text in ("Build young A VEN", "Young A VEN B"):
        assert read(text) == Build(UnitName("VEN", UnitKind.ARMY, None, attributes("", "young")))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Blue A VEN H", "unknown mood or rank 'blue'.*angry, very calm, north"),
        ("Agnry A VEN H", "did you mean angry"),
        ("Angry North A VEN H", "says the mood of the unit twice"),
        ("Angry", "province is missing"),
    ],
)
def test_bad_value_in_an_order_is_one_clear_error(rules: Profile, text: str, problem: str) -> None:
    with pytest.raises((UnknownNameError, OrderSyntaxError), match=problem):
        reader_for(BOARD, rules.words).read(text)


@pytest.mark.parametrize("notation", ["diplomacy", "datc", "judge"])
def test_orders_are_written_with_the_values_and_read_back(rules: Profile, notation: str) -> None:
    reader = reader_for(BOARD, rules.words)
    order = reader.read("F ADR S Angry Young A VEN - TRI")
    written = write_order(order, BOARD, notation)
    assert "Angry Young A Ven" in written or "Angry Young A VEN" in written
    assert reader.read(written) == order


def test_daide_has_no_word_for_them_and_refuses_a_build(rules: Profile) -> None:
    named = reader_for(BOARD, rules.words).read_unit("Angry Young A VEN")
    assert write_order(Move(named, "TRI"), BOARD, "daide", power="ITALY").endswith("MTO TRI")
    with pytest.raises(OrderWriteError, match="no word for the mood"):
        write_order(Build(named), BOARD, "daide", power="ITALY")


def position(rules: Profile, *units: str, phase: str = "S1901M") -> dipsat.Position:
    return dipsat.Position.from_units({"ITALY": units}, phase=phase, rules=rules)


def test_position_fills_in_defaults_and_shows_them(rules: Profile) -> None:
    placed = position(rules, "young A VEN", "Angry old F NAP")
    assert [str(unit) for unit in placed.units] == ["Angry Old F NAP", "Very calm Young A VEN"]
    told = placed.to_dict()
    again = dipsat.Position.from_units(told["units"], phase=told["phase"], rules=rules)
    assert again == placed


def test_unit_without_a_needed_attribute_is_one_clear_error(rules: Profile) -> None:
    with pytest.raises(PositionError, match=r"Angry A VEN.*its rank is missing: old or young"):
        position(rules, "Angry A VEN")
    with pytest.raises(PositionError, match="its rank is missing"):
        dipsat.adjudicate(dipsat.Position.from_units({"ITALY": ["A VEN"]}), {}, rules)


def test_attribute_that_the_rules_do_not_have_is_one_clear_error(rules: Profile) -> None:
    with pytest.raises(PositionError, match="units have no mood under these rules"):
        dipsat.adjudicate(position(rules, "old A VEN"), {}, "datc")


def test_an_order_with_a_wrong_value_is_illegal_and_one_without_is_legal(rules: Profile) -> None:
    placed = position(rules, "old A VEN", "old A ROM")
    orders = {"ITALY": ["Young A VEN - TYR", "A ROM S young A VEN"]}
    outcome = dipsat.adjudicate(placed, orders, rules)
    for unit in ("A VEN", "old A ROM"):
        assert outcome.order(unit).verdict == "illegal"
        assert outcome.order(unit).reason.code == "attribute_wrong"
        assert "its rank is old, not young" in outcome.order(unit).reason.text
    fine = dipsat.adjudicate(placed, {"ITALY": ["A VEN - TYR", "A ROM - VEN"]}, rules)
    assert fine.order("VEN").verdict == fine.order("Old A ROM").verdict == "succeeds"
    assert fine.order("VEN").order == "Very calm Old A VEN - TYR"
    assert fine.units["ITALY"] == ("Very calm Old A TYR", "Very calm Old A VEN")


def test_units_keep_their_values_in_retreats(rules: Profile) -> None:
    units = {"ITALY": ["angry old A VEN"], "AUSTRIA": ["old A TRI", "old A TYR"]}
    placed = dipsat.Position.from_units(units, rules=rules)
    orders = {"AUSTRIA": ["A TRI - VEN", "A TYR S A TRI - VEN"]}
    retreating = dipsat.adjudicate(placed, orders, rules).next
    assert str(retreating.dislodged[0].unit) == "Angry Old A VEN"
    wrong = dipsat.adjudicate(retreating, {"ITALY": ["Young A VEN R APU"]}, rules)
    assert wrong.order("VEN").reason.code == "attribute_wrong"
    outcome = dipsat.adjudicate(retreating, {"ITALY": ["Angry A VEN R APU"]}, rules)
    assert outcome.units["ITALY"] == ("Angry Old A APU",)


def test_build_must_name_every_value_that_has_no_default(rules: Profile) -> None:
    winter = dipsat.Position.from_units(
        {"ITALY": []}, phase="W1901A", centers={"ITALY": ["VEN", "ROM"]}, rules=rules
    )
    orders = {"ITALY": ["Build young Angry A VEN", "A ROM B"]}
    outcome = dipsat.adjudicate(winter, orders, rules)
    assert outcome.units["ITALY"] == ("Angry Young A VEN",)
    assert outcome.order("ROM").verdict == "illegal"
    assert "its rank is missing" in outcome.order("ROM").reason.text


def test_disband_of_a_unit_with_another_value_is_illegal(rules: Profile) -> None:
    winter = dipsat.Position.from_units(
        {"ITALY": ["old A VEN"]}, phase="W1901A", unknown_centers=(), rules=rules
    )
    outcome = dipsat.adjudicate(winter, {"ITALY": ["young A VEN D"]}, rules)
    assert outcome.orders[0].reason.code == "attribute_wrong"
    assert outcome.automatic == {"ITALY": ("Very calm Old A VEN",)}  # type: ignore[attr-defined]  # of an adjustment


SHEET = "Italy:\n  Angry old A VEN - TRI\n  old F ADR S A VEN - TRI\n"


def test_sheet_gives_its_units_the_values_of_their_orders(rules: Profile) -> None:
    phase = parse_phase_text(SHEET, "sheet.txt", rules=rules)
    assert [str(u) for u in phase.position.units] == ["Very calm Old F ADR", "Angry Old A VEN"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("  Young A VEN H\n", r"sheet.txt:4.*its rank is old, not young"),
        ("  A TUS H\n", r"sheet.txt:4.*its rank is missing"),
        ("  Blue A TUS H\n", r"sheet.txt.*unknown mood or rank 'blue'"),
    ],
)
def test_bad_value_in_a_sheet_is_an_error_with_its_place(
    rules: Profile, line: str, problem: str
) -> None:
    with pytest.raises(FileError, match=problem):
        parse_phase_text(SHEET + line, "sheet.txt", rules=rules)


@pytest.fixture
def judged(tmp_path: Path) -> Callable[[str], Result]:
    """The outcome of a document beside the rules."""

    def judge(text: str) -> Result:
        (tmp_path / "moods.yaml").write_text(MOODS, encoding="utf-8")
        file = tmp_path / "phase.yaml"
        file.write_text(f"rules: moods.yaml\n{text}", encoding="utf-8")
        return CliRunner().invoke(main, ["adjudicate", str(file), "--json"])

    return judge


def test_yaml_file_names_its_rules_and_units_with_values(judged: Callable[[str], Result]) -> None:
    printed = judged(
        "phase: F1901R\nunits: {ITALY: [old A ROM]}\n"
        "dislodged: {ITALY: [angry old A VEN]}\norders: {ITALY: [old A VEN R APU]}\n"
    )
    units = json.loads(printed.stdout)["units"]["ITALY"]
    assert units == ["Angry Old A APU", "Very calm Old A ROM"]


def test_yaml_file_with_an_unknown_value_names_the_place(judged: Callable[[str], Result]) -> None:
    printed = judged("units: {ITALY: [blue A ROM]}\norders: {}\n")
    assert printed.exit_code == 2
    assert "phase.yaml:2:17" in printed.stderr
    assert "unknown mood or rank 'blue'" in printed.stderr


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_game_is_saved_and_loaded_with_its_values(tmp_path: Path, suffix: str) -> None:
    rules = tmp_path / "moods.yaml"
    rules.write_text(MOODS, encoding="utf-8")
    start = position(dipsat.load_profile(rules), "old A VEN", "angry young F NAP")
    game = dipsat.Game(start, rules)
    game.submit("ITALY", ["Old A VEN - TYR", "Angry F NAP - ION"])
    game.advance()
    game.save(tmp_path / f"game.{suffix}")
    again = dipsat.Game.load(tmp_path / f"game.{suffix}")
    assert again.position == game.position
    assert again.history[0].orders == game.history[0].orders
    assert again.position.to_dict()["units"] == {
        "ITALY": ["Angry Young F ION", "Very calm Old A TYR"]
    }


def test_legal_orders_name_the_values(rules: Profile) -> None:
    game = dipsat.Game(position(rules, "old A VEN", "angry young A ROM"), rules)
    assert game.legal_orders("Old A VEN") == game.legal_orders("ven")
    assert "Very calm Old A VEN S Angry Young A ROM - TUS" in game.legal_orders("ven")
    for texts in game.all_legal_orders()["ITALY"].values():
        for text in texts:
            outcome = dipsat.adjudicate(game.position, {"ITALY": [text]}, rules)
            assert outcome.rulings[0].status.name == "LEGAL", text


def test_questions_read_positions_with_values(rules: Profile) -> None:
    placed = position(rules, "old A VEN", "angry young A ROM")
    assert dipsat.prove(placed, {"ITALY": ["angry A ROM - VEN"]}, rules).verdict == "unique"
    found = dipsat.search(placed, dipsat.Achieve("enters(TRI)"), rules=rules)
    assert "Very calm Old A VEN - TRI" in found.orders["ITALY"]
