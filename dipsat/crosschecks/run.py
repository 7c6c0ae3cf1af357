"""Comparing judges on many phases, in several processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.crosschecks.at_once import MANY, judged_at_once
from dipsat.crosschecks.causes import shape_of
from dipsat.crosschecks.finding import Divergence, Judgement, differences, find, leading
from dipsat.crosschecks.generalise import allies, loosened, still_differ
from dipsat.crosschecks.judge import Judge, Rules, check_judges
from dipsat.crosschecks.options import DEFAULT_SMALLEST, Extent
from dipsat.crosschecks.report import (
    CrosscheckPair,
    CrosscheckReport,
    Disagreement,
    SmallestDisagreement,
    groups_of,
)
from dipsat.crosschecks.sources import (
    BadSource,
    NotComparable,
    Phase,
    Posed,
    Reading,
    Source,
    Workload,
    check_sources,
    phases_of,
    pieces,
    shares,
)
from dipsat.errors import DipsatError
from dipsat.executors.run import Jobs, Progress, Stage, results_of, silent, watched
from dipsat.limits import UNLIMITED, Limits, running
from dipsat.profiles.load import DEFAULT_RULES, portable_rules
from dipsat.scenarios.minimise import careful, remembered, shrunk
from dipsat.scenarios.sheet import Sheet, kept_map, name_of, sheet_of


def crosscheck(
    engines: Iterable[str | Judge],
    sources: Iterable[Source],
    *,
    rules: Rules | None = None,
    map: str | Path | Map | None = None,
    compare: Extent = "auto",
    smallest: int = DEFAULT_SMALLEST,
    jobs: Jobs = 1,
    lenient: bool = False,
    progress: Progress | None = None,
    limits: Limits = UNLIMITED,
) -> CrosscheckReport:
    """Compare judges on movement phases: find where they disagree, and the smallest orders that
    show it.

    `engines` are engines (`"dip_eval"`), engines with a profile (`"solver:rulebooks/1982"`) or
    `Judge`s; a single one is compared with the solver. `sources` are files of orders or of games (a
    path), `OrdersApart`, `DatcCases` and `RandomBoards`. A judge without a profile takes `rules`,
    else the profile of the first judge with one, else the profile that a file names, else `datc`.
    `map` overrides the maps that files and rules name; it has a file, or is shipped. `limits.files`
    says which files a file may name, and `limits.seconds` are for reading each of its games.
    `compare` says what counts: `moves` compares what happens to the units, `all` also retreats and
    the verdict of every order, and `auto` is `all` between two judges that read the equations of a
    profile, else `moves`. For the first `smallest` disagreements of two judges the orders are
    shrunk. `jobs` is the number of processes, an executor, or `Workers`; `lenient` is as for
    `dipsat adjudicate`. `progress` is called with a description of the work, the amount done, and
    the total. A judge that always agrees with an earlier one counts in no group. A judge is not
    compared on a phase that it is not made for.

    A bad file, or a bad game in one, is a failure in the report, and the others follow. After
    Ctrl-C the report holds what was found so far. Raises `UnknownNameError` for an engine or a DATC
    case, the errors of `load_profile` and `load_map` for the names given, `QuestionError` if there
    is nothing to compare, `WorkerError` if there are no workers any more, and `JournalError` for a
    journal that cannot be used.
    """
    judges = check_judges(engines, rules)
    with running(limits):
        judges = tuple(_portable(judge) for judge in judges)
        if map is not None:
            load_map(map)
    board = None if map is None else name_of(map)
    asked = _Asked(judges, Reading(board, judges[0].rules, lenient, limits), compare)
    checked = check_sources(sources, asked.reading)
    show = progress or silent
    tally = _Tally([judge.label for judge in asked.judges])
    asked = replace(asked, is_long=shares(checked) >= MANY)
    try:
        _compare_all(asked, checked, jobs, show, tally)
        tally.leave_out_alike()
        _shrink_all(asked, tally.batch.disagreements, smallest, jobs, show)
    except KeyboardInterrupt:
        return tally.report(is_interrupted=True)
    return tally.report()


def _portable(judge: Judge) -> Judge:
    """A judge with rules that other computers understand."""
    if judge.rules is None:
        return judge
    return replace(judge, rules=portable_rules(judge.rules), name=judge.label)


_MOST_GROUPED = 5000
"""Disagreements that are kept, 10 KB each; the rest is counted."""

_Known: TypeAlias = Mapping[str, Mapping[int, Judgement]]
"""Label of a judge -> identity of a phase -> what it decides."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """The judges, and how they are compared."""

    judges: tuple[Judge, ...]
    reading: Reading
    extent: Extent
    is_long: bool = False
    """Whether there are so many phases that compiling pays."""


@dataclass
class _Batch:
    """The results of some phases. `compared` were judged by two judges or more. Phases are counted
    by judge (`judged`, `unanswered`), by pair of judges (`pairs`), and by judge and the reason why
    it is not made for them (`not_made`)."""

    compared: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    unanswered: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    not_made: Counter[tuple[str, str]] = field(default_factory=Counter)
    disagreements: list[Disagreement] = field(default_factory=list)

    def add(self, other: _Batch) -> None:
        """Add the results of other phases."""
        self.compared += other.compared
        self.skipped += other.skipped
        self.failures += other.failures
        self.unanswered += other.unanswered
        self.judged += other.judged
        self.pairs += other.pairs
        self.not_made += other.not_made
        self.disagreements += other.disagreements


@dataclass
class _Tally:
    """The results of all batches."""

    labels: list[str]
    batch: _Batch = field(default_factory=_Batch)
    differ: Counter[tuple[str, str]] = field(default_factory=Counter)
    ungrouped: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, batch: _Batch) -> None:
        self.differ.update(one.judges for one in batch.disagreements)
        room = _MOST_GROUPED - len(self.batch.disagreements)
        self.ungrouped.update(one.judges for one in batch.disagreements[room:])
        del batch.disagreements[room:]
        self.batch.add(batch)

    def leave_out_alike(self) -> None:
        """Leave out the disagreements of judges that agree with an earlier one throughout: they
        repeat those of that one."""
        left_out = set(self.report().alike)
        kept = [o for o in self.batch.disagreements if left_out.isdisjoint(o.judges)]
        self.batch.disagreements = kept
        rest = {p: count for p, count in self.ungrouped.items() if left_out.isdisjoint(p)}
        self.ungrouped = Counter(rest)

    def report(self, is_interrupted: bool = False) -> CrosscheckReport:
        pairs, found = list(combinations(self.labels, 2)), self.batch
        not_made: dict[str, dict[str, int]] = {}
        for (label, why), count in sorted(found.not_made.items()):
            not_made.setdefault(label, {})[why] = count
        return CrosscheckReport(
            tuple(self.labels),
            found.compared,
            dict(sorted(found.skipped.items())),
            tuple(found.failures),
            {label: found.unanswered[label] for label in self.labels if found.unanswered[label]},
            {label: not_made[label] for label in self.labels if label in not_made},
            {label: found.judged[label] for label in self.labels},
            tuple(
                CrosscheckPair(p, found.pairs[p] - self.differ[p], found.pairs[p]) for p in pairs
            ),
            groups_of(found.disagreements, pairs),
            self.ungrouped.total(),
            is_interrupted,
        )


def _compare_all(
    asked: _Asked, sources: tuple[Source, ...], jobs: Jobs, show: Progress, tally: _Tally
) -> None:
    """Compare the judges on all sources, and add the results to the tally."""
    total, done = shares(sources), 0.0
    stage = Stage("comparing", partial(_compare, asked), _lost, depends=_depends(asked))
    results = results_of(stage, pieces(sources), jobs, few=1)
    show("comparing", 0, total)
    for piece, batch in results:
        tally.add(batch)
        done += piece.share
        show("comparing", done, total)


def _shrink_all(
    asked: _Asked, found: list[Disagreement], most: int, jobs: Jobs, show: Progress
) -> None:
    """Add the smallest orders to the first disagreements of each pair of judges."""
    wanted = _wanted(found, most)
    if not wanted:
        return
    shrink = partial(_shrink, asked)
    stage = Stage("shrinking", shrink, lambda piece, _: piece[1], depends=_depends(asked))
    results = results_of(stage, wanted, jobs, few=4)
    for (at, _), smaller in watched(results, "shrinking", len(wanted), show):
        found[at] = smaller


def _depends(asked: _Asked) -> object:
    """What the results depend on: a map's content, too, where only its path is asked for."""
    named = asked.reading.map
    return asked if named is None else (asked, kept_map(str(named)))


