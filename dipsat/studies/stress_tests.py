"""Stress tests of rule profiles: boards on which they go wrong, and rules that do nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from dipsat.base import (
    ANYWHERE,
    GAP,
    INTERRUPTED,
    MAX_SECONDS,
    Limits,
    Part,
    Plain,
    Shown,
    Styled,
    Table,
    Words,
    brief,
    checked,
    indented,
    titled,
)
from dipsat.board import Map
from dipsat.errors import DipsatError, QuestionError
from dipsat.rules import DEFAULT_RULES, Decision, Profile, check_features, load_profile
from dipsat.searches import Achieve, Paradox, Question, SearchResult, search
from dipsat.solving import INTERRUPTED as CUT_SHORT
from dipsat.studies.parallel_run import Jobs, Progress, Survey
from dipsat.studies.sheet import Sheet, SheetRow, name_of, rows_in_words
from dipsat.studies.stress_boards import (
    BOARDS_AT_ONCE,
    CHANGES,
    FAILED,
    FAILS,
    FAILS_ALONE,
    FIRED,
    LONGER,
    NEVER,
    PROVEN,
    SHARED,
    TROUBLE,
    VALUE,
    Sight,
    Tally,
    Trial,
    effect_of,
    own_entries,
    smallest,
    tally_of,
)

# --- the report -----------------------------------------------------------------------------------


FOUND, IMPOSSIBLE = "found", "impossible"

FAULTS: Mapping[str, str] = {
    "failed": "boards that cannot be judged",
    "unresolved": "decision cycles that no rule settles",
    "endless": "cycle rules that settle too little",
    "range": "numbers that grow without bounds",
    "shared": "two units in one province",
    "input order": "results that depend on order of input",
    "presolve": "results that propagation changes",
}
"""Check -> what it looks for; what it finds is a fault of the rules (or of dipsat)."""

REMARKS: Mapping[str, str] = {
    "cycle": "orders without a single resolution",
    "rule": "cycle rules that are never used",
    "decision": "decisions that never vary",
    "condition": "conditions that never decide alone",
    "entry": "entries that change nothing",
}
"""Check -> what it looks for; these need not be faults, but a designer wants to know them."""

CHECKS: Mapping[str, str] = {**FAULTS, **REMARKS}


@brief()
@dataclass(frozen=True, slots=True)
class StressFinding(Plain):
    """What a check found, or that it found nothing."""

    check: str
    """The name of the check (docs/stress.md)."""
    about: str
    """The part of the rules that it is about, "" for the rules as a whole."""
    verdict: str
    """`found`, `never` (on no board tried), `impossible` (on no board tried, and proven impossible
    by the solver for some positions, whatever is ordered there) or `proven` (for every board, from
    the equations)."""
    count: int = 0
    """The number of boards on which it was found."""
    note: str = ""
    """A remark."""
    source: str = ""
    """Where the smallest board was found, such as `random board 7` or `solver, position 2`."""
    witness: Sheet | None = None
    """The smallest board found, None if there is none."""

    @property
    def is_fault(self) -> bool:
        """Whether this is a fault of the rules."""
        return self.check in FAULTS and self.verdict == FOUND


@brief()
@dataclass(frozen=True, slots=True)
class StressReport(Plain, Shown):
    """The findings of a stress test of a profile. Made by `dipsat.studies.stress`.

    A check for a fault that finds nothing has one finding that says so.
    """

    rules: str
    """The name of the profile."""
    map: str
    """The name of the map."""
    boards: int
    """The number of boards tried."""
    seed: int
    """The seed of the first board; each board has the next seed."""
    units: int
    """The number of units on each board."""
    slow_boards: int
    """The number of boards that were also judged without propagation."""
    findings: tuple[StressFinding, ...]
    """The findings, faults first."""
    notes: tuple[str, ...] = ()
    """What could not be checked."""
    is_interrupted: bool = False
    """Whether the test ended early and reports only what it had found by then."""

    def _parts(self) -> Iterator[Part]:
        last = self.seed + max(self.boards, 1) - 1
        yield (
            f"{self.rules} on the map {self.map}: {self.boards} random boards of {self.units} "
            f"units, seeds {self.seed} to {last}."
        )
        yield ""
        summary = [(title, _result(self, check)) for check, title in CHECKS.items()]
        yield Table(tuple(summary), edge=GAP)
        for check, title in CHECKS.items():
            found = [one for one in self.of(check) if one.about or one.witness]
            if found:
                yield ""
                yield Styled(f"{title.capitalize()}:", "bold red" if check in FAULTS else "bold")
            for finding in found:
                yield from _finding(finding)
        for note in self.notes:
            yield ""
            yield Styled(f"{note[:1].upper()}{note[1:]}.", "yellow")
        if self.is_interrupted:
            yield from INTERRUPTED

    @property
    def faults(self) -> tuple[StressFinding, ...]:
        """The findings that are faults of the rules."""
        return tuple(one for one in self.findings if one.is_fault)

    @checked
    def of(self, check: str) -> tuple[StressFinding, ...]:
        """Return the findings of one check."""
        return tuple(one for one in self.findings if one.check == check)


def verdict_in_words(finding: StressFinding) -> str:
    """The result of a check, such as `found on 6 boards`."""
    boards = "1 board" if finding.count == 1 else f"{finding.count} boards"
    if finding.verdict == FOUND:
        return (
            "found by the solver" if finding.source.startswith("solver") else f"found on {boards}"
        )
    if finding.verdict == PROVEN:
        return "proven: the rules are the same without it"
    words = _never_in_words(finding, boards)
    if finding.verdict == IMPOSSIBLE:
        return f"{words}; impossible {finding.note.rpartition('; ')[2]}"
    return words


def _never_in_words(finding: StressFinding, boards: str) -> str:
    if finding.check == "entry":
        return f"changes nothing {finding.note}"
    if finding.check == "condition" and finding.count:
        return f"fails on {boards}, but never alone"
    if finding.check in ("decision", "condition"):
        return finding.note.partition("; ")[0]
    return "never"


def stress_files(report: StressReport, rules: str) -> dict[str, str]:
    """Name -> text of a file for `dipsat adjudicate`, one for each witness: `shared-1.yaml` is the
    first of its check."""
    found: dict[str, str] = {}
    for check in CHECKS:
        shown = [one for one in report.of(check) if one.witness is not None]
        for number, finding in enumerate(shown, 1):
            found[f"{check.replace(' ', '-')}-{number}.yaml"] = _file(finding, rules)
    return found


def _file(finding: StressFinding, rules: str) -> str:
    assert finding.witness is not None
    about = f": {finding.about}" if finding.about else ""
    kind = "fault" if finding.check in FAULTS else "remark"
    lines = [
        f"{kind}: {CHECKS[finding.check]}{about} ({verdict_in_words(finding)})",
        f"dipsat adjudicate FILE --rules {rules}",
    ]
    return finding.witness.to_file(lines)


def _result(report: StressReport, check: str) -> Words:
    findings = report.of(check)
    faults = [one for one in findings if one.is_fault]
    if faults:
        largest = max(faults, key=lambda one: one.count)
        return Styled(verdict_in_words(largest), "bold red")
    if check in FAULTS:
        slow = f" ({report.slow_boards} boards)" if check == "presolve" else ""
        return Styled("".join(map(verdict_in_words, findings)) + slow, "green")
    return str(len(findings)) if findings else Styled("none", "green")


def _finding(finding: StressFinding) -> Iterator[Part]:
    verdict = verdict_in_words(finding)
    yield indented(f"{finding.about}: {verdict}" if finding.about else verdict, 2)
    if finding.witness is not None:
        yield Table(tuple(_orders(finding.witness)), indent=6, gap=1)


def _orders(sheet: Sheet) -> Iterator[tuple[str, str]]:
    if sheet.phase:
        yield "Phase:", sheet.phase
    for power, centres in sheet.owned:
        yield f"{titled(power)}:", f"owns {', '.join(centres)}"
    yield from rows_in_words(sheet)


# --- what was never seen --------------------------------------------------------------------------


def troubles(tally: Tally) -> Iterator[tuple[Sight, StressFinding]]:
    """Each trouble that was seen, the most frequent first, with its finding."""
    seen = [sight for sight in tally.count if sight[0] in (*TROUBLE, FAILED)]
    for sight in sorted(seen, key=lambda one: (-tally.count[one], one)):
        yield sight, StressFinding(sight[0], about_of(sight), FOUND, tally.count[sight])


def about_of(sight: Sight) -> str:
    """A sight in words."""
    match sight:
        case ("cycle", count, families, rule):
            return f"{count}: {families}; settled by {rule}"
        case ("unresolved", count, families):
            return f"{count}: {families}"
    return ", ".join(sight[1:])


def unused_rules(profile: Profile, tally: Tally) -> Iterator[StressFinding]:
    """The cycle rules that were never used; rules with one name count as one."""
    for name in dict.fromkeys(rule.name for rule in profile.cycles):
        if not tally.count[FIRED, name]:
            yield StressFinding("rule", name, NEVER)


def constant_decisions(profile: Profile, tally: Tally) -> Iterator[StressFinding]:
    """The decisions to which equations never give a second value."""
    for name, decision in profile.decisions.items():
        values = sorted({int(s[2]) for s in tally.count if s[:2] == (VALUE, name)})
        if len(values) < 2:
            yield StressFinding("decision", name, NEVER, note=_value_note(decision, values))


def _value_note(decision: Decision, values: list[int]) -> str:
    if not values:
        return "there was none"
    if decision.type.is_truth:
        return "never false" if values[0] else "never true"
    return f"always {values[0]}"


def idle_conditions(profile: Profile, tally: Tally) -> Iterator[StressFinding]:
    """The named conditions that never fail while the others hold."""
    for name, decision in profile.decisions.items():
        if len(decision.conditions) < 2:
            continue
        for code, _ in decision.conditions:
            count = tally.count[FAILS, name, code]
            if not tally.count[FAILS_ALONE, name, code]:
                note = "never alone" if count else "never fails"
                yield StressFinding("condition", f"{name}: {code}", NEVER, count, note)


# --- the solver's answers about small positions, with all orders open -----------------------------


POSITIONS = 6
UNITS = 5  # in a position whose orders are open
_SHARED = """
any(move(m) and (any(move(r) for r in m.rivals) or stays(m.target)) for m in Move)
or any(any(ends_on_a_line(u, p)
  and (stays(p) or any(move(a) for a in p.attackers)
    or any(ends_on_a_line(v, p) for v in units if v != u))
  for u in units) for p in provinces)
