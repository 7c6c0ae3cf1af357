"""Judging the phases of one game, or some random boards, under the base and under all rule sets.

Movement phases are judged by compiled equations, and what is found is compared as codes. Only
phases that differ, and those that codes cannot say, are judged again with care.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dipsat.board.load import is_shipped
from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.formats.records import UNKNOWN_RETREATS, RecordedGame, RecordedPhase
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import DislodgedUnit
from dipsat.impacts.causes import CYCLES
from dipsat.impacts.phases import (
    BadText,
    NotPosed,
    Posed,
    Source,
    posed,
    why_not_posed,
)
from dipsat.impacts.plan import Asked, Group, Plan, moves_at_once
from dipsat.impacts.results import Result, cycle_rules, reason_of
from dipsat.impacts.rows import ImpactRows
from dipsat.impacts.tally import Found, SetTally, Tally, sort_of
from dipsat.kernel.at_once import (
    CodedMoves,
    MovesApart,
    MovesAtOnce,
    differing,
    left_open,
)
from dipsat.kernel.results import BatchResult
from dipsat.limits import Limits, running
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import decided
from dipsat.proof.outcome import Outcome

_FAULTY = "the record cannot be read"


def tally_of(asked: Asked, source: Source) -> Tally:
    """What is found in a game, or on some boards."""
    tally = Tally.of(len(asked.rules))
    if isinstance(source, BadText):
        tally.fail(source.problem)
        return tally
    judging = _Judging(asked, tally)
    if isinstance(source, RecordedGame):
        judging.game(source)
        tally.games = 1
    else:
        judging.boards(source)
        tally.boards = len(source)
    return tally


@dataclass(frozen=True, slots=True)
class _Plain:
    """What the base decides of a phase, with the units that may retreat then, the settings that
    were read on the way, and the rules for decision cycles that settled it."""

    result: Result
    lost: tuple[DislodgedUnit, ...]
    read: frozenset[str]
    cycle_rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Difference:
    """How many orders of a phase differ, whether the board does, and why."""

    orders: int
    board: bool
    cause: tuple[str, ...]


class _Judging:
    def __init__(self, asked: Asked, tally: Tally) -> None:
        self.plan: Plan = asked.plan
        self.limits: Limits = asked.limits
        self.most = asked.examples
        self.tally = tally
        self.phases: dict[int, Posed] = {}  # by their number in the source
        self.plain: dict[int, _Plain] = {}  # under the base
        self.changed: list[dict[int, _Difference]] = [{} for _ in asked.rules]
        names = tuple(one.name for one in self.plan.rules)
        self.rows = ImpactRows(self.plan.base.name, names, asked.rows)
        self.places: dict[int, int] = {}  # of the phases of a game, from 1

    def boards(self, boards: Sequence[Posed]) -> None:
        """Judge boards of movement phases."""
        self.phases = dict(enumerate(boards))
        if boards:
            self._moves(boards[0].position.map)
        self._count_all()

    def game(self, game: RecordedGame) -> None:
        """Judge a game."""
        for unread in game.unread:
            self._skip(NotPosed(unread.fault, is_fault=True))
        waiting: list[tuple[int, RecordedPhase]] = []
        last = len(game.phases) - 1
        for at, record in enumerate(game.phases):
            self.places[at] = at + 1 + sum(one.at <= at for one in game.unread)
            skipped = why_not_posed(record, is_last=at == last)
            if skipped is not None:
                self._skip(skipped)
            elif record.before.dislodged:
                waiting.append((at, record))
            else:
                self._pose(game, at, record)
        moved = self._moves(game.board)
        gaps = {one.at for one in game.unread}
        for at, record in waiting:
            lost = moved.lost(at - 1)
            is_after_gap = at in gaps or (at > 0 and lost is None)
            if is_after_gap and not record.before.states_retreats:
                self._skip(NotPosed(UNKNOWN_RETREATS))
            else:
                self._pose(game, at, record, lost or ())
        self._later_phases()
        self._count_all()

    def _pose(
        self, game: RecordedGame, at: int, record: RecordedPhase,
        lost: tuple[DislodgedUnit, ...] = (),
    ) -> None:  # fmt: skip
        try:
            self.phases[at] = posed(game, record, lost)
        except DipsatError as error:
            where = f"{game.source}: {record.before.phase}: "
            self._skip(NotPosed(f"{where}{error}", is_fault=True))

    def _skip(self, skipped: NotPosed) -> None:
        self.tally.skip(_FAULTY if skipped.is_fault else skipped.reason)
        if skipped.is_fault:
            self.tally.fail(skipped.reason)

    # --- movement phases --------------------------------------------------------------------------

    def _moves(self, board: Map) -> _BaseMoves:
        numbers = [at for at, one in self.phases.items() if _kind(one) is PhaseKind.MOVEMENT]
        base = _BaseMoves(self, board, numbers)
        for at in numbers:
            if at in base.settled:
                self._note_judged(at)
            else:
                self._judge_plainly(at)
        for group in self.plan.groups[PhaseKind.MOVEMENT]:
            for at, apart in base.to_look_at(group):
                if apart is None or group.causes.only is None:
                    self._compare(group, at)
                else:
                    self._note_difference(group, at, _Difference(*apart, group.causes.only))
        return base

    def _later_phases(self) -> None:
        for at, one in self.phases.items():
            kind = _kind(one)
            if kind is not PhaseKind.MOVEMENT and self._judge_plainly(at):
                read = self.plain[at].read
                for group in self.plan.groups[kind]:
                    if not group.is_idle(read):
                        self._compare(group, at)

    def _judge_plainly(self, at: int) -> bool:
        """Judge a phase under the base; whether that is possible."""
        try:
            self.base(at)
        except DipsatError as error:
            self.tally.skip(f"{self.plan.base.name} cannot judge it: {reason_of(error)}")
            return False
        self._note_judged(at)
        return True

    def _note_judged(self, at: int) -> None:
        self.tally.judged[sort_of(self.phases[at].position)] += 1
        self.rows.judged(at)

    def base(self, at: int) -> _Plain:
        """What the base decides. Raises the errors of `adjudicate`."""
        known = self.plain.get(at)
        if known is None:
            rules = self.plan.recording
            rules.take()
            outcome = self.under(rules.profile, at)
            result, lost = Result.of(outcome), outcome.next.dislodged
            known = self.plain[at] = _Plain(result, lost, rules.take(), cycle_rules(outcome))
        return known

    def under(self, profile: Profile, at: int) -> Outcome:
        """The outcome under a profile. Raises the errors of `adjudicate`."""
        one = self.phases[at]
        with running(self.limits):
            return decided(one.position, one.orders, profile)

    def _compare(self, group: Group, at: int) -> None:
        """Compare a phase with care."""
        try:
            plain = self.base(at)
        except DipsatError:
            return  # it is counted as one that the base cannot judge
        try:
            outcome = self.under(group.profile, at)
            result = Result.of(outcome)
        except DipsatError as error:
            one = self.phases[at]
            for member in group.members:
                self.tally.sets[member].miss(
                    reason_of(error), [f"{one.source} {one.position.phase}"]
                )
                self.rows.unjudged(at, member, str(error))
            return
        if result == plain.result:
            return
        cause = group.causes.of(lambda other: Result.of(self.under(other, at)), result)
        if CYCLES in cause:
            rules = _settling(group.causes.changed_rules, cycle_rules(outcome), plain.cycle_rules)
            cause = tuple(one for one in cause if one != CYCLES) + rules
        orders, board = plain.result.orders_changed(result), plain.result.next != result.next
        self._note_difference(group, at, _Difference(orders, board, cause))

    def _note_difference(self, group: Group, at: int, difference: _Difference) -> None:
        for member in group.members:
            self.changed[member][at] = difference
            self.rows.differ(
                at, member, difference.orders, difference.cause, board=difference.board
            )

    # --- the sums ---------------------------------------------------------------------------------

    def _count_all(self) -> None:
        for tally, changed in zip(self.tally.sets, self.changed, strict=True):
            if changed:
                self._count(tally, dict(sorted(changed.items())))
        self.tally.rows = self.rows.rows(self.phases, self.places)

    def _count(self, tally: SetTally, changed: Mapping[int, _Difference]) -> None:
        moved = [at for at, difference in changed.items() if difference.board]
        tally.boards = len(moved)
        tally.games, tally.board_games = map(self._sources, (changed, moved))
        for at, difference in changed.items():
            tally.differ[sort_of(self.phases[at].position)] += 1
            tally.causes[difference.cause] += 1
            tally.orders += difference.orders
        first = sorted(changed, key=lambda at: not changed[at].board)
        smallest = sorted(first, key=lambda at: (not changed[at].board, _size(self.phases[at])))
        tally.first = [self._found(at, changed[at]) for at in first[: self.most]]
        tally.smallest = [self._found(at, changed[at]) for at in smallest[: self.most]]

    def _sources(self, phases: Iterable[int]) -> int:
        """Of how many games, or boards, these phases are."""
        return len({self.phases[at].source for at in phases})

    def _found(self, at: int, difference: _Difference) -> Found:
        one = self.phases[at]
        board = one.position.map
        return Found(
            one.source, str(one.position.phase), _size(one), one.position.to_dict(),
            board.name if is_shipped(board) else board, one.orders, difference.cause,
            difference.board,
        )  # fmt: skip


class _BaseMoves:
    """The movement phases of a source as codes, and what the base decides of them. `settled` are
    the numbers of those that compiled equations settle."""

    def __init__(self, judging: _Judging, board: Map, numbers: Sequence[int]) -> None:
        self._judging = judging
        self._board = board
        self._numbers = numbers
        self._coder = moves_at_once(judging.plan.base, board)
        self._coded: dict[object, dict[int, CodedMoves]] = {}  # by reading
        self._results: dict[object, BatchResult] = {}  # of those with codes also under a reading
        self.settled: Mapping[int, int] = {}
        if self._coder is not None:
            mine = self._codes(self._coder)
            open_boards = set(left_open(self._result(self._coder)))
            self.settled = {at: n for n, at in enumerate(mine) if n not in open_boards}

    def lost(self, at: int) -> tuple[DislodgedUnit, ...] | None:
        """The units that a phase dislodges under the base and that may retreat; None if that is not
        known."""
        if at in self.settled and self._coder is not None:
            return self._result(self._coder).lost(self.settled[at])
        known = self._judging.plain.get(at)
        return None if known is None else known.lost

    def to_look_at(self, group: Group) -> Iterator[tuple[int, MovesApart | None]]:
        """The phases that may have other results under some rules, each with what differs; None
        where the phase has to be judged with care. All others surely have the same results as under
        the base."""
        coder = moves_at_once(group.profile, self._board)
        mine = self._coder
        if mine is None or coder is None or coder.places != mine.places or group.changes_next:
            yield from ((at, None) for at in self._numbers)
            return
        common = self._common(coder)
        found = differing(self._result(coder), coder.judged([*common.values()]))
        differ = {at: found[n] for n, at in enumerate(common) if n in found}
        for at in self._numbers:
            coded = common.get(at)
            if coded is None or (coded.has_strays and group.changes_reading):
                yield at, None
            elif at in differ:
                yield at, differ[at]

    def _codes(self, coder: MovesAtOnce) -> Mapping[int, CodedMoves]:
        found = self._coded.get(coder.reading)
        if found is None:
            phases = self._judging.phases
            every = {
                at: coder.coded(phases[at].position, phases[at].orders) for at in self._numbers
            }
            found = {at: coded for at, coded in every.items() if coded is not None}
            self._coded[coder.reading] = found
        return found

    def _common(self, coder: MovesAtOnce) -> Mapping[int, CodedMoves]:
        """The phases that have codes under the base and under other rules."""
        assert self._coder is not None
        mine, theirs = self._codes(self._coder), self._codes(coder)
        return mine if theirs is mine else {at: one for at, one in mine.items() if at in theirs}

    def _result(self, coder: MovesAtOnce) -> BatchResult:
        """What the base decides of the phases that have codes under other rules, too."""
        assert self._coder is not None
        found = self._results.get(coder.reading)
        if found is None:
            common = self._common(coder)
            found = self._results[coder.reading] = self._coder.judged([*common.values()])
        return found


def _settling(changed: Collection[str], *applied: Iterable[str]) -> tuple[str, ...]:
    """The names of the changed rules for decision cycles that settled a phase, under the rules or
    else under the base."""
    for rules in applied:
        named = tuple(f"cycle rule {rule}" for rule in rules if rule in changed)
        if named:
            return named
    return (CYCLES,)


def _kind(one: Posed) -> PhaseKind:
    return one.position.phase.kind


def _size(one: Posed) -> int:
    return len(one.position.units) + len(one.position.dislodged)
