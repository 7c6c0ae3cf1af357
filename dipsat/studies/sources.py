"""The sources of the phases on which judges are compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from dipsat.base import (
    UNLIMITED,
    Limits,
    brief,
    checked_fields,
    decode,
    read_text,
    reading_names_in,
    running,
    size_of,
)
from dipsat.board import Map
from dipsat.errors import DipsatError, FileError, QuestionError
from dipsat.formats import (
    INCOMPLETE,
    MAX_GAME_BYTES,
    NO_OWNERS,
    UNFINISHED,
    GameText,
    PhaseFile,
    RecordedGame,
    RecordedPhase,
    Transcript,
    UnreadPhase,
    check_faults,
    game_texts,
    holds_games,
    load_cases,
    parse_apart,
    parse_games,
    parse_phase_text,
    recorded_position,
    reported,
)
from dipsat.game import PhaseKind, PhaseName, Position, judge_orders, read_submissions
from dipsat.rules import DEFAULT_RULES, Profile, load_profile
from dipsat.studies.random_boards import random_board
from dipsat.studies.sheet import kept_map

Rules: TypeAlias = str | Path | Profile

BOARDS_AT_ONCE = 20
_CASES_AT_ONCE = 20
_BYTES_OF_A_PHASE = 100  # in a compressed file; it matters only for the progress


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class RandomBoards:
    """Random boards of movement phases (docs/crosscheck.md)."""

    count: int
    """The number of boards."""
    seed: int = 0
    """The seed of the first board; each board has the next seed."""
    units: int = 27
    """The number of units on each board."""


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class DatcCases:
    """Test cases of the DATC (Kruijswijk, Diplomacy Adjudicator Test Cases)."""

    names: Sequence[str] = ()
    """Their names, as for `dipsat datc` (`6.F.14`, `6.F`, `9`); empty for all of them, including
    those of variants."""

    def __post_init__(self) -> None:
        """Take a list as well as a tuple."""
        object.__setattr__(self, "names", tuple(self.names))


@brief()
@dataclass(frozen=True, slots=True)
class OrdersApart:
    """A file of orders whose position or phase name is stated elsewhere."""

    file: str
    """The path of the orders."""
    position: str | None = None
    """The path of the position; None if the orders imply it."""
    phase: str | None = None
    """The name of the phase; None if a file states it."""


Source: TypeAlias = str | Path | RandomBoards | DatcCases | OrdersApart
"""A file of orders or of games (a path), DATC cases, or random boards."""


@brief()
@dataclass(frozen=True, slots=True)
class ReplayFailure:
    """A file, or a game in a file, that cannot be replayed or judged in any other way."""

    source: str
    """The file."""
    problem: str
    """Why, with the place."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks, as in a `GameReport`; there are none."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values as in a `GameReport` without phases: `skipped` has the reason."""
        skipped = [{"phase": "", "reason": self.problem}]
        return {"source": self.source, "phases": 0, "agree": 0, "differ": [], "skipped": skipped}


@dataclass(frozen=True, slots=True)
class NotComparable:
    """A phase that cannot be compared, and the reason; `is_fault` if its file is at fault."""

    reason: str
    is_fault: bool = False


@dataclass(frozen=True, slots=True)
class Posed:
    """A phase for the judges: `source` names it, or its game; `orders` are as `dipsat.adjudicate`
    takes them; `rules` are those that its file names, `variant` those of the variant that it is
    about, laid over the rules of each judge."""

    source: str
    position: Position
    orders: Mapping[str, Any]
    rules: Rules | None = None
    variant: str = ""

    @property
    def kind(self) -> PhaseKind:
        """The kind of the phase."""
        return self.position.phase.kind


Phase: TypeAlias = Posed | NotComparable | ReplayFailure


Work: TypeAlias = GameText | RandomBoards | DatcCases | OrdersApart | ReplayFailure


@dataclass(frozen=True, slots=True)
class Workload:
    """A piece of work; `share` is roughly how many phases it has."""

    work: Work
    share: float

    @property
    def shown(self) -> str:
        """Its name in messages."""
        work = self.work
        if isinstance(work, RandomBoards):
            return f"random boards {work.seed} to {work.seed + work.count - 1}"
        if isinstance(work, DatcCases):
            return f"DATC {', '.join(work.names)}"
        if isinstance(work, GameText):
            return work.shown
        return work.file if isinstance(work, OrdersApart) else work.source


@dataclass(frozen=True, slots=True)
class Reading:
    """How sources are read. `map` overrides the map that a file names, `rules` are those of the
    first judge (None: those that a file names), `lenient` is as for `dipsat adjudicate`, and
    `limits` are for each game or order file."""

    map: str | Path | None = None
    rules: Rules | None = None
    lenient: bool = False
    limits: Limits = UNLIMITED

    @property
    def profile(self) -> Profile | None:
        """The rules, loaded."""
        return None if self.rules is None else load_profile(self.rules)

    @property
    def board(self) -> Map:
        """The map of random boards: the one named, or else the rules' map, or else `standard`."""
        rules = self.profile
        if self.map or rules is None:
            return kept_map(str(self.map or "standard"))
        return kept_map(rules.map or "standard", rules.allowed)


