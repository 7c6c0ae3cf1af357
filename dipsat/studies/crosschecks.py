"""Comparing judges: where they agree, and the smallest orders on which they do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from dipsat.base import (
    GAP,
    INTERRUPTED,
    UNLIMITED,
    Column,
    Limits,
    Part,
    Plain,
    Shown,
    Styled,
    Table,
    Words,
    brief,
    checked,
    counted,
    fields_of,
    indented,
    plain,
    running,
)
from dipsat.board import Map, load_map
from dipsat.errors import DipsatError, UnknownNameError
from dipsat.rules import DEFAULT_RULES, portable_rules
from dipsat.studies.judgements import add_up
from dipsat.studies.judges import (
    PARTS,
    Divergence,
    Judge,
    Judgement,
    Shape,
    Shapes,
    allies,
    check_judges,
    differences,
    find,
    leading,
    loosened,
    named_rules,
    orders_in_words,
    shape_of,
    still_differ,
)
from dipsat.studies.options import DEFAULT_SMALLEST, Extent
from dipsat.studies.parallel_run import Jobs, Progress, Survey
from dipsat.studies.sheet import (
    Sheet,
    kept_map,
    name_of,
    remembered,
    rows_in_words,
    sheet_of,
    shrunk,
)
from dipsat.studies.sources import (
    NotComparable,
    Posed,
    Reading,
    ReplayFailure,
    Rules,
    Source,
    Workload,
    check_sources,
    phases_of,
    pieces,
    placed,
    share_of,
    shares,
)

# --- the report -----------------------------------------------------------------------------------


@brief()
@dataclass(frozen=True, slots=True)
class SmallestDisagreement:
    """The part of a phase from which nothing more can be removed without the judges agreeing."""

    sheet: Sheet
    """The remaining units and orders."""
    differences: tuple[Divergence, ...]
    """What the judges decide differently about them."""
    allies: tuple[tuple[str, ...], ...] = ()
    """The units that must belong to one power, by power."""
    shape: Shape | None = None
    """The shape of the orders without other coincidences, by which they are grouped."""


@brief()
@dataclass(frozen=True, slots=True)
class Disagreement:
    """A phase that two judges decide differently."""

    source: str
    """The name of the phase: its file, DATC case or random board."""
    judges: tuple[str, str]
    """Their labels."""
    rules: Rules
    """The rules for a judge that has none of its own."""
    sheet: Sheet
    """The units and orders."""
    differences: tuple[Divergence, ...]
    """What they decide differently, the most important first."""
    smallest: SmallestDisagreement | None = None
    """The smallest orders that show it, None if they were not searched for."""
    variant: str = ""
    """The rules laid over those of both judges, "" for none."""

    @property
    def shown(self) -> SmallestDisagreement:
        """The smallest orders that show it, or else all orders of the phase."""
        return self.smallest or SmallestDisagreement(self.sheet, self.differences)

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the decision that differ after shrinking, the most important first."""
        found = {one.part for one in self.shown.differences}
        return tuple(part for part in PARTS if part in found)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        shown = self.shown
        return {
            "source": self.source,
            "rules": named_rules(self.rules, self.variant),
            **shown.sheet.to_dict(),
            "differences": plain(shown.differences),
            "one_power": plain(shown.allies),
        }


