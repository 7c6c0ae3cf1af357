"""What games offer besides the methods of the package: clones, texts, going back, and scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dipsat.compat.diplomacy import Game as PackageGame
from dipsat.compat.pydipcc import Game
from dipsat.errors import DipsatError, GameError


def played() -> Game:
    """A game after a year, in which France has taken Spain."""
    game = Game()
    for order in ("A MAR - SPA", "A SPA H"):
        game.set_orders("FRANCE", [order])
        game.process()
    assert game.current_short_phase == "W1901A"
    return game


@pytest.mark.parametrize("copied", [Game.clone, Game])
def test_a_copy_is_independent(copied: Callable[[Game], Game]) -> None:
    game = played()
    copy = copied(game)
    assert (copy.game_id, copy.get_units(), copy.powers["ITALY"].game) == (
        game.game_id, game.get_units(), copy,
    )  # fmt: skip
    copy.process()
    assert (game.current_short_phase, copy.current_short_phase) == ("W1901A", "S1902M")
    game.set_units("ITALY", "A TUN")
    assert "A TUN" not in copy.get_units("ITALY")
    assert [*copy.state_history] == [*game.state_history, "W1901A"]


def test_a_game_of_the_package_is_copied() -> None:
    game = PackageGame(judge="diplomacy")
    copy = Game(game)
    copy.set_all_orders({"FRANCE": ["A PAR - BUR"]})
    assert (copy.judge, game.get_orders("FRANCE")) == ("diplomacy", [])


@pytest.mark.parametrize(
    ("given", "named"),
    [((3,), {}), ((), {"draw_on_stalemate_years": 2}), ((), {"is_full_press": 1})],
)
def test_arguments_that_would_have_no_effect_are_refused(
    given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    with pytest.raises(GameError, match=r"draw_on_stalemate_years.*draw\(\)"):
        Game(*given, **named)


def test_clones_are_numbered() -> None:
    game = played()
    game.game_id = "a"
    assert [one.game_id for one in game.clone_n_times(2)] == ["a_0", "a_1"]


def test_a_game_is_read_again_from_its_text() -> None:
    game = played()
    again = Game.from_json(game.to_json())
    assert isinstance(again, Game)
    assert again.get_all_phase_names() == ["S1901M", "F1901M", "W1901A"]
    assert again.get_units() == game.get_units()
    again.process()
    assert again.powers["FRANCE"].game is again
    assert game.current_short_phase == "W1901A"


@pytest.mark.parametrize("text", ["{", "[]", '{"id": 1}'])
def test_a_text_that_is_not_a_game_is_refused(text: str) -> None:
    with pytest.raises(DipsatError, match="the text"):
        Game.from_json(text)


def test_going_back_to_the_start_of_a_phase_takes_back_its_orders() -> None:
    start = played().rolled_back_to_phase_start("F1901M")
    assert start.get_all_phase_names() == ["S1901M", "F1901M"]
    assert start.get_orders("FRANCE") == []
    assert "A SPA" in start.get_units("FRANCE")
    assert start.get_centers("FRANCE") == ["BRE", "MAR", "PAR"]
    assert start.current_year == 1901


def test_going_back_to_the_end_of_a_phase_keeps_its_orders() -> None:
    end = played().rolled_back_to_phase_end("S1901M")
    assert end.get_orders("FRANCE") == ["A MAR - SPA"]
    end.process()
    assert "A SPA" in end.get_units("FRANCE")


def test_a_phase_that_was_not_played_is_refused() -> None:
    with pytest.raises(GameError, match="no phase 'S1902M'; it has S1901M, F1901M, W1901A"):
        played().rolled_back_to_phase_start("S1902M")


def test_a_game_that_is_over_can_be_rolled_back() -> None:
    game = played()
    game.draw()
    assert (game.is_game_done, game.current_year) == (True, 1901)
    back = game.rolled_back_to_phase_start("S1901M")
    assert not back.is_game_done
    back.process()
    assert back.current_short_phase == "F1901M"


def owning(**counts: int) -> Game:
    """A game in which powers own these numbers of centres, and other powers none."""
    game, left = Game(), iter(Game().map.scs)
    for power in game.powers:
        game.powers[power].centers = [next(left) for _ in range(counts.get(power, 0))]
    return game


def test_scores_are_shares_of_the_squares_or_the_same_for_all_who_are_left() -> None:
    game = owning(AUSTRIA=8, ENGLAND=9, GERMANY=1, RUSSIA=9, TURKEY=7)
    squares = 64 + 81 + 1 + 81 + 49
    assert game.get_scores() == [one / squares for one in (64, 81, 0, 1, 0, 81, 49)]
    assert game.get_scores(Game.SCORING_DSS) == [0.2, 0.2, 0, 0.2, 0, 0.2, 0.2]
    assert game.get_alive_powers() == ["AUSTRIA", "ENGLAND", "GERMANY", "RUSSIA", "TURKEY"]


def test_a_winner_takes_all() -> None:
    assert owning(ITALY=18, TURKEY=16).get_scores() == [0, 0, 0, 0, 1, 0, 0]


def test_all_orders_are_replaced() -> None:
    game = Game()
    game.set_orders("FRANCE", ["A PAR - BUR"])
    game.set_all_orders({"ITALY": ["A ROM - APU"]})
    assert (game.get_orders("FRANCE"), game.get_orders("ITALY")) == ([], ["A ROM - APU"])
