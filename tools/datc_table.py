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
from tools.tables import FOLDER, by_result, table, to_csv

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
NOT_STATED = """\
## Cases without a stated result

All other cases pass under every rulebook. Here "passed" is +, and "not stated" is -.
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

{passed} of the {all} pass. These are the others:

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
    lines = [INTRODUCTION, *table(["cases", *heads], totals), "", NOT_STATED]
    rows = [[case.name, *cell] for case, *cell in zip(cases, *columns, strict=True)]
    codes = {"passed": "+", "differs": "differs", "not stated": "-"}
    shown = [
        [name, *map(codes.__getitem__, found)] for name, *found in rows if set(found) != {"passed"}
    ]
    lines += [*table(["cases", *heads], by_result(shown)), "", EVERY]
    stated = [
        [case.name, ", ".join(c.text for c in entry.when), outcome_text(case, entry), entry.source]
        for case in cases
        for entry in case.alternatives
    ]
    others = [one for one in stated if one[2] != "passed"]
    passed = len(stated) - len(others)
    lines.append(ALTERNATIVES.format(passed=passed, all=len(stated)))
    columns_stated = ["case", "choices", "result", "stated in"]
    lines += table(columns_stated, others)
    return {
        PAGE: "\n".join(lines) + "\n",
        EVERY_CASE: to_csv(["case", *heads], rows),
        EVERY_ALTERNATIVE: to_csv(columns_stated, stated),
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
