"""Findings in words, and as order files that show them again."""

from __future__ import annotations

from dipsat.stresstests.report import (
    CHECKS,
    FAULTS,
    FOUND,
    IMPOSSIBLE,
    PROVEN,
    Finding,
    StressReport,
)


def verdict_in_words(finding: Finding) -> str:
    """What was found, such as `found on 6 boards`."""
    boards = "1 board" if finding.count == 1 else f"{finding.count} boards"
    if finding.verdict == FOUND:
        return (
            "found by the solver" if finding.source.startswith("solver") else f"found on {boards}"
        )
    if finding.verdict == PROVEN:
        return "proven: it says the same without"
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
    """Name -> text of a file for `dipsat adjudicate` per witness: `shared-1.yaml` is the first of
    its check."""
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
