"""A summer phase for orders that rules declare, and attributes that change in a phase."""

from __future__ import annotations

from pathlib import Path

import pytest

import dipsat
from dipsat.errors import DipsatError, OrderFaultError, PositionError, ProfileError
from dipsat.game import PhaseName
from dipsat.rules import Profile, difference, parse_profile, whole_profile
from tests.exhaustive import exhaustive

# In summer a unit may rest; a unit that moves is tired afterwards.
RESTING = """\
extends: datc
name: resting
domains: {State: [fresh, tired]}
attributes: {state: {domain: State, default: fresh, becomes: state_after}}
options: {summers: [on, off]}
orders:
  Rest(x):
    form: "{unit} rests"
    phase: summer
    when: summers == "on"
    legal: {at_home: x.origin.owner == x.power}
variables: {x: Rest, k: State}
results:
  state_after(u, k): >
    k == "tired" if any(move(m) for m in u.moves) else
    k == "fresh" if any(x.unit == u for x in Rest) else u.state == k
reasons: {at_home: it rests only in a centre of its power}
"""


@pytest.fixture(scope="module")
def rules() -> Profile:
    return parse_profile(RESTING, "resting.yaml")


def summer(rules: Profile, *units: str) -> dipsat.Position:
    return dipsat.Position.from_units(
        {"ITALY": units}, phase="U1901X", centers={"ITALY": ["VEN"]}, rules=rules
    )


@pytest.mark.parametrize("text", ["u1901x", "Summer 1901", "Summer of 1901 (extra)"])
def test_summer_has_a_name(text: str) -> None:
    phase = PhaseName.parse(text)
    assert (str(phase), phase.title()) == ("U1901X", "Summer 1901 Extra")
    assert PhaseName.parse(phase.title()) == phase


@pytest.mark.parametrize("text", ["U1901M", "S1901X", "Winter 1901 extra", "Summer 1901 moves"])
def test_there_is_no_other_extra_phase(text: str) -> None:
    assert PhaseName.find(text) is None


def test_summer_comes_before_the_moves_of_fall_and_in_no_other_season(rules: Profile) -> None:
    game = dipsat.Game.new("standard", rules)
    seen = []
    for _ in range(5):
        seen.append(str(game.phase))
        game.advance()
    assert seen == ["S1901M", "U1901X", "F1901M", "S1902M", "U1902X"]


def test_summer_comes_after_the_retreats_of_spring(rules: Profile) -> None:
    units = {"ITALY": ["A VEN"], "AUSTRIA": ["A TRI", "A TYR"]}
    placed = dipsat.Position.from_units(units, rules=rules)
    orders = {"AUSTRIA": ["A TRI - VEN", "A TYR S A TRI - VEN"]}
    retreating = dipsat.adjudicate(placed, orders, rules).next
    assert str(retreating.phase) == "S1901R"
    assert str(dipsat.adjudicate(retreating, {}, rules).next.phase) == "U1901X"


def test_without_the_option_there_is_no_summer_and_no_such_order(rules: Profile) -> None:
    without = parse_profile(RESTING + "settings: {summers: off}\n", "resting.yaml")
    game = dipsat.Game.new("standard", without)
    game.advance()
    assert str(game.phase) == "F1901M"
    with pytest.raises(DipsatError, match=r"add \+summers=on to the name"):
        game.submit("ITALY", ["A VEN rests"])


def test_attributes_change_by_the_result_that_they_name(rules: Profile) -> None:
    game = dipsat.Game.new("standard", rules)
    game.submit("ITALY", ["A VEN - TYR", "A ROM H"])
    game.advance()
    assert [str(u) for u in game.position.units if u.power == "ITALY"] == [
        "Fresh F NAP", "Fresh A ROM", "Tired A TYR",
    ]  # fmt: skip
    game.advance()
    game.submit("ITALY", ["A TYR - VEN", "A ROM - APU"])
    game.advance()
    while str(game.phase) != "U1902X":
        game.advance()
    game.submit("ITALY", ["tired A VEN rests", "A APU rests"])
    outcome = game.advance()
    assert outcome.order("VEN").verdict == "succeeds"
    assert outcome.order("APU").verdict == "illegal"
    assert outcome.order("APU").reason.text == "it rests only in a centre of its power"
    assert outcome.units["ITALY"] == ("Tired A APU", "Fresh F NAP", "Fresh A VEN")
    assert str(outcome.next.phase) == "F1902M"


def test_other_orders_are_illegal_in_summer_and_its_orders_elsewhere(rules: Profile) -> None:
    spring = dipsat.Position.from_units({"ITALY": ["A VEN"]}, rules=rules)
    for position, order, problem in (
        (spring, "A VEN rests", "S1901M is a movement phase"),
        (summer(rules, "A VEN"), "A VEN - TYR", "U1901X takes only orders that the rules declare"),
    ):
        outcome = dipsat.adjudicate(position, {"ITALY": [order]}, rules)
        found = outcome.order("VEN")
        assert (found.verdict, found.reason.code) == ("illegal", "wrong_phase")
        assert outcome.units["ITALY"] == ("Fresh A VEN",)
        with pytest.raises(OrderFaultError, match=problem):
            dipsat.Game(position, rules).submit("ITALY", [order])


@pytest.mark.parametrize("suffix", ["json", "txt"])
def test_game_with_a_summer_is_saved_and_loaded(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "resting.yaml").write_text(RESTING, encoding="utf-8")
    game = dipsat.Game.new("standard", tmp_path / "resting.yaml")
    game.submit("ITALY", ["A VEN - TYR"])
    game.advance()
    game.submit("ITALY", ["Fresh A ROM rests"])
    game.advance()
    game.save(tmp_path / f"game.{suffix}")
    again = dipsat.Game.load(tmp_path / f"game.{suffix}")
    assert [str(turn.position.phase) for turn in again.history] == ["S1901M", "U1901X"]
    assert again.position == game.position


def test_summer_is_written_and_read_back(rules: Profile) -> None:
    again = parse_profile(whole_profile(rules), "again.yaml")
    assert again.declared == rules.declared
    assert difference(rules, again).changes == ()


@exhaustive
def test_rules_that_leave_no_single_value_are_reported() -> None:
    both = RESTING.replace('k == "tired" if', "true if")
    rules = parse_profile(both.replace("else u.state == k", "else u.state != u.state"), "bad.yaml")
    spring = dipsat.Position.from_units({"ITALY": ["A VEN"]}, rules=rules)
    with pytest.raises(PositionError, match="its state becomes nothing"):
        _ = dipsat.adjudicate(spring, {}, rules).next


WRONG = {
    "when": ('summers == "on"', "any(x.unit == x.unit for x in Rest)", "use only declared options"),
    "becomes": ("becomes: state_after", "becomes: stat", "no result stat over Unit, State"),
    "indices": ("becomes: state_after", "becomes: contested", "no result contested over Unit"),
    "another season": (
        "phase: summer", "phase: spring", "9:12: there is no extra phase in 'spring'; write summer",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "problem"), WRONG.values(), ids=WRONG)
def test_faulty_declaration_is_one_error_with_place(old: str, new: str, problem: str) -> None:
    with pytest.raises(ProfileError, match=problem) as caught:
        parse_profile(RESTING.replace(old, new), "wrong.yaml")
    assert str(caught.value).startswith("wrong.yaml:")
