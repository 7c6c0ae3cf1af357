"""Replaying recorded games: judging every phase again, and finding causes of differences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from dipsat.base import (
    UNLIMITED,
    Drawn,
    Limits,
    Plain,
    brief,
    fields_of,
    reading_names_in,
    running,
    unlimited,
)
from dipsat.board import STANDARD_KINDS, Map, UnitKind, province_of
from dipsat.errors import ArgumentError, DipsatError, LimitError
from dipsat.formats import (
    UNKNOWN_RETREATS,
    GameText,
    RecordedGame,
    RecordedPhase,
    RecordedState,
    UnreadPhase,
    recorded_position,
)
from dipsat.game import PhaseKind, PhaseName, Position, PowerOrders
from dipsat.orders import (
    TEXT_FAULTS,
    Build,
    GuessedReadings,
    Move,
    Order,
    OrderReader,
    Retreat,
    reader_for,
)
from dipsat.outcomes import Outcome, decided, judge_alike
from dipsat.rules import DEFAULT_RULES, Profile, load_profile, portable_map, portable_rules
from dipsat.studies.judgements import agree, sides
from dipsat.studies.parallel_run import Jobs, Stage, results_of
from dipsat.studies.row_kinds import phase_columns
from dipsat.studies.rule_deviations import explaining_deviations, profile_with
from dipsat.studies.sheet import kept_map
from dipsat.studies.sources import (
    NotComparable,
    ReplayFailure,
    Workload,
    every_phase,
    games_of,
    placed,
    texts_of,
    why_not_judged,
)


@dataclass(frozen=True, slots=True)
class ReplayedBoard:
    """A position and rules as plain values, with the names of a map and rules that are shipped,
    because other processes have these already."""

    position: Mapping[str, Any]
    map: str | Map
    rules: str | Profile

    @staticmethod
    def of(position: Position, rules: Profile) -> ReplayedBoard:
        """The board of a position under some rules."""
        board, named = portable_map(position.map), portable_rules(rules)
        return ReplayedBoard(position.to_dict(), board, named)

    def judged(self, orders: Mapping[str, PowerOrders]) -> Outcome:
        """The outcome of orders."""
        rules = load_profile(self.rules)
        position = Position.from_dict(self.position, self.map, rules)
        with unlimited():
            return decided(position, orders, rules)


LEFT_OUT = "retreats-left-out"
"""The deviation (docs/judges.md) of a judge whose records leave out retreats."""


def shows_retreats_left_out(outcome: Outcome, after: RecordedState) -> bool:
    """Whether a record goes on after the retreats that follow the outcome, with exactly the board
    that some retreats lead to: units are where they could retreat to, others are disbanded."""
    following = outcome.next
    if after.phase is None or following.phase.kind is not PhaseKind.RETREAT:
        return False
    if after.phase.kind is PhaseKind.RETREAT:
        return False
    new = {(unit.power, unit.kind, unit.location) for unit in after.units}
    new -= {(unit.power, unit.kind, unit.location) for unit in outcome.units_after}
    orders: dict[str, list[str]] = {}
    # A unit with one way out goes first, so that no other takes it.
    for lost in sorted(following.dislodged, key=lambda lost: len(lost.retreats)):
        unit = lost.unit
        places = [at for at in lost.retreats if (unit.power, unit.kind, at) in new]
        if places:
            new.discard((unit.power, unit.kind, places[0]))
            orders.setdefault(unit.power, []).append(f"{unit} R {places[0]}")
    return agree(decided(following, orders, outcome.profile), after)


def contradiction(record: RecordedPhase, reader: OrderReader) -> str:
    """Why no judge can have made a record, however it judges the orders: a phase out of turn, or a
    unit where none can be. "" if a judge can have made it.

    The record must state the result of the orders.
    """
    before, after = record.before, record.after
    assert before.phase is not None
    assert after is not None
    if after.phase is not None and after.phase not in _next_phases(before.phase):
        return f"{after.phase} cannot come next"
    known = before.states_owners and after.states_owners
    if known and before.phase.season == "S" and before.centers != after.centers:
        return "centres change owners only after fall"
    ordered = _ordered(record, reader)
    there = {*before.units, *before.dislodged}
    for unit in (*after.units, *after.dislodged):
        if unit not in there and (unit.power, unit.kind, unit.province) not in ordered:
            return (
                f"the units contradict the history: {unit.power} {unit} is there afterwards, but "
                f"no unit was there or was ordered there"
            )
    if before.phase.kind is PhaseKind.RETREAT:
        gone = sorted(map(str, set(before.units) - set(after.units)))
        if gone:
            return (
                f"the units contradict the history: {', '.join(gone)} did not have to retreat, "
                f"but is gone afterwards"
            )
    return ""


def _next_phases(phase: PhaseName) -> tuple[PhaseName, ...]:
    if phase.kind is PhaseKind.ADJUSTMENT:
        return (phase.next_year(),)
    after = phase.after_moves()
    following = (after,) if phase.season == "S" else (after, after.next_year())
    retreats = (phase.retreats(),) if phase.kind is PhaseKind.MOVEMENT else ()
    return (*retreats, *following)


def _ordered(record: RecordedPhase, reader: OrderReader) -> set[tuple[str, UnitKind, str]]:
    """(power, kind, province) of every unit that an order could have put there."""
    found: set[tuple[str, UnitKind, str]] = set()
    # Where a dislodged unit and another share a province, the dislodged one counts; it comes last.
    by_place = {unit.province: unit for unit in (*record.before.units, *record.before.dislodged)}
    for power, texts in record.orders.items():
        for text in texts:
            for order in _meanings(text, reader):
                if isinstance(order, Build):
                    province = province_of(order.unit.location)
                    kinds = (order.unit.kind,) if order.unit.kind else STANDARD_KINDS
                    found |= {(power, kind, province) for kind in kinds}
                elif isinstance(order, Move | Retreat):
                    mover = by_place.get(province_of(order.unit.location))
                    if mover is not None:
                        found.add((mover.power, mover.kind, province_of(order.target)))
    return found


def _meanings(text: str, reader: OrderReader) -> tuple[Order, ...]:
    """The order of a text; for a poorly written one, all its possible meanings."""
    try:
        return (reader.read(text),)
    except TEXT_FAULTS as error:
        return GuessedReadings(reader.board, text, error, reader.words).orders


# --- the game -------------------------------------------------------------------------------------


@brief()
@dataclass(frozen=True, slots=True)
class DifferingPhase(Drawn):
    """A phase that the judge of a record decided differently."""

    _drawn_by: ClassVar[str] = "replay"

    phase: str
    """Its name."""
    orders: Mapping[str, tuple[str, ...]]
    """Power -> its orders."""
    theirs: Mapping[str, Any]
    """How the next position in the record differs: `units`, `dislodged`, `retreats`, `centers` by
    power, `phase`."""
    ours: Mapping[str, Any]
    """The same parts of dipsat's next position."""
    causes: tuple[str, ...]
    """The deviations of the other judge (docs/judges.md) that explain the whole difference, empty
    if no known ones do."""
    _board: ReplayedBoard | None = field(default=None, repr=False, compare=False)

    @property
    def cause(self) -> str:
        """The causes as one text, "" if none is known."""
        return " + ".join(self.causes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; `cause` is None if no known deviation explains the difference."""
        return {**fields_of(self, "causes"), "cause": self.cause or None}


@brief()
@dataclass(frozen=True, slots=True)
class ReplaySkipped:
    """A phase that cannot be compared."""

    phase: str
    """Its name, "" if it is unknown."""
    reason: str
    """The reason; for a fault in the file, with its place."""
    is_fault: bool = False
    """Whether the record itself is at fault: it cannot be read, or contradicts itself."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: `phase` and `reason`."""
        return fields_of(self, "is_fault")


Finding: TypeAlias = DifferingPhase | ReplaySkipped | None
"""What a replay finds about a phase; None if dipsat and the record decide it alike."""


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A game: its file, the names of its map and of the rules, and its phases in their order: the
    name of each ("" if it is unknown), how many units are on the board (None if that cannot be
    read), and what is found about it."""

    file: str = ""
    map: str = ""
    rules: str = ""
    phases: tuple[tuple[str, int | None, Finding], ...] = ()


_UNKNOWN = JudgedGame()


@brief()
@dataclass(frozen=True, slots=True)
class GameReport(Plain):
    """The result of replaying a game. `phases` is `agree` plus the differing and the skipped
    phases."""

    source: str
    """The name of the game."""
    phases: int
    """The number of its phases."""
    agree: int
    """The number of phases that dipsat and the record decide alike."""
    differ: tuple[DifferingPhase, ...]
    """The phases that they decide differently."""
    skipped: tuple[ReplaySkipped, ...]
    """The phases that cannot be compared."""
    _judged: JudgedGame = field(default=_UNKNOWN, repr=False, compare=False)
    _remarks: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Text that was left out when orders were read, and may be about them."""
        return self._remarks


def replay_game(
    game: RecordedGame, rules: str | Path | Profile | None = None, file: str = ""
) -> GameReport:
    """Judge every phase of a recorded game again and compare.

    `rules` is a profile as `dipsat.adjudicate` takes it (default: the one that the game names, else
    `datc`); `file` is the path of the game's file. Each phase starts from the recorded board, so
    one difference does not cause others. A phase that cannot be judged, or whose record contradicts
    itself, is skipped. Raises `LimitError`.
    """
    profile = load_profile(rules or game.rules or DEFAULT_RULES)
    replay = _Replay(game, profile)
    listed = tuple(
        (_name(one), None if isinstance(one, UnreadPhase) else len(one.before.units),
         replay.judge(one))
        for one in every_phase(game)
    )  # fmt: skip
    findings = [found for _, _, found in listed]
    differ = tuple(found for found in findings if isinstance(found, DifferingPhase))
    skipped = tuple(found for found in findings if isinstance(found, ReplaySkipped))
    judged = JudgedGame(file, game.board.name, profile.name, listed)
    agree = findings.count(None)
    return GameReport(game.source, len(listed), agree, differ, skipped, judged, game.remarks)


@dataclass(frozen=True, slots=True)
class ReplayedPhase:
    """A phase of a recorded game, and how rules judge it."""

    name: str
    """Its name, "" if it is unknown."""
    record: RecordedPhase | None
    """Its record in the game; None if its board cannot be read."""
    position: Position | None
    """The board that was judged; None if there is none."""
    found: Finding
    """The finding about it."""


def replayed_phases(
    game: RecordedGame, rules: Profile, first: int, count: int, *, causes: bool = False
) -> Iterator[ReplayedPhase]:
    """Judge `count` phases of a recorded game again, phase by phase, from the one at place `first`
    (counted from 0, including those that cannot be read).

    The rest is as for `replay_game`; causes of differences are sought only if asked for.
    """
    replay = _Replay(game, rules, finds_causes=causes)
    if first >= len(game.phases) + len(game.unread):
        return  # even if it is a number too large for the machine
    start = max(0, first - 1)  # retreats depend on the moves before them
    for at, one in enumerate(islice(every_phase(game), start, first + count), start):
        found = replay.judge(one)
        if at >= first:
            record = None if isinstance(one, UnreadPhase) else one
            position = None if record is None else replay.position(record)
            yield ReplayedPhase(_name(one), record, position, found)


def _name(one: RecordedPhase | UnreadPhase) -> str:
    return one.name if isinstance(one, UnreadPhase) else str(one.before.phase)


class _Replay:
    """The state of replaying one game."""

    def __init__(self, game: RecordedGame, rules: Profile, finds_causes: bool = True) -> None:
        self.game = game
        self.rules = rules
        self.last: _Judged | None = None  # the phase just judged, if it was compared
        self.before: _Judged | None = None  # the phase before that
        self.finds_causes = finds_causes
        self.is_after_gap = False  # whether the phase before could not be read and judged

    def judge(self, one: RecordedPhase | UnreadPhase) -> Finding:
        """Judge a phase again, and compare."""
        after_gap, self.is_after_gap = self.is_after_gap, False
        last, self.last = self.last, None
        self.before = last
        if isinstance(one, UnreadPhase):
            return self._lost(one.name, one.fault)
        name = _name(one)
        why = why_not_judged(one, is_last=one is self.game.phases[-1])
        if one.after is None and not one.fault:
            why = NotComparable("the file does not state its result")
        if why is None and after_gap and not one.before.states_retreats:
            why = NotComparable(UNKNOWN_RETREATS)
        if why is not None:
            if one.is_incomplete:
                self.last = self._by_readable_orders(one, last)
            self.is_after_gap = self.last is None and one.after is not None
            return ReplaySkipped(name, why.reason, why.is_fault)
        try:
            return self._compared(one, last)
        except LimitError:
            raise
        except DipsatError as error:
            return self._lost(name, str(error))

    def _lost(self, name: str, fault: str) -> ReplaySkipped:
        """Skip a phase whose record is at fault."""
        self.last, self.is_after_gap = None, True
        return ReplaySkipped(name, fault, is_fault=True)

    def _judged(self, record: RecordedPhase, last: _Judged | None) -> _Judged:
        last = last if record.before.dislodged else None
        return _Judged(self.game, record, self.rules, last, followed=self.rules)

    def position(self, record: RecordedPhase) -> Position | None:
        """The board of the phase that was judged last, None if the rules have no such board."""
        with _without_faults():
            judged = self._judged(record, self.before)
            return judged.position(self.rules).with_words(self.rules.words)
        return None

    def _by_readable_orders(self, record: RecordedPhase, last: _Judged | None) -> _Judged | None:
        """A phase some of whose orders cannot be read, if the others give the recorded board: then
        they show where its dislodged units may retreat."""
        if record.after is not None:
            judged = self._judged(record, last)
            with _without_faults():
                return judged if agree(judged.under(self.rules), record.after) else None
        return None

    def _compared(self, record: RecordedPhase, last: _Judged | None) -> Finding:
        judged = self.last = self._judged(record, last)
        outcome, after, name = judged.under(self.rules), record.after, _name(record)
        assert after is not None
        if agree(outcome, after):
            return None
        if shows_retreats_left_out(outcome, after):
            causes: tuple[str, ...] = (LEFT_OUT,)
        else:
            wrong = contradiction(record, reader_for(self.game.board, self.game.words))
            if wrong:
                return self._lost(name, wrong)
            found = None
            if self.finds_causes:
                found = explaining_deviations(
                    judged.under,
                    lambda other: other is not outcome and agree(other, after),
                    self.rules,
                )
            judged.followed = profile_with(self.rules, found) if found else None
            causes = tuple(deviation.name for deviation in found or ())
        both = sides(outcome, after)
        board = ReplayedBoard.of(outcome.position, self.rules)
        theirs = {part: pair[0] for part, pair in both.items()}
        ours = {part: pair[1] for part, pair in both.items()}
        return DifferingPhase(name, record.orders, theirs, ours, causes, board)


@contextmanager
def _without_faults() -> Iterator[None]:
    """A block that a fault of a record ends, but not a limit."""
    try:
        yield
    except LimitError:
        raise
    except DipsatError:
        pass


@dataclass(eq=False)
class _Judged:
    """A phase of a record, and how dipsat judges it under any profile."""

    game: RecordedGame
    record: RecordedPhase
    rules: Profile
    last: _Judged | None
    """The phase before, if its moves are needed."""
    followed: Profile | None
    """The profile that decides as the record does, None if no known one does."""
    _known: tuple[tuple[Profile, Outcome], ...] = ()  # the first one, and the last one

    def under(self, profile: Profile) -> Outcome:
        """The outcome under a profile, or under one that judges alike; in a retreat phase, the
        moves before it are judged under it, too."""
        phase = self.record.before.phase
        assert phase is not None
        for known, outcome in self._known:
            if judge_alike(known, profile, phase.kind):
                return outcome
        found = decided(self.position(profile), self.record.orders, profile)
        self._known = (*self._known[:1], (profile, found))
        return found

    def position(self, profile: Profile) -> Position:
        """The board that is judged under a profile."""
        before = self.record.before
        assert before.phase is not None
        moved = self._moved(profile)
        if moved is not None:
            following = moved.next
            alive = {lost.unit for lost in following.dislodged}
            same = following.phase == before.phase and alive <= set(before.dislodged)
            if same and frozenset(following.units) == frozenset(before.units):
                return following
        known = {lost.unit: lost.retreats for lost in moved.dislodged} if moved else {}
        return recorded_position(self.game.board, before, before.phase, known)

    def _moved(self, profile: Profile) -> Outcome | None:
        """The movement phase that led to a retreat phase, judged as the record has it."""
        if self.last is None or self.last.followed is None:
            return None
        if self.last.followed is not self.rules:
            return self.last.under(self.last.followed)
        return self.last.under(profile)


MAX_IN_A_ROW = 1000
"""The number of consecutive games that cannot be replayed after which the rest of their file is
left out. Files of games have a damaged one now and then."""

_FEW = 8  # for up to this many games it does not pay to start other processes


Result: TypeAlias = GameReport | ReplayFailure


def replay_files(
    paths: Iterable[str | Path],
    rules: str | Path | Profile | None = None,
    map: str | Path | Map | None = None,
    jobs: Jobs = 1,
    progress: Callable[[str, int, int], None] | None = None,
    *,
    limits: Limits = UNLIMITED,
) -> Iterator[Result]:
    """Replay all games of the files, in the order of the files.

    `rules` and `map` override what the files name; `limits.files` says which files they may name,
    and `limits.seconds` is for each game; `jobs` is the number of processes, an executor, or
    `Workers`. A bad file or game gives a failure with its place, and the work goes on. `progress`
    is called with a file, the number of its bytes done, and the number of games that this added.
    After `MAX_IN_A_ROW` consecutive games that cannot be replayed, the rest of a file is skipped.

    Raises the errors of `load_profile` and `load_map` for the names given, `WorkerError` if no
    workers are left, and `JournalError` for a journal that cannot be used.
    """
    with running(limits):
        named = None if rules is None else portable_rules(rules)
        load_profile(named or DEFAULT_RULES)
        board = None if map is None else portable_map(map)
    replay = partial(_replay, rules=named, map=board, limits=limits)
    left = set[str]()
    work = chain.from_iterable(_work(str(path), left) for path in paths)
    stage = Stage("replaying", replay, _lost)
    return _reported(results_of(stage, work, jobs, few=_FEW), progress, left)


def _work(path: str, left: Collection[str]) -> Iterator[Workload]:
    return takewhile(lambda _: path not in left, texts_of(path))


def _lost(piece: Workload, reason: str) -> list[Result]:
    return [ReplayFailure(piece.shown, f"{piece.shown}: {reason}")]


def _reported(
    done: Iterator[tuple[Workload, list[Result]]],
    progress: Callable[[str, int, int], None] | None,
    left: set[str],
) -> Iterator[Result]:
    """The results. Files with too many consecutive bad games are added to `left`; whatever was read
    ahead in them is dropped."""
    in_a_row, file = 0, ""
    for piece, results in done:
        shown = piece.shown
        if shown in left:
            continue
        yield from results
        is_read = any(_is_read(result) for result in results)
        in_a_row = 0 if is_read else 1 + (in_a_row if shown == file else 0)
        file = shown
        if in_a_row >= MAX_IN_A_ROW:
            left.add(shown)
            yield ReplayFailure(shown, f"{shown}: {_LEFT}")
        if progress is not None and isinstance(piece.work, GameText):
            progress(shown, piece.work.offset, len(results))


def _is_read(result: Result) -> bool:
    """Whether any of a game could be read."""
    if isinstance(result, ReplayFailure):
        return False
    return (
        result.phases == 0
        or any(not skipped.is_fault for skipped in result.skipped)
        or (result.agree + len(result.differ) > 0)
    )


def _replay(
    piece: Workload, rules: str | Profile | None, map: str | Map | None, limits: Limits
) -> list[Result]:
    """The reports of a text's games; runs in any process."""
    board = kept_map(map) if isinstance(map, str) else map
    found: list[Result] = []
    for game in games_of(piece.work, board, limits, _ONLY_ORDERS):
        if isinstance(game, ReplayFailure):
            found.append(game)
            continue
        try:
            with running(limits):
                with reading_names_in(piece.shown):
                    chosen = rules or load_profile(game.rules or DEFAULT_RULES)
                found.append(replay_game(game, chosen, piece.shown))
        except DipsatError as error:
            found.append(ReplayFailure(game.source, placed(error, game.source)))
    return found


_LEFT = f"{MAX_IN_A_ROW:,} games in a row cannot be replayed; the rest of the file is left out"
_ONLY_ORDERS = (
    "holds only orders, and no judge's result to compare with; `dipsat play` continues it"
)


# --- rows -----------------------------------------------------------------------------------------


def replay_rows(results: Iterable[Result]) -> Iterator[dict[str, Any]]:
    """Return a row for each phase of the replayed games, as plain values by column, in the order of
    the games (docs/data.md has the columns).

    `results` are those of `replay_files`, taken one after the other. A file or a game that cannot
    be replayed gives one row without a phase. `write_rows` writes rows into a file.
    """
    for result in results:
        if not isinstance(result, GameReport | ReplayFailure):
            wanted = "what `replay_files` returns"
            raise ArgumentError("dipsat.studies.replay_rows", "results", result, wanted)
        if isinstance(result, GameReport):
            yield from _rows_of(result, result._judged)
        else:
            why = ReplaySkipped("", result.problem, is_fault=True)
            yield from _rows_of(result, JudgedGame(result.source, phases=(("", None, why),)))


def _rows_of(result: Result, game: JudgedGame) -> Iterator[dict[str, Any]]:
    """A row for each phase, with what differs in it, or why it is skipped."""
    for number, (name, units, found) in enumerate(game.phases, 1):
        differing = found if isinstance(found, DifferingPhase) else None
        why = found if isinstance(found, ReplaySkipped) else None
        yield {
            "file": game.file,
            "game": result.source,
            "map": game.map or None,
            "rules": game.rules or None,
            "number": number if isinstance(result, GameReport) else None,
            **phase_columns(name),
            "units": units,
            "verdict": "differ" if differing else "skipped" if why else "agree",
            "causes": list(differing.causes) if differing else [],
            "powers": _powers(differing) if differing else [],
            "theirs": _side(differing.theirs) if differing else None,
            "ours": _side(differing.ours) if differing else None,
            "orders": pairs(differing.orders, "order") if differing else [],
            "reason": why.reason if why else None,
            "fault": why is not None and why.is_fault,
        }


def pairs(by_power: Mapping[str, Iterable[str]], name: str) -> list[dict[str, str]]:
    """The possessions of powers, as a list of records with a `power` and this other member."""
    return [{"power": power, name: one} for power, listed in by_power.items() for one in listed]


def _powers(phase: DifferingPhase) -> list[str]:
    """The powers that either side names."""
    parts = [part for side in (phase.theirs, phase.ours) for part in side.values()]
    return sorted({power for part in parts if isinstance(part, Mapping) for power in part})


def _side(side: Mapping[str, Any]) -> dict[str, Any]:
    retreats = [
        {"power": power, "unit": unit, "to": list(places)}
        for power, units in side.get("retreats", {}).items()
        for unit, places in units.items()
    ]
    return {
        "units": pairs(side.get("units", {}), "unit"),
        "dislodged": pairs(side.get("dislodged", {}), "unit"),
        "retreats": retreats,
        "centers": pairs(side.get("centers", {}), "center"),
        "phase": side.get("phase"),
    }
