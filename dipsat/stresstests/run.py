"""Stress testing a profile, in several processes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from dipsat.board.map import Map
from dipsat.errors import QuestionError
from dipsat.files.named import ANYWHERE
from dipsat.processes import Progress, results_of, silent, watched
from dipsat.profiles.features import check_features
from dipsat.profiles.load import DEFAULT_RULES, load_profile
from dipsat.profiles.profile import Profile
from dipsat.scenarios.sheet import Sheet, kept_map, name_of
from dipsat.solving.budget import deadline_in
from dipsat.stresstests import entries
from dipsat.stresstests.coverage import constant_decisions, idle_conditions, troubles, unused_rules
from dipsat.stresstests.observations import TROUBLE, Sight, smallest
from dipsat.stresstests.open_orders import answered, question_about
from dipsat.stresstests.report import CHECKS, FAULTS, FOUND, NEVER, StressFinding, StressReport
from dipsat.stresstests.trial import BOARDS_AT_ONCE, Tally, Trial, tally_of

DEFAULT_BOARDS, DEFAULT_UNITS, DEFAULT_TIMEOUT = 500, 27, 30.0
_MOST_SHRUNK = 40  # kinds of trouble that get a smallest board


def stress(
    rules: str | Path | Profile = DEFAULT_RULES,
    *,
    boards: int = DEFAULT_BOARDS,
    seed: int = 0,
    units: int = DEFAULT_UNITS,
    map: str | Path | Map | None = None,
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
        raise QuestionError("ask for at least one board and two units, and a seed of 0 or more")
    profile = load_profile(rules)
    files = ANYWHERE if map else profile.allowed
    name = name_of(map or profile.map or "standard")
    trial = Trial(profile, name, boards, seed, units, files)
    check_features(profile, kept_map(trial.map, files))
    trial.sheet(seed)  # so that a map without powers is reported at once
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
    """The stages of the work, and their results so far."""

    def __init__(self, trial: Trial, jobs: int, show: Progress) -> None:
        self.trial, self.jobs, self.show = trial, jobs, show
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
        results = results_of(partial(tally_of, trial), pieces, self.jobs, few=1)
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
        results = results_of(partial(_smallest, self.trial), wanted, self.jobs, few=2)
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
        results = results_of(partial(entries.effect_of, self.trial), own, self.jobs, few=2)
        for entry, effect in watched(results, "leaving out", len(own), self.show):
            if effect.verdict != entries.CHANGES:
                tried = f"on {entries.LONGER * self.trial.boards} boards"
                note = tried if effect.verdict == entries.NEVER else ""
                self.idle.append(StressFinding("entry", str(entry), effect.verdict, note=note))

    def ask(self, timeout: float | None) -> None:
        """Ask the solver about what was never seen."""
        profile = self.trial.profile
        asked = [at for at, one in enumerate(self.unseen) if question_about(profile, one)]
        deadline = deadline_in(timeout)
        work = [self.unseen[at] for at in asked]
        results = results_of(partial(answered, self.trial, deadline), work, self.jobs, few=1)
        shown = watched(results, "solver", len(asked), self.show)
        for at, (_, answer) in zip(asked, shown, strict=True):
            if answer.finding is None:
                self.notes = [f"the solver was not asked: {answer.refusal}"]
            else:
                self.unseen[at] = answer.finding

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


def _smallest(trial: Trial, wanted: tuple[int, Sight, Iterable[int]]) -> tuple[int, Sheet]:
    """The smallest board of some seeds that shows a trouble; runs in any process."""
    _, sight, seeds = wanted
    found = [(seed, smallest(trial.profile, trial.sheet(seed), sight)) for seed in seeds]
    return min(found, key=lambda one: (len(one[1].rows), one[0]))
