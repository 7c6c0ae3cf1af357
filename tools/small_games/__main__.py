"""Whether armies that move keep an enemy out with fewer units than lines that hold, on small maps:
`python -m tools.small_games` prints the table of docs/moving-lines.md.

It takes every connected map of three to five provinces, each shape once. `--six` adds that many
maps of six provinces, drawn by `--seed`. All units are armies; the enemy starts and builds in one
or two provinces, and has as many units as it can build.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from random import Random

from tools.small_games.graphs import Borders, maps
from tools.small_games.questions import Answer, answers, gains_of_retreats

HEAD = (
    "| provinces | maps | questions | moves inside need fewer | plans need fewer "
    "| who sees the enemy needs fewer |\n| ---: | ---: | ---: | ---: | ---: | ---: |"
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.small_games", description=__doc__)
    parser.add_argument(
        "--six", type=int, metavar="MAPS", default=0,
        help="also take this many maps of six provinces, of 112 (0)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="which maps of six provinces (0)")
    parser.add_argument(
        "--retreats", action="store_true",
        help="instead, count the questions in which plans with retreats need fewer than others",
    )  # fmt: skip
    given = parser.parse_args()
    if given.retreats:
        for size in (3, 4, 5):
            asked, gains = map(sum, zip(*map(gains_of_retreats, maps(size)), strict=True))
            print(f"{size} provinces: in {gains} of {asked:,} questions", flush=True)
        return
    print(HEAD)
    for size in (3, 4, 5):
        print(row(size, maps(size)), flush=True)
    if given.six:
        some = maps(6)
        print(row(6, Random(given.seed).sample(some, min(given.six, len(some)))))


def row(size: int, boards: Sequence[Borders]) -> str:
    """The row of the table for maps of a size."""
    found = list[Answer]()
    for number, borders in enumerate(boards, 1):
        found += answers(borders)
        print(f"{size} provinces: {number} of {len(boards)} maps", file=sys.stderr)
    fewer = [
        sum(one.inside < one.lines for one in found),
        sum(one.plans < one.lines for one in found),
        sum(one.seeing < one.lines for one in found),
    ]
    return f"| {size} | {len(boards)} | {' | '.join(f'{n:,}' for n in (len(found), *fewer))} |"


if __name__ == "__main__":
    main()
