"""What files of other programs record of a game: positions, orders, and what came of them.

A record is only what a file says. Whether its judge judged by the rules is another matter; see
`dipsat.replays`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dipsat.board.map import Map
from dipsat.game.phase_name import PhaseName
from dipsat.game.position import DislodgedUnit, Position, Unit, possible_retreats
from dipsat.orders.words import NO_WORDS, Words


@dataclass(frozen=True, slots=True)
class RecordedState:
    """The board at the beginning of a phase, as a file states it.

    `phase` is None when the game is over. `units` and `dislodged` are sorted by location;
    `centers` (power -> owned centres) is None where the file does not say; `retreats` maps a
    dislodged unit's text (`A BEL`) to the locations it may retreat to, where the file says so.
    """

    phase: PhaseName | None
    units: tuple[Unit, ...]
    centers: Mapping[str, tuple[str, ...]] | None = None
    dislodged: tuple[Unit, ...] = ()
    retreats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def recorded_position(
    board: Map, state: RecordedState, phase: PhaseName, known: Mapping[str, tuple[str, ...]]
) -> Position:
    """The position of a recorded board in `phase`.

    A dislodged unit may retreat where the record says; if it does not, where `known` (the unit's
    text -> locations) does; else to every neighbour. In any case that must be empty.
    """
    occupied = {unit.province for unit in state.units}
    lost = []
    for unit in state.dislodged:
        possible = possible_retreats(board, unit, occupied)
        stated = state.retreats.get(str(unit), known.get(str(unit), possible))
        places = tuple(place for place in possible if place in stated)
        lost.append(DislodgedUnit(unit, places))
    return Position(board, state.units, phase, state.centers or {}, tuple(lost))


@dataclass(frozen=True, slots=True)
class RecordedPhase:
    """A phase: the board before, the orders by power as written, the board after.

    `before.phase` is never None; `after` is None where the file does not say what came of the
    orders. `is_incomplete` if the file says that it does not have all orders.
    """

    before: RecordedState
    orders: Mapping[str, tuple[str, ...]]
    after: RecordedState | None
    is_incomplete: bool = False


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game (or a single case).

    `source` names it in reports: the file, or the file and the game's name in it. `rules`, `name`
    and `map_name` are what the file calls the profile, the game and the map, if it does; `is_own`
    if dipsat wrote it; `words` are those of these rules.
    """

    source: str
    board: Map
    phases: tuple[RecordedPhase, ...]
    rules: str | None = None
    name: str = ""
    map_name: str | None = None
    is_own: bool = False
    words: Words = NO_WORDS
