"""The environments pass the tests of the libraries whose interfaces they offer."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Any

import pytest

import dipsat
from dipsat.environments import numpy_extra, parallel_env, power_env, unit_env
from dipsat.errors import ArgumentError, ExtraError, GameError, UnknownNameError
from tests.environments.published_actions import BUILDS, WAIVE, at, index_of

pytestmark = pytest.mark.extra
needs_extra = pytest.mark.skipif(
    find_spec("pettingzoo") is None or find_spec("gymnasium") is None,
    reason="the extra environments is not installed",
)
# Mere advice of the libraries, such as names like `player_0` for agents.
advice = pytest.mark.filterwarnings("ignore::UserWarning")


@needs_extra
@advice
def test_all_powers_at_once_pass_the_tests_of_pettingzoo() -> None:
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    parallel_api_test(parallel_env(until=1903), num_cycles=30)
    parallel_seed_test(lambda: parallel_env(until=1902), num_cycles=20)


@needs_extra
@advice
def test_unit_by_unit_passes_the_tests_of_pettingzoo() -> None:
    from pettingzoo.test import api_test, seed_test

    api_test(unit_env(until=1902), num_cycles=60)
    seed_test(lambda: unit_env(until=1902), num_cycles=20)


@needs_extra
@advice
def test_one_power_passes_the_check_of_gymnasium() -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(power_env("FRANCE", until=1902))


def to_the_end(env: Any) -> tuple[dict[str, float], set[str], set[str]]:
    """The rewards of a game of random legal actions, and the agents terminated and truncated."""
    seen, _ = env.reset()
    rewards, ended, cut = dict.fromkeys(env.agents, 0.0), set[str](), set[str]()
    while env.agents:
        for name in env.agents:
            assert env.observation_space(name).contains(seen[name])
        actions = {
            name: env.action_space(name).sample(seen[name]["action_mask"]) for name in env.agents
        }
        seen, reward, terminated, truncated, told = env.step(actions)
        assert not any(one["illegal"] for one in told.values())
        for name, one in reward.items():
            rewards[name] += one
        ended |= {name for name, one in terminated.items() if one}
        cut |= {name for name, one in truncated.items() if one}
    return rewards, ended, cut


@needs_extra
def test_the_reward_is_the_score_at_the_end() -> None:
    env = parallel_env(until=1902)
    rewards, ended, cut = to_the_end(env)
    assert (ended, cut) == (set(), {*env.possible_agents})
    centers = env.games.position(0).centers
    squares = {name: len(centers.get(name, ())) ** 2 for name in env.possible_agents}
    assert rewards == pytest.approx({n: s / sum(squares.values()) for n, s in squares.items()})


@needs_extra
def test_illegal_actions_are_counted() -> None:
    env = parallel_env()
    seen, _ = env.reset()
    actions = {
        name: env.action_space(name).sample(one["action_mask"]) for name, one in seen.items()
    }
    actions["FRANCE"] = actions["FRANCE"] * 0  # "Bohemia holds" for three units elsewhere
    del actions["ITALY"]  # Italy gives no orders
    *_, told = env.step(actions)
    assert {name: one["illegal"] for name, one in told.items() if one["illegal"]} == {"FRANCE": 3}


@needs_extra
def test_units_are_ordered_one_after_the_other() -> None:
    env = unit_env()
    env.reset()
    order = []
    for _ in range(22):
        seen, *_ = env.last()
        order.append(env.agent_selection)
        assert not env.observe("TURKEY" if order[-1] != "TURKEY" else "ITALY")["action_mask"].any()
        env.step(int(seen["action_mask"].nonzero()[0][0]))
    assert order == [name for name in env.agents for _ in range(4 if name == "RUSSIA" else 3)]
    assert env.last()[0]["season"] == 2


@needs_extra
def test_a_province_is_offered_for_one_build() -> None:
    """France has taken Spain and Portugal. When it has built in Brest, Marseilles is left."""
    env = unit_env()
    env.reset()
    moves = {
        (0, at("MAR")): index_of(4, "MAR", "SPA"),
        (0, at("BRE")): index_of(4, "BRE", "MAO"),
        (2, at("MAO")): index_of(4, "MAO", "POR"),
    }
    while (seen := env.last()[0])["season"] != 4:
        hold = int(seen["action_mask"].nonzero()[0][0])
        env.step(moves.get((int(seen["season"]), int(seen["area"])), hold))
    in_brest = {index_of(10, "BRE"), index_of(11, "BRE")}
    in_marseilles = {index_of(10, "MAR"), index_of(11, "MAR")}
    assert {*seen["action_mask"].nonzero()[0]} == {*in_brest, *in_marseilles, WAIVE}
    env.step(index_of(11, "BRE"))
    seen = env.last()[0]
    assert (env.agent_selection, seen["area"]) == ("FRANCE", BUILDS)
    assert {*seen["action_mask"].nonzero()[0]} == {*in_marseilles, WAIVE}
    env.step(WAIVE)
    assert env.last()[0]["build_numbers"].tolist() == [0] * 7


@needs_extra
def test_other_powers_follow_a_policy() -> None:
    """Here they all hold: the first legal action of a unit is its hold."""

    def holds(seen: dict[str, Any]) -> list[int]:
        return [int(one.nonzero()[0][0]) for one in seen["action_mask"]]

    env = power_env("FRANCE", holds)
    seen, _ = env.reset(seed=1)
    before = env.games.position(0)
    env.step(holds(seen))
    assert env.games.position(0).units == before.units


@needs_extra
def test_one_power_cannot_step_without_a_game() -> None:
    env = power_env("FRANCE", until=1901)
    for _ in range(2):
        with pytest.raises(GameError, match=r"call reset\(\)"):
            env.step([WAIVE] * 17)
        env.reset(seed=1)
        is_over = False
        while not is_over:
            _, _, terminated, truncated, _ = env.step([WAIVE] * 17)
            is_over = terminated or truncated


@needs_extra
def test_a_step_of_a_unit_without_a_game_warns(caplog: pytest.LogCaptureFixture) -> None:
    env = unit_env(until=1901)
    env.step(WAIVE)
    env.reset()
    for _ in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else int(seen["action_mask"].argmax()))
    env.step(WAIVE)
    assert [one.levelname for one in caplog.records] == ["WARNING"] * 2
    assert "reset()" in caplog.text


@needs_extra
def test_an_unknown_power_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown power 'FRNCE'; did you mean FRANCE"):
        power_env("FRNCE")
    assert power_env("France").power == "FRANCE"


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numpy_extra, "find_spec", lambda name: None)
    with pytest.raises(ExtraError, match="needs numpy, gymnasium, pettingzoo:"):
        parallel_env()
    with pytest.raises(ExtraError, match=re.escape("numpy: pip install 'dipsat[environments]'")):
        dipsat.environments.GameBatch(1)


@needs_extra
@pytest.mark.parametrize("actions", [[1], 5, None, [0.5] * 17, "A PAR H", [[1] * 17]])
def test_actions_of_another_form_are_refused(actions: Any) -> None:
    env = parallel_env(until=1901)
    env.reset(seed=1)
    with pytest.raises(ArgumentError, match="17 whole numbers"):
        env.step({"FRANCE": actions})
    with pytest.raises(UnknownNameError, match="FRANCE"):
        env.step({"FRANK": [0] * 17})
