"""Judging the phases of one game, or some random boards, under the base and under all rule sets.

Compiled equations say which movement phases surely have the same results under both. Only the
others are judged under the rule sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from itertools import combinations
from math import comb
from typing import Any, NamedTuple, TypeAlias

from dipsat.base import UNLIMITED, Limits, grouped, kept_on_first, own_fields, running
from dipsat.board import Map, load_map
from dipsat.errors import DipsatError
from dipsat.formats import (
    UNKNOWN_RETREATS,
    RecordedGame,
    RecordedPhase,
    UnreadPhase,
    recorded_position,
)
from dipsat.game import SEASON_WORDS, DislodgedUnit, PhaseKind, Position
from dipsat.kernel import CodedMoves, MovesAtOnce, differing, kept_batch
from dipsat.outcomes import SILENT, Outcome, changes_for, decided
from dipsat.rules import Change, Profile, Settings, load_profile, portable_map
from dipsat.studies.impact_report import ImpactExample
from dipsat.studies.judgements import Result, add_up, cycle_rules, reason_of
from dipsat.studies.row_kinds import phase_columns
from dipsat.studies.sources import (
    NotComparable,
    Posed,
    RandomBoards,
    ReplayFailure,
    Workload,
    boards_of,
    every_phase,
    games_of,
    why_not_judged,
)

# --- causes ---------------------------------------------------------------------------------------


CYCLES = "rules for decision cycles"
"""The cause if these alone are enough. Code that knows which of them settled the phase names those
instead."""
DECLARED = "what the rules declare"

_NEXT = {"centers_change", "build_where", "victory"}
"""Settings that change the next position even if all orders have the same results."""
_MOST_PAIRS = 150  # sets tried; if there are more, entries are left out one by one
Judging: TypeAlias = Callable[[Profile], Result]
"""The result of a phase under a profile. Raises the errors of `adjudicate`."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A changed entry, or the entries of a section that change together."""

    section: str
    name: str
    label: str


class Changed:
    """A rule set, with its place in the list, for the phases of a kind that it may judge
    differently from the base. It finds which of the changed entries are the cause.

    An entry is laid over the base as the rules mean it: an equation comes with the terms that it
    uses there. What the rules declare (kinds of units, orders of their own, new decisions) is
    always there, because other entries need it; if it is enough by itself, it is the cause.
    """

    def __init__(
        self, base: Profile, rules: Profile, place: int, changes: Sequence[Change]
    ) -> None:
        self.profile = rules
        self.place = place
        self._base = base
        listed = [change for change in changes if change.section not in SILENT]
        legal = ", ".join(_name(change) for change in listed if change.section == "legal")
        found = [_entry(rules, change, legal) for change in listed]
        self._declares = None in found
        self._entries = tuple(dict.fromkeys(entry for entry in found if entry is not None))
        self.changed_rules = frozenset(c.name for c in listed if c.section == "cycles")
        """The rules for decision cycles that differ."""
        self.changes_reading = any(c.section in ("settings", "legal") for c in changes)
        """Whether orders may mean something else, or be legal for other reasons."""
        self.changes_next = any(
            c.section == "legal" or (c.section == "settings" and c.name in _NEXT) for c in changes
        )
        """Whether the next position may differ even if all orders have the same results."""
        self._with = cache(self._composed)

    def cause(self, judge: Judging, wanted: Result) -> tuple[str, ...]:
        """The smallest set of entries with this result, the first of several in the order of the
        rules. If there are many entries, a set from which none can be left out."""
        chosen = self._chosen(judge, wanted)
        return tuple(entry.label for entry in chosen) or (DECLARED,)

    def _chosen(self, judge: Judging, wanted: Result) -> Sequence[_Entry]:
        entries = self._entries
        if len(entries) <= 1 and not self._declares:
            return entries

        def is_enough(some: Sequence[_Entry]) -> bool:
            try:
                return judge(self._with(tuple(some))) == wanted
            except DipsatError:  # a mixture of two rule sets need not settle everything
                return False

        if self._declares and is_enough(()):
            return ()
        for size in (1, 2):
            if comb(len(entries), size) <= _MOST_PAIRS:
                for some in combinations(entries, size):
                    if is_enough(some):
                        return some
        kept = list(entries)
        for entry in entries:
            fewer = [one for one in kept if one is not entry]
            if is_enough(fewer):
                kept = fewer
        return kept

    def _composed(self, entries: tuple[_Entry, ...]) -> Profile:
        """The base with these entries of the rules."""
        base, rules = self._base, self.profile
        if entries == self._entries:
            return rules
        names = grouped((entry.section, entry.name) for entry in entries)
        legal = rules if "legal" in names else base
        settings = {name: getattr(rules.settings, name) for name in names.get("settings", ())}

        def equations(section: str) -> dict[str, Any]:
            mine, theirs = getattr(base, section), getattr(rules, section)
            return {**theirs, **mine, **{name: theirs[name] for name in names.get(section, ())}}

        return replace(
            base,
            name=f"{base.name} with entries of {rules.name}",
            settings=replace(base.settings, **settings, conditions=legal.settings.conditions),
            decisions=equations("decisions"),
            results=equations("results"),
            cycles=(rules if "cycles" in names else base).cycles,
            reasons={**base.reasons, **rules.reasons},
            declared=rules.declared,
            lawful=rules.lawful,
            legal=legal.legal,
        )


