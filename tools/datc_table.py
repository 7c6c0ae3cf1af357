"""`python -m tools.datc_table`: regenerate docs/datc-rulebooks.md and its tables.

The page gives the result of every DATC case under each rulebook of `rules/rulebooks`, and says
whether every alternative result that a document states is met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from dipsat.formats import Case, CaseAlternative
from dipsat.rules import load_profile, shipped_names
from dipsat.studies import run_case
from dipsat.studies.datc_runs import load_cases, run_alternative
from tools.tables import FOLDER, table, to_csv

PAGE = Path(__file__).resolve().parent.parent / "docs" / "datc-rulebooks.md"
EVERY_CASE, EVERY_ALTERNATIVE = FOLDER / "datc-rulebooks.csv", FOLDER / "datc-alternatives.csv"
INTRODUCTION = """\
# The DATC cases under every rulebook

This page compares dipsat's results under seven rulebooks with those that the DATC documents state:
none differs. The documents state most results for their author's preferences, and for many
cases also the result under another choice of chapter 4 or another rulebook (`datc/` has them).

- passed: every order has the result that a document states for the rulebook's choices;
- differs: an order has another result;
- not stated: no document states a result for the rulebook's choices, or a document says that the
  rules have no answer.

`dipsat datc --rules 1982 6.F.17` shows one case with its orders. A rulebook's choices, with the
sentence of the DATC for each, are in its file in `rules/rulebooks`. `python -m tools.datc_table`
writes this page and its tables. `python -m tools.datc_choices` runs every case, including those of
the variants, under every single choice: no result differs.
"""
EVERY = """\
## Every case

[Every case under every rulebook](tables/datc-rulebooks.csv)
"""
ALTERNATIVES = """\
## Every alternative result

Each is run under the standard rules with only the choices that it is stated for. `4.A.2-1971/1982`
means either.

[Every alternative result](tables/datc-alternatives.csv)

{passed} of the {all} pass. Of the others, the table says:

- no answer: the document says that the rules have none, and indeed no resolution or several satisfy
  them; the rule that then decides is dipsat's;
- not checked: the document gives no definite answer;
- superseded: a later document contradicts the statement.
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


def files() -> dict[Path, str]:
    """The page and its tables, by their paths."""
    cases = load_cases(older=True)
    names = rulebooks()
    columns = [cells(name, cases) for name in names]
    heads = [name.rpartition("/")[2] for name in names]
    counts = [Counter(column) for column in columns]
    totals = [
        [word, *(str(count[word]) for count in counts)]
        for word in ("passed", "differs", "not stated")
    ]
    rows = [[case.name, *cell] for case, *cell in zip(cases, *columns, strict=True)]
    stated = [
        [case.name, ", ".join(c.text for c in entry.when), outcome_text(case, entry), entry.source]
        for case in cases
        for entry in case.alternatives
    ]
    passed = sum(result == "passed" for _, _, result, _ in stated)
    alternatives = ALTERNATIVES.format(passed=passed, all=len(stated))
    return {
        PAGE: "\n".join([INTRODUCTION, *table(["cases", *heads], totals), "", EVERY, alternatives]),
        EVERY_CASE: to_csv(["case", *heads], rows),
        EVERY_ALTERNATIVE: to_csv(["case", "choices", "result", "stated in"], stated),
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
