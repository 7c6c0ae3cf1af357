"""Games as files of other programs record them: positions, orders and results.

A record is only what a file says. Whether its judge followed the rules is another question; see
`dipsat.surveys`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from dipsat.board.map import Map
from dipsat.game.phase_name import PhaseName
from dipsat.game.position import (
    DislodgedUnit,
    Owners,
    Position,
    Unit,
    owners_stated,
    possible_retreats,
)
from dipsat.orders.verbs import NO_WORDS, Words
from dipsat.values import FrozenDict


class RecordedState(NamedTuple):
    """The board at the beginning of a phase, as a file states it.

    `phase` is None when the game is over. `units` and `dislodged` are sorted by location; `centers`
    (power -> owned centres) is None if the file does not state them, `unknown` has the centres of
    which it says that the owner is unknown; `retreats` maps a dislodged unit's text (`A BEL`) to
    the locations that it may retreat to, if the file states them.
    """

    phase: PhaseName | None
    units: tuple[Unit, ...]
    centers: Mapping[str, tuple[str, ...]] | None = None
    dislodged: tuple[Unit, ...] = ()
    retreats: Mapping[str, tuple[str, ...]] = FrozenDict()
    unknown: tuple[str, ...] = ()

    @property
    def states_owners(self) -> bool:
        """Whether the file says who owns every supply centre."""
        return self.centers is not None and not self.unknown

    @property
    def states_retreats(self) -> bool:
        """Whether the file says where each dislodged unit may retreat, if there are any."""
        return all(str(unit) in self.retreats for unit in self.dislodged)


UNKNOWN_RETREATS = (
    "where its units may retreat is unknown, since the phase before cannot be read or judged"
)
"""Why a retreat phase cannot be judged whose file does not say where units may retreat."""


def state_of(position: Position) -> RecordedState:
    """A position as a file would state it."""
    return RecordedState(
        position.phase,
        position.units,
        position.centers,
        tuple(lost.unit for lost in position.dislodged),
        {str(lost.unit): lost.retreats for lost in position.dislodged},
        position.unknown_centers,
    )


def recorded_position(
    board: Map, state: RecordedState, phase: PhaseName, known: Mapping[str, tuple[str, ...]]
) -> Position:
    """The position of a recorded board in `phase`.

    A dislodged unit may retreat where the record says, otherwise where `known` (the unit's text ->
    locations) says, otherwise to every neighbour. The places must be empty in any case.
    """
    occupied = {unit.province for unit in state.units}
    lost = []
    for unit in state.dislodged:
        possible = possible_retreats(board, unit, occupied)
        stated = state.retreats.get(str(unit), known.get(str(unit), possible))
        places = tuple(place for place in possible if place in stated)
        lost.append(DislodgedUnit(unit, places))
    owned, unknown = owners_of(board, state, phase)
    return Position(board, state.units, phase, owned, tuple(lost), unknown_centers=unknown)


def owners_of(board: Map, state: RecordedState, phase: PhaseName) -> Owners:
    """The owners of a recorded board in `phase`."""
    if state.centers is None:
        return owners_stated(board, phase, None)
    return Owners(state.centers, state.unknown)


class RecordedPhase(NamedTuple):
    """A phase: the board before, the orders by power as written, the board after.

    `before.phase` is never None; `after` is None if the file does not state the result.
    `is_incomplete` is true if the file says that it does not have all orders, `is_recorded` if it
    says that the board before does not follow from the phase before by dipsat's judgement. `fault`
    says what of the orders or of the result cannot be read, with its place; "" if all can be.
    """

    before: RecordedState
    orders: Mapping[str, tuple[str, ...]]
    after: RecordedState | None
    is_incomplete: bool = False
    is_recorded: bool = False
    fault: str = ""

    @property
    def is_unfinished(self) -> bool:
        """Whether the next position is of the same phase, which has not been judged yet; only the
        last phase of a record may be so."""
        return self.after is not None and self.after.phase == self.before.phase


INCOMPLETE = "the file says that some of its orders could not be read"
NO_OWNERS = "the file does not say who owns which centre"
UNFINISHED = "the record ends before the phase is judged"
"""Why a recorded phase cannot be judged again."""


@dataclass(frozen=True, slots=True)
class UnreadPhase:
    """A phase whose board cannot be read, in a game that is read without it."""

    at: int
    """The number of readable phases before it."""
    name: str
    """Its name as far as it is known, perhaps ""."""
    fault: str
    """What cannot be read, with its place."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game (or a single case).

    `source` names it in reports: the file, or the file and the game's name in it. `rules`, `name`
    and `map_name` are the names of the profile, the game and the map in the file, if it has them;
    `is_own` is true if dipsat wrote it; `words` are those of these rules. `unread` are phases that
    are not among `phases`, because their boards cannot be read.
    """

    source: str
    board: Map
    phases: tuple[RecordedPhase, ...]
    rules: str | None = None
    name: str = ""
    map_name: str | None = None
    is_own: bool = False
    words: Words = NO_WORDS
    unread: tuple[UnreadPhase, ...] = ()
