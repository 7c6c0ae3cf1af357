"""A game of seven powers as environments of PettingZoo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.env_logger import EnvLogger

from dipsat.environments.action_list import deepmind_actions
from dipsat.environments.game_batch import GameBatch
from dipsat.environments.numpy_extra import numpy as np
from dipsat.environments.observations import (
    NO_AREA,
    Turn,
    action_space,
    mask_of,
    observation_space,
    observation_space_of_unit,
    seen_by_all,
)
from dipsat.errors import UnknownNameError
from dipsat.rules import Profile


class PowersEnv(ParallelEnv):  # type: ignore[misc]  # PettingZoo may be missing
    """All powers give all their orders at once; each step is a phase."""

    metadata: dict[str, Any] = {"name": "dipsat_powers_v0", "render_modes": []}  # noqa: RUF012
    render_mode = None

    def __init__(self, until: int, rules: str | Path | Profile) -> None:
        self.games = GameBatch(1, until=until, rules=rules)
        self.possible_agents = [*self.games.powers]
        self.agents: list[str] = []
        self.observation_spaces = {name: observation_space() for name in self.possible_agents}
        self.action_spaces = {name: action_space() for name in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations of a power."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.MultiDiscrete:
        """Return the space of actions of a power."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:
        """Begin a game. Nothing in it is random, so the seed changes nothing."""
        self.games.reset()
        self.agents = [*self.possible_agents]
        return self._seen(), {name: {"illegal": 0} for name in self.agents}

    def _seen(self) -> dict[str, Any]:
        shared = seen_by_all(self.games)
        power = self.possible_agents.index
        return {
            name: {**shared, "action_mask": mask_of(self.games, power(name))}
            for name in self.agents
        }

    def step(self, actions: dict[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        """Adjudicate a phase. A power without actions gives no orders."""
        turn, power = Turn(self.games), self.possible_agents.index
        for name, chosen in actions.items():
            if name not in self.possible_agents:
                raise UnknownNameError("power", name, self.possible_agents)
            turn.order(power(name), chosen)
        outcomes = turn.end()
        ends = {name: outcomes[power(name)] for name in self.agents}
        seen = self._seen()
        self.agents = [name for name, one in ends.items() if not one.terminated | one.truncated]
        return (
            seen,
            {name: one.reward for name, one in ends.items()},
            {name: one.terminated for name, one in ends.items()},
            {name: one.truncated for name, one in ends.items()},
            {name: one.info for name, one in ends.items()},
        )


class UnitsEnv(AECEnv):  # type: ignore[misc]
    """One order after another: each step is the order of a unit, or a build or disband. A phase is
    adjudicated after its last order, and nobody sees the orders of others before."""

    metadata: dict[str, Any] = {"name": "dipsat_units_v0", "render_modes": []}  # noqa: RUF012
    render_mode = None

    def __init__(self, until: int, rules: str | Path | Profile) -> None:
        super().__init__()
        self.games = GameBatch(1, until=until, rules=rules)
        self.possible_agents = [*self.games.powers]
        self.agents: list[str] = []
        own = self.possible_agents
        self.observation_spaces = {name: observation_space_of_unit() for name in own}
        self.action_spaces = {name: spaces.Discrete(len(deepmind_actions())) for name in own}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations of a power."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of actions of a power."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begin a game. Nothing in it is random, so the seed changes nothing."""
        self.games.reset()
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {name: {"illegal": 0} for name in self.agents}
        self._begin()

    def _begin(self) -> None:
        """Begin a phase."""
        self._shared = seen_by_all(self.games)
        self._turn, self._choice = Turn(self.games), 0
        self._select()

    def _select(self) -> None:
        if self._choice < len(self._turn.actions):
            powers = self.games.choices.powers
            self.agent_selection = self.possible_agents[powers[self._choice]]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of a power. The mask is empty if it is not its turn."""
        if self.agent_selection == agent and self._choice < len(self._turn.actions):
            area, mask = self.games.choices.areas[self._choice], self._turn.mask(self._choice)
        else:
            area, mask = np.int64(NO_AREA), np.zeros(len(deepmind_actions()), np.int8)
        return {**self._shared, "area": area, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take the next order. Without a game, warn as PettingZoo's environments do."""
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._turn.actions[self._choice] = action
        self._choice += 1
        self._select()
        if self._choice == len(self._turn.actions):
            outcomes = dict(zip(self.possible_agents, self._turn.end(), strict=True))
            for name in self.agents:
                own = outcomes[name]
                self.rewards[name], self.terminations[name], self.truncations[name], _ = own
                self.infos[name] = own.info
            self._begin()
        self._accumulate_rewards()
        self._deads_step_first()
