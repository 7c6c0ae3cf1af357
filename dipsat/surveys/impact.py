"""How often rules matter: the phases of games and random boards under a base and under others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from dipsat.board.map import Map
from dipsat.datasets.files import RowsFile, rows_file
from dipsat.datasets.kinds import IMPACT
from dipsat.errors import QuestionError
from dipsat.executors.run import Jobs, Progress, Stage, results_of, silent, watched
from dipsat.files.reading import size_of
from dipsat.formats.game_files import GameText
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.limits import UNLIMITED, Limits, running
from dipsat.profiles.load import DEFAULT_RULES, load_profile, portable_map, portable_rules
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import decided
from dipsat.proof.comparison import ComparedOrder, Comparison, OrderResult
from dipsat.scenarios.minimise import careful, shrunk
from dipsat.scenarios.sheet import Sheet, sheet_of
from dipsat.surveys.impact_judging import (
    IN_ORDER,
    Found,
    SetTally,
    Sort,
    Tally,
    Work,
    pieces,
    sources_of,
    tally_of,
)
from dipsat.surveys.impact_report import (
    ImpactCause,
    ImpactExample,
    ImpactReport,
    ImpactShare,
    NotJudged,
    RulesImpact,
)
from dipsat.surveys.impact_rules import Asked, Rules
from dipsat.surveys.results import Result, next_apart, words_of
from dipsat.surveys.sources import RandomBoards, boards_in_words, check_boards

_Change: TypeAlias = tuple[str, tuple[tuple[str, str] | None, ...]]
"""A unit, and what becomes of its order, and of the unit itself, under both rule sets."""


def example_of(found: Found, base: str | Profile, rules: str | Profile) -> ImpactExample:
    """A phase with the orders whose results differ."""
    position = Position.from_dict(found.position, found.map, load_profile(base))
    compared = _compared(position, found.orders, base, rules)
    return ImpactExample(
        found.source, found.phase, found.position, found.orders, found.cause, _changed(compared),
        next_apart(*compared.next), found.board, False, found.map, (base, rules),
    )  # fmt: skip


def smaller(example: ImpactExample) -> ImpactExample:
    """The rest of a movement phase from which nothing can be left out, so that some order still
    differs as it did, and the board if it did; other phases as they are."""
    base, rules = example._rules
    position = Position.from_dict(example.position, example._map, load_profile(base))
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return example
    wanted = _changes(example.changed)

    def differs(sheet: Sheet) -> bool:
        compared = _compared(sheet.position(), sheet.orders, base, rules)
        if wanted and wanted.isdisjoint(_changes(_changed(compared))):
            return False
        one, other = map(Result.of, compared.outcomes)
        return one.next != other.next if example.board_differs else one != other

    sheet = sheet_of(position, example.orders)
    if not careful(differs)(sheet):
        return example  # it depends on more than units and orders
    least = shrunk(sheet, careful(differs))
    after = least.position()
    orders = {power: tuple(texts) for power, texts in least.orders.items()}
    compared = _compared(after, orders, base, rules)
    return replace(
        example,
        position=after.to_dict(),
        orders=orders,
        changed=_changed(compared),
        next=next_apart(*compared.next),
        is_shrunk=True,
    )


def _compared(
    position: Position, orders: Mapping[str, tuple[str, ...]], base: str | Profile,
    rules: str | Profile,
) -> Comparison:  # fmt: skip
    profiles = load_profile(base), load_profile(rules)
    outcomes = tuple(decided(position, orders, one) for one in profiles)
    return Comparison((profiles[0].name, profiles[1].name), outcomes)


def _changed(compared: Comparison) -> tuple[ComparedOrder, ...]:
    """The orders with another result."""
    return tuple(
        row for row in compared.orders
        if len(set(_words(row.results))) > 1
    )  # fmt: skip


def _changes(orders: tuple[ComparedOrder, ...]) -> set[_Change]:
    """What differs: what becomes of units, or where that is the same, all verdicts."""
    found = {(one.unit, _words(one.results)) for one in orders}
    of_units = {change for change in found if _is_of_units(change)}
    return of_units or found


def _words(results: tuple[OrderResult | None, ...]) -> tuple[tuple[str, str] | None, ...]:
    return tuple(None if one is None else words_of(one) for one in results)


def _is_of_units(change: _Change) -> bool:
    """Whether a unit moves, or is dislodged, under only one of both."""
    known = [("", "") if words is None else words for words in change[1]]
    return len({(verdict == "succeeds", fate) for verdict, fate in known}) > 1


DEFAULT_EXAMPLES = 3
_FEW = 4  # games; for up to these it does not pay to start other processes


def impact(
    rules: Rules | Iterable[Rules],
    games: str | Path | Iterable[str | Path] = (),
    against: Rules = DEFAULT_RULES,
    *,
    boards: RandomBoards | None = None,
    map: str | Path | Map | None = None,
    examples: int = DEFAULT_EXAMPLES,
    jobs: Jobs = 1,
    progress: Progress | None = None,
    limits: Limits = UNLIMITED,
    rows: str | Path | None = None,
) -> ImpactReport:
    """Find out how often rules matter: judge recorded phases, and perhaps random boards, under a
    base and under other rules, and report where and why the results differ.

    `rules` is one rule set or several, as for `dipsat.adjudicate`, `against` the base. `games` are
    files as for `dipsat.replay_files`; each phase starts from its recorded position and has its
    recorded orders, under all rules the same. Where a dislodged unit may retreat is as the file
    says, or else as the base finds from the moves before, or else every vacant neighbouring
    place. `boards` are random boards of movement phases. `map` overrules the map that files and
    rules name. A phase differs if an order has another verdict, if its unit has another fate, or if
    the next position or the winner differs. The report has up to `examples` of the first and of the
    smallest such phases of each rule set; those after which the board differs come before others.
    `jobs` is the number of processes, an executor, or `Workers`; the report does not depend on it.
    `progress` is called with a description of the work, the amount done, and the total.
    `limits.files` says which files a file may name, and `limits.seconds` are for each game to be
    read, and for each phase to be judged. `rows` is a file for a row of each phase, which is
    written as `write_rows` writes one (docs/data.md).

    A bad file, or a bad game in one, is a failure in the report, and the others follow; phases that
    cannot be judged are counted with the reason. After Ctrl-C the report holds what was found so
    far. Raises the errors of `load_profile` and `load_map` for the names given, `QuestionError` if
    there is nothing to compare, `WorkerError` if there are no workers any more, `JournalError` for
    a journal that cannot be used, and `FileError` if the rows cannot be written.
    """
    work = partial(
        impact_with, rules, games, against, boards, map, examples, jobs, progress, limits
    )
    if rows is None:
        return work(None)
    with rows_file(rows, IMPACT) as file:
        report = work(file)
    return report  # noqa: RET504  # to mypy, the block may end before a `return` in it


def impact_with(
    rules: Rules | Iterable[Rules],
    games: str | Path | Iterable[str | Path],
    against: Rules,
    boards: RandomBoards | None,
    map: str | Path | Map | None,
    examples: int,
    jobs: Jobs,
    progress: Progress | None,
    limits: Limits,
    file: RowsFile | None,
) -> ImpactReport:
    """As `impact`, with an open file for the rows."""
    named = [rules] if isinstance(rules, str | Path | Profile) else list(rules)
    files = [str(one) for one in ([games] if isinstance(games, str | Path) else games)]
    if not named or not (files or boards):
        raise QuestionError("there is nothing to compare; name rules, and games or random boards")
    with running(limits):
        base, *others = (load_profile(one) for one in (against, *named))
        board = None if map is None else portable_map(map)
    asked = Asked(
        portable_rules(base), tuple(portable_rules(one) for one in others), board, examples, limits,
        file is not None,
    )  # fmt: skip
    if boards is not None:
        check_boards(boards, asked.random_board)
    work = _Work(asked, base, others, jobs, progress or silent, file)
    try:
        work.judge(files, boards)
        work.show_examples()
    except KeyboardInterrupt:
        if file is not None and not work.is_judged:
            file.cut_short()
        return work.report(is_interrupted=True)
    return work.report()


class _Work:
    """The stages of the work, and their results so far."""

    def __init__(
        self, asked: Asked, base: Profile, rules: list[Profile], jobs: Jobs, show: Progress,
        file: RowsFile | None,
    ) -> None:  # fmt: skip
        self.asked, self.base, self.rules, self.jobs, self.show = asked, base, rules, jobs, show
        self.file = file
        self.is_judged = False
        self.tally = Tally.of(len(rules))
        self.examples: dict[int, ImpactExample] = {}  # by the identity of what was found

    def judge(self, files: list[str], boards: RandomBoards | None) -> None:
        """Judge all phases."""
        total = sum(map(size_of, files)) + (boards.count if boards else 0)
        done, before, file = 0.0, 0, ""
        self.show("judging", 0, total or 1)
        work = pieces(files, boards)
        stage = Stage("judging", partial(_found, self.asked), partial(_lost, asked=self.asked))
        for piece, tally in results_of(stage, work, self.jobs, few=_FEW):
            if self.file is not None:
                shown = piece.shown if isinstance(piece, GameText) else None
                self.file.add_all({"file": shown, **row} for row in tally.rows)
            tally.rows = []  # nothing keeps them but the file
            self.tally.add(tally, self.asked.examples)
            if isinstance(piece, GameText):
                before = 0 if piece.shown != file else before
                done, before, file = done + piece.offset - before, piece.offset, piece.shown
            elif isinstance(piece, RandomBoards):
                done += piece.count
            self.show("judging", done, total or 1)
        self.is_judged = True

    def show_examples(self) -> None:
        """Judge the examples again, to show them."""
        wanted = [
            (at, found, is_smallest)
            for at, tally in enumerate(self.tally.sets)
            for is_smallest, listed in ((False, tally.first), (True, tally.smallest))
            for found in listed
        ]
        stage = Stage("examples", partial(_example, self.asked), _not_shown)
        results = results_of(stage, wanted, self.jobs, few=_FEW)
        for (_, found, _), example in watched(results, "examples", len(wanted), self.show):
            if example is not None:
                self.examples[id(found)] = example

    def report(self, is_interrupted: bool = False) -> ImpactReport:
        """What was found so far."""
        tally = self.tally
        return ImpactReport(
            self.base.name, tally.games, tally.judged.total(),
            dict(sorted(tally.skipped.items())), tuple(_failures(tally)),
            tuple(self._impact(at) for at in range(len(self.rules))),
            is_interrupted, tally.boards,
        )  # fmt: skip

    def _impact(self, at: int) -> RulesImpact:
        profile, own, all_of_them = self.rules[at], self.tally.sets[at], self.tally.judged
        gaps = own.not_judged.total()
        causes = sorted(own.causes.items(), key=lambda entry: (-entry[1], entry[0]))
        return RulesImpact(
            profile.name, profile.title, all_of_them.total() - gaps, own.differ.total(),
            own.boards, own.games, own.board_games, own.orders,
            tuple(ImpactCause(entries, count) for entries, count in causes),
            _shares(own, all_of_them, "kind"),
            _shares(own, all_of_them, "season"),
            _shares(own, all_of_them, "map"),
            _shares(own, all_of_them, "units"),
            self._shown(own.first),
            tuple(sorted(self._shown(own.smallest), key=_by_size)),
            tuple(
                NotJudged(reason, count, tuple(own.gaps[reason]))
                for reason, count in own.not_judged.most_common()
            ),
        )  # fmt: skip

    def _shown(self, found: list[Found]) -> tuple[ImpactExample, ...]:
        return tuple(self.examples[id(one)] for one in found if id(one) in self.examples)


def _by_size(one: ImpactExample) -> tuple[bool, int]:
    return not one.board_differs, one.units


def _failures(tally: Tally) -> list[str]:
    more = tally.failed - len(tally.failures)
    return [*tally.failures, *([f"{more} more faults are not listed"] if more else [])]


def _found(asked: Asked, work: Work) -> Tally:
    """What is found in a piece of work; runs in any process."""
    tally = Tally.of(len(asked.rules))
    for source in sources_of(work, asked.board, asked.random_board, asked.limits):
        tally.add(tally_of(asked, source), asked.examples)
    return tally


def _lost(work: Work, reason: str, asked: Asked) -> Tally:
    tally = Tally.of(len(asked.rules))
    if isinstance(work, RandomBoards):
        shown = boards_in_words(work)
    else:
        shown = work.shown if isinstance(work, GameText) else work.problem
    tally.fail(f"{shown}: {reason}")
    return tally


def _not_shown(_: tuple[int, Found, bool], __: str) -> ImpactExample | None:
    return None


def _example(asked: Asked, wanted: tuple[int, Found, bool]) -> ImpactExample | None:
    """A phase with the orders whose results differ, made smaller if it is one of the smallest; runs
    in any process."""
    at, found, is_smallest = wanted
    example = example_of(found, asked.base, asked.rules[at])
    return smaller(example) if is_smallest else example


def _shares(own: SetTally, everything: Counter[Sort], part: str) -> Mapping[str, ImpactShare]:
    """How many phases differ, by a part of their sort."""
    compared, differ = Counter[str](), Counter[str]()
    for sort, count in everything.items():
        compared[getattr(sort, part)] += count
    for sort, count in own.differ.items():
        differ[getattr(sort, part)] += count
    known = {name: at for at, name in enumerate(IN_ORDER)}
    names = sorted(compared, key=lambda name: (known.get(name, len(known)), name))
    return {name: ImpactShare(differ[name], compared[name]) for name in names}