@brief()
@dataclass(frozen=True, slots=True)
class CrosscheckGroup:
    """The disagreements of two judges with one cause.

    They differ in the same parts of the decision, and their smallest orders have the same shape.
    Disagreements that were not shrunk are grouped by these parts alone.
    """

    judges: tuple[str, str]
    """Their labels."""
    is_shrunk: bool
    """Whether their smallest orders were searched for."""
    disagreements: tuple[Disagreement, ...]
    """The disagreements."""

    @property
    def example(self) -> Disagreement:
        """The disagreement with the fewest units, the first of several."""
        return min(self.disagreements, key=lambda one: len(one.shown.sheet.rows))

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the decision that differ in the example."""
        return self.example.parts

    @property
    def title(self) -> str:
        """What differs, and the kinds of orders involved."""
        parts = "no answer from one" if self.parts == ("answer",) else ", ".join(self.parts)
        return f"{parts}: {orders_in_words(self.example.shown.sheet)}" if self.is_shrunk else parts

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "judges": list(self.judges),
            "count": len(self.disagreements),
            "parts": list(self.parts),
            "shrunk": self.is_shrunk,
            "title": self.title,
            "sources": [one.source for one in self.disagreements],
            "example": self.example.to_dict(),
        }


@brief()
@dataclass(frozen=True, slots=True)
class CrosscheckPair(Plain):
    """How often two judges agree."""

    judges: tuple[str, str]
    """Their labels."""
    agree: int
    """The number of phases on which they agree."""
    compared: int
    """The number of phases that both are made for."""


@brief()
@dataclass(frozen=True, slots=True)
class CrosscheckReport(Shown):
    """The phases on which judges agree, and the disagreements by cause. Made by
    `dipsat.studies.crosscheck`."""

    judges: tuple[str, ...]
    """The labels of the judges."""
    compared: int
    """The number of phases that two or more judges decided."""
    skipped: Mapping[str, int]
    """Reason -> the number of phases skipped for it."""
    failures: tuple[str, ...]
    """What could not be read, each with its place."""
    unanswered: Mapping[str, int]
    """Judge -> the number of phases for which it has no answer."""
    not_made_for: Mapping[str, Mapping[str, int]]
    """Judge -> why it is not made for a phase -> the number of such phases, on which it is not
    compared."""
    judged: Mapping[str, int]
    """Judge -> the number of phases on which it was compared."""
    pairs: tuple[CrosscheckPair, ...]
    """Every pair of judges."""
    groups: tuple[CrosscheckGroup, ...]
    """The disagreements by cause, without judges that always agree with an earlier one."""
    ungrouped: int = 0
    """The number of disagreements that `pairs` count but `groups` lack. `groups` have only the
    first 5,000, so that the memory needed does not grow with the work."""
    is_interrupted: bool = False
    """Whether the crosscheck ended early and reports only what it had found by then."""

    def _parts(self) -> Iterator[Part]:
        if self.compared:
            yield _matrix(self)
        phases = counted(self.compared, "phase")
        yield f"They agree on this many of {phases}." if self.compared else "No phase."
        yield from _left_out(self)
        if self.differs:
            for judge, other in self.alike.items():
                yield f"{judge} agrees with {other} throughout."
        shown = None
        for group in self.groups:
            if group.judges != shown:
                shown = group.judges
                pair = self.pair(*shown)
                heading = f"{shown[0]} and {shown[1]} differ on {pair.compared - pair.agree}:"
                yield from ("", Styled(heading, "bold"))
            yield from _group(group)
        if self.ungrouped:
            rest = f"{self.ungrouped:,} more disagreements"
            yield f"The groups have only the first ones; {rest} are counted above."
        if self.is_interrupted:
            yield from INTERRUPTED

    @property
    def differs(self) -> bool:
        """Whether any two judges disagree on any phase."""
        return any(pair.agree < pair.compared for pair in self.pairs)

    @property
    def alike(self) -> Mapping[str, str]:
        """Judge -> the earlier judge with which it always agrees, if there is one."""
        found: dict[str, str] = {}
        # Agreement need not be transitive, because what is compared depends on the pair: no judge
        # is compared with one that is itself left out.
        for pair in self.pairs:
            one, other = pair.judges
            judged = self.judged.get(other, self.compared)
            if judged and pair.agree == pair.compared == judged and one not in found:
                found.setdefault(other, one)
        return {judge: found[judge] for judge in self.judges if judge in found}

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """The disagreements in `groups`."""
        return tuple(one for group in self.groups for one in group.disagreements)

    @checked
    def pair(self, one: str, other: str) -> CrosscheckPair:
        """Return the pair of two judges, by their labels in any order. Raises `UnknownNameError` if
        there is none."""
        for pair in self.pairs:
            if set(pair.judges) == {one, other}:
                return pair
        unknown = next((name for name in (one, other) if name not in self.judges), other)
        raise UnknownNameError("judge", unknown, self.judges)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat crosscheck --json` prints them."""
        return fields_of(self, "judged")


