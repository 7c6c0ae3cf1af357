"""Putting a profile to the test, on several cores."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from dipsat.errors import QuestionError
from dipsat.processes import Progress, results_of, silent
from dipsat.profiles.features import check_features
from dipsat.profiles.load import DEFAULT_RULES, load_profile
from dipsat.profiles.profile import Profile
from dipsat.scenarios.sheet import Sheet, kept_map
from dipsat.stresstests import entries
from dipsat.stresstests.coverage import constant_decisions, idle_conditions, troubles, unused_rules
from dipsat.stresstests.observations import TROUBLE, Sight, smallest
from dipsat.stresstests.open_orders import answered, question_about
from dipsat.stresstests.report import CHECKS, FAULTS, FOUND, NEVER, Finding, StressReport
from dipsat.stresstests.trial import BOARDS_AT_ONCE, Tally, Trial, tally_of

DEFAULT_BOARDS, DEFAULT_UNITS, DEFAULT_TIMEOUT = 500, 27, 30.0
_MOST_SHRUNK = 40  # kinds of trouble of which the smallest board is looked for


def stress(
    rules: str | Path | Profile = DEFAULT_RULES,
    *,
    boards: int = DEFAULT_BOARDS,
    seed: int = 0,
    units: int = DEFAULT_UNITS,
    map: str | Path | None = None,
    timeout: float | None = DEFAULT_TIMEOUT,
    jobs: int = 1,
    progress: Progress | None = None,
) -> StressReport:
    """Search a profile for faults: on random boards of its map (or of `map`), and with the solver.

    There are `boards` random boards, with the seeds from `seed` on, each with `units` units (at
    most one in a province). For what never occurs on them, the solver searches small positions, for
    `timeout` seconds in all (None: no limit). `jobs` is the number of processes; the report does
    not depend on it. `progress` is called with a description of the work, the amount done, and the
    total.

    After Ctrl-C the report holds what was found so far. Raises `QuestionError` for numbers that
    make no sense and for a map without powers, `FeatureError` if the map lacks a feature that the
    rules need, the errors of `load_profile` and `load_map`, and `WorkerError` if a process dies.
    """
    if boards < 1 or units < 2 or seed < 0:
        raise QuestionError("there should be at least one board, with two units, and no seed < 0")
    profile = load_profile(rules)
    trial = Trial(profile, str(map or profile.map or "standard"), boards, seed, units)
    check_features(profile, kept_map(trial.map))
    trial.sheet(seed)  # so that a map without powers is told of at once
    work = _Work(trial, jobs, progress or silent)
    try:
        work.look()
        work.shrink()
        work.leave_out()
        work.ask(timeout)
    except KeyboardInterrupt:
        return work.report(is_interrupted=True)
    return work.report()


class _Work:
    """The stages of the work, and what has come of them so far."""

    def __init__(self, trial: Trial, jobs: int, show: Progress) -> None:
        self.trial, self.jobs, self.show = trial, jobs, show
        self.tally = Tally()
        self.seen: list[Finding] = []
        self.unseen: list[Finding] = []
        self.idle: list[Finding] = []
        self.notes: list[str] = []

    def look(self) -> None:
        """What is seen on all boards, and what never is."""
        trial, at_once = self.trial, BOARDS_AT_ONCE
        starts = range(trial.seed, trial.seed + trial.boards, at_once)
        pieces = [range(at, min(at + at_once, trial.seeds.stop)) for at in starts]
        results = results_of(partial(tally_of, trial), pieces, self.jobs, few=1)
        self.show("boards", 0, trial.boards)
        for _, tally in results:
            self.tally.add(tally)
            self._told()
            self.show("boards", self.tally.boards, trial.boards)

    def _told(self) -> None:
        """What the boards that were looked at so far tell."""
        profile, tally = self.trial.profile, self.tally
        self.seen = [finding for _, finding in troubles(tally)]
        faulty = {finding.check for finding in self.seen}
        clean = [Finding(check, "", NEVER) for check in FAULTS if check not in faulty]
        self.unseen = [
            *clean, *unused_rules(profile, tally), *constant_decisions(profile, tally),
            *idle_conditions(profile, tally),
        ]  # fmt: skip

    def shrink(self) -> None:
        """A smallest board of each trouble."""
        sights = [sight for sight, _ in troubles(self.tally)]
        wanted = [
            (at, sight, self.tally.first[sight])
            for at, sight in enumerate(sights)
            if sight[0] in TROUBLE
        ][:_MOST_SHRUNK]
        results = results_of(partial(_smallest, self.trial), wanted, self.jobs, few=2)
        self.show("shrinking", 0, len(wanted) or 1)
        for done, ((at, _, _), (seed, sheet)) in enumerate(results, 1):
            source = f"random board {seed}"
            self.seen[at] = replace(self.seen[at], witness=sheet, source=source)
            self.show("shrinking", done, len(wanted))

    def leave_out(self) -> None:
        """The entries of the own file without which nothing changes."""
        unused = {("cycles", one.about) for one in self.unseen if one.check == "rule"}
        own = [
            entry
            for entry in entries.own_entries(self.trial.profile)
            if (entry.section.partition("_")[0], entry.name) not in unused
        ]
        results = results_of(partial(entries.effect_of, self.trial), own, self.jobs, few=2)
        self.show("leaving out", 0, len(own) or 1)
        for done, (entry, effect) in enumerate(results, 1):
            if effect.verdict != entries.CHANGES:
                tried = f"on {entries.LONGER * self.trial.boards} boards"
                note = tried if effect.verdict == entries.NEVER else ""
                self.idle.append(Finding("entry", str(entry), effect.verdict, note=note))
            self.show("leaving out", done, len(own))

    def ask(self, timeout: float | None) -> None:
        """Ask the solver about what was never seen."""
        profile = self.trial.profile
        asked = [at for at, one in enumerate(self.unseen) if question_about(profile, one)]
        deadline = None if timeout is None else time.monotonic() + timeout
        work = [self.unseen[at] for at in asked]
        results = results_of(partial(answered, self.trial, deadline), work, self.jobs, few=1)
        self.show("solver", 0, len(asked) or 1)
        for done, (at, (_, answer)) in enumerate(zip(asked, results, strict=True), 1):
            if answer.finding is None:
                self.notes = [f"the solver was not asked: {answer.refusal}"]
            else:
                self.unseen[at] = answer.finding
            self.show("solver", done, len(asked))

    def report(self, is_interrupted: bool = False) -> StressReport:
        """What was found so far."""
        order = list(CHECKS)
        findings = [*self.seen, *self.unseen, *self.idle]
        findings = [_settled(one) for one in findings]
        return StressReport(
            self.trial.profile.name,
            kept_map(self.trial.map).name,
            self.tally.boards,
            self.trial.seed,
            self.trial.units,
            self.tally.slow,
            tuple(sorted(findings, key=lambda one: order.index(one.check))),
            tuple(self.notes),
            is_interrupted,
        )


def _settled(finding: Finding) -> Finding:
    """A rule or decision that the solver has seen at work is not unused any more."""
    if finding.check in FAULTS or finding.verdict != FOUND or finding.check == "cycle":
        return finding
    return replace(finding, note="on no random board, but the solver has found orders")


def _smallest(trial: Trial, wanted: tuple[int, Sight, Iterable[int]]) -> tuple[int, Sheet]:
    """The smallest board that shows a trouble, of those of some seeds; done by any process."""
    _, sight, seeds = wanted
    found = [(seed, smallest(trial.profile, trial.sheet(seed), sight)) for seed in seeds]
    return min(found, key=lambda one: (len(one[1].rows), one[0]))
