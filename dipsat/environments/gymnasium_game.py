"""A game of one power against the others as an environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gymnasium import Env

from dipsat.environments.game_batch import GameBatch
from dipsat.environments.observations import (
    Turn,
    action_space,
    mask_of,
    observation_space,
    seen_by_all,
)
from dipsat.errors import GameError
from dipsat.rules import Profile


class PowerEnv(Env):  # type: ignore[misc]  # Gymnasium may be missing
    """One power gives its orders. The others follow a policy, or give legal orders at random."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        power: str,
        policy: Callable[[dict[str, Any]], Any] | None,
        until: int,
        rules: str | Path | Profile,
    ) -> None:
        self.games = GameBatch(1, until=until, rules=rules)
        self.power = power
        self._number = self.games.powers.index(power)
        self._policy = policy
        self._is_over = True
        self.observation_space = observation_space()
        self.action_space = action_space()

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game. The seed is for random orders."""
        super().reset(seed=seed)
        self.games.reset()
        self._is_over = False
        return self._seen(self._number), {"illegal": 0}

    def _seen(self, power: int) -> dict[str, Any]:
        return {**seen_by_all(self.games), "action_mask": mask_of(self.games, power)}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Adjudicate a phase. Raises `GameError` before `reset` and after the end of a game."""
        if self._is_over:
            raise GameError("no game is being played: call reset()")
        turn, choices = Turn(self.games), self.games.choices
        if self._policy is None:
            turn.actions[:] = choices.drawn(self.np_random)
        else:
            for power in {*choices.powers.tolist()} - {self._number}:
                turn.order(power, self._policy(self._seen(power)))
        turn.order(self._number, action)
        outcome = turn.end()[self._number]
        self._is_over = outcome.terminated or outcome.truncated
        return (self._seen(self._number), *outcome)
