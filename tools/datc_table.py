"""`python -m tools.datc_table`: regenerate docs/datc-rulebooks.md.

The page gives the result of every DATC case under each rulebook of `rules/rulebooks`, and says
whether every alternative result that a document states is met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dipsat.formats import Case, CaseAlternative
from dipsat.rules import load_profile, shipped_names
from dipsat.studies import run_case
from dipsat.studies.datc_runs import load_cases, run_alternative

PAGE = Path(__file__).resolve().parent.parent / "docs" / "datc-rulebooks.md"
INTRODUCTION = """\
# The DATC cases under every rulebook

This page lists every DATC case under every rulebook, and says whether dipsat's results are those
that the DATC documents state. They state most results for their author's preferences and, for many
cases, also the result under another choice of chapter 4 or another rulebook. Both are data in
`datc/`. `python -m tools.datc_table` generates this page from them, and a test compares it with
the code.

- passed: every order has the result that a document states for the rulebook's choices;
- differs: an order has another result;
- not stated: no document states a result for the rulebook's choices, or a document says that the
  rules have no answer. This is never counted as passed.

`dipsat datc --rules 1982 6.F.17` shows one case with its orders. A rulebook's choices, with the
sentence of the DATC for each, are in its file in `rules/rulebooks`. `python -m tools.datc_choices`
runs every case, including those of the variants, under every single choice and prints the
differences: there are none.
"""
ALTERNATIVES = """\
## Every alternative result

Each is run under the standard rules with only the choices that it is stated for. `4.A.2-1971/1982`
means either. "no answer": the document says that the rules have none, and indeed no resolution or
several satisfy them; the rule that then decides is dipsat's, not the rulebook's. "not checked": the
document gives no definite answer. "superseded": a later document contradicts the statement.
"""


def rulebooks() -> list[str]:
    """The names of the shipped rulebooks."""
    return [name for name in shipped_names() if name.startswith("rulebooks/")]


def cells(rules: str, cases: Iterable[Case]) -> list[str]:
    """The status of each case under a rulebook."""
    profile = load_profile(rules)
    return [run_case(case, profile).status for case in cases]


def outcome_text(case: Case, entry: CaseAlternative) -> str:
    """The result of an alternative in words: a single one if all its profiles agree."""
    if entry.superseded:
        return f"superseded: {entry.superseded}"
    found = run_alternative(case, entry)
    words = sorted(set(found.values()))
    if len(words) == 1:
        return words[0]
    return "; ".join(f"{word}: {', '.join(r for r in found if found[r] == word)}" for word in words)


def row(texts: Iterable[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(texts)} |"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table."""
    yield row(heads)
    yield row("---" for _ in heads)
    yield from map(row, rows)


def page() -> str:
    """The text of the page."""
    cases = load_cases(older=True)
    names = rulebooks()
    columns = [cells(name, cases) for name in names]
    heads = [name.rpartition("/")[2] for name in names]
    counts = [Counter(column) for column in columns]
    totals = [
        [word, *(str(count[word]) for count in counts)]
        for word in ("passed", "differs", "not stated")
    ]
    lines = [INTRODUCTION, "## How many", "", *table(["cases", *heads], totals), ""]
    rows = [[case.name, *cell] for case, *cell in zip(cases, *columns, strict=True)]
    lines += ["## Every case", "", *table(["case", *heads], rows), "", ALTERNATIVES]
    stated = [
        [case.name, ", ".join(c.text for c in entry.when), outcome_text(case, entry), entry.source]
        for case in cases
        for entry in case.alternatives
    ]
    lines += table(["case", "choices", "result", "stated in"], stated)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
