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
    """What a check has found, or has not.

    `about` says of what, "" if of the rules as a whole. `verdict` is `found` (`count` is on how
    many boards, and `witness` the smallest that was found, on `source`), `never` (on no board that
    was tried), `impossible` (besides, the solver has proven it of some positions, whatever is
    ordered there) or `proven` (of every board, by what the equations say). `note` adds to it.
    """

    check: str
    about: str
    verdict: str
    count: int = 0
    note: str = ""
    source: str = ""
    witness: Sheet | None = None

    @property
    def is_fault(self) -> bool:
        """Whether something is wrong with the rules."""
        return self.check in FAULTS and self.verdict == FOUND


@dataclass(frozen=True, slots=True)
class StressReport(Plain):
    """What a profile does on many boards. Made by `dipsat.stress`.

    `boards` were tried, with the seeds from `seed` on and so many `units`; on `slow_boards` of
    them everything was also given to Z3. `findings` are in the order of `CHECKS`; a check of
    `FAULTS` that found nothing has one finding that says so. `notes` tell what could not be
    looked for. `is_interrupted` if it was ended early, and only tells what was found until then.
    """

    rules: str
    map: str
    boards: int
    seed: int
    units: int
    slow_boards: int
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    is_interrupted: bool = False

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that are faults of the rules."""
        return tuple(one for one in self.findings if one.is_fault)

    def of(self, check: str) -> tuple[Finding, ...]:
        """The findings of one check of `CHECKS`."""
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