def groups_of(
    disagreements: Sequence[Disagreement], pairs: Sequence[tuple[str, str]]
) -> tuple[CrosscheckGroup, ...]:
    """The disagreements grouped by cause: by pair of judges, then the largest group first."""
    shapes = Shapes()
    found: dict[tuple[tuple[str, str], tuple[str, ...], int | None], list[Disagreement]] = {}
    for one in disagreements:
        number = None
        parts = one.parts
        if one.smallest is not None and one.smallest.shape is not None:
            number, parts = shapes.number(one.smallest.shape), ()
        found.setdefault((one.judges, parts, number), []).append(one)
    groups = [
        CrosscheckGroup(judges, number is not None, tuple(listed))
        for (judges, _, number), listed in found.items()
    ]
    rank = {pair: at for at, pair in enumerate(pairs)}
    return tuple(sorted(groups, key=lambda g: (rank[g.judges], -len(g.disagreements))))


_YES = {
    "answer": "no answer", "moves": "goes to {}", "dislodged": "is dislodged",
    "contested": "is left vacant by a standoff", "retreats": "may retreat to {}",
}  # fmt: skip
_NO = {
    "answer": "an answer", "moves": "stays", "dislodged": "is not dislodged",
    "contested": "has no standoff", "legality": "legal",
}  # fmt: skip


def in_words(one: Divergence) -> tuple[str, str]:
    """What each judge decides, such as `goes to BEL` and `stays`."""
    first, second = (
        _YES.get(one.part, "{}").format(value) if value else _NO.get(one.part, "no such order")
        for value in one.values
    )
    return first, second


def crosscheck_files(report: CrosscheckReport, judges: Iterable[Judge]) -> dict[str, str]:
    """Name -> text of a file for `dipsat adjudicate`, one for each smallest disagreement:
    `2-1.yaml` is the first of the second group."""
    by_label = {judge.label: judge for judge in judges}
    return {
        f"{number}-{at}.yaml": _file(one, by_label)
        for number, group in enumerate(report.groups, 1)
        for at, one in enumerate(group.disagreements, 1)
        if one.smallest is not None
    }


def _file(one: Disagreement, judges: Mapping[str, Judge]) -> str:
    first, second = one.judges
    lines = [f"{one.source}: {first} and {second} differ."]
    for difference in one.shown.differences:
        mine, theirs = in_words(difference)
        about = f"{difference.about}: " if difference.about else ""
        lines.append(f"  {difference.part}: {about}{mine} by {first}, {theirs} by {second}")
    lines += [
        f"dipsat adjudicate FILE {judges[label].options(one.rules, one.variant)}"
        for label in one.judges
    ]
    return one.shown.sheet.to_file(line for text in lines for line in text.splitlines())


def _left_out(report: CrosscheckReport) -> Iterator[Part]:
    """How many phases were not compared, and why."""
    for reason, count in report.skipped.items():
        yield f"Not compared: {count} ({reason})."
    for judge, count in report.unanswered.items():
        yield Styled(f"{judge} has no answer on {counted(count, 'phase')}.", "yellow")
    for judge, reasons in report.not_made_for.items():
        phases = counted(sum(reasons.values()), "phase")
        yield Styled(f"Not made for {phases}: {judge}.", "yellow")
        yield from (indented(f"{count}: {reason}.", 2) for reason, count in reasons.items())


def _matrix(report: CrosscheckReport) -> Table:
    rows = [
        (str(at), judge, *(_agreement(report, judge, other) for other in report.judges))
        for at, judge in enumerate(report.judges, 1)
    ]
    numbers = (Column(str(at), is_right=True) for at in range(1, len(rows) + 1))
    return Table(tuple(rows), (Column(), Column("Judge", wraps=True), *numbers), edge=GAP)


def _agreement(report: CrosscheckReport, one: str, other: str) -> Words:
    if one == other:
        return ""
    pair = report.pair(one, other)
    count = str(pair.agree)
    if pair.compared < report.compared:
        count = f"{count} of {pair.compared}" if pair.compared else "none"
    return Styled(count, "green" if pair.agree == pair.compared else "bold red")


