"""DATC cases as a table and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from dipsat.cli.view import show_outcome, terminal
from dipsat.datc import CaseResult, Unanswered

Result = CaseResult | Unanswered

_STATUS = {
    "passed": ("passed", "green"), "differs": ("DIFFERS", "bold red"),
    "not stated": ("not stated", ""), "no answer": ("NO ANSWER", "bold red"),
}  # fmt: skip


def show_cases(results: Sequence[Result]) -> None:
    """Print a row per case; a single one with its orders and proof."""
    console = terminal()
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bold")
    table.add_column("Case", no_wrap=True)
    table.add_column("Result", no_wrap=True)
    table.add_column("Orders", justify="right")
    table.add_column("Title")
    for result in results:
        word, style = _STATUS[result.status]
        orders = str(len(result.case.expected))
        table.add_row(result.case.name, Text(word, style), orders, result.case.title)
    console.print(table)
    for result in results:
        for line in _problems(result):
            console.print(f"{result.case.name} {line}", style="red")
    if len(results) == 1 and isinstance(results[0], CaseResult):
        console.print()
        show_outcome(results[0].outcome)
    count = Counter(result.status for result in results)
    silent = count.pop("not stated", 0)
    rest = f" For {silent} no document states a result." if silent else ""
    if unanswered := count["no answer"]:
        rest += f" The engine has no answer to {unanswered}."
    console.print(f"{count['passed']} of {count.total()} cases as the document states.{rest}")


def _problems(result: Result) -> list[str]:
    """What is wrong with a case."""
    if isinstance(result, Unanswered):
        return [f"has no answer: {result.problem}"]
    return [
        f"{one.about}: expected {one.expected}, found {one.found}" for one in result.differences
    ]


def case_row(result: Result) -> dict[str, Any]:
    """A case as plain values; what `dipsat datc --json` prints. `problem` is there only if the
    engine has no answer, and what depends on one then is null or empty."""
    found = {"case": result.case.name, "title": result.case.title, "status": result.status}
    if isinstance(result, Unanswered):
        return {
            **found,
            "passed": False,
            "source": None,
            "differences": [],
            "outcome": None,
            "problem": result.problem,
        }
    return {
        **found,
        "passed": result.passed,
        "source": result.statement.source if result.statement else None,
        "differences": [
            {"about": one.about, "expected": one.expected, "found": one.found}
            for one in result.differences
        ],
        "outcome": result.outcome.to_dict(),
    }
