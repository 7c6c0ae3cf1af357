"""The outcome of one board of a batch, as far as it is known without orders and reasons."""

from __future__ import annotations

from functools import cached_property

from dipsat.game.next_phase import following
from dipsat.game.position import Position, Unit
from dipsat.kernel.results import BatchResult
from dipsat.profiles.profile import Profile
from dipsat.proof.outcome import Dislodgement


class BoardOutcome:
    """What comes of a board: the units after the phase, those that are dislodged, and the next
    position; the same as of the `MovementOutcome`."""

    def __init__(
        self, result: BatchResult, board: int, position: Position, profile: Profile
    ) -> None:
        self._result = result
        self._board = board
        self.position = position
        self.profile = profile

    @cached_property
    def units_after(self) -> tuple[Unit, ...]:
        """The units after the phase, sorted by location, without the dislodged ones."""
        return self._result.after(self._board)

    @cached_property
    def dislodged(self) -> tuple[Dislodgement, ...]:
        """The dislodged units, each with its attacker and its possible retreats."""
        return self._result.dislodged(self._board)

    @cached_property
    def next(self) -> Position:
        """The position of the next phase: the retreat phase if any unit can retreat."""
        lost = self._result.lost(self._board)
        return following(self.position, self.units_after, lost, self.profile.settings)
