"""Replaying a recorded game: judging every phase again and giving every difference its cause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from dipsat.board.map import Map
from dipsat.board.province import STANDARD_KINDS, UnitKind, province_of
from dipsat.drawn import Drawn
from dipsat.errors import DipsatError, LimitError
from dipsat.formats.records import (
    INCOMPLETE,
    NO_OWNERS,
    UNFINISHED,
    UNKNOWN_RETREATS,
    RecordedGame,
    RecordedPhase,
    RecordedState,
    UnreadPhase,
    recorded_position,
)
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.game.position import Position
from dipsat.game.submissions import PowerOrders
from dipsat.limits import unlimited
from dipsat.orders.guesses import GuessedReadings
from dipsat.orders.order import Build, Move, Order, Retreat
from dipsat.orders.reader import OrderReader, reader_for
from dipsat.orders.text_parse import TEXT_FAULTS
from dipsat.profiles.load import DEFAULT_RULES, load_profile, portable_map, portable_rules
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import decided
from dipsat.proof.comparison import judge_alike
from dipsat.proof.outcome import Outcome
from dipsat.surveys.deviations import causes_of_difference, profile_with
from dipsat.surveys.results import agree, sides
from dipsat.values import Plain, brief, fields_of

if TYPE_CHECKING:
    from dipsat.kernel.board_outcome import BoardOutcome
    from dipsat.surveys.replay_at_once import GameAtOnce


Verdict: TypeAlias = Literal["agree", "differ", "skipped"]
JudgedPhase: TypeAlias = tuple[str, int | None, Verdict]
"""A phase: its name ("" if it is unknown), how many units are on the board (None if that cannot be
read), and how the replay went. There are many, so they are no objects of their own."""


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A game: its file, the names of its map and of the rules, and its phases in their order."""

    file: str = ""
    map: str = ""
    rules: str = ""
    phases: tuple[JudgedPhase, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplayedBoard:
    """A position and rules as plain values, with the names of a map and rules that are shipped:
    other processes have these already."""

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
"""The deviation (docs/judges.md) that such a record has."""


def shows_retreats_left_out(outcome: Outcome | BoardOutcome, after: RecordedState) -> bool:
    """Whether a record goes on behind the retreats that follow the outcome, with just the board
    that some retreats lead to: units are where they could retreat to, the others are disbanded."""
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
    """Why no judge can have made a record, however it judges the orders: a phase out of turn, a
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


_UNKNOWN = JudgedGame()


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
    """Why not; for a fault in the file, with its place."""
    is_fault: bool = False
    """Whether the record itself is at fault: it cannot be read, or contradicts itself."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: `phase` and `reason`."""
        return fields_of(self, "is_fault")


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


def replay_game(
    game: RecordedGame, rules: str | Path | Profile | None = None, file: str = ""
) -> GameReport:
    """Judge every phase of a recorded game again and compare.

    `rules` is a profile as `dipsat.adjudicate` takes it (default: the one that the game names, else
    `datc`); `file` is the game's own. Each phase starts from the recorded board, so one difference
    does not cause others. A phase that cannot be judged, or whose record contradicts itself, is
    skipped. Raises `LimitError`.
    """
    profile = load_profile(rules or game.rules or DEFAULT_RULES)
    from dipsat.surveys.replay_at_once import GameAtOnce

    replay = _Replay(game, profile, GameAtOnce(game, profile))
    listed: list[JudgedPhase] = []
    for one in _listed(game):
        differing, skipped = len(replay.differ), len(replay.skipped)
        if isinstance(one, UnreadPhase):
            replay.leave_out(one)
            listed.append((one.name, None, "skipped"))
            continue
        replay.phase(one)
        verdict: Verdict = "differ" if len(replay.differ) > differing else "agree"
        if len(replay.skipped) > skipped:
            verdict = "skipped"
        listed.append((str(one.before.phase), len(one.before.units), verdict))
    return GameReport(
        game.source,
        len(game.phases) + len(game.unread),
        replay.agreed,
        tuple(replay.differ),
        tuple(replay.skipped),
        JudgedGame(file, game.board.name, profile.name, tuple(listed)),
    )


@dataclass(frozen=True, slots=True)
class ReplayedPhase:
    """A phase of a recorded game, and how rules judge it."""

    name: str
    """Its name, "" if it is unknown."""
    record: RecordedPhase | None
    """What the game has of it; None if its board cannot be read."""
    position: Position | None
    """The board that was judged; None if there is none."""
    found: DifferingPhase | ReplaySkipped | None
    """None if both agree."""


def replayed_phases(
    game: RecordedGame, rules: Profile, first: int, count: int, *, causes: bool = False
) -> Iterator[ReplayedPhase]:
    """Judge `count` phases of a recorded game again, phase by phase, from the one at place `first`
    (from 0, counted with those that cannot be read).

    The rest is as for `replay_game`; causes of differences are sought only if asked for.
    """
    replay = _Replay(game, rules, None, causes)
    if first >= len(game.phases) + len(game.unread):
        return  # also if it is more than a machine counts
    listed = _listed(game)
    start = max(0, first - 1)  # retreats depend on the moves before them
    for at, one in enumerate(islice(listed, start, first + count), start):
        differing, skipped = len(replay.differ), len(replay.skipped)
        if isinstance(one, UnreadPhase):
            replay.leave_out(one)
        else:
            replay.phase(one)
        if at < first:
            continue
        found: list[DifferingPhase | ReplaySkipped] = [*replay.differ[differing:]]
        found += replay.skipped[skipped:]
        record = None if isinstance(one, UnreadPhase) else one
        name = one.name if isinstance(one, UnreadPhase) else str(one.before.phase)
        position = None if record is None else replay.position(record)
        yield ReplayedPhase(name, record, position, found[0] if found else None)


def _listed(game: RecordedGame) -> Iterator[RecordedPhase | UnreadPhase]:
    """All phases of a game in their order, those among them that cannot be read."""
    unread = list(game.unread)
    for at, record in enumerate(game.phases):
        while unread and unread[0].at <= at:
            yield unread.pop(0)
        yield record
    yield from unread


class _Replay:
    """The state of replaying one game."""

    def __init__(
        self,
        game: RecordedGame,
        rules: Profile,
        at_once: GameAtOnce | None,
        finds_causes: bool = True,
    ) -> None:
        self.game = game
        self.rules = rules
        self.agreed = 0
        self.differ: list[DifferingPhase] = []
        self.skipped: list[ReplaySkipped] = []
        self.last: _Judged | None = None  # the phase just judged, if it was compared
        self.before: _Judged | None = None  # the phase before that
        self.at_once = at_once
        self.finds_causes = finds_causes
        self.is_after_gap = False  # whether the phase before could not be read and judged

    def leave_out(self, lost: UnreadPhase) -> None:
        """Skip a phase that cannot be read."""
        self.last, self.is_after_gap = None, True
        self.skipped.append(ReplaySkipped(lost.name, lost.fault, is_fault=True))

    def phase(self, record: RecordedPhase) -> None:
        """Judge a phase again, and compare."""
        after_gap, self.is_after_gap = self.is_after_gap, False
        last, self.last = self.last, None
        self.before = last
        if self._surely_agrees(record, last):
            self.last = _Judged(self.game, record, self.rules, last)
            self.last.at_once = self.at_once
            self.agreed += 1
            return
        after = record.after
        reason = _not_comparable(record, is_last=record is self.game.phases[-1])
        if not reason and after_gap and not record.before.states_retreats:
            reason = UNKNOWN_RETREATS
        if reason or after is None:
            self._skip(record, reason, is_fault=bool(record.fault))
            if record.is_incomplete:
                self.last = self._by_readable_orders(record, last)
            self.is_after_gap = self.last is None and record.after is not None
            return
        try:
            self._compare(record, after, last)
        except LimitError:
            raise
        except DipsatError as error:
            self.last, self.is_after_gap = None, True
            self._skip(record, str(error), is_fault=True)

    def position(self, record: RecordedPhase) -> Position | None:
        """The board of the phase that was judged last, None if the rules have no such board."""
        judged = _Judged(self.game, record, self.rules, self.before)
        try:
            return judged.position(self.rules).with_words(self.rules.words)
        except LimitError:
            raise
        except DipsatError:
            return None

    def _surely_agrees(self, record: RecordedPhase, last: _Judged | None) -> bool:
        """Whether a phase can be compared, and compiled equations show that it agrees: most do."""
        if self.at_once is None or not self.at_once.agrees(record):
            return False
        if record.before.dislodged and (last is None or last.at_once is None):
            return False
        return not (record.is_unfinished and record is self.game.phases[-1])

    def _skip(self, record: RecordedPhase, reason: str, is_fault: bool) -> None:
        self.skipped.append(ReplaySkipped(str(record.before.phase), reason, is_fault))

    def _by_readable_orders(self, record: RecordedPhase, last: _Judged | None) -> _Judged | None:
        """A phase some of whose orders cannot be read, if the others give the recorded board: then
        they show where its dislodged units may retreat."""
        if record.after is None:
            return None
        judged = _Judged(self.game, record, self.rules, last)
        try:
            return judged if agree(judged.under(self.rules), record.after) else None
        except LimitError:
            raise
        except DipsatError:
            return None

    def _compare(self, record: RecordedPhase, after: RecordedState, last: _Judged | None) -> None:
        judged = self.last = _Judged(self.game, record, self.rules, last)
        quick = None if self.at_once is None else self.at_once.outcome(record)
        if quick is not None and agree(quick, after):
            judged.at_once = self.at_once
            self.agreed += 1
            return
        outcome = judged.under(self.rules) if quick is None else quick
        if quick is None and agree(outcome, after):
            self.agreed += 1
            return
        if shows_retreats_left_out(outcome, after):
            self._differ(record, outcome, after, (LEFT_OUT,))
            return
        wrong = contradiction(record, reader_for(self.game.board, self.game.words))
        if wrong:
            self.last, self.is_after_gap = None, True
            self._skip(record, wrong, is_fault=True)
            return
        found = None
        if self.finds_causes:
            found = causes_of_difference(
                judged.under, lambda other: other is not outcome and agree(other, after), self.rules
            )
        judged.followed = profile_with(self.rules, found) if found else None
        self._differ(record, outcome, after, tuple(deviation.name for deviation in found or ()))

    def _differ(
        self,
        record: RecordedPhase,
        outcome: Outcome | BoardOutcome,
        after: RecordedState,
        causes: tuple[str, ...],
    ) -> None:
        both = sides(outcome, after)
        phase = str(record.before.phase)
        board = ReplayedBoard.of(outcome.position, self.rules)
        self.differ.append(
            DifferingPhase(phase, record.orders, both.theirs, both.ours, causes, board)
        )


def _not_comparable(record: RecordedPhase, is_last: bool) -> str:
    if record.fault:
        return record.fault
    if record.after is None:
        return "the file does not state its result"
    if record.is_incomplete:
        return INCOMPLETE
    phase = record.before.phase
    if phase is not None and phase.kind is PhaseKind.ADJUSTMENT and not record.before.states_owners:
        return NO_OWNERS
    return UNFINISHED if is_last and record.is_unfinished else ""


class _Judged:
    """A phase of a record, and how dipsat judges it under any profile.

    `followed` is the profile that decides as the record does, None if no known one does.
    """

    def __init__(
        self, game: RecordedGame, record: RecordedPhase, rules: Profile, last: _Judged | None
    ) -> None:
        self.game = game
        self.record = record
        self.rules = rules
        self.followed: Profile | None = rules
        self.last = last if record.before.dislodged else None
        self.at_once: GameAtOnce | None = None
        """The outcomes under `rules` by compiled equations, if they are what the record says."""
        self._known: tuple[tuple[Profile, Outcome], ...] = ()  # the first one, and the last one

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

    def _moved(self, profile: Profile) -> Outcome | BoardOutcome | None:
        """The movement phase that led to a retreat phase, judged as the record has it."""
        if self.last is None or self.last.followed is None:
            return None
        known = self.last.followed
        meant = profile if known is self.rules else known
        if self.last.at_once is not None and meant is self.rules:
            quick = self.last.at_once.outcome(self.last.record)
            if quick is not None:
                return quick
        return self.last.under(meant)
