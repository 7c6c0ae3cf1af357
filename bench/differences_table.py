"""`python -m bench.differences_table`: find the smallest boards on which rules differ.

It asks what is not yet in docs/atlas/differences.json, writes every answer there at once, and then
the page docs/atlas/differences.md. With `--again` the named rules are asked again; `--page` only
writes the page. The work of a question is counted in steps, so its answer is the same everywhere.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from bench.differences import page, record
from bench.differences.answers import answer_kind, answer_pair
from bench.differences.questions import kinds, pairs
from bench.differences.share import shared

WORK = 60_000_000
"""Steps for a question, about a million a second."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask what is missing, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.differences_table", description=__doc__)
    parser.add_argument("--work", type=int, default=WORK, help=f"steps for a question ({WORK:,})")
    parser.add_argument("--again", nargs="*", default=[], metavar="RULES", help="ask these again")
    parser.add_argument("--page", action="store_true", help="only write the page")
    given = parser.parse_args(arguments)
    if not given.page:
        ask(given.work, given.again)
        record.write(shared(record.read()))
    page.write()


def ask(work: int, again: Sequence[str]) -> None:
    """Ask what the record lacks, or what is about the rules in `again`."""
    known = record.read()
    for pair in pairs():
        if known.pair(pair) is None or {pair.one, pair.other} & set(again):
            begun = time.process_time()
            known = known.with_pair(answer_pair(pair, work))
            record.write(known)
            print(f"{pair.name}: {time.process_time() - begun:.1f} s", flush=True)
    for kind in kinds():
        if known.kind(kind) is None or kind.rules in again:
            begun = time.process_time()
            known = known.with_kind(answer_kind(kind, work))
            record.write(known)
            print(f"{kind.name}: {time.process_time() - begun:.1f} s", flush=True)


if __name__ == "__main__":
    main()