def _group(group: CrosscheckGroup) -> Iterator[Part]:
    count, example = len(group.disagreements), group.example
    unshrunk = "" if group.is_shrunk else " (not shrunk)"
    number = Styled(f"{count:>5}", "yellow")
    yield from ("", Table(((number, f"{group.title}{unshrunk}"),)))
    such = "such as " if count > 1 else ""
    yield indented(f"{such}{example.source}:", 7)
    yield Table(tuple(rows_in_words(example.shown.sheet)), indent=9, gap=1)
    allied = [f"{' and '.join(units)} must be of one power" for units in example.shown.allies]
    if allied:
        yield indented(f"{'; '.join(allied)}.", 7)
    rows = [(one.about, *in_words(one)) for one in example.shown.differences]
    columns = (Column(), *(Column(judge, wraps=True) for judge in example.judges))
    yield Table(tuple(rows), columns, indent=7, edge=GAP)


def crosscheck_rows(report: CrosscheckReport) -> Iterator[dict[str, Any]]:
    """Return a row for each disagreement in a report, by group, as plain values by column
    (docs/data.md has the columns). `write_rows` writes rows into a file."""
    for number, group in enumerate(report.groups, 1):
        for one in group.disagreements:
            yield _row(number, group, one)


def _row(number: int, group: CrosscheckGroup, one: Disagreement) -> dict[str, Any]:
    shown, (first, second) = one.shown, one.judges
    differences = [
        {"part": found.part, "about": found.about, "first": word, "second": other}
        for found in shown.differences
        for word, other in [found.values]
    ]
    return {
        "source": one.source,
        "map": one.sheet.map,
        "phase": one.sheet.phase or None,
        "rules": named_rules(one.rules, one.variant),
        "first": first,
        "second": second,
        "group": number,
        "title": group.title,
        "parts": list(one.parts),
        "differences": differences,
        "units": sum(bool(row.unit) for row in one.sheet.rows),
        "shrunk": one.smallest is not None,
        "orders": [
            {"power": row.power, "unit": row.unit or None, "order": order}
            for row in shown.sheet.rows
            for order in row.orders or (None,)
        ],
        "one_power": [list(units) for units in shown.allies],
    }


