"""`python -m tools.differences_trial RULES UNITS` judges all boards of UNITS units under the rules
and under `datc`, and says whether one differs.

docs/atlas/differences.md has the results, and explains why boards that fall apart need no trial.
With `--beleaguered`, the boards are those of five or six units on which a convoying fleet may be
beleaguered.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from dipsat.rules import DEFAULT_RULES
from tools.differences.beleaguered import beleaguered
from tools.differences.every_board import every_board
from tools.differences.trial import trial


def main(arguments: Sequence[str] | None = None) -> None:
    """Judge the boards."""
    parser = argparse.ArgumentParser(prog="python -m tools.differences_trial", description=__doc__)
    parser.add_argument("rules", help="such as judges/vain-via-swaps")
    parser.add_argument("units", type=int, choices=range(1, 7), metavar="UNITS")
    parser.add_argument("--beleaguered", action="store_true", help="only such boards")
    given = parser.parse_args(arguments)
    if given.beleaguered and given.units not in (5, 6):
        parser.error("with --beleaguered, there are five units or six")
    boards = beleaguered(given.units - 4) if given.beleaguered else every_board(given.units)
    begun = time.process_time()
    found = trial((DEFAULT_RULES, given.rules), given.units, boards)
    seconds = time.process_time() - begun
    print(f"{found.boards:,} boards, {seconds:.0f} s: ", end="")
    if found.differing is None:
        print("none differs")
    else:
        print(f"the last differs, {dict(found.differing.orders)}")


if __name__ == "__main__":
    main()