def _lost(piece: Workload, reason: str) -> _Batch:
    return _Batch(failures=[f"{piece.shown}: {reason}"])


def _compare(asked: _Asked, piece: Workload) -> _Batch:
    """Let all judges decide all phases of a piece of work; runs in any process."""
    batch = _Batch()
    phases: Iterable[Phase] = phases_of(piece, asked.reading)
    known: _Known = {}
    if asked.is_long:
        phases = listed = list(phases)
        posed = [phase for phase in listed if isinstance(phase, Posed)]
        known = {one.label: judged_at_once(one, posed, DEFAULT_RULES) for one in asked.judges}
    for phase in phases:
        if isinstance(phase, BadSource):
            batch.failures.append(phase.problem)
        elif isinstance(phase, NotComparable):
            batch.skipped[phase.reason] += 1
        else:
            try:
                _judge(asked, phase, batch, known)
            except DipsatError as error:
                text = str(error)
                failure = text if phase.source in text else f"{phase.source}: {text}"
                batch.failures.append(failure)
    return batch


def _judge(asked: _Asked, phase: Posed, batch: _Batch, known: _Known) -> None:
    """Compare the judges that are made for a phase on it. `known` has what some have decided."""
    default = phase.rules or DEFAULT_RULES
    found: list[tuple[str, Judgement]] = []
    lacking: list[tuple[str, str]] = []
    for judge in asked.judges:
        finding = known.get(judge.label, {}).get(id(phase)) or find(
            judge, phase.position, phase.orders, default, phase.variant
        )
        if finding.is_made:
            found.append((judge.label, finding))
        else:
            lacking.append((judge.label, finding.problem))
    batch.not_made.update(lacking)
    batch.unanswered.update(label for label, finding in found if finding.problem)
    if len(found) < 2:
        return
    batch.compared += 1
    batch.judged.update(label for label, _ in found)
    sheet: Sheet | None = None
    for (one, mine), (other, theirs) in combinations(found, 2):
        batch.pairs[one, other] += 1
        differing = differences(mine, theirs, asked.extent)
        if differing:
            sheet = sheet or sheet_of(phase.position, phase.orders)
            labels = one, other
            batch.disagreements.append(
                Disagreement(phase.source, labels, default, sheet, differing, variant=phase.variant)
            )


