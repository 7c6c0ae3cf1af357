"""`python -m tools.atlas.confirm [MAP ...]` has Z3 confirm the fewest units of the atlas, from a
different statement than the search's (docs/holding-lines.md, "A second opinion"). With `--all`, Z3
finds every line again where the atlas has all lines for a number of centres."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import dipsat
from dipsat import searches
from tools.atlas import record
from tools.atlas.answers import count_of, question_of
from tools.atlas.questions import MAPS
from tools.atlas.recount import differences, lines_of


def main() -> int:
    """Confirm each entry, and print the verdict. Return 1 if one is refuted."""
    parser = argparse.ArgumentParser(prog="python -m tools.atlas.confirm", description=__doc__)
    parser.add_argument("maps", metavar="MAP", nargs="*", help=f"maps ({' '.join(MAPS)})")
    parser.add_argument("--seconds", type=float, default=600, help="limit for an entry (600)")
    parser.add_argument("--section", default="", help="only this section, such as splits")
    parser.add_argument("--all", action="store_true", help="find every line again, not the fewest")
    parser.add_argument("--centres", type=int, nargs="+", help="only these numbers of centres")
    given = parser.parse_args()
    if given.all:
        return _recount(given.maps or ["standard"], given.centres)
    verdicts = []
    for name in given.maps or MAPS:
        sections = record.read(name).items()
        entries = [one for key, some in sections for one in some if given.section in ("", key)]
        for one in entries:
            if given.centres and one["asked"].get("centres") not in given.centres:
                continue
            if one["verdict"] == "unknown" or "not_all" in one["asked"]:
                continue  # `dipsat.searches.Lines` does not ask the latter
            started = time.process_time()
            found = searches.confirm_fewest(
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


def _recount(names: Sequence[str], sizes: Sequence[int] | None) -> int:
    """Find every line again, and print the result. Return 1 if an answer is wrong."""
    wrong = []
    for name in names:
        for one in record.read(name)["sizes"]:
            centres = one["asked"]["centres"]
            if one["verdict"] != "found" or not one["all"] or centres not in (sizes or [centres]):
                continue
            started = time.process_time()
            wrong += (found := differences(one, lines_of(name, one)))
            took = time.process_time() - started
            said = "; ".join(found) or f"all {count_of(one):,} lines are found again"
            print(f"{centres} centres: {said} ({took:.0f} s)", flush=True)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
