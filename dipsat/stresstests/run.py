"""Stress testing a profile, in several processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from dipsat.board.map import Map
from dipsat.errors import QuestionError
from dipsat.executors.run import Jobs, Progress, Stage, results_of, silent, watched
from dipsat.files.reading import ANYWHERE
from dipsat.limits import MAX_SECONDS
from dipsat.profiles.load import DEFAULT_RULES, load_profile
from dipsat.profiles.profile import Profile, check_features
from dipsat.scenarios.sheet import Sheet, kept_map, name_of
from dipsat.stresstests import entries
from dipsat.stresstests.coverage import constant_decisions, idle_conditions, troubles, unused_rules
from dipsat.stresstests.observations import TROUBLE, Sight, smallest
from dipsat.stresstests.open_orders import answered, question_about, unanswered
from dipsat.stresstests.report import CHECKS, FAULTS, FOUND, NEVER, StressFinding, StressReport
from dipsat.stresstests.trial import BOARDS_AT_ONCE, FAILED, Tally, Trial, tally_of

DEFAULT_BOARDS, DEFAULT_UNITS, DEFAULT_TIMEOUT = 500, 27, 30.0
_T = TypeVar("_T")
_R = TypeVar("_R")

_MOST_SHRUNK = 40  # kinds of trouble that get a smallest board


def stress(
    rules: str | Path | Profile = DEFAULT_RULES,
    *,
    boards: int = DEFAULT_BOARDS,
    seed: int = 0,
    units: int = DEFAULT_UNITS,
    map: str | Path | Map | None = None,
    timeout: float | None = DEFAULT_TIMEOUT,
    jobs: Jobs = 1,
    progress: Progress | None = None,
) -> StressReport:
    """Search a profile for faults: on random boards of its map (or of `map`), and with the solver.

    There are `boards` random boards, with the seeds from `seed` on, each with `units` units (at
    most one in a province). For what never occurs on them, the solver searches small positions, for
    `timeout` seconds in all (None: no limit). `jobs` is the number of processes, an executor, or
    `Workers`; the report does not depend on it. `progress` is called with a description of the
    work, the amount done, and the total.

    After Ctrl-C the report holds what was found so far. Raises `QuestionError` for numbers that
    make no sense and for a map without powers, `FeatureError` if the map lacks a feature that the
    rules need, the errors of `load_profile` and `load_map`, `WorkerError` if there are no workers
    any more, and `JournalError` for a journal that cannot be used.
    """
    if boards < 1 or units < 2 or seed < 0:
        raise QuestionError("ask for at least one board and two units, and a seed of 0 or more")
    profile = load_profile(rules)
    files = ANYWHERE if map else profile.allowed
    name = name_of(map or profile.map or "standard")
    trial = Trial(profile, name, boards, seed, units, files)
    check_features(profile, kept_map(trial.map, files))
    trial.sheet(seed)  # so that a map without powers is reported at once
    work = _Work(trial, kept_map(trial.map, files), jobs, progress or silent)
    try:
        work.look()
        work.shrink()
        work.leave_out()
        work.ask(timeout)
    except KeyboardInterrupt:
        return work.report(is_interrupted=True)
    return work.report()


class _Work:
    """The stages of the work, and their results so far."""

    def __init__(self, trial: Trial, board: Map, jobs: Jobs, show: Progress) -> None:
        self.trial, self.board, self.jobs, self.show = trial, board, jobs, show
        self.tally = Tally()
        self.seen: list[StressFinding] = []
        self.unseen: list[StressFinding] = []
        self.idle: list[StressFinding] = []
        self.notes: list[str] = []

    def look(self) -> None:
        """Judge all boards, and find what is never seen."""
        trial, at_once = self.trial, BOARDS_AT_ONCE
        starts = range(trial.seed, trial.seed + trial.boards, at_once)
        pieces = [range(at, min(at + at_once, trial.seeds.stop)) for at in starts]
        results = self._results("boards", partial(tally_of, trial), _lost_boards, pieces, few=1)
        self.show("boards", 0, trial.boards)
        for _, tally in results:
            self.tally.add(tally)
            self._told()
            self.show("boards", self.tally.boards, trial.boards)

    def _told(self) -> None:
        """Update the findings from the boards judged so far."""
        profile, tally = self.trial.profile, self.tally
        self.seen = [finding for _, finding in troubles(tally)]
        faulty = {finding.check for finding in self.seen}
        clean = [StressFinding(check, "", NEVER) for check in FAULTS if check not in faulty]
        self.unseen = [
            *clean, *unused_rules(profile, tally), *constant_decisions(profile, tally),
            *idle_conditions(profile, tally),
        ]  # fmt: skip

    def shrink(self) -> None:
        """Find a smallest board for each trouble."""
        sights = [sight for sight, _ in troubles(self.tally)]
        wanted = [
            (at, sight, self.tally.first[sight])
            for at, sight in enumerate(sights)
            if sight[0] in TROUBLE
        ][:_MOST_SHRUNK]
        do = partial(_smallest, self.trial)
        results = self._results(
            "shrinking", do, partial(_unshrunk, trial=self.trial), wanted, few=2
        )
        shown = watched(results, "shrinking", len(wanted), self.show)
        for (at, _, _), (seed, sheet) in shown:
            source = f"random board {seed}"
            self.seen[at] = replace(self.seen[at], witness=sheet, source=source)

    def leave_out(self) -> None:
        """Find the entries of the own file without which nothing changes."""
        unused = {("cycles", one.about) for one in self.unseen if one.check == "rule"}
        own = [
            entry
            for entry in entries.own_entries(self.trial.profile)
            if (entry.section.partition("_")[0], entry.name) not in unused
        ]
        do = partial(entries.effect_of, self.trial)
        results = self._results("leaving out", do, entries.lost, own, few=2)
        for entry, effect in watched(results, "leaving out", len(own), self.show):
            if effect.problem:
                self.notes.append(f"{entry}: {effect.problem}")
            elif effect.verdict != entries.CHANGES:
                tried = f"on {entries.LONGER * self.trial.boards} boards"
                note = tried if effect.verdict == entries.NEVER else ""
                self.idle.append(StressFinding("entry", str(entry), effect.verdict, note=note))

    def ask(self, timeout: float | None) -> None:
        """Ask the solver about what was never seen."""
        profile = self.trial.profile
        asked = [at for at, one in enumerate(self.unseen) if question_about(profile, one)]
        until = None if timeout is None else time.time() + min(timeout, MAX_SECONDS)
        work = [self.unseen[at] for at in asked]
        do = partial(answered, self.trial, until)
        results = self._results(
            "solver", do, unanswered, work, few=1, depends=(self.trial, timeout)
        )
        shown = watched(results, "solver", len(asked), self.show)
        for at, (_, answer) in zip(asked, shown, strict=True):
            if answer.finding is None:
                refusal = f"the solver was not asked: {answer.refusal}"
                self.notes += [] if refusal in self.notes else [refusal]
            else:
                self.unseen[at] = answer.finding

    def _results(
        self,
        name: str,
        do: Callable[[_T], _R],
        lost: Callable[[_T, str], _R],
        work: Iterable[_T],
        few: int,
        depends: object = None,
    ) -> Iterator[tuple[_T, _R]]:
        """The results of a stage."""
        stage = Stage(name, do, lost, depends=(depends or self.trial, self.board))
        return results_of(stage, work, self.jobs, few)

    def report(self, is_interrupted: bool = False) -> StressReport:
        """What was found so far."""
        order = list(CHECKS)
        findings = [*self.seen, *self.unseen, *self.idle]
        findings = [_settled(one) for one in findings]
        return StressReport(
            self.trial.profile.name,
            kept_map(self.trial.map, self.trial.files).name,
            self.tally.boards,
            self.trial.seed,
            self.trial.units,
            self.tally.slow,
            tuple(sorted(findings, key=lambda one: order.index(one.check))),
            tuple(self.notes),
            is_interrupted,
        )


def _settled(finding: StressFinding) -> StressFinding:
    """Note that the solver has found orders for what was never seen on a board."""
    if finding.check in FAULTS or finding.verdict != FOUND or finding.check == "cycle":
        return finding
    return replace(finding, note="on no random board, but the solver has found orders")


def _lost_boards(seeds: range, reason: str) -> Tally:
    tally = Tally()
    for seed in seeds:
        tally.see(seed, [(FAILED, reason)])
    return tally


def _unshrunk(wanted: tuple[int, Sight, Sequence[int]], _: str, trial: Trial) -> tuple[int, Sheet]:
    return wanted[2][0], trial.sheet(wanted[2][0])


def _smallest(trial: Trial, wanted: tuple[int, Sight, Sequence[int]]) -> tuple[int, Sheet]:
    """The smallest board of some seeds that shows a trouble; runs in any process."""
    _, sight, seeds = wanted
    found = [(seed, smallest(trial.profile, trial.sheet(seed), sight)) for seed in seeds]
    return min(found, key=lambda one: (len(one[1].rows), one[0]))