def check_sources(sources: Iterable[Source], reading: Reading) -> tuple[Source, ...]:
    """Return the sources. Raises `QuestionError` if there is none or one makes no sense,
    `UnknownNameError` for an unknown DATC case, and what `load_map` raises."""
    found = tuple(sources)
    if not found:
        raise QuestionError("there is nothing to compare; name files, DATC cases or random boards")
    board = reading.board
    for source in found:
        if isinstance(source, DatcCases):
            load_cases(source.names, older=True, variants=True)
        elif isinstance(source, RandomBoards):
            check_boards(source, board)
    return found


def check_boards(boards: RandomBoards, board: Map) -> None:
    """Raise `QuestionError` if there are none, or none can be made on a map."""
    if boards.count < 1 or boards.units < 1:
        raise QuestionError("random boards: ask for at least one, with at least one unit")
    random_board(boards.seed, boards.units, board)


def boards_of(boards: RandomBoards, board: Map) -> Iterator[Posed]:
    """The boards."""
    phase = PhaseName.parse(board.first_phase).or_moves()
    for seed in range(boards.seed, boards.seed + boards.count):
        found = random_board(seed, boards.units, board)
        position = Position.from_units(found.units, board, phase)
        yield Posed(f"random board {seed}", position, found.orders)


def share_of(piece: Workload) -> float:
    """The approximate number of phases in a piece of work."""
    return piece.share


def shares(sources: Iterable[Source]) -> float:
    """The approximate number of phases in the sources."""
    return sum(
        size_of(one) / _BYTES_OF_A_PHASE
        if isinstance(one, str | Path)
        else sum(map(share_of, pieces([one])))
        for one in sources
    )


def pieces(sources: Iterable[Source], boards: int = BOARDS_AT_ONCE) -> Iterator[Workload]:
    """The work of all sources, in pieces that one process can do at once. Random boards come in
    pieces of `boards`."""
    for source in sources:
        if isinstance(source, RandomBoards):
            for first in range(0, source.count, boards):
                count = min(boards, source.count - first)
                seed = source.seed + first
                yield Workload(replace(source, count=count, seed=seed), count)
        elif isinstance(source, DatcCases):
            names = [case.name for case in load_cases(source.names, older=True, variants=True)]
            for at in range(0, len(names), _CASES_AT_ONCE):
                some = tuple(names[at : at + _CASES_AT_ONCE])
                yield Workload(DatcCases(some), len(some))
        elif isinstance(source, OrdersApart):
            yield Workload(source, 1)
        else:
            yield from texts_of(source)


def texts_of(path: str | Path) -> Iterator[Workload]:
    """The games of a file; what cannot be read comes as a `ReplayFailure`."""
    done = 0
    try:
        for text in game_texts(path):
            if isinstance(text, GameText):
                yield Workload(text, (text.offset - done) / _BYTES_OF_A_PHASE)
                done = text.offset
            else:
                yield Workload(ReplayFailure(str(path), str(text)), 0)
    except DipsatError as error:
        yield Workload(ReplayFailure(str(path), str(error)), 0)


def games_of(
    work: Work, board: Map | None, limits: Limits, only_orders: str
) -> list[RecordedGame | ReplayFailure]:
    """The games of a text, without their faulty parts. `only_orders` is the message about a game
    with nothing else, not even results of a judge. `board` overrides the map that games name."""
    if isinstance(work, ReplayFailure):
        return [work]
    assert isinstance(work, GameText)
    try:
        with running(limits):
            games = parse_games(work, board, skip_faults=True)
            bad = ReplayFailure(work.shown, f"{work.shown}: {only_orders}")
            return [
                (reported(game, work.shown) or bad) if isinstance(game, Transcript) else game
                for game in games
            ]
    except DipsatError as error:
        return [ReplayFailure(work.shown, placed(error, work.shown))]


def placed(error: DipsatError, source: str) -> str:
    """The text of an error, with the source that it is about."""
    text = str(error)
    return text if source in text else f"{source}: {text}"


