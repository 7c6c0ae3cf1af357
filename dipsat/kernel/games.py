"""Whole games that were played with orders at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dipsat.errors import ArgumentError
from dipsat.errors.arguments import checked
from dipsat.game.position import Position
from dipsat.kernel.arrays import new_array, rows_of
from dipsat.kernel.game_library import GameLibrary, Limits
from dipsat.kernel.later_phases import GamesInPlay
from dipsat.kernel.numbers import NOBODY
from dipsat.kernel.position_coder import PositionCoder
from dipsat.kernel.position_codes import (
    PositionCodes,
    positions_as_arrays,
    selected,
)
from dipsat.orders.order import Order
from dipsat.values import brief


@brief()
@dataclass(frozen=True)
class PlayedPhase:
    """One phase of all games that were still going on."""

    games: Sequence[int]
    """The numbers of these games."""
    positions: PositionCodes
    """The position of each before the phase."""
    orders: Sequence[int]
    """The orders of each, `Batch.order_rows` rows of four numbers: in a movement phase one for each
    unit, in a retreat phase one for each dislodged unit, in an adjustment phase one for each build
    or disband and then, if there is room, one of zeros."""


@brief()
@dataclass(frozen=True)
class Games:
    """Games played with orders at random. Made by `Batch.play`. They are numbered from 0."""

    positions: PositionCodes
    """How each game ended: the position after its last phase."""
    winners: Sequence[int]
    """For each game, the number of the power that has won, 255 if none has."""
    phases: Sequence[int]
    """For each game, how many phases were played."""
    by_python: Sequence[int]
    """For each game, how many of its phases dipsat's Python has adjudicated because the compiled
    code cannot."""
    record: Sequence[PlayedPhase]
    """Every phase of all games if it was asked for, else empty."""
    _coder: PositionCoder = field(repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.positions)

    @checked
    def winner(self, game: int) -> str | None:
        """Return the power that has won a game, None if none has."""
        self._check("winner", game)
        number = self.winners[game]
        return None if number == NOBODY else self._coder.numbers.powers[number]

    @checked
    def position(self, game: int) -> Position:
        """Return the position after the last phase of a game."""
        self._check("position", game)
        return self._coder.decode(self.positions, game)

    @checked
    def centers(self, game: int) -> dict[str, int]:
        """Return power -> how many centres it owns at the end of a game, for every power of the
        map."""
        self._check("centers", game)
        numbers = self._coder.numbers
        count = len(numbers.provinces)
        owners = bytes(self.positions.owners[count * game : count * (game + 1)])
        return {power: owners.count(at) for at, power in enumerate(numbers.powers)}

    @checked
    def history(self, game: int) -> list[tuple[Position, dict[str, list[Order]]]]:
        """Return the position and the orders of every phase of a game, as `dipsat.adjudicate` takes
        them. Raises `ArgumentError` if no record was asked for."""
        self._check("history", game)
        if not self.record and self.phases[game]:
            raise ArgumentError("dipsat.Games.history", "game", game, "a game with a record")
        found, rows = [], 4 * self._coder.rows
        for phase in self.record[: self.phases[game]]:
            at = phase.games.index(game)
            position = self._coder.decode(phase.positions, at)
            orders = phase.orders[rows * at : rows * (at + 1)]
            found.append((position, self._coder.orders_of(position, orders)))
        return found

    def _check(self, method: str, game: int) -> None:
        if not 0 <= game < len(self):
            wanted = f"the number of a game, from 0 to {len(self) - 1}"
            raise ArgumentError(f"dipsat.Games.{method}", "game", game, wanted)


def play_games(
    coder: PositionCoder,
    library: GameLibrary | None,
    positions: PositionCodes,
    limits: Limits,
    is_recorded: bool,
    threads: int,
) -> Games:
    """Play games from positions, which are changed. Raises the errors of `Batch.play`."""
    playing = GamesInPlay(coder, library, positions, limits)
    games, record = playing.games, list[PlayedPhase]()
    if not is_recorded:
        playing.play(limits.most_phases, threads)
    while is_recorded:
        before = positions_as_arrays(positions, coder.numbers)
        already = new_array(games.played, "I", "phases")
        playing.play(len(record) + 1, threads)
        which = [at for at, count in enumerate(games.played) if count > already[at]]
        if not which:
            break
        orders = rows_of(games.orders, which, 4 * coder.rows, "H")
        record.append(PlayedPhase(which, selected(before, which, coder.numbers), orders))
    return Games(positions, games.winners, games.played, playing.by_python, tuple(record), coder)


@brief()
@dataclass(frozen=True)
class Advanced:
    """The positions after one phase. Made by `Batch.advance`."""

    positions: PositionCodes
    """For each position, that of the next phase."""
    by_python: Sequence[int]
    """The numbers of those that dipsat's Python has adjudicated because the compiled code
    cannot."""
