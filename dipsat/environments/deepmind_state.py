"""A game with the protocol `DiplomacyState` of DeepMind's agents."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from dipsat.base import brief, checked
from dipsat.environments.action_list import INDEX_BITS, PROVINCE
from dipsat.environments.game_batch import GameBatch
from dipsat.environments.legal_choices import BUILDS
from dipsat.environments.numpy_extra import numpy as np
from dipsat.rules import DEFAULT_RULES, Profile


class Season(Enum):
    """The seasons of observations. They equal any season with the same name, so that agents can
    compare them with their own."""

    SPRING_MOVES = 0
    """Movement in spring."""
    SPRING_RETREATS = 1
    """Retreats after it."""
    AUTUMN_MOVES = 2
    """Movement in autumn."""
    AUTUMN_RETREATS = 3
    """Retreats after it."""
    BUILDS = 4
    """Builds and disbands in winter."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Enum) and self.name == other.name

    __hash__ = Enum.__hash__

    def is_moves(self) -> bool:
        """Return whether units move."""
        return self.name.endswith("MOVES")

    def is_retreats(self) -> bool:
        """Return whether units retreat."""
        return self.name.endswith("RETREATS")

    def is_builds(self) -> bool:
        """Return whether units are built and disbanded."""
        return self is Season.BUILDS


@brief("season")
class Observation(NamedTuple):
    """The part of the game that all powers see."""

    season: Season
    """The season."""
    board: Any
    """35 flags for each of 81 areas."""
    build_numbers: Any
    """Each power's number of builds; negative for disbands (`GameBatch.build_numbers`)."""
    last_actions: list[int]
    """The actions of the last phase, power by power."""


@brief("games")
class DeepMindState:
    """A game with the methods that DeepMind's agents call.

    Actions are 64-bit numbers (`deepmind_actions`). See `GameBatch` for the arguments.
    """

    def __init__(self, until: int = 1910, rules: str | Path | Profile = DEFAULT_RULES) -> None:
        self.games: GameBatch = GameBatch(1, until=until, rules=rules)
        """The game, as the only one of its batch."""
        self._last_actions: list[int] = []

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return bool(self.games.done[0])

    def observation(self) -> Observation:
        """Return the observation of all powers."""
        games = self.games
        season = Season(int(games.seasons[0]))
        return Observation(season, games.boards[0], games.build_numbers[0], self._last_actions)

    def legal_actions(self) -> list[list[int]]:
        """Return the legal actions of all units of each power."""
        choices, known = self.games.choices, self.games.actions
        owner = choices.powers[choices.choice_of_action]
        own = (np.unique(choices.actions[owner == at]) for at in range(len(self.games.powers)))
        return [known[one].tolist() for one in own]

    def returns(self) -> Any:
        """Return the score of each power (`GameBatch.scores`), or zeros before the end."""
        return self.games.scores[0] * self.is_terminal()

    @checked
    def step(self, actions_per_player: Sequence[Sequence[int]]) -> None:
        """Adjudicate a phase, with the actions of each power."""
        choices, taken = self.games.choices, np.full(len(self.games.choices), -1, np.int64)
        bits = self.games.actions[choices.actions[choices.starts[:-1]]]
        province = np.where(choices.areas == BUILDS, BUILDS, bits & PROVINCE)
        for power, actions in enumerate(actions_per_player):
            for action in map(int, actions or ()):
                of_unit = province == action & PROVINCE
                own = (of_unit | (province == BUILDS)) & (choices.powers == power) & (taken < 0)
                taken[np.flatnonzero(own)[:1]] = action >> INDEX_BITS
        self.games.step(taken)
        self._last_actions = [int(one) for own in actions_per_player for one in own or ()]
