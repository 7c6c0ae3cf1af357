"""`python -m tools.differences_table`: find the smallest boards on which rules differ.

It asks the questions not answered in docs/atlas/differences.json, writes every answer there at
once, and then writes the page docs/atlas/differences.md. `--again` asks again about the named
rules. `--more`, with more `--work` or units, continues where nothing is proven. `--anew` keeps the
boards but proves everything again in one pass with the same limits, in about a quarter of an hour.
Work is counted in steps, about a million a second, so answers are the same everywhere.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace

from dipsat.game import MOST_UNITS
from tools.differences import page, record
from tools.differences.algorithms import JUDGES, answer_algorithm
from tools.differences.answers import SAME, answer_kind, answer_pair, is_proven
from tools.differences.asking import Effort
from tools.differences.questions import kinds, pairs
from tools.differences.share import answered_alike, bounds_shared, shared

WORK, MOST = 60_000_000, MOST_UNITS - 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask the open questions, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m tools.differences_table", description=__doc__)
    parser.add_argument(
        "--work", type=int, default=WORK, help=f"steps for each number of units ({WORK:,})"
    )
    parser.add_argument(
        "--most", type=int, choices=range(1, MOST_UNITS), default=MOST,
        help=f"the most units tried ({MOST})",
    )  # fmt: skip
    parser.add_argument(
        "--more", nargs="*", metavar="RULES", help="continue where proofs are lacking (these)"
    )
    parser.add_argument("--again", nargs="*", default=[], metavar="RULES", help="ask these again")
    parser.add_argument(
        "--anew", action="store_true", help="forget the proofs, and ask everything again"
    )
    parser.add_argument("--page", action="store_true", help="only write the page")
    given = parser.parse_args(arguments)
    if not given.page:
        if given.anew:
            record.write(record.read().without_proofs())
        ask(Effort(given.work, given.most), given.again, [] if given.anew else given.more)
        record.write(shared(bounds_shared(record.read())))
    page.write()


def ask(effort: Effort, again: Sequence[str], more: Sequence[str] | None) -> None:
    """Ask the unanswered questions, those about the rules in `again`, and perhaps more."""
    known = record.read()
    for pair in pairs():
        before = known.pair(pair)
        if {pair.one, pair.other} & set(again):
            before = None
        elif before and (
            before["verdict"] == SAME or is_proven(before) or not _is_among(pair.other, more)
        ):
            continue
        begun = time.process_time()
        is_begun = bool(before and before["bound"])
        alike = None if is_begun else answered_alike(pair, known, before)
        known = known.with_pair(alike or answer_pair(pair, effort, before))
        record.write(known)
        print(f"{pair.name}: {time.process_time() - begun:.1f} s", flush=True)
    for kind in kinds():
        before = known.kind(kind)
        if kind.rules in again:
            before = None
        elif before and (
            before["example"]["units"] == before["bound"] or not _is_among(kind.rules, more)
        ):
            continue
        begun = time.process_time()
        known = known.with_kind(answer_kind(kind, effort, before))
        record.write(known)
        print(f"{kind.name}: {time.process_time() - begun:.1f} s", flush=True)
    if not known.algorithms:
        found = tuple(answer_algorithm(*judges) for judges in JUDGES)
        record.write(replace(known, algorithms=found))


def _is_among(rules: str, more: Sequence[str] | None) -> bool:
    """Whether the search about these rules continues."""
    return more is not None and (not more or rules in more)


if __name__ == "__main__":
    main()
