"""`python -m tools.datc_choices`: run every DATC case under every single choice of DATC chapter 4.

It prints each order whose result is not the one that a document states for the choice. This finds
results in `datc/` that presuppose another choice without saying so. With `--over`, the choices are
laid over other rules, such as the rulebooks. Name cases, sections or chapters as for `dipsat datc`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator

from dipsat.formats import Case
from dipsat.rules import DEFAULT_RULES, load_profile, shipped_names
from dipsat.studies import CaseResult, rules_for, run_case
from dipsat.studies.datc_runs import load_cases, stated


def choices() -> list[str]:
    """The names of the shipped choices."""
    return [name for name in shipped_names() if name.startswith("choices/")]


def stated_results(rules: str, cases: Iterable[Case]) -> Iterator[CaseResult]:
    """The results of the cases for which a document states one under these rules."""
    profile = load_profile(rules)
    for case in cases:
        whole = rules_for(case, profile)
        statement = stated(case, whole)
        if statement is not None and statement.case is not None:
            yield run_case(case, whole)


def main(arguments: list[str]) -> int:
    """Run the cases and return the exit status: 1 if any case differs."""
    parser = argparse.ArgumentParser(prog="python -m tools.datc_choices")
    parser.add_argument("--over", nargs="+", default=[DEFAULT_RULES], metavar="RULES")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    options = parser.parse_args(arguments)
    cases = load_cases(options.cases, older=True, variants=True)
    count = differing = 0
    for rules in [f"{base}+{choice}" for base in options.over for choice in choices()]:
        for result in stated_results(rules, cases):
            count += 1
            differing += bool(result.differences)
            for one in result.differences:
                print(f"{rules}  {result.case.name}  {one.about}: {one.found}, not {one.expected}")
    print(f"{differing} of {count} stated results of {len(cases)} cases differ.")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
