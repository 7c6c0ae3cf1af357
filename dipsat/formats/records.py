"""A recorded game: boards and orders as a file states them, and the phases that cannot be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dipsat.base import FrozenDict
from dipsat.board import Map
from dipsat.errors import DocumentError, FileError, InputLimitError
from dipsat.game import DislodgedUnit, Owners, PhaseName, Position, owners_stated, possible_retreats
from dipsat.orders import NO_WORDS, Unit, Words

# --- recorded -------------------------------------------------------------------------------------

# Games as files of other programs record them: positions, orders and results.
#
# A record is only what a file says. Whether its judge followed the rules is another question; see
# `dipsat.studies.replays`.


class RecordedState(NamedTuple):
    """The board at the beginning of a phase, as a file states it.

    `phase` is None when the game is over. `units` and `dislodged` are sorted by location; `centers`
    (power -> owned centres) is None if the file does not state them, `unknown` has the centres
    whose owner it calls unknown; `retreats` maps a dislodged unit's text (`A BEL`) to the locations
    that it may retreat to, if the file states them.
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
"""Why a retreat phase cannot be judged if the file does not say where units may retreat."""


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
    owned, unknown = Owners(state.centers or {}, state.unknown)
    if state.centers is None:
        owned, unknown = owners_stated(board, phase, None)
    return Position(board, state.units, phase, owned, tuple(lost), unknown_centers=unknown)


class RecordedPhase(NamedTuple):
    """A phase: the board before, the orders by power as written, the board after.

    `before.phase` is never None; `after` is None if the file does not state the result.
    `is_incomplete` is true if the file says that it does not have all orders, `is_recorded` if it
    says that the board before does not follow from the phase before by dipsat's judgement. `fault`
    says what in the orders or the result cannot be read, with its place; "" if all can be. `later`,
    `deadline` and `corrected` are those of `dipsat.Turn`.
    """

    before: RecordedState
    orders: Mapping[str, tuple[str, ...]]
    after: RecordedState | None
    is_incomplete: bool = False
    is_recorded: bool = False
    fault: str = ""
    later: Mapping[str, Mapping[str, tuple[str, ...]]] = FrozenDict()
    deadline: str = ""
    corrected: tuple[str, ...] = ()

    @property
    def is_unfinished(self) -> bool:
        """Whether the next position is of the same phase, which has not been judged yet; only the
        last phase of a record may be unfinished."""
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
    """Its name as far as it is known; it may be ""."""
    fault: str
    """What cannot be read, with its place."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game (or a single case).

    `source` names it in reports: the file, or the file and the game's name in it. `rules`, `name`
    and `map_name` are the names of the profile, the game and the map in the file, if it has them;
    `is_own` is true if dipsat wrote it; `words` are those of these rules; `players` are those of
    `dipsat.Game`. `unread` are phases that are not among `phases`, because their boards cannot be
    read. `remarks` say what else of the file was left out.
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
    players: Mapping[str, str] = field(default_factory=FrozenDict)
    remarks: tuple[str, ...] = ()


# --- unread ---------------------------------------------------------------------------------------

# Reading a game without the phases that cannot be read.
#
# Without an `Unread`, a reader raises the first fault. With one, it leaves out the faulty phase,
# and keeps the fault with its place.


_NO_RESULT = "its result cannot be read"


class Unread:
    """The phases of one game that cannot be read."""

    def __init__(self) -> None:
        self.phases: list[UnreadPhase] = []

    def take(self, error: BaseException | None, at: int, name: str) -> bool:
        """Keep the fault of a phase after `at` others; return False for any other error. An
        `InputLimitError` is not a fault of one phase."""
        if not isinstance(error, FileError | DocumentError) or isinstance(error, InputLimitError):
            return False
        self.phases.append(UnreadPhase(at, name, str(error)))
        return True


class leaving_out:  # noqa: N801  # used as a function
    """A `with` block that reads a phase, and keeps its fault in `unread`; `at` is the number of
    phases read before it. A generator with `contextmanager` would take twice as long."""

    __slots__ = ("at", "name", "unread")

    def __init__(self, unread: Unread | None, at: int, name: str) -> None:
        self.unread = unread
        self.at = at
        self.name = name

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        return self.unread is not None and self.unread.take(error, self.at, self.name)


def with_results(phases: Sequence[RecordedPhase | None]) -> tuple[RecordedPhase, ...]:
    """Phases as read, each with the board of the next as its result; None stands for a phase that
    cannot be read, and a phase without a name for the end of the game."""
    found = []
    for read, following in zip(phases, [*phases[1:], None], strict=True):
        if read is None or read.before.phase is None:
            continue
        if following is not None:
            read = read._replace(after=following.before)
        elif read is not phases[-1]:
            read = read._replace(is_incomplete=True, fault=read.fault or _NO_RESULT)
        found.append(read)
    return tuple(found)


def in_short(faults: Sequence[str]) -> str:
    """The first fault, and how many more there are; "" for none."""
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return f"{faults[0]}{more}" if faults else ""