def _name(change: Change) -> str:
    return change.name.partition("(")[0].strip()


def _entry(rules: Profile, change: Change, legal: str) -> _Entry | None:
    """The entry of a change; None for a change of what the rules declare, or one that other entries
    show. `legal` names all differing conditions on single orders, which change together."""
    name = _name(change)
    is_there = change.after is not None
    match change.section:
        case "settings" if name in {field.name for field in fields(Settings)}:
            return _Entry("settings", name, f"setting {name}")
        case "legal":
            return _Entry("legal", "", f"legality {legal}")
        case "cycles":
            return _Entry("cycles", "", CYCLES)
        case "decisions" if is_there:
            is_truth = rules.decisions[name].type.is_truth
            return _Entry("decisions", name, f"{'decision' if is_truth else 'strength'} {name}")
        case "results" if is_there:
            return _Entry("results", name, f"result {name}")
    return None


# --- the question ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """The question, as other processes receive it."""

    base: str | Profile
    rules: tuple[str | Profile, ...]
    map: str | Map | None
    examples: int
    limits: Limits = UNLIMITED
    rows: bool = False
    """Whether a row is wanted for each phase."""

    __getstate__ = own_fields

    @cached_property
    def profiles(self) -> tuple[Profile, ...]:
        """The base, and the rule sets."""
        return tuple(map(load_profile, (self.base, *self.rules)))

    @cached_property
    def changed(self) -> Mapping[PhaseKind, list[Changed]]:
        """Kind of phase -> the rule sets that may judge it differently from the base."""
        base, *others = self.profiles
        found: dict[PhaseKind, list[Changed]] = {kind: [] for kind in PhaseKind}
        for place, profile in enumerate(others):
            for kind, listed in found.items():
                changes = changes_for(base, profile, kind)
                if changes:
                    listed.append(Changed(base, profile, place, changes))
        return found

    @cached_property
    def board(self) -> Map | None:
        """The map that overrides those that games name, if there is one."""
        return None if self.map is None else load_map(self.map)

    @property
    def random_board(self) -> Map:
        """The map of random boards."""
        return self.board or load_map(self.profiles[0].map or "standard")


# --- the phases -----------------------------------------------------------------------------------


BOARDS_AT_ONCE = 500
"""The most random boards in a piece of work."""

_ONLY_ORDERS = "holds only orders, no positions; `dipsat play` makes a game of it"
_WITHOUT_ORDERS = "the record ends with this phase, which has no orders"


# --- what is found --------------------------------------------------------------------------------


MOST_GAPS = 3
"""The most examples kept of the phases that cannot be judged for one reason."""
MOST_REASONS = 50
"""The most reasons counted separately, so that a report stays small whatever a file holds."""
MOST_FAILURES = 1000
"""The most faults that are listed; the others are only counted."""
OTHER = "for other reasons"


class Sort(NamedTuple):
    """The properties by which phases are counted."""

    season: str
    kind: str
    map: str
    units: str


def sort_of(position: Position) -> Sort:
    """The properties by which a phase is counted."""
    count = len(position.units) + len(position.dislodged)
    some = (f"{most - 9} to {most}" for most in (10, 20, 30) if count <= most)
    season, kind = SEASON_WORDS[position.phase.season], position.phase.kind.name.lower()
    return Sort(season, kind, position.map.name, next(some, "31 and more"))


IN_ORDER = (*SEASON_WORDS.values(), *(kind.name.lower() for kind in PhaseKind))
"""The values that have an order of their own, in this order."""


