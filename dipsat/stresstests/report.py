"""The results of stress testing a profile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dipsat.errors.arguments import checked
from dipsat.pages import GAP, INTERRUPTED, Part, Shown, Styled, Table, Words, indented, titled
from dipsat.scenarios.sheet import Sheet
from dipsat.values import Plain, brief

FOUND, NEVER, IMPOSSIBLE, PROVEN = "found", "never", "impossible", "proven"

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
    """The findings of a stress test of a profile. Made by `dipsat.stress`.

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
    """Whether the test ended early and reports only what it found until then."""

    def _parts(self) -> Iterable[Part]:
        return parts_of_stress(self)

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


def order_files(report: StressReport, rules: str) -> dict[str, str]:
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


def parts_of_stress(report: StressReport) -> Iterator[Part]:
    """What people read of a report: faults with their smallest orders, then remarks."""
    last = report.seed + max(report.boards, 1) - 1
    yield (
        f"{report.rules} on the map {report.map}: {report.boards} random boards of {report.units} "
        f"units, seeds {report.seed} to {last}."
    )
    yield ""
    summary = [(title, _result(report, check)) for check, title in CHECKS.items()]
    yield Table(tuple(summary), edge=GAP)
    for check, title in CHECKS.items():
        found = [one for one in report.of(check) if one.about or one.witness]
        if found:
            yield ""
            yield Styled(f"{title.capitalize()}:", "bold red" if check in FAULTS else "bold")
        for finding in found:
            yield from _finding(finding)
    for note in report.notes:
        yield ""
        yield Styled(f"{note[:1].upper()}{note[1:]}.", "yellow")
    if report.is_interrupted:
        yield from INTERRUPTED


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
    for row in sheet.rows:
        texts = "; ".join(row.orders) or f"{row.unit} without an order"
        if row.orders and row.unit.count(" ") > 1:
            texts = f"{row.unit.rpartition(' ')[0].rpartition(' ')[0]} {texts}"
        yield f"{titled(row.power)}:", texts
