"""The output of `dipsat datc`: a row per case, the differences, and how many cases are as
stated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.table import Column
from rich.text import Text

from dipsat.app.view import plain_table, show, terminal
from dipsat.base import counted
from dipsat.outcomes import parts_of_outcome
from dipsat.studies import CaseResult, NotMade, Unanswered

Result = CaseResult | Unanswered

_STYLES = {"passed": "green", "differs": "bold red", "no answer": "bold red"}
_WORDS = {
    "differs": "DIFFERS",
    "no answer": "NO ANSWER",
    "not made for this engine": "not made for",
}


def show_cases(results: Sequence[Result], engine: str) -> None:
    """Print a row per case; a single case with its orders and proof."""
    console = terminal()
    table = plain_table(
        Column("Case", no_wrap=True), Column("Result", no_wrap=True),
        Column("Orders", justify="right"), "Title",
    )  # fmt: skip
    for result in results:
        word = _WORDS.get(result.status, result.status)
        style = _STYLES.get(result.status, "")
        orders = str(len(result.case.expected))
        table.add_row(result.case.name, Text(word, style), orders, result.case.title)
    console.print(table)
    ran = [result for result in results if not isinstance(result, NotMade)]
    for result in ran:
        for problem in _problems(result):
            console.print(f"{result.case.name} {problem}", style="red")
    if len(results) == 1 and isinstance(results[0], CaseResult):
        console.print()
        show(parts_of_outcome(results[0].outcome))
    if others := [one for one in results if isinstance(one, NotMade)]:
        console.print(f"{engine} is not made for {counted(len(others), 'case')}:")
        for problem, number in Counter(one.problem for one in others).items():
            console.print(f"  {counted(number, 'case')}: {problem}.")
    count = Counter(result.status for result in ran)
    silent = count.pop("not stated", 0)
    rest = f" For {silent} no document states a result." if silent else ""
    if unanswered := count["no answer"]:
        rest += f" The engine has no answer to {unanswered}."
    compared = f"{count['passed']} of {counted(count.total(), 'case')} as the document states."
    if not count.total():
        compared = "No case could be compared with the document."
    console.print(f"{compared}{rest}")


def _problems(result: Result) -> list[str]:
    """The differences of a case, or the engine's problem with it."""
    if isinstance(result, Unanswered):
        return [f"has no answer: {result.problem}"]
    return [
        f"{one.about}: expected {one.expected}, found {one.found}" for one in result.differences
    ]