# --- the work -------------------------------------------------------------------------------------


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
    path), `OrdersApart`, `DatcCases` and `RandomBoards`. A judge without a profile uses the first
    of these that exists: `rules`, the profile of the first judge with one, the profile that a file
    names, `datc`. `map` overrides the maps that files and rules name; it has a file, or is shipped.
    `limits.files` says which files a file may name, and `limits.seconds` is the time for reading
    each of its games. `compare` says what counts: `moves` compares what happens to the units, `all`
    also retreats and the verdict of every order, and `auto` is `all` between two judges that read
    the equations of a profile, otherwise `moves`. The orders of the first `smallest` disagreements
    of two judges are shrunk. `jobs` is the number of processes, an executor, or `Workers`;
    `lenient` is as for `dipsat adjudicate`. `progress` is called with a description of the work,
    the amount done, and the total. A judge that always agrees with an earlier one counts in no
    group. A judge is not compared on a phase that it is not made for.

    A bad file, or a bad game in one, is reported as a failure, and the work goes on. After Ctrl-C
    the report holds what was found so far. Raises `UnknownNameError` for an engine or a DATC case,
    the errors of `load_profile` and `load_map` for the names given, `QuestionError` if there is
    nothing to compare, `WorkerError` if no workers are left, and `JournalError` for a journal that
    cannot be used.
    """
    judges = check_judges(engines, rules)
    with running(limits):
        judges = tuple(
            replace(judge, rules=judge.rules and portable_rules(judge.rules), name=judge.label)
            for judge in judges
        )  # so that other computers understand them
        if map is not None:
            load_map(map)
    board = None if map is None else name_of(map)
    asked = _Asked(judges, Reading(board, judges[0].rules, lenient, limits), compare)
    checked = check_sources(sources, asked.reading)
    depends = asked if board is None else (asked, kept_map(board))  # not only its path
    labels = [judge.label for judge in asked.judges]
    found, left_out = _Batch(), set[str]()
    with Survey(asked, jobs, progress, depends) as survey:
        work, total = pieces(checked), shares(checked)
        for _, batch in survey.results("comparing", _compare, _lost, work, 1, share_of, total):
            add_up(found, batch)
            del found.disagreements[_MOST_GROUPED:]
        left_out |= _report(labels, found).alike.keys()  # they repeat those of an earlier judge
        found.disagreements = [d for d in found.disagreements if left_out.isdisjoint(d.judges)]
        wanted = _wanted(found.disagreements, smallest)
        if wanted:
            smaller = survey.results("shrinking", _shrink, lambda one, _: one[1], wanted, 4)
            for (at, _), less in smaller:
                found.disagreements[at] = less
    return _report(labels, found, left_out, survey.is_interrupted)


_MOST_GROUPED = 5000
"""The most disagreements that are kept, at 10 KB each; the rest are only counted."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """The judges, and how they are compared."""

    judges: tuple[Judge, ...]
    reading: Reading
    extent: Extent


@dataclass
class _Batch:
    """The results of some phases. `compared` counts those judged by two or more judges. Other
    counts are by judge (`judged`, `unanswered`), by pair of judges (`pairs`, `differ`), and by
    judge and the reason why it is not made for a phase (`not_made`)."""

    compared: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    unanswered: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    differ: Counter[tuple[str, str]] = field(default_factory=Counter)
    not_made: Counter[tuple[str, str]] = field(default_factory=Counter)
    disagreements: list[Disagreement] = field(default_factory=list)


def _report(
    labels: list[str], found: _Batch, left_out: Collection[str] = (), is_interrupted: bool = False
) -> CrosscheckReport:
    """The report, without the disagreements of judges that are left out."""
    pairs = list(combinations(labels, 2))
    not_made: dict[str, dict[str, int]] = {}
    for (label, why), count in sorted(found.not_made.items()):
        not_made.setdefault(label, {})[why] = count
    shown = sum(found.differ[pair] for pair in pairs if not {*left_out}.intersection(pair))
    return CrosscheckReport(
        tuple(labels),
        found.compared,
        dict(sorted(found.skipped.items())),
        tuple(found.failures),
        {label: found.unanswered[label] for label in labels if found.unanswered[label]},
        {label: not_made[label] for label in labels if label in not_made},
        {label: found.judged[label] for label in labels},
        tuple(CrosscheckPair(p, found.pairs[p] - found.differ[p], found.pairs[p]) for p in pairs),
        groups_of(found.disagreements, pairs),
        shown - len(found.disagreements),
        is_interrupted,
    )


def _lost(piece: Workload, reason: str) -> _Batch:
    return _Batch(failures=[f"{piece.shown}: {reason}"])


def _compare(asked: _Asked, piece: Workload) -> _Batch:
    """Let all judges decide all phases of a piece of work; runs in any process."""
    batch = _Batch()
    for phase in phases_of(piece, asked.reading):
        if isinstance(phase, ReplayFailure):
            batch.failures.append(phase.problem)
        elif isinstance(phase, NotComparable):
            batch.skipped[phase.reason] += 1
        else:
            try:
                _judge(asked, phase, batch)
            except DipsatError as error:
                batch.failures.append(placed(error, phase.source))
    return batch


def _judge(asked: _Asked, phase: Posed, batch: _Batch) -> None:
    """Compare the judgements of a phase by all judges that are made for it."""
    default = phase.rules or DEFAULT_RULES
    found: list[tuple[str, Judgement]] = []
    lacking: list[tuple[str, str]] = []
    for judge in asked.judges:
        finding = find(judge, phase.position, phase.orders, default, phase.variant)
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
            batch.differ[one, other] += 1
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

    The cause should stay the same: at least one of the most important differences in the whole
    phase must still be there, in the same words.
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

    sheet = shrunk(one.sheet, partial(still_differ, differing, wanted))
    if sheet is None:
        return one  # the difference depends on more than units and orders
    loose = loosened(sheet, differing)
    shape = shape_of(loose, differing(loose))
    smallest = SmallestDisagreement(sheet, differing(sheet), allies(sheet, differing), shape)
    return replace(one, smallest=smallest)
