"""`python -m tools.datc_engines`: regenerate docs/datc-engines.md and its tables.

For every DATC case about movement, the page says whether each engine decides it as a document
states for the rules with which the engine is compared, and lists the differences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dipsat.formats import Case
from dipsat.game import PhaseKind
from dipsat.outcomes import OrderOutcome
from dipsat.rules import load_profile
from dipsat.studies import CaseResult, Unanswered, run_cases
from dipsat.studies.datc_runs import load_cases
from dipsat.studies.engine_names import SOLVER
from tools.tables import FOLDER, table, to_csv

PAGE = Path(__file__).resolve().parent.parent / "docs" / "datc-engines.md"
Result = CaseResult | Unanswered
EVERY_CASE, DIFFERENCES = FOLDER / "datc-engines.csv", FOLDER / "datc-engines-differences.csv"
INTRODUCTION = """\
# The DATC cases by every engine

This page shows which DATC cases about movement each [engine](algorithms.md) decides as the
documents state, and the orders that it decides differently. `dpjudge` and `dip_eval` have their
own rules; the rules named with them only say which stated results they are compared with.

- agrees: every order has the result that a document states for these rules;
- differs: an order has another result;
- not stated: no document states a result for these rules, or a document says that there is none;
  the engine decides as the solver does;
- not as solver: no result is stated either, but the engine does not decide as the solver does;
- no answer: the engine refuses the case, because it is not made for such orders, whatever the
  documents state.

`dipsat datc 6.F.24 --rules 1982 --engine dpjudge` shows one case with its orders. `python -m
tools.datc_engines` writes this page and its tables.
"""
DETAILS = """\
## Cases that an engine decides differently

[algorithms.md](algorithms.md) explains why.
"""
EVERY = """\
The orders, each with the result that a document states (or, where none does, the solver's) and the
engine's:

[Every order with another result](tables/datc-engines-differences.csv)

## Every case

[Every case by every engine](tables/datc-engines.csv)
"""
_WORDS = {
    "passed": "agrees", "differs": "differs", "not stated": "not stated",
    "not as solver": "not as solver", "no answer": "no answer",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """An engine, and the rules with which it is compared."""

    engine: str
    rules: str


COLUMNS = (
    Column(SOLVER, "datc"),
    Column("partial_information", "datc"),
    Column("recursive_guess", "datc"),
    Column("decision_graph", "datc"),
    Column("simple_recursive", "datc"),
    Column(SOLVER, "rulebooks/1982"),
    Column("dip_eval", "rulebooks/1982"),
    Column("dpjudge", "rulebooks/1982"),
    Column(SOLVER, "judges/dpjudge"),
    Column("dpjudge", "judges/dpjudge"),
)


def movement_cases() -> list[Case]:
    """The cases about movement phases."""
    cases = load_cases(older=True)
    return [case for case in cases if case.position.phase.kind is PhaseKind.MOVEMENT]


def results(column: Column, cases: Sequence[Case]) -> list[Result]:
    """The results of the cases under the engine and rules of a column."""
    return run_cases(cases, load_profile(column.rules), engine=column.engine)


def differences(found: Result, solved: Result) -> list[tuple[str, str, str]]:
    """(order, expected, found) for every order whose result is not the stated one or, where nothing
    is stated, not the solver's. An engine that has no answer has no differences."""
    if isinstance(found, Unanswered) or isinstance(solved, Unanswered):
        return []
    if found.is_stated:
        return [(one.about, one.expected, one.found) for one in found.differences]
    pairs = zip(solved.outcome.orders, found.outcome.orders, strict=True)
    return [
        (f"{theirs.power}: {theirs.submitted or theirs.unit}", f"solver: {_words(ours)}", words)
        for ours, theirs in pairs
        if (words := _words(theirs)) != _words(ours)
    ]


def _words(order: OrderOutcome) -> str:
    return ", ".join(filter(None, (order.verdict, order.fate)))


def cell(found: Result, solved: Result) -> str:
    """The table cell of a case."""
    is_stated = isinstance(found, CaseResult) and found.is_stated
    is_other = not is_stated and bool(differences(found, solved))
    return _WORDS["not as solver" if is_other else found.status]


def files() -> dict[Path, str]:
    """The page and its tables, by their paths."""
    cases = movement_cases()
    found = {column: results(column, cases) for column in COLUMNS}
    heads = [f"{column.engine}, {column.rules.rpartition('/')[2]}" for column in COLUMNS]
    pairs = [
        list(zip(found[column], found[Column(SOLVER, column.rules)], strict=True))
        for column in COLUMNS
    ]
    cells = [[cell(*pair) for pair in column] for column in pairs]
    counts = [Counter(column) for column in cells]
    totals = [
        [head, *(str(count[word]) for word in _WORDS.values())]
        for head, count in zip(heads, counts, strict=True)
    ]
    names = [case.name for case in cases]
    lines = [INTRODUCTION, *table(["engine, rules", *_WORDS.values()], totals), "", DETAILS]
    lines += [EVERY.rstrip("\n")]
    rows = [
        [pair[0].case.name, head, about, wanted, words]
        for head, column in zip(heads, pairs, strict=True)
        for pair in column
        for about, wanted, words in differences(*pair)
    ]
    every = [[name, *words] for name, *words in zip(names, *cells, strict=True)]
    return {
        PAGE: "\n".join(lines) + "\n",
        EVERY_CASE: to_csv(["case", *heads], every),
        DIFFERENCES: to_csv(["case", "engine, rules", "order", "stated", "found"], rows),
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
