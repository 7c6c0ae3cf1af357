"""`python -m tools.stress_table`: regenerate the table of docs/variants.md.

`dipsat.studies.stress` tests every shipped variant, and the profile that they change, on the same
number of random boards; each has a row with the results."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from dipsat import studies
from dipsat.rules import DEFAULT_RULES, variant_names
from dipsat.studies import StressFinding
from dipsat.studies.stress_boards import PROVEN
from dipsat.studies.stress_tests import CHECKS, FOUND, IMPOSSIBLE
from tools.tables import table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "variants.md"
BEGIN, END = "<!-- begin of the table of stress -->\n", "<!-- end of the table of stress -->"
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


def lines(jobs: int) -> Iterator[str]:
    """The lines of the table, with the command that gives them."""
    command = f"dipsat rules stress NAME --random {BOARDS} --seed {SEED} --timeout {TIMEOUT:.0f}"
    yield f"Of `{command}`; `python -m tools.stress_table` writes it again:"
    yield ""
    rows = []
    for name in names():
        report = studies.stress(name, boards=BOARDS, seed=SEED, timeout=TIMEOUT, jobs=jobs)
        rows.append(row(report))
        print(" | ".join(rows[-1]), flush=True)
    yield from table(HEADS, rows)


def main() -> None:
    """Write the table into its page."""
    parser = argparse.ArgumentParser(prog="python -m tools.stress_table", description=__doc__)
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    made = "\n".join(lines(parser.parse_args().jobs))
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{made}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
