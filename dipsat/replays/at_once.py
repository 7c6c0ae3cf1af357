"""The movement phases of a recorded game, adjudicated at once by compiled equations."""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.formats.records import RecordedGame, recorded_position
from dipsat.game.phase_name import PhaseKind
from dipsat.kept import kept_on_first
from dipsat.kernel.batch import Batch
from dipsat.kernel.board_outcome import BoardOutcome
from dipsat.profiles.profile import Profile


def moved_at_once(game: RecordedGame, profile: Profile) -> Mapping[int, BoardOutcome]:
    """Identity of a recorded movement phase -> its outcome. Empty if the equations are not
    compiled, or if something in the game is an error, which is found again phase by phase."""
    try:
        batch = _batch(profile, game.board)
        if not batch.native:
            return {}
        found = [
            (record, recorded_position(game.board, before, phase, {}).with_words(profile.words))
            for record in game.phases
            if (phase := (before := record.before).phase) is not None
            and phase.kind is PhaseKind.MOVEMENT
            and not (record.fault or record.is_incomplete)
        ]
        boards = ((position, record.orders) for record, position in found)
        result = batch.adjudicate(batch.encode(boards))
    except DipsatError:
        return {}
    return {
        id(record): BoardOutcome(result, at, position, profile)
        for at, (record, position) in enumerate(found)
    }


@kept_on_first(4)
def _batch(profile: Profile, board: Map) -> Batch:
    return Batch(profile, board)
