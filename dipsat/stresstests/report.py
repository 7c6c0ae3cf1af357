"""The results of stress testing a profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dipsat.plain import Plain
from dipsat.scenarios.sheet import Sheet

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


@dataclass(frozen=True, slots=True)
class Finding(Plain):
    """What a check has found, or has not."""

    check: str
    """The check, one of docs/stress.md."""
    about: str
    """What it is about, "" for the rules as a whole."""
    verdict: str
    """`found`, `never` (on no board that was tried), `impossible` (besides, the solver has proven
    it of some positions, whatever is ordered there) or `proven` (of every board, by what the
    equations say)."""
    count: int = 0
    """On how many boards it was found."""
    note: str = ""
    """What there is to add."""
    source: str = ""
    """Where that comes from."""
    witness: Sheet | None = None
    """The smallest board that was found, None if there is none."""

    @property
    def is_fault(self) -> bool:
        """Whether something is wrong with the rules."""
        return self.check in FAULTS and self.verdict == FOUND


@dataclass(frozen=True, slots=True)
class StressReport(Plain):
    """What a profile does on many boards. Made by `dipsat.stress`.

    Where a check for a fault found nothing, one finding says so.
    """

    rules: str
    """The name of the profile."""
    map: str
    """The name of the map."""
    boards: int
    """How many boards were tried."""
    seed: int
    """The seed of the first; each has the next."""
    units: int
    """How many units stood on each."""
    slow_boards: int
    """On how many of them everything was also given to Z3."""
    findings: tuple[Finding, ...]
    """What was found, faults first."""
    notes: tuple[str, ...] = ()
    """What could not be looked for."""
    is_interrupted: bool = False
    """Whether it was ended early, and only tells what was found until then."""

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that are faults of the rules."""
        return tuple(one for one in self.findings if one.is_fault)

    def of(self, check: str) -> tuple[Finding, ...]:
        """The findings of one check."""
        return tuple(one for one in self.findings if one.check == check)


def verdict_in_words(finding: Finding) -> str:
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


def _never_in_words(finding: Finding, boards: str) -> str:
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


def _file(finding: Finding, rules: str) -> str:
    assert finding.witness is not None
    about = f": {finding.about}" if finding.about else ""
    kind = "fault" if finding.check in FAULTS else "remark"
    lines = [
        f"{kind}: {CHECKS[finding.check]}{about} ({verdict_in_words(finding)})",
        f"dipsat adjudicate FILE --rules {rules}",
    ]
    return finding.witness.to_file(lines)
