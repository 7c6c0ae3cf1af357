"""`python -m bench.atlas.confirm [MAP ...]` has Z3 confirm the fewest units of the atlas, from
another statement than that of the search (docs/holding-lines.md, "A second opinion")."""

from __future__ import annotations

import argparse
import sys
import time

import dipsat
from bench.atlas import record
from bench.atlas.answers import question_of
from bench.atlas.questions import MAPS


def main() -> int:
    """Confirm each entry, and print what came of it. Returns 1 if one is refuted."""
    parser = argparse.ArgumentParser(prog="python -m bench.atlas.confirm", description=__doc__)
    parser.add_argument("maps", metavar="MAP", nargs="*", help=f"maps ({' '.join(MAPS)})")
    parser.add_argument("--seconds", type=float, default=600, help="the most for an entry (600)")
    given = parser.parse_args()
    verdicts = []
    for name in given.maps or MAPS:
        entries = [one for answers in record.read(name).values() for one in answers]
        for one in entries:
            if "split" in one["asked"] or one["verdict"] == "unknown":
                continue
            started = time.process_time()
            found = dipsat.confirm_fewest(
                question_of(name, one["asked"]),
                one["fewest"],
                limits=dipsat.Limits(seconds=given.seconds),
            )
            took = time.process_time() - started
            verdicts.append(found.verdict)
            print(
                f"{found.verdict} {took:.1f} s  {name} {one['asked']} {one['fewest']}", flush=True
            )
    return int("refuted" in verdicts)


if __name__ == "__main__":
    sys.exit(main())