def every_phase(game: RecordedGame) -> Iterator[RecordedPhase | UnreadPhase]:
    """All phases of a game in their order, including those that cannot be read."""
    unread = list(game.unread)
    for at, record in enumerate(game.phases):
        while unread and unread[0].at <= at:
            yield unread.pop(0)
        yield record
    yield from unread


def why_not_judged(record: RecordedPhase, is_last: bool) -> NotComparable | None:
    """Why a phase of a recorded game cannot be judged again; None if it can."""
    before = record.before
    assert before.phase is not None
    if record.fault:
        return NotComparable(record.fault, is_fault=True)
    if record.is_incomplete:
        return NotComparable(INCOMPLETE)
    if before.phase.kind is PhaseKind.ADJUSTMENT and not before.states_owners:
        return NotComparable(NO_OWNERS)
    return NotComparable(UNFINISHED) if is_last and record.is_unfinished else None


def phases_of(piece: Workload, reading: Reading) -> Iterator[Phase]:
    """The phases of a piece of work. What cannot be read comes as a `ReplayFailure`."""
    try:
        yield from _phases(piece.work, piece.shown, reading)
    except DipsatError as error:
        yield ReplayFailure(piece.shown, str(error))


def _phases(work: Work, shown: str, reading: Reading) -> Iterable[Phase]:
    if isinstance(work, ReplayFailure):
        return (work,)
    if isinstance(work, RandomBoards):
        return boards_of(work, reading.board)
    if isinstance(work, DatcCases):
        cases = load_cases(work.names, older=True, variants=True)
        posed = (Posed(f"DATC {c.name}", c.position, c.orders, None, c.rules) for c in cases)
        return [_posed(one) for one in posed]
    map = None if reading.map is None else kept_map(str(reading.map))
    if isinstance(work, OrdersApart):
        sheet = read_text(work.file), work.file
        board = None if work.position is None else (read_text(work.position), work.position)
        with running(reading.limits):
            phase = parse_apart(sheet, board, work.phase, map, reading.profile)
    elif holds_games(work):
        with running(reading.limits):
            games = parse_games(work, map)
            ruled = [(game, _rules_of(game, shown, reading)) for game in games]
        return chain.from_iterable(_game(game, rules, shown) for game, rules in ruled)
    else:
        content = decode(work.data, shown, MAX_GAME_BYTES)
        with running(reading.limits):
            phase = parse_phase_text(content, shown, map, reading.profile)
    return (_checked(shown, phase, reading),)


def _posed(phase: Posed) -> Phase:
    """The phase, unless all engines judge it alike."""
    kind = phase.position.phase.kind
    if kind is PhaseKind.MOVEMENT:
        return phase
    return NotComparable(f"{kind.name.lower()} phase, the same whatever the engine")


def _checked(shown: str, phase: PhaseFile, reading: Reading) -> Phase:
    if phase.skipped and not reading.lenient:
        problem = "has text besides orders, which only a lenient reader takes"
        raise FileError(shown, f"{problem}: {phase.skipped[0]}")
    posed = _posed(Posed(shown, phase.position, phase.orders, phase.rules))
    if isinstance(posed, Posed) and not reading.lenient:
        rules = load_profile(reading.rules or phase.rules or DEFAULT_RULES)
        position, settings = phase.position.with_words(rules.words), rules.settings
        submissions = read_submissions(position, phase.orders, settings)
        try:
            check_faults(phase, judge_orders(position, submissions, settings))
        except DipsatError as error:
            raise FileError(shown, str(error)) from None
    return posed


_ONLY_ORDERS = (
    "holds only orders, no positions; `dipsat play` and its command `save` make a game of it"
)


def _rules_of(game: RecordedGame | Transcript, shown: str, reading: Reading) -> Profile | None:
    """The rules that a game names, unless others override them. Raises what `load_profile`
    raises."""
    if game.rules is None or reading.rules is not None:
        return None
    with reading_names_in(shown):
        return load_profile(game.rules)


def _game(game: RecordedGame | Transcript, rules: Profile | None, shown: str) -> Iterator[Phase]:
    if isinstance(game, Transcript):
        yield ReplayFailure(shown, f"{shown}: {_ONLY_ORDERS}")
        return
    for record in game.phases:
        before = record.before
        if before.phase is None or record.is_incomplete:
            yield NotComparable(INCOMPLETE)
            continue
        position = recorded_position(game.board, before, before.phase, {})
        yield _posed(Posed(f"{game.source} {before.phase}", position, record.orders, rules))
