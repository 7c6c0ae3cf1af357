"""A past phase that is played again, with the orders of the phases after it."""

from __future__ import annotations

import pytest

import dipsat
from dipsat.formats import caught_up
from tests.exhaustive import few_of
from tests.formats.test_game import states
from tests.formats.test_later_orders import ATTACK, BOARD
from tests.made_games import made_game


@pytest.mark.parametrize("seed", few_of(range(6), 2))
def test_a_game_played_again_with_its_own_orders_is_the_same_game(seed: int) -> None:
    game = made_game(seed, 12)
    for turn in game.history[::5]:
        again, report = caught_up(game.copy().back_to(turn.position.phase), game)
        assert states(again) == states(game)
        assert [one.orders for one in again.history] == [one.orders for one in game.history]
        assert not any(one.orders or one.position or one.left_out for one in report.phases)
        assert (report.before, report.now, report.missing) == (str(game.phase), str(game.phase), ())


def played() -> dipsat.Game:
    """A fall in which nobody is dislodged, and the winter and the spring after it. Germany's
    retreat is sent in case it is needed."""
    game = dipsat.Game(BOARD).submit({"FRANCE": ["A BUR - MUN", "A RUH H"]})
    game.submit("GERMANY", ["A MUN R TYR"], phase="F1901R")
    game.advance()
    game.submit({"FRANCE": ["Build A PAR"], "GERMANY": ["Build A BER"]}).advance()
    game.deadline = "Sunday"
    game.submit({"FRANCE": ["A BUR - PIC"], "GERMANY": ["A MUN - BUR"]})
    return game


def test_orders_sent_in_case_of_a_dislodgement_count_once_there_is_one() -> None:
    before = played()
    again, report = caught_up(before.copy().back_to("F1901M").submit(ATTACK), before)
    fall, retreats, winter = report.phases
    assert (fall.phase, retreats.phase, winter.phase) == ("F1901M", "F1901R", "W1901A")
    assert again.history[1].orders == {"GERMANY": ("A MUN R TYR",)}
    assert ("Germany", "A MUN H: stands", "A MUN H: dislodged") in fall.orders
    assert fall.position[-1] == "Next is F1901R, not W1901A."
    assert retreats.orders == (("Germany", "", "A MUN R TYR: succeeds"),)
    assert winter.left_out == (
        "France: A BUR - PIC is left out of S1902M: no unit stands in BUR",
        "Germany: A MUN - BUR is left out of S1902M: "
        "the unit in MUN belongs to France, not Germany",
    )
    assert (str(again.phase), again.deadline) == ("S1902M", "Sunday")
    assert [one.later for one in again.history[1:]] == [{}, {}]


def test_a_game_stops_where_nobody_knows_where_a_dislodged_unit_goes() -> None:
    before = played()
    changed = before.copy().back_to("F1901M").submit(ATTACK).submit("GERMANY", [], phase="F1901R")
    again, report = caught_up(changed, before)
    assert (report.before, report.now, report.missing) == ("S1902M", "F1901R", ("GERMANY",))
    assert again.later.keys() == {"W1901A", "S1902M"}
    again.submit("GERMANY", ["A MUN D"]).advance()
    assert again.orders == {"FRANCE": ("Build A PAR",), "GERMANY": ("Build A BER",)}


def test_orders_of_a_power_that_had_sent_none_are_not_waited_for() -> None:
    game = dipsat.Game.standard()
    game.advance()
    game.advance()
    again, report = caught_up(game.copy().back_to("S1901M").submit("FRANCE", ["A PAR - BUR"]), game)
    assert report.now == report.before
    assert "A BUR" in again.position.to_dict()["units"]["FRANCE"]
