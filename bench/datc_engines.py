"""`python -m bench.datc_engines`: writes docs/datc-engines.md anew.

The page says of every DATC case about movement whether each engine decides it as a document states
for the rules that the engine is compared with, and what comes out otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.datc_table import table
from dipsat.datc import CaseResult, Unanswered, load_cases, run_cases
from dipsat.engines.engine import SOLVER
from dipsat.formats.datc import Case
from dipsat.game.phase_name import PhaseKind
from dipsat.profiles.load import load_profile
from dipsat.proof.outcome import OrderOutcome

PAGE = Path(__file__).resolve().parent.parent / "docs" / "datc-engines.md"
Result = CaseResult | Unanswered
INTRODUCTION = """\
# The DATC cases by every engine

[algorithms.md](algorithms.md) tells what the engines are, and why some differ. This page is
generated: `python -m bench.datc_engines` writes it again, and a test holds it to the code. It has
every case of the DATC about movement, run by each engine under the rules that the engine is
compared with, the solver under each of them. `dpjudge` and `dip_eval` have rules of their own; what
they are compared with says which of the documents' statements is looked up.

- agrees: every order comes out as a document states for these rules;
- differs: an order comes out otherwise;
- not stated: no document states a result for these rules, or only that there is none; the engine
  decides as the solver does;
- not as solver: likewise, but the engine decides otherwise than the solver;
- no answer: the engine refuses the case, because it is not made for such orders. That is never
  counted as agreement, whatever is stated.

`dipsat datc 6.F.24 --rules 1982 --engine dpjudge` shows one of them with its orders.
"""
DETAILS = """\
## Where an engine differs

What the document states, or the solver finds where none does, and what the engine finds. Where an
engine has no answer, nothing differs; the last table has these cases.
"""
EVERY = """\
## Every case
"""
_WORDS = {
    "passed": "agrees", "differs": "differs", "not stated": "not stated",
    "not as solver": "not as solver", "no answer": "no answer",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """An engine, and the rules that it is compared with."""

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
    """What comes of the cases."""
    return run_cases(cases, load_profile(column.rules), engine=column.engine)


def differences(found: Result, solved: Result) -> list[tuple[str, str, str]]:
    """(order, what it should be, what is found) for every order that comes out otherwise than
    stated, or where nothing is stated, otherwise than by the solver. An engine without an answer
    decides nothing otherwise."""
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
    """A case in the table."""
    is_stated = isinstance(found, CaseResult) and found.is_stated
    is_other = not is_stated and bool(differences(found, solved))
    return _WORDS["not as solver" if is_other else found.status]


def page() -> str:
    """The text of the page."""
    cases = movement_cases()
    found = {column: results(column, cases) for column in COLUMNS}
    heads = [f"{column.engine}, {column.rules.rpartition('/')[2]}" for column in COLUMNS]
    pairs = [
        list(zip(found[column], found[Column(SOLVER, column.rules)], strict=True))
        for column in COLUMNS
    ]
    cells = [[cell(*pair) for pair in column] for column in pairs]
    counts = [Counter(column) for column in cells]
    totals = [[word, *(str(count[word]) for count in counts)] for word in _WORDS.values()]
    lines = [INTRODUCTION, "## How many", "", *table(["cases", *heads], totals), "", DETAILS]
    rows = [
        [head, f"{pair[0].case.name}, {about}", wanted, words]
        for head, column in zip(heads, pairs, strict=True)
        for pair in column
        for about, wanted, words in differences(*pair)
    ]
    lines += [*table(["engine, rules", "order", "stated", "found"], rows), "", EVERY]
    every = [[case.name, *words] for case, *words in zip(cases, *cells, strict=True)]
    lines += table(["case", *heads], every)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
