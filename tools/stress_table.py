"""`python -m tools.stress_table`: regenerate docs/tables/stress.csv, the table of docs/variants.md.

`dipsat.studies.stress` tests every shipped variant, and the profile that the variants change, on
the same number of random boards. Each has a row with its results."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator

from dipsat import studies
from dipsat.rules import DEFAULT_RULES, variant_names
from dipsat.studies import StressFinding
from dipsat.studies.stress_boards import PROVEN
from dipsat.studies.stress_tests import CHECKS, FOUND, IMPOSSIBLE
from tools.tables import FOLDER, to_csv

TABLE = FOLDER / "stress.csv"
BOARDS, SEED, TIMEOUT = 500, 0, 120.0
HEADS = ("rules", "faults", "boards with a cycle", "settled by", "never used", "changes nothing")
NOTHING = "none"


def names() -> tuple[str, ...]:
    """The profiles of the table."""
    return (DEFAULT_RULES, *variant_names())


def row(report: studies.StressReport) -> tuple[str, ...]:
    """A row of the table."""
    faults = (f"{CHECKS[one.check]}: {one.count}" for one in report.faults)
    counts: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    for one in report.of("cycle"):
        kind, _, rule = one.about.partition("; settled by ")
        counts[kind.partition(":")[0]] += one.count
        rules[rule] += one.count
    return (
        f"`{report.rules}`",
        _joined(faults),
        _joined(f"{kind}: {counts[kind]}" for kind in sorted(counts)),
        _joined(f"{rule} {count}" for rule, count in rules.most_common()),
        _joined(_unused(one) for one in report.of("rule") if one.verdict != FOUND),
        _joined(_idle(one) for one in report.of("entry")),
    )


def _unused(one: StressFinding) -> str:
    return f"{one.about} (nor with open orders)" if one.verdict == IMPOSSIBLE else one.about


def _idle(one: StressFinding) -> str:
    return f"`{one.about}`" + (" (as in the base)" if one.verdict == PROVEN else "")


def _joined(parts: Iterable[str]) -> str:
    return ", ".join(parts) or NOTHING


def rows(jobs: int) -> Iterator[tuple[str, ...]]:
    """The rows of the table."""
    for name in names():
        made = row(studies.stress(name, boards=BOARDS, seed=SEED, timeout=TIMEOUT, jobs=jobs))
        print(" | ".join(made), flush=True)
        yield made


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.stress_table", description=__doc__)
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    TABLE.write_text(to_csv(HEADS, rows(parser.parse_args().jobs)), encoding="utf-8")


if __name__ == "__main__":
    main()