@dataclass(slots=True)
class SetTally:
    """The findings about one rule set. `boards` and `board_games` count the phases after which the
    board differs, and their games. `not_judged` counts, by reason, the phases that the rule set
    cannot judge; `gaps` has the first of these."""

    differ: Counter[Sort] = field(default_factory=Counter)
    causes: Counter[tuple[str, ...]] = field(default_factory=Counter)
    games: int = 0
    boards: int = 0
    board_games: int = 0
    orders: int = 0
    first: list[ImpactExample] = field(default_factory=list)
    smallest: list[ImpactExample] = field(default_factory=list)
    not_judged: Counter[str] = field(default_factory=Counter)
    gaps: dict[str, list[str]] = field(default_factory=dict)

    def add(self, other: SetTally, most: int) -> None:
        """Add the findings from later phases; keep this many examples."""
        add_up(self, other, "differ", "causes", "games", "boards", "board_games", "orders")
        self.first = [*self.first, *other.first]
        self.smallest = [*self.smallest, *other.smallest]
        self.choose(most)
        for reason, count in other.not_judged.items():
            self.miss(reason, other.gaps[reason], count)

    def choose(self, most: int) -> None:
        """Keep this many examples, first those after which the board differs."""
        self.first = sorted(self.first, key=lambda one: not one.board_differs)[:most]
        self.smallest = sorted(self.smallest, key=by_size)[:most]

    def miss(self, reason: str, phases: Iterable[str], count: int = 1) -> None:
        """Count phases that the rule set cannot judge, and keep the names of some."""
        reason = count_reason(self.not_judged, reason, count)
        known = self.gaps.setdefault(reason, [])
        known += list(phases)[: MOST_GAPS - len(known)]


@dataclass(slots=True)
class Tally:
    """The findings about some phases. `judged` are those that the base judges; `failures` lists the
    first of the `failed` things that cannot be read."""

    sets: list[SetTally]
    judged: Counter[Sort] = field(default_factory=Counter)
    games: int = 0
    boards: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    failed: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)
    """A row for each phase and rule set, without the file, if they are wanted."""

    @staticmethod
    def of(count: int) -> Tally:
        """Empty findings for this many rule sets."""
        return Tally([SetTally() for _ in range(count)])

    def add(self, other: Tally, most: int) -> None:
        """Add the findings from later phases; keep this many examples."""
        for mine, theirs in zip(self.sets, other.sets, strict=False):  # none, if a piece is lost
            mine.add(theirs, most)
        add_up(self, other, "judged", "games", "boards", "failed", "rows")
        for reason, count in other.skipped.items():
            count_reason(self.skipped, reason, count)
        self.failures += other.failures[: MOST_FAILURES - len(self.failures)]

    def fail(self, problem: str) -> None:
        """Note something that cannot be read."""
        self.failed += 1
        if len(self.failures) < MOST_FAILURES:
            self.failures.append(problem)


def count_reason(counts: Counter[str], reason: str, count: int = 1) -> str:
    """Count phases by a reason, and return it; if there are too many reasons, that is `OTHER`."""
    if reason not in counts and len(counts) >= MOST_REASONS:
        reason = OTHER
    counts[reason] += count
    return reason


def by_size(one: ImpactExample) -> tuple[bool, int]:
    """The sort key of examples: those after which the board differs first, then the smallest."""
    return not one.board_differs, one.units


# --- judging --------------------------------------------------------------------------------------


_FAULTY = "the record cannot be read"


def tally_of(asked: Asked, piece: Workload) -> Tally:
    """Judge a piece of work and return the findings; runs in any process."""
    tally = Tally.of(len(asked.rules))
    if isinstance(piece.work, RandomBoards):
        tally.boards += piece.work.count
        _Judging(asked, tally).boards([*boards_of(piece.work, asked.random_board)])
        return tally
    for game in games_of(piece.work, asked.board, asked.limits, _ONLY_ORDERS):
        if isinstance(game, ReplayFailure):
            tally.fail(game.problem)
        else:
            tally.games += 1
            _Judging(asked, tally).game(game)
    return tally


class _Difference(NamedTuple):
    """How many orders of a phase differ, whether the board does, and why."""

    orders: int
    board: bool
    cause: tuple[str, ...]


