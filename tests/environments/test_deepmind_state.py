"""Games with the methods that DeepMind's agents call."""

from __future__ import annotations

from enum import Enum
from itertools import pairwise
from random import Random

import pytest

from dipsat.environments import DeepMindState, Season
from tests.environments.published_actions import PROVINCES

np = pytest.importorskip("numpy", reason="the extra environments is not installed")
pytestmark = pytest.mark.extra


def test_the_first_phase_has_the_actions_of_all_units() -> None:
    state = DeepMindState()
    legal = state.legal_actions()
    assert [len({one >> 9 & 127 for one in own}) for own in legal] == [3, 3, 3, 3, 3, 4, 3]
    observation = state.observation()
    assert observation.season is Season.SPRING_MOVES
    assert observation.board.shape == (81, 35)
    assert observation.build_numbers.tolist() == [0] * 7
    assert observation.last_actions == []
    assert not state.is_terminal()
    assert state.returns().tolist() == [0] * 7


def test_a_season_equals_that_of_the_agents_program() -> None:
    class Theirs(Enum):
        SPRING_MOVES = 0
        BUILDS = 4

    assert Season.SPRING_MOVES == Theirs.SPRING_MOVES
    assert Theirs.BUILDS == Season.BUILDS
    assert Season.SPRING_MOVES != Theirs.BUILDS
    assert Season.AUTUMN_RETREATS.is_retreats()
    assert Season.AUTUMN_MOVES.is_moves()
    assert Season.BUILDS.is_builds()


def test_actions_may_come_in_any_order_and_are_seen_in_the_next_phase() -> None:
    """Each unit is found by its province."""
    state = DeepMindState()
    move = next(
        one
        for one in state.legal_actions()[2]
        if one & 0xFFFFFF == 4 | PROVINCES.index("PAR") << 9 | PROVINCES.index("BUR") << 17
    )
    hold = next(
        one for one in state.legal_actions()[2] if one & 0xFFFFFF == 3 | PROVINCES.index("MAR") << 9
    )
    state.step([[], [], [hold, move], [], [], [], []])
    assert state.observation().last_actions == [hold, move]
    assert "A BUR" in state.games.position(0).to_dict()["units"]["FRANCE"]


def test_a_game_of_legal_actions_ends_with_a_score_for_each_power() -> None:
    generator, state = Random(1), DeepMindState(until=1903)
    seasons = []
    while not state.is_terminal():
        seasons.append(state.observation().season.value)
        legal = state.legal_actions()
        if state.observation().season.is_builds():
            due = np.abs(state.observation().build_numbers).tolist()
            state.step([generator.sample(own, n) for n, own in zip(due, legal, strict=True)])
            continue
        places = [sorted({one >> 9 & 127 for one in own}) for own in legal]
        state.step(
            [
                [generator.choice([a for a in own if a >> 9 & 127 == place]) for place in listed]
                for own, listed in zip(legal, places, strict=True)
            ]
        )
    assert all(one != then for one, then in pairwise(seasons))
    assert sum(state.returns()) == pytest.approx(1)