def _wanted(found: Iterable[Disagreement], most: int) -> list[tuple[int, Disagreement]]:
    """The first `most` disagreements of each pair of judges, with their indices."""
    count: Counter[tuple[str, str]] = Counter()
    wanted = []
    for at, one in enumerate(found):
        count[one.judges] += 1
        if count[one.judges] <= most:
            wanted.append((at, one))
    return wanted


def _shrink(asked: _Asked, numbered: tuple[int, Disagreement]) -> Disagreement:
    """A disagreement with its smallest orders; runs in any process.

    They should have the same cause: at least one of the most important differences of the whole
    phase is still there, with the same words.
    """
    _, one = numbered
    by_label = {judge.label: judge for judge in asked.judges}
    pair = [by_label[label] for label in one.judges]
    wanted = leading(one.differences)

    @remembered
    def differing(sheet: Sheet) -> tuple[Divergence, ...]:
        position, orders = sheet.position(), sheet.orders
        first, second = (find(judge, position, orders, one.rules, one.variant) for judge in pair)
        return differences(first, second, asked.extent)

    differs = careful(partial(still_differ, differing, wanted))
    if not differs(one.sheet):
        return one  # it depends on more than units and orders
    sheet = shrunk(one.sheet, differs)
    loose = loosened(sheet, differing)
    shape = shape_of(loose, differing(loose))
    smallest = SmallestDisagreement(sheet, differing(sheet), allies(sheet, differing), shape)
    return replace(one, smallest=smallest)