"""


def question_about(profile: Profile, finding: StressFinding) -> Question | None:
    """The question whether something that was never seen is possible; None if none can be asked."""
    if finding.check == "rule":
        return Paradox(finding.about)
    if finding.check == "shared":
        return Achieve(" ".join(_SHARED.split()))
    decision = profile.decisions.get(finding.about)
    if finding.check == "decision" and decision and decision.type.is_truth:
        return Achieve(_some(decision, finding.note))
    return None


def _some(decision: Decision, note: str) -> str:
    """The goal that some decision of a family has the value that was never seen."""
    names = [f"x{at}" for at in range(len(decision.indices))]
    text = f"{decision.name}({', '.join(names)})"
    if note == "never false":
        text = f"not {text}"
    for name, index in reversed(list(zip(names, decision.indices, strict=True))):
        text = f"any({text} for {name} in {index.type})"
    return text


def unanswered(finding: StressFinding, reason: str) -> StressFinding:
    """The finding with a remark on what the solver could not answer."""
    return replace(finding, note="; ".join(filter(None, (finding.note, reason))))


def answered(until: float | None, trial: Trial, finding: StressFinding) -> StressFinding | str:
    """Ask the solver about something never seen, until a time (of `time.time`, which computers
    share). If the rules allow no search, return the reason as a text.

    Raises `KeyboardInterrupt`, which the search would otherwise turn into an answer.
    """
    question = question_about(trial.profile, finding)
    if question is None:
        return finding
    verdicts = []
    try:
        for number, seed in enumerate(range(trial.seed, trial.seed + POSITIONS), 1):
            sheet = trial.crowd(seed, UNITS)
            result = search(
                sheet.position(), question, open="all", rules=trial.profile,
                limits=Limits(seconds=_share(until)),
            )  # fmt: skip
            if result.verdict == FOUND:
                shown = smallest(trial.profile, with_orders(sheet, result), _sight_of(finding))
                source = f"solver, position {number}"
                return replace(finding, verdict=FOUND, count=1, witness=shown, source=source)
            if result.reason.startswith(CUT_SHORT):
                raise KeyboardInterrupt
            verdicts.append(result.verdict)
    except QuestionError as error:
        return str(error)
    except DipsatError as error:
        return unanswered(finding, str(error).partition("\n")[0])
    proven = verdicts.count(IMPOSSIBLE)
    if proven < len(verdicts):
        note = f"the solver ran out of time on {len(verdicts) - proven} positions"
        return replace(unanswered(finding, note), verdict=NEVER)
    note = f"for any orders of {UNITS} units in {proven} positions"
    return replace(unanswered(finding, note), verdict=IMPOSSIBLE)


def _share(until: float | None) -> float | None:
    """The seconds for one position: half the time left, so that others have their turn."""
    return None if until is None else max(0.001, (until - time.time()) / 2)


def _sight_of(finding: StressFinding) -> Sight:
    """The sight on a board that shows what was never seen."""
    if finding.check == "rule":
        return FIRED, finding.about
    if finding.check == "decision":
        return VALUE, finding.about, "0" if finding.note == "never false" else "1"
    return (SHARED,)


def with_orders(sheet: Sheet, result: SearchResult) -> Sheet:
    """The units of a position with the orders that were found."""
    rows: list[SheetRow] = []
    for row in sheet.rows:
        texts: Sequence[str] = result.orders.get(row.power, ())
        own = tuple(text for text in texts if text.startswith(f"{row.unit} "))
        if row.unit:
            rows.append(replace(row, orders=own))
    units = tuple(f"{row.unit} " for row in sheet.rows)
    for power, texts in result.orders.items():  # other orders of the powers
        rows += [SheetRow(power, "", (text,)) for text in texts if not text.startswith(units)]
    return replace(sheet, rows=tuple(rows))


# --- the work -------------------------------------------------------------------------------------


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
    jobs: Jobs = 1,
    progress: Progress | None = None,
) -> StressReport:
    """Search a profile for faults: on random boards of its map (or of `map`), and with the solver.

    There are `boards` random boards, with seeds from `seed` on, each with `units` units (at most
    one in a province). If something never occurs on them, the solver searches small positions for
    it, for `timeout` seconds in all (None: no limit). `jobs` is the number of processes, an
    executor, or `Workers`; the report does not depend on it. `progress` is called with a
    description of the work, the amount done, and the total.

    After Ctrl-C the report holds what was found so far. Raises `QuestionError` for numbers that
    make no sense and for a map without powers, `FeatureError` if the map lacks a feature that the
    rules need, the errors of `load_profile` and `load_map`, `WorkerError` if no workers are left,
    and `JournalError` for a journal that cannot be used.
    """
    if boards < 1 or units < 2 or seed < 0:
        raise QuestionError("ask for at least one board and two units, and a seed of 0 or more")
    profile = load_profile(rules)
    files = ANYWHERE if map else profile.allowed
    name = name_of(map or profile.map or "standard")
    trial = Trial(profile, name, boards, seed, units, files)
    check_features(profile, trial.board)
    trial.sheet(seed)  # so that a map without powers is reported immediately
    survey = Survey(trial, jobs, progress, (trial, trial.board, timeout))
    work = _Work(survey)
    with survey:
        work.look()
        work.shrink()
        work.leave_out()
        work.ask(timeout)
    findings = [_settled(one) for one in (*work.seen, *work.unseen, *work.idle)]
    order = list(CHECKS)
    findings.sort(key=lambda one: order.index(one.check))
    return StressReport(
        profile.name, trial.board.name, work.tally.boards, seed, units, work.tally.slow,
        tuple(findings), tuple(work.notes), survey.is_interrupted,
    )  # fmt: skip


class _Work:
    """The stages of the work, and their results so far."""

    def __init__(self, survey: Survey[Trial]) -> None:
        self.results, self.trial = survey.results, survey.asked
        self.tally = Tally()
        self.seen: list[StressFinding] = []
        self.unseen: list[StressFinding] = []
        self.idle: list[StressFinding] = []
        self.notes: list[str] = []

    def look(self) -> None:
        """Judge all boards, and find what is never seen."""
        seeds, some = self.trial.seeds, BOARDS_AT_ONCE
        pieces = [seeds[at : at + some] for at in range(0, len(seeds), some)]
        found = self.results("boards", tally_of, _lost_boards, pieces, 1, len)
        try:
            for _, tally in found:
                self.tally.add(tally)
        finally:  # also for the boards before Ctrl-C
            self.seen = [finding for _, finding in troubles(self.tally)]
            faulty = {finding.check for finding in self.seen}
            self.unseen = [StressFinding(one, "", NEVER) for one in FAULTS if one not in faulty]
            for never in (unused_rules, constant_decisions, idle_conditions):
                self.unseen += never(self.trial.profile, self.tally)

    def shrink(self) -> None:
        """Find a smallest board for each trouble."""
        wanted = [
            (at, sight, self.tally.first[sight])
            for at, (sight, _) in enumerate(troubles(self.tally))
            if sight[0] in TROUBLE
        ][:_MOST_SHRUNK]
        found = self.results("shrinking", _smallest, lambda one, _: (one[2][0], None), wanted, 2)
        for (at, _, _), (seed, sheet) in found:
            witness, source = sheet or self.trial.sheet(seed), f"random board {seed}"
            self.seen[at] = replace(self.seen[at], witness=witness, source=source)

    def leave_out(self) -> None:
        """Find the entries of the profile's last file without which nothing changes."""
        unused = {("cycles", one.about) for one in self.unseen if one.check == "rule"}
        own = [
            entry
            for entry in own_entries(self.trial.profile)
            if (entry.section.partition("_")[0], entry.name) not in unused
        ]
        for entry, effect in self.results("leaving out", effect_of, lambda _, why: why, own, 2):
            if effect in (PROVEN, NEVER):
                note = f"on {LONGER * self.trial.boards} boards" if effect == NEVER else ""
                self.idle.append(StressFinding("entry", str(entry), effect, note=note))
            elif effect != CHANGES:  # says why nothing is known about it
                self.notes.append(f"{entry}: {effect}")

    def ask(self, timeout: float | None) -> None:
        """Ask the solver about what was never seen."""
        profile = self.trial.profile
        asked = [one for one in self.unseen if question_about(profile, one)]
        until = None if timeout is None else time.time() + min(timeout, MAX_SECONDS)
        found = self.results("solver", partial(answered, until), unanswered, asked, 1)
        for one, answer in found:
            if isinstance(answer, StressFinding):
                self.unseen[self.unseen.index(one)] = answer
            elif (refusal := f"the solver was not asked: {answer}") not in self.notes:
                self.notes.append(refusal)


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


def _smallest(trial: Trial, wanted: tuple[int, Sight, Sequence[int]]) -> tuple[int, Sheet | None]:
    """The smallest board of some seeds that shows a trouble; runs in any process."""
    _, sight, seeds = wanted
    found = [(seed, smallest(trial.profile, trial.sheet(seed), sight)) for seed in seeds]
    return min(found, key=lambda one: (len(one[1].rows), one[0]))
