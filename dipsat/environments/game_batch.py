"""Many games that advance together, as arrays."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from dipsat.base import brief, checked
from dipsat.environments.board_arrays import board_arrays, units_in
from dipsat.environments.legal_choices import (
    BUILD_PHASE,
    BUILDS,
    RETREAT_PHASE,
    Choices,
    Numbering,
)
from dipsat.environments.numpy_extra import array_of, need, numbers_below, numpy as np
from dipsat.errors import ArgumentError
from dipsat.game import PhaseName, Position, centers_to_win
from dipsat.kernel import BUILD, DISBAND, Batch, LegalOrders, PositionCodes
from dipsat.rules import DEFAULT_RULES, Profile

_SHAPES = {
    "phases": (3,), "counts": (2,), "units": (-1, 4), "dislodged": (-1, 4), "retreats": (-1,),
    "owners": (-1,),
}  # fmt: skip
"""Array of a position -> its shape."""
_MOST_ORDERS = 34  # of all powers in a phase
_UNREACHABLE = 1000  # centres
_WINTER = "W1901A"


@brief("powers", "until")
class GameBatch:
    """Many games on the standard map that advance together, one phase at each step.

    Actions are indices in `deepmind_actions`. A game ends when a power has won, or after the year
    `until`. All arrays are NumPy arrays. Raises `ExtraError` without the packages of the extra
    `environments`, `GameError` for rules that build elsewhere than in home centres or other units,
    and the errors of `dipsat.kernel.Batch`.
    """

    @checked
    def __init__(
        self, count: int, *, until: int = 1910, rules: str | Path | Profile = DEFAULT_RULES
    ) -> None:
        need("numpy")
        if count < 1:
            raise ArgumentError("dipsat.environments.GameBatch", "count", count, "a number from 1")
        self._batch = Batch(rules, "standard")
        numbers, settings = self._batch.numbers, self._batch.rules.settings
        self._numbering = Numbering(numbers)
        self.powers: tuple[str, ...] = numbers.powers
        """The names of the powers, by number."""
        self.actions: Any = self._numbering.actions
        """The actions of `deepmind_actions`, by index."""
        self.until: int = until
        """The last year that is played."""
        self._to_win = centers_to_win(self._batch.map, settings) or _UNREACHABLE
        self._refuse_other_builds()
        start = self._batch.positions([Position.start(self._batch.map)])
        self._start = {
            name: np.array(getattr(start, name)).reshape(1, *shape)
            for name, shape in _SHAPES.items()
        }
        self._now = {name: np.repeat(one, count, 0) for name, one in self._start.items()}
        self._due = np.zeros((count, len(self.powers)), np.int64)  # in the last builds
        self.last_actions: Any = np.zeros((count, _MOST_ORDERS), np.int64)
        """For each game, the actions of the last phase (64 bits), in the order of its choices, then
        zeros. An action that was not legal is 0."""

    def _refuse_other_builds(self) -> None:
        """Raise `GameError` if a power that owns all centres can build what no action stands
        for."""
        board, count = self._batch.map, len(self.powers)
        winter = replace(Position.start(board), phase=PhaseName.parse(_WINTER), units=())
        owned = [
            replace(winter, centers={one: tuple(sorted(board.centers))}) for one in self.powers
        ]
        legal = self._batch.legal_orders(self._batch.positions(owned))
        due, phases = np.asarray(legal.due).reshape(count, -1), np.full(count, BUILD_PHASE)
        units = np.zeros((count, 1, 4), np.int64)
        self._numbering.choices(np.arange(count), phases, units, legal, due)

    def __len__(self) -> int:
        return len(self._due)

    def reset(self, games: Any = None) -> None:
        """Restart games: those with these numbers or where a boolean array is true, or all."""
        which = slice(None)
        if games is not None:
            which = numbers_below(len(self), "GameBatch.reset", "games", games)
        for name, one in self._start.items():
            self._now[name][which] = one
        self._due[which] = 0
        self.last_actions[which] = 0
        self._forget()

    def copies(self, games: Any) -> GameBatch:
        """Return a batch of independent copies of these games. A game may be copied several
        times."""
        games = numbers_below(len(self), "GameBatch.copies", "games", games)
        found = copy(self)
        found._now = {name: one[games].copy() for name, one in self._now.items()}
        found._due, found.last_actions = self._due[games].copy(), self.last_actions[games].copy()
        found._forget()
        return found

    def _forget(self) -> None:
        """Forget the values cached for the previous phase."""
        for name in ("_legal", "choices", "centers"):
            vars(self).pop(name, None)

    @property
    def seasons(self) -> Any:
        """The season of each game: 0 spring moves, 1 spring retreats, 2 autumn moves, 3 autumn
        retreats, 4 builds."""
        season, kind = self._now["phases"][:, 1:].T.astype(np.int64)
        return np.where(kind == BUILD_PHASE, 4, season + (kind == RETREAT_PHASE))

    @property
    def years(self) -> Any:
        """The year of each game."""
        return self._now["phases"][:, 0].astype(np.int64)

    @cached_property
    def centers(self) -> Any:
        """The number of centres of each power in each game."""
        owners = self._now["owners"]
        return np.stack([(owners == at).sum(1) for at in range(len(self.powers))], 1)

    @property
    def alive(self) -> Any:
        """Whether each power has a centre or a unit in each game."""
        found = self.centers > 0
        for name in ("units", "dislodged"):
            games, units = units_in(self._now, name)
            found[games, units[:, 0]] = True
        return found

    @property
    def won(self) -> Any:
        """Whether a power has won each game."""
        return self.centers.max(1) >= self._to_win

    @property
    def done(self) -> Any:
        """Whether each game is over."""
        return self.won | (self.years > self.until)

    @property
    def scores(self) -> Any:
        """The share of each power in each game: 1 for a winner, otherwise in proportion to the
        squares of the numbers of centres."""
        squares = self.centers.astype(float) ** 2
        most = self.centers == self.centers.max(1, keepdims=True)
        return np.where(self.won[:, None], most, squares / squares.sum(1, keepdims=True))

    @cached_property
    def _legal(self) -> LegalOrders:
        """The legal orders of all games that are not over."""
        return self._batch.legal_orders(self._codes(~self.done))

    @cached_property
    def choices(self) -> Choices:
        """The orders due in all games that are not over, with the legal actions."""
        games = np.flatnonzero(~self.done)
        kinds, names = self._now["phases"][games, 2], ("dislodged", "units")
        units = (self._now[name][games] for name in names)
        units = np.where((kinds == RETREAT_PHASE)[:, None, None], *units)
        return self._numbering.choices(games, kinds, units, self._legal, self.build_numbers[games])

    @property
    def build_numbers(self) -> Any:
        """The number of units that each power builds in each game, or disbands if negative. As in
        DeepMind's observations, the disbands of the last build phase stay in other phases."""
        found, games = np.minimum(self._due, 0), np.flatnonzero(~self.done)
        builds = self._now["phases"][games, 2] == BUILD_PHASE
        found[games[builds]] = np.asarray(self._legal.due).reshape(-1, len(self.powers))[builds]
        return found

    @property
    def boards(self) -> Any:
        """The board of each game: 35 flags for each of 81 areas."""
        return board_arrays(self._numbering, self._now, self.choices, self.build_numbers)

    @checked
    def position(self, game: int) -> Position:
        """Return the position of a game."""
        return self._batch.position(self._codes(slice(None)), game)

    def _codes(self, games: Any) -> PositionCodes:
        return PositionCodes(**{name: one[games].ravel() for name, one in self._now.items()})

    @checked
    def step(self, actions: Any, *, threads: int = 1) -> Any:
        """Adjudicate a phase of each game that is not over, and return whether each action was
        legal.

        `actions` has the index of an action for each of `choices`. Without a legal action, a unit
        holds, a dislodged unit disbands, and nothing is built; the rules choose the units to
        remove. The first of several builds or disbands in one province counts.
        """
        choices = self.choices
        taken = array_of(actions)
        if taken.shape != (len(choices),) or taken.dtype.kind not in "iu":
            wanted = f"an array of {len(choices)} whole numbers, one for each of `choices`"
            raise ArgumentError("dipsat.environments.GameBatch.step", "actions", actions, wanted)
        given = np.flatnonzero(choices.actions == np.repeat(taken, choices.counts))
        chosen = choices.choice_of_action[given]
        legal = np.zeros(len(choices), bool)
        legal[chosen] = True
        games, self._due = np.flatnonzero(~self.done), self.build_numbers
        self._now_after(games, self._orders(games, choices, chosen, choices.rows[given]), threads)
        known = np.where(legal, self.actions[np.where(legal, taken, 0)], 0)
        self.last_actions[games] = 0
        self.last_actions[choices.games, _ranks(choices.games)] = known
        return legal

    def _orders(self, games: Any, choices: Choices, chosen: Any, rows: Any) -> Any:
        """The orders of games in the kernel's codes, from orders for some of the choices."""
        found = np.zeros((len(games), self._batch.order_rows, 4), np.uint16)
        places, game = choices.subjects[chosen], choices.games[chosen]
        builds = choices.areas[chosen] == BUILDS
        if builds.any():
            is_one = builds & ((rows[:, 0] == BUILD) | (rows[:, 0] == DISBAND))
            area = self._numbering.main_areas[rows[:, 3]]
            firsts = np.unique((game * 128 + area)[is_one], return_index=True)[1]
            kept = np.sort(np.append(np.flatnonzero(is_one)[firsts], np.flatnonzero(~builds)))
            rows, places, game, builds = rows[kept], places[kept], game[kept], builds[kept]
            places = np.where(builds, _ranks(game), places)
        found[np.searchsorted(games, game), places] = rows
        return found

    def _now_after(self, games: Any, orders: Any, threads: int) -> None:
        after = self._batch.advance(self._codes(games), orders.ravel(), threads=threads).positions
        for name, one in self._now.items():
            one[games] = np.asarray(getattr(after, name)).reshape(len(games), *one.shape[1:])
        self._forget()


def _ranks(games: Any) -> Any:
    """The number of each entry among the entries of its game; games are sorted."""
    return np.arange(len(games)) - np.searchsorted(games, games)
