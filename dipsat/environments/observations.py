"""Observations and actions of a power, as spaces of Gymnasium."""

from __future__ import annotations

from typing import Any, NamedTuple

from gymnasium import spaces

from dipsat.environments.action_list import PROVINCE, ActionKind, deepmind_actions
from dipsat.environments.board_arrays import AREAS, FLAGS
from dipsat.environments.game_batch import GameBatch
from dipsat.environments.legal_choices import BUILDS
from dipsat.environments.numpy_extra import array_of, numpy as np
from dipsat.errors import ArgumentError

ORDERS = 17
"""The most orders of a power in a phase."""
NO_AREA = -1
"""The area for a power that has nothing to order now."""
_SEASONS, _POWERS, _CENTERS, _LAST = 5, 7, 34, 34
_WAIVE = next(at for at, one in enumerate(deepmind_actions()) if one & 0xFF == ActionKind.WAIVE)
"""The action for no order."""


def action_space() -> spaces.MultiDiscrete:
    """The actions of a power: one for each order due, sorted by area, then waivers."""
    return spaces.MultiDiscrete([len(deepmind_actions())] * ORDERS)


def _space(**others: spaces.Space[Any]) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (AREAS, FLAGS), np.uint8),
            "season": spaces.Discrete(_SEASONS),
            "build_numbers": spaces.Box(-_CENTERS, _CENTERS, (_POWERS,), np.int64),
            "last_actions": spaces.Box(0, 2**63 - 1, (_LAST,), np.int64),
            **others,
        }
    )


def observation_space() -> spaces.Dict:
    """The observation of a power that gives all its orders at once."""
    mask = [spaces.MultiBinary(len(deepmind_actions())) for _ in range(ORDERS)]
    return _space(action_mask=spaces.Tuple(mask))


def observation_space_of_unit() -> spaces.Dict:
    """The observation of a power that gives one order after another."""
    mask = spaces.MultiBinary(len(deepmind_actions()))
    return _space(action_mask=mask, area=spaces.Discrete(AREAS + 2, start=BUILDS))


def seen_by_all(games: GameBatch) -> dict[str, Any]:
    """The part of the first game that every power sees."""
    return {
        "observation": games.boards[0],
        "season": games.seasons[0],
        "build_numbers": games.build_numbers[0],
        "last_actions": games.last_actions[0].copy(),
    }


def due_from(games: GameBatch, power: int) -> Any:
    """The choices due from a power in the first game."""
    return np.flatnonzero(games.choices.powers == power)[:ORDERS]


def mask_of(games: GameBatch, power: int) -> tuple[Any, ...]:
    """The mask of a power for all its orders in the first game."""
    due = due_from(games, power)
    found = np.zeros((ORDERS, len(deepmind_actions())), np.int8)
    found[: len(due)] = games.choices.mask(due)
    found[len(due) :, _WAIVE] = 1
    return tuple(found)


class Outcome(NamedTuple):
    """The result of a phase for a power."""

    reward: float
    """Its score at the end of the game, 0 before that."""
    terminated: bool
    """Whether a power has won, or this one is eliminated."""
    truncated: bool
    """Whether the last year is over and the power is not `terminated`."""
    info: dict[str, Any]
    """The number of its actions that were not legal."""


class Turn:
    """The orders of all powers for a phase of the first game, until it is adjudicated."""

    def __init__(self, games: GameBatch) -> None:
        self._games = games
        self.actions = np.full(len(games.choices), -1, np.int64)
        """An action for each choice, -1 until it is chosen."""

    def order(self, power: int, actions: Any) -> None:
        """Take all actions of a power."""
        due, chosen = due_from(self._games, power), array_of(actions)
        if chosen.ndim != 1 or len(chosen) < len(due) or chosen.dtype.kind not in "iu":
            wanted = f"a list of {ORDERS} whole numbers, one for each order"
            raise ArgumentError("step", "actions", actions, wanted)
        self.actions[due] = chosen[: len(due)]

    def mask(self, choice: int) -> Any:
        """The mask of the legal actions of a choice. For builds and disbands, it leaves out
        provinces that the power has chosen already."""
        choices, known = self._games.choices, self._games.actions
        found = choices.mask([choice])[0]
        if choices.areas[choice] == BUILDS:
            own = choices.powers == choices.powers[choice]
            taken = self.actions[own & (self.actions >= 0) & (self.actions != _WAIVE)]
            ordered = np.isin(known & PROVINCE, known[taken] & PROVINCE)
            ordered[_WAIVE] = False
            found[ordered] = 0
        return found

    def end(self) -> list[Outcome]:
        """Adjudicate, and return the result for each power."""
        games, powers = self._games, self._games.choices.powers
        faults = powers[~games.step(self.actions) & (self.actions >= 0)]
        over, won, alive = games.done[0], games.won[0], games.alive[0]
        return [
            Outcome(
                float(games.scores[0, power]) if over else 0.0,
                bool(won or not alive[power]),
                bool(over and not won and alive[power]),
                {"illegal": int((faults == power).sum())},
            )
            for power in range(_POWERS)
        ]
