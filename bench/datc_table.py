"""`python -m bench.datc_table`: writes docs/datc-rulebooks.md anew.

The page says of every DATC case how it comes out under each rulebook of `rules/rulebooks`, and of
every alternative result that a document states whether it is met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dipsat.datc import load_cases, run_alternative, run_case
from dipsat.formats.datc import Alternative, Case
from dipsat.profiles.load import load_profile, shipped_names

PAGE = Path(__file__).resolve().parent.parent / "docs" / "datc-rulebooks.md"
INTRODUCTION = """\
# The DATC cases under every rulebook

The documents of the DATC state most results for the preferences of their author, and for many
cases what happens under another choice of chapter 4 or another rulebook. Both are data in `datc/`,
and this page is generated from what comes of them: `python -m bench.datc_table` writes it again,
and a test holds it to the code.

- passed: every order comes out as a document states for the choices of the rulebook;
- differs: an order comes out otherwise;
- not stated: no document states a result for the choices of the rulebook, or it says that the rules
  have no answer. That is never counted as passed.

`dipsat datc --rules 1982 6.F.17` shows one of them with its orders. What a rulebook chooses, and
which sentence of the DATC says so, is in its file in `rules/rulebooks`. `python -m
bench.datc_choices` runs every case, those of the variants too, under every choice by itself, and
prints what differs: nothing does.
"""
ALTERNATIVES = """\
## Every alternative result

Each is run under the standard rules with just the choices that it is stated for. `4.A.2-1971/1982`
means either. "no answer" is where the document says that the rules have none, and indeed none or
several resolutions satisfy them; the rule for that is then dipsat's, not the rulebook's. "not
checked" is where the document gives no certain answer. "superseded" statements are contradicted by
a later document.
"""


def rulebooks() -> list[str]:
    """The names of the shipped rulebooks."""
    return [name for name in shipped_names() if name.startswith("rulebooks/")]


def cells(rules: str, cases: Iterable[Case]) -> list[str]:
    """How the cases come out under a rulebook."""
    profile = load_profile(rules)
    return [run_case(case, profile).status for case in cases]


def outcome_text(case: Case, entry: Alternative) -> str:
    """What comes of an alternative, in words: one if all its profiles agree."""
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
