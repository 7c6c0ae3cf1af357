"""Games with the additional methods of `pydipcc.Game`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, ClassVar

from dipsat.compat.package_game import Game as _Game
from dipsat.compat.phase_data import GamePhaseData, History
from dipsat.compat.saved_exchange import read_saved_game, to_saved_game_format
from dipsat.errors import GameError
from dipsat.formats import parse_json

_TEXT = "the text"


class Game(_Game):
    """A game of the package `diplomacy` that can be cloned, rolled back and scored."""

    SCORING_SOS: ClassVar[int] = 0
    """Scores in proportion to the squares of the numbers of centres."""
    SCORING_DSS: ClassVar[int] = 1
    """The same score for each power with a centre."""

    def __init__(self, game: _Game | None = None, **given: Any) -> None:
        """Begin a game with the arguments of the package's `Game`, or make an independent copy of
        `game`. Raises `GameError` for the other arguments of `pydipcc.Game`."""
        if game is None and "draw_on_stalemate_years" not in given and "is_full_press" not in given:
            super().__init__(**given)
        elif isinstance(game, _Game) and not given:
            vars(self).update(vars(deepcopy(game)))
            for power in self.powers.values():
                power.game = self
        else:
            raise GameError(
                "pydipcc.Game takes a game to copy, or arguments of the package's Game by name; "
                "dipsat has neither draw_on_stalemate_years nor is_full_press: end a game by draw()"
            )

    def clone(self) -> Game:
        """Return an independent copy."""
        return deepcopy(self)

    def clone_n_times(self, n_repeats: int) -> list[Game]:
        """Return copies, whose ids end with their numbers."""
        found = [self.clone() for _ in range(n_repeats)]
        for at, game in enumerate(found):
            game.game_id += f"_{at}"
        return found

    def to_json(self) -> str:
        """Return the game as a saved game in JSON."""
        return json.dumps(to_saved_game_format(self))

    @classmethod
    def from_json(cls, text: str) -> Game:
        """Return the game saved by `to_json` or by the package `diplomacy`.

        Raises `FileError` or `DocumentError` if the text is not a saved game."""
        return cls(read_saved_game(parse_json(text, _TEXT), _TEXT))

    def rolled_back_to_phase_start(self, phase: str) -> Game:
        """Return the game as it was when a phase began, without its orders and messages. Raises
        `GameError` for a phase that has not been played."""
        return self._rolled_back(phase, is_at_end=False)

    def rolled_back_to_phase_end(self, phase: str) -> Game:
        """Return the game as it was before a phase was adjudicated, with its orders and messages.
        Raises `GameError` for a phase that has not been played."""
        return self._rolled_back(phase, is_at_end=True)

    def _rolled_back(self, phase: str, is_at_end: bool) -> Game:
        found, names = self.clone(), self.get_all_phase_names()
        if phase not in names:
            raise GameError(f"the game has no phase {phase!r}; it has {', '.join(names)}")
        *earlier, last = found.get_all_phases()[: names.index(phase) + 1]
        if not is_at_end:
            last = GamePhaseData(phase, last.state, {}, {}, History(), **last.extras)
        found.set_phase_data([*earlier, last])
        if phase != names[-1]:
            found.status, found.outcome = "active", []
        return found

    def get_all_phases(self) -> list[GamePhaseData]:
        """Return the phases of the history and the current one."""
        return [*self.get_phase_history(), self.get_phase_data()]

    def get_all_phase_names(self) -> list[str]:
        """Return the short names of the phases of the history and of the current one."""
        return [*self.state_history, self.current_short_phase]

    @property
    def current_year(self) -> int:
        """The year of the phase, or of the last phase if the game is over."""
        played = (name for name in reversed(self.get_all_phase_names()) if name[1:-1].isdecimal())
        return int(next(played)[1:-1])

    def set_all_orders(self, orders: Mapping[str, Iterable[str]]) -> None:
        """Replace the orders of all powers."""
        self.clear_orders()
        for power, own in orders.items():
            self.set_orders(power, own)

    def get_scores(self, scoring_system: int = SCORING_SOS) -> list[float]:
        """Return the score of each power: 1 for a winner, otherwise by the scoring system. The sum
        is 1."""
        owned = [len(power.centers) for power in self.powers.values()]
        if max(owned) >= self.win:
            return [float(count >= self.win) for count in owned]
        if scoring_system == self.SCORING_DSS:
            owned = [int(count > 0) for count in owned]
        squares = [count**2 for count in owned]
        return [one / sum(squares) for one in squares]

    def get_alive_powers(self) -> list[str]:
        """Return the powers that own a centre."""
        return [name for name, power in self.powers.items() if power.centers]
