"""The output of `dipsat datc`: a row per case, the differences, and how many cases are as
stated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dipsat.base import GAP, Column, Part, Styled, Table, counted, indented
from dipsat.outcomes import parts_of_outcome
from dipsat.studies import CaseResult, NotMade, Unanswered

Result = CaseResult | Unanswered

_STYLES = {"passed": "green", "differs": "bold red", "no answer": "bold red"}
_WORDS = {
    "differs": "DIFFERS",
    "no answer": "NO ANSWER",
    "not made for this engine": "not made for",
}
_COLUMNS = (Column("Case"), Column("Result"), Column("Orders", is_right=True), Column("Title"))


def parts_of_cases(results: Sequence[Result], engine: str) -> Iterator[Part]:
    """A row per case, then the differences. A single case is shown with its orders and proof."""
    if len(results) == 1 and isinstance(results[0], CaseResult):
        yield from _single(results[0])
        return
    rows = []
    for result in results:
        word = _WORDS.get(result.status, result.status)
        styled = Styled(word, _STYLES.get(result.status, ""))
        rows.append((result.case.name, styled, str(len(result.case.expected)), result.case.title))
    yield Table(tuple(rows), _COLUMNS, edge=GAP)
    ran = [result for result in results if not isinstance(result, NotMade)]
    for result in ran:
        for problem in _problems(result):
            yield Styled(f"{result.case.name} {problem}", "red")
    if others := [one for one in results if isinstance(one, NotMade)]:
        yield f"{engine} is not made for {counted(len(others), 'case')}:"
        for problem, number in Counter(one.problem for one in others).items():
            yield indented(f"{counted(number, 'case')}: {problem}.", 2)
    count = Counter(result.status for result in ran)
    silent = count.pop("not stated", 0)
    rest = f" For {silent} no document states a result." if silent else ""
    if unanswered := count["no answer"]:
        rest += f" The engine has no answer to {unanswered}."
    compared = f"{count['passed']} of {counted(count.total(), 'case')} as the document states."
    if not count.total():
        compared = "No case could be compared with the document."
    yield compared + rest


_COMPARED = {
    "passed": "As the document states.",
    "differs": "The document states another result.",
    "not stated": "No document states a result.",
}


def _single(result: CaseResult) -> Iterator[Part]:
    """A case with its title, its orders and their proof."""
    yield Styled(f"{result.case.name}: {result.case.title}", "bold")
    yield ""
    yield from parts_of_outcome(result.outcome)
    yield Styled(_COMPARED[result.status], _STYLES.get(result.status, ""))
    for problem in _problems(result):
        yield Styled(problem, "red")


def _problems(result: Result) -> list[str]:
    """The differences of a case, or the engine's problem with it."""
    if isinstance(result, Unanswered):
        return [f"has no answer: {result.problem}"]
    return [
        f"{one.about}: expected {one.expected}, found {one.found}" for one in result.differences
    ]
