"""How often rules matter: the phases of games and random boards under a base and other rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from dipsat.base import UNLIMITED, Limits, running
from dipsat.board import Map
from dipsat.errors import QuestionError
from dipsat.formats import GameText
from dipsat.game import PhaseKind, Position
from dipsat.orders import NO_WORDS
from dipsat.outcomes import ComparedOrder, OrderResult, compare
from dipsat.rules import DEFAULT_RULES, Profile, load_profile, portable_map, portable_rules
from dipsat.studies.impact_judging import (
    BOARDS_AT_ONCE,
    IN_ORDER,
    Asked,
    SetTally,
    Sort,
    Tally,
    by_size,
    tally_of,
)
from dipsat.studies.impact_report import (
    ImpactCause,
    ImpactExample,
    ImpactReport,
    ImpactShare,
    NotJudged,
    RulesImpact,
)
from dipsat.studies.judgements import Result, next_apart, words_of
from dipsat.studies.options import DEFAULT_EXAMPLES
from dipsat.studies.parallel_run import Jobs, Progress, Survey
from dipsat.studies.row_files import RowsFile, rows_file
from dipsat.studies.row_kinds import IMPACT
from dipsat.studies.sheet import Sheet, sheet_of, shrunk
from dipsat.studies.sources import (
    RandomBoards,
    Rules,
    Source,
    Workload,
    check_boards,
    pieces,
    share_of,
    shares,
)

_Change: TypeAlias = tuple[str, tuple[tuple[str, str] | None, ...]]
"""A unit, and what becomes of its order, and of the unit itself, under both rule sets."""


def _example(asked: Asked, wanted: tuple[int, bool, ImpactExample]) -> ImpactExample | None:
    """An example with the orders whose results differ, made smaller if it is one of the smallest;
    runs in any process."""
    at, is_smallest, found = wanted
    example = _judged(replace(found, _rules=(asked.base, asked.rules[at])))
    return smaller(example) if is_smallest else example


def _judged(example: ImpactExample) -> ImpactExample:
    """An example with what differs: orders with another result, and what comes next."""
    compared = example.comparison()
    changed = tuple(row for row in compared.orders if len({*_words(row.results)}) > 1)
    return replace(example, changed=changed, next=next_apart(*compared.next))


def smaller(example: ImpactExample) -> ImpactExample:
    """A movement phase reduced until nothing more can be left out while some order still differs as
    it did, and the board too if it did; other phases as they are."""
    position = Position.from_dict(example.position, example._map, load_profile(example._rules[0]))
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return example
    wanted = _changes(example.changed)

    def differs(sheet: Sheet) -> bool:
        compared = compare(sheet.position(), sheet.orders, example._rules)
        if wanted and wanted.isdisjoint(_changes(compared.orders)):
            return False
        one, other = map(Result.of, compared.outcomes)
        return one.next != other.next if example.board_differs else one != other

    least = shrunk(sheet_of(position, example.orders), differs)
    if least is None:
        return example  # the difference depends on more than units and orders
    orders = {power: tuple(texts) for power, texts in least.orders.items()}
    return _judged(
        replace(example, position=least.position().to_dict(), orders=orders, is_shrunk=True)
    )


def _changes(orders: Iterable[ComparedOrder]) -> set[_Change]:
    """What differs: the results of units, or if those are the same, all verdicts."""
    every = {(one.unit, _words(one.results)) for one in orders}
    found = {change for change in every if len({*change[1]}) > 1}
    return {change for change in found if _is_of_units(change)} or found


def _words(results: tuple[OrderResult | None, ...]) -> tuple[tuple[str, str] | None, ...]:
    return tuple(None if one is None else words_of(one) for one in results)


def _is_of_units(change: _Change) -> bool:
    """Whether a unit moves, or is dislodged, under only one of both."""
    known = [("", "") if words is None else words for words in change[1]]
    return len({(verdict == "succeeds", fate) for verdict, fate in known}) > 1


_FEW = 4  # for up to this many games it does not pay to start other processes


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
    rows: str | Path | RowsFile | None = None,
) -> ImpactReport:
    """Find out how often rules matter: judge recorded phases, and perhaps random boards, under a
    base and under other rules, and report where and why the results differ.

    `rules` is one rule set or several, as for `dipsat.adjudicate`; `against` is the base. `games`
    are files as for `dipsat.studies.replay_files`. Each phase has its recorded position and orders,
    the same under all rules. A dislodged unit may retreat where the file says, or else where the
    base finds from the moves before, or else to every vacant neighbouring place. `boards` are
    random boards of movement phases. `map` overrides the map that files and rules name. A phase
    differs if an order has another verdict, if its unit has another fate, or if the next position
    or the winner differs. The report has up to `examples` of the first and of the smallest such
    phases of each rule set; those after which the board differs come before others. `jobs` is the
    number of processes, an executor, or `Workers`; the report does not depend on it. `progress` is
    called with a description of the work, the amount done, and the total. `limits.files` says which
    files a file may name, and `limits.seconds` are for reading each game, and for judging each
    phase. `rows` is a file for a row of each phase, which is written as `write_rows` writes one
    (docs/data.md).

    A bad file, or a bad game in one, is reported as a failure, and the work goes on; phases that
    cannot be judged are counted with the reason. After Ctrl-C the report holds what was found so
    far. Raises the errors of `load_profile` and `load_map` for the names given, `QuestionError` if
    there is nothing to compare, `WorkerError` if no workers are left, `JournalError` for a journal
    that cannot be used, and `FileError` if the rows cannot be written.
    """
    named = [rules] if isinstance(rules, str | Path | Profile) else list(rules)
    files = [str(one) for one in ([games] if isinstance(games, str | Path) else games)]
    if not named or not (files or boards):
        raise QuestionError("there is nothing to compare; name rules, and games or random boards")
    with running(limits):
        base, *others = (load_profile(one) for one in (against, *named))
        board = None if map is None else portable_map(map)
    asked = Asked(
        portable_rules(base), tuple(portable_rules(one) for one in others), board, examples, limits,
        rows is not None,
    )  # fmt: skip
    if boards is not None:
        check_boards(boards, asked.random_board)
    survey = Survey(asked, jobs, progress)
    sources: list[Source] = [*files, *([boards] if boards else [])]
    with rows_file(rows, IMPACT) if isinstance(rows, str | Path) else nullcontext(rows) as file:
        tally, shown = _found(survey, sources, file)
    more = tally.failed - len(tally.failures)
    return ImpactReport(
        base.name, tally.games, tally.judged.total(), dict(sorted(tally.skipped.items())),
        (*tally.failures, *([f"{more} more faults are not listed"] if more else [])),
        tuple(_impact(at, one, tally, shown) for at, one in enumerate(others)),
        survey.is_interrupted, tally.boards,
    )  # fmt: skip


_Shown: TypeAlias = dict[tuple[int, bool], list[ImpactExample]]
"""Place of a rule set, and whether these are the smallest -> its examples."""


def _found(
    survey: Survey[Asked], sources: list[Source], file: RowsFile | None
) -> tuple[Tally, _Shown]:
    """The findings, with the examples judged again, as far as the work gets."""
    asked = survey.asked
    tally, shown, is_judged = Tally.of(len(asked.rules)), _Shown(), False
    work, total = pieces(sources, BOARDS_AT_ONCE), shares(sources)
    with survey:
        judged = survey.results("judging", tally_of, _lost, work, _FEW, share_of, total)
        for piece, found in judged:
            if file is not None:
                name = piece.shown if isinstance(piece.work, GameText) else None
                file.add_all({"file": name, **row} for row in found.rows)
            found.rows = []  # only the file keeps them
            tally.add(found, asked.examples)
        is_judged = True
        again = [
            (at, is_smallest, example)
            for at, own in enumerate(tally.sets)
            for is_smallest, listed in ((False, own.first), (True, own.smallest))
            for example in listed
        ]
        examples = survey.results("examples", _example, lambda *_: None, again, _FEW)
        for (at, is_smallest, _), one in examples:
            if one is not None:
                shown.setdefault((at, is_smallest), []).append(one)
    if file is not None and not is_judged:
        file.cut_short()
    return tally, shown


def _impact(at: int, profile: Profile, tally: Tally, shown: _Shown) -> RulesImpact:
    """What a rule set changes, with the examples that were judged again."""
    own, all_of_them = tally.sets[at], tally.judged
    causes = sorted(own.causes.items(), key=lambda entry: (-entry[1], entry[0]))
    return RulesImpact(
        profile.name, profile.title, all_of_them.total() - own.not_judged.total(),
        own.differ.total(), own.boards, own.games, own.board_games, own.orders,
        tuple(ImpactCause(entries, count) for entries, count in causes),
        _shares(own, all_of_them, "kind"), _shares(own, all_of_them, "season"),
        _shares(own, all_of_them, "map"), _shares(own, all_of_them, "units"),
        tuple(shown.get((at, False), ())),
        tuple(sorted(shown.get((at, True), ()), key=by_size)),
        tuple(
            NotJudged(reason, count, tuple(own.gaps[reason]))
            for reason, count in own.not_judged.most_common()
        ),
        profile.words is not NO_WORDS,
    )  # fmt: skip


def _lost(piece: Workload, reason: str) -> Tally:
    return Tally([], failures=[f"{piece.shown}: {reason}"], failed=1)


def _shares(own: SetTally, everything: Counter[Sort], part: str) -> Mapping[str, ImpactShare]:
    """The number of phases that differ, by one property of their sort."""
    compared, differ = Counter[str](), Counter[str]()
    for sort, count in everything.items():
        compared[getattr(sort, part)] += count
    for sort, count in own.differ.items():
        differ[getattr(sort, part)] += count
    known = {name: at for at, name in enumerate(IN_ORDER)}
    names = sorted(compared, key=lambda name: (known.get(name, len(known)), name))
    return {name: ImpactShare(differ[name], compared[name]) for name in names}