class _Judging:
    """The phases of a source by their number in it: those that the base has `judged` and, by the
    place of each rule set, those that it `changed`, and why others are `unjudged`."""

    def __init__(self, asked: Asked, tally: Tally) -> None:
        self.asked = asked
        self.base_rules = asked.profiles[0]
        self.tally = tally
        self.phases: dict[int, Posed] = {}
        self.is_game = False
        self.judged: dict[int, Outcome] = {}  # with the base's results
        self.plain = cache(lambda at: Result.of(self.judged[at]))
        self.codes: dict[object, dict[int, CodedMoves]] = {}  # by how orders are read
        self.changed: list[dict[int, _Difference]] = [{} for _ in asked.rules]
        self.unjudged: list[dict[int, str]] = [{} for _ in asked.rules]

    def boards(self, boards: Sequence[Posed]) -> None:
        """Judge boards of movement phases."""
        self.phases = dict(enumerate(boards))
        if boards:
            self._moves(boards[0].position.map)
        self._count_all()

    def game(self, game: RecordedGame) -> None:
        """Judge a game."""
        for unread in game.unread:
            self._skip(NotComparable(unread.fault, is_fault=True))
        waiting: list[tuple[int, RecordedPhase]] = []
        self.is_game = True
        for at, record in enumerate(every_phase(game)):
            if isinstance(record, UnreadPhase):
                continue
            skipped = why_not_judged(record, is_last=record is game.phases[-1])
            if skipped is None and record.after is None and not any(record.orders.values()):
                skipped = NotComparable(_WITHOUT_ORDERS)
            if skipped is not None:
                self._skip(skipped)
            elif record.before.dislodged:
                waiting.append((at, record))
            else:
                self._pose(game, at, record)
        self._moves(game.board)
        for at, record in waiting:
            before = self.judged.get(at - 1)
            if at > 0 and before is None and not record.before.states_retreats:
                self._skip(NotComparable(UNKNOWN_RETREATS))
            else:
                self._pose(game, at, record, before.next.dislodged if before else ())
        for at, one in self.phases.items():
            if one.kind is not PhaseKind.MOVEMENT:
                self._judge_plainly(at)
                for other in self.asked.changed[one.kind] if at in self.judged else ():
                    self._compare(other, at)
        self._count_all()

    def _pose(
        self, game: RecordedGame, at: int, record: RecordedPhase,
        lost: tuple[DislodgedUnit, ...] = (),
    ) -> None:  # fmt: skip
        """Take a recorded phase. `lost` are the units dislodged by the moves before it, with their
        possible retreats, which count if the record does not state any."""
        before = record.before
        assert before.phase is not None
        known = {str(one.unit): one.retreats for one in lost}
        try:
            position = recorded_position(game.board, before, before.phase, known)
        except DipsatError as error:
            problem = f"{game.source}: {before.phase}: {error}"
            self._skip(NotComparable(problem, is_fault=True))
        else:
            self.phases[at] = Posed(game.source, position, record.orders)

    def _skip(self, skipped: NotComparable) -> None:
        count_reason(self.tally.skipped, _FAULTY if skipped.is_fault else skipped.reason)
        if skipped.is_fault:
            self.tally.fail(skipped.reason)

    def _moves(self, board: Map) -> None:
        """Judge the movement phases."""
        for at, one in self.phases.items():
            if one.kind is PhaseKind.MOVEMENT:
                self._judge_plainly(at)
        for other in self.asked.changed[PhaseKind.MOVEMENT]:
            for at in self._perhaps_apart(other, board):
                self._compare(other, at)

    def _perhaps_apart(self, other: Changed, board: Map) -> list[int]:
        """The movement phases whose results may differ between the base and other rules. According
        to compiled equations, all others surely have the same results."""
        mine, theirs = (moves_at_once(rules, board) for rules in (self.base_rules, other.profile))
        moves = [at for at in self.judged if self.phases[at].kind is PhaseKind.MOVEMENT]
        if mine is None or theirs is None or mine.places != theirs.places or other.changes_next:
            return moves
        readable = self._coded(theirs)
        common = {
            at: coded
            for at, coded in self._coded(mine).items()
            if at in readable and not (coded.has_strays and other.changes_reading)
        }
        codes = [*common.values()]
        apart = differing(mine.judged(codes), theirs.judged(codes))
        same = {at for number, at in enumerate(common) if number not in apart}
        return [at for at in moves if at not in same]

    def _coded(self, coder: MovesAtOnce) -> dict[int, CodedMoves]:
        """The codes of the movement phases that have codes, by how orders are read."""
        if coder.reading not in self.codes:
            every = {
                at: coder.coded(one.position, one.orders)
                for at, one in self.phases.items()
                if one.kind is PhaseKind.MOVEMENT
            }
            found = {at: coded for at, coded in every.items() if coded is not None}
            self.codes[coder.reading] = found
        return self.codes[coder.reading]

    def _judge_plainly(self, at: int) -> None:
        """Judge a phase under the base, if that is possible."""
        try:
            outcome = self.under(self.base_rules, at)
            outcome.next  # noqa: B018  # it raises an error for an impossible board
        except DipsatError as error:
            reason = f"{self.base_rules.name} cannot judge it: {reason_of(error)}"
            count_reason(self.tally.skipped, reason)
        else:
            self.judged[at] = outcome

    def under(self, profile: Profile, at: int) -> Outcome:
        """The outcome under a profile. Raises the errors of `adjudicate`."""
        one = self.phases[at]
        with running(self.asked.limits):
            return decided(one.position, one.orders, profile)

    def _compare(self, other: Changed, at: int) -> None:
        """Compare a phase under the base and a rule set by full adjudication."""
        try:
            outcome = self.under(other.profile, at)
            result = Result.of(outcome)
        except DipsatError as error:
            one = self.phases[at]
            phase = f"{one.source} {one.position.phase}"
            self.tally.sets[other.place].miss(reason_of(error), [phase])
            self.unjudged[other.place][at] = str(error)
            return
        plain = self.plain(at)
        if result == plain:
            return
        cause = other.cause(lambda profile: Result.of(self.under(profile, at)), result)
        if CYCLES in cause:
            applied = cycle_rules(outcome), cycle_rules(self.judged[at])
            rules = _settling(other.changed_rules, *applied)
            cause = tuple(one for one in cause if one != CYCLES) + rules
        orders, board = plain.orders_changed(result), plain.next != result.next
        self.changed[other.place][at] = _Difference(orders, board, cause)

    # --- the sums ---------------------------------------------------------------------------------

    def _count_all(self) -> None:
        self.tally.judged.update(sort_of(self.phases[at].position) for at in self.judged)
        for tally, changed in zip(self.tally.sets, self.changed, strict=True):
            if changed:
                self._count(tally, dict(sorted(changed.items())))
        if self.asked.rows:
            for at in sorted(self.phases):
                self.tally.rows += self._rows(at)

    def _count(self, tally: SetTally, changed: Mapping[int, _Difference]) -> None:
        moved = [at for at, difference in changed.items() if difference.board]
        tally.boards += len(moved)
        tally.games += self._sources(changed)
        tally.board_games += self._sources(moved)
        for at, difference in changed.items():
            tally.differ[sort_of(self.phases[at].position)] += 1
            tally.causes[difference.cause] += 1
            tally.orders += difference.orders
        examples = [self._example(at, difference) for at, difference in changed.items()]
        tally.first, tally.smallest = tally.first + examples, tally.smallest + examples
        tally.choose(self.asked.examples)

    def _sources(self, phases: Iterable[int]) -> int:
        """The number of games, or boards, that these phases are from."""
        return len({self.phases[at].source for at in phases})

    def _example(self, at: int, difference: _Difference) -> ImpactExample:
        """A phase that differs. What changes in it is found again if the example is shown."""
        one = self.phases[at]
        return ImpactExample(
            one.source, str(one.position.phase), one.position.to_dict(), one.orders,
            difference.cause, (), ({}, {}), difference.board, False, portable_map(one.position.map),
        )  # fmt: skip

    def _rows(self, at: int) -> Iterator[dict[str, Any]]:
        """The rows of a phase (`dipsat.studies.row_kinds.IMPACT`): of the base, and of the rule
        sets that differ or cannot judge it."""
        one = self.phases[at]
        phase = {
            "game": one.source,
            "map": one.position.map.name,
            "number": at + 1 if self.is_game else None,
            **phase_columns(str(one.position.phase)),
            "units": len(one.position.units),
            "against": self.base_rules.name,
        }
        nothing = {"causes": [], "orders_changed": 0, "board": None, "reason": None}
        if at in self.judged:
            yield {**phase, "rules": None, "verdict": "judged", **nothing}
        for place, profile in enumerate(self.asked.profiles[1:]):
            if at in self.unjudged[place]:
                found = {"verdict": "unjudged", **nothing, "reason": self.unjudged[place][at]}
            elif at in self.changed[place]:
                orders, board, causes = self.changed[place][at]
                differing = {"causes": list(causes), "orders_changed": orders, "board": board}
                found = {"verdict": "differ", **nothing, **differing}
            else:
                continue
            yield {**phase, "rules": profile.name, **found}


@kept_on_first(4)
def moves_at_once(profile: Profile, board: Map) -> MovesAtOnce | None:
    """The compiled equations of a profile; None if they cannot be compiled."""
    try:
        found = MovesAtOnce(kept_batch(profile, board))
    except DipsatError:
        return None  # the error is found again phase by phase
    return found if found.is_ready else None


def _settling(changed: Collection[str], *applied: Iterable[str]) -> tuple[str, ...]:
    """The names of the changed rules for decision cycles that settled a phase, under the rules or
    else under the base."""
    for rules in applied:
        named = tuple(f"cycle rule {rule}" for rule in rules if rule in changed)
        if named:
            return named
    return (CYCLES,)
