"""The phases on which rule sets are compared, and what of the sources cannot be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from dipsat.board.map import Map
from dipsat.crosschecks.sources import RandomBoards, boards_in_parts, boards_of
from dipsat.errors import DipsatError
from dipsat.formats.game_files import GameText, game_texts, parse_games
from dipsat.formats.records import (
    INCOMPLETE,
    NO_OWNERS,
    UNFINISHED,
    RecordedGame,
    RecordedPhase,
    recorded_position,
)
from dipsat.formats.text_sheet import Transcript
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import DislodgedUnit, Position
from dipsat.limits import Limits, running

BOARDS_AT_ONCE = 500
"""Random boards in a piece of work."""

_ONLY_ORDERS = "holds only orders, no positions; `dipsat play` makes a game of it"
_WITHOUT_ORDERS = "the record ends with this phase, which has no orders"


@dataclass(frozen=True, slots=True)
class Posed:
    """A phase that is judged under all rule sets; `source` names its game or board."""

    source: str
    position: Position
    orders: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class NotPosed:
    """A phase that cannot be judged under any rules, and why; `is_fault` if its file is at
    fault."""

    reason: str
    is_fault: bool = False


@dataclass(frozen=True, slots=True)
class BadText:
    """A file, or a game in it, that cannot be read. `problem` names the place."""

    problem: str


Work: TypeAlias = GameText | RandomBoards | BadText
"""A piece of work: the text of a game, or some random boards."""
Source: TypeAlias = RecordedGame | tuple[Posed, ...] | BadText
"""The phases of a game, whose boards in retreat phases depend on the moves before, or boards."""


def pieces(files: Iterable[str], boards: RandomBoards | None) -> Iterator[Work]:
    """The work, in pieces that one process can do at once."""
    for file in files:
        try:
            for text in game_texts(file):
                yield text if isinstance(text, GameText) else BadText(str(text))
        except DipsatError as error:
            yield BadText(str(error))
    if boards is not None:
        yield from boards_in_parts(boards, BOARDS_AT_ONCE)


def sources_of(work: Work, board: Map | None, other: Map, limits: Limits) -> list[Source]:
    """The games or boards of a piece of work. `board` overrules the maps that games name; random
    boards are on the map `other`."""
    if isinstance(work, BadText):
        return [work]
    if isinstance(work, RandomBoards):
        return [tuple(Posed(*one) for one in boards_of(work, other))]
    try:
        with running(limits):
            games = parse_games(work, board, skip_faults=True)
    except DipsatError as error:
        text = str(error)
        return [BadText(text if text.startswith(work.shown) else f"{work.shown}: {text}")]
    only_orders = BadText(f"{work.shown}: {_ONLY_ORDERS}")
    return [only_orders if isinstance(game, Transcript) else game for game in games]


def why_not_posed(record: RecordedPhase, is_last: bool) -> NotPosed | None:
    """Why a recorded phase cannot be judged; None if it can."""
    before = record.before
    if record.fault:
        return NotPosed(record.fault, is_fault=True)
    if record.is_incomplete:
        return NotPosed(INCOMPLETE)
    phase = before.phase
    assert phase is not None
    if phase.kind is PhaseKind.ADJUSTMENT and not before.states_owners:
        return NotPosed(NO_OWNERS)
    if is_last and record.is_unfinished:
        return NotPosed(UNFINISHED)
    if record.after is None and not any(record.orders.values()):
        return NotPosed(_WITHOUT_ORDERS)
    return None


def posed(game: RecordedGame, record: RecordedPhase, lost: Iterable[DislodgedUnit] = ()) -> Posed:
    """A recorded phase; `lost` are the units that the moves before it have dislodged. They say
    where these may retreat if the record does not. Raises the errors of `Position`."""
    before = record.before
    assert before.phase is not None
    known = {str(one.unit): one.retreats for one in lost}
    position = recorded_position(game.board, before, before.phase, known)
    return Posed(game.source, position, record.orders)
