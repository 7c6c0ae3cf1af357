"""`python -m tests agreement`: compare compiled equations with dipsat's Python on very many boards.

It compares all verdicts, the locations of units after the phase, dislodged units with their
dislodgers and retreats, contested provinces, whether the resolution is the only one, which rules
for decision cycles were applied, and the next position; in whole games, every phase. Random boards
have rings, convoys and paradoxes; a fifth of them have impossible, strange, missing or double
orders. The same seed gives the same boards. Differences end the run with status 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import dipsat
from dipsat.errors import KernelError
from dipsat.kernel import Batch
from dipsat.rules import shipped_names
from tests.kernel.agreement.boards import case_boards, random_boards, recorded_boards
from tests.kernel.agreement.compare import Board, Tally, compare_boards, compare_games

HEAD = """\
| part | rules | map | compared | by Python | differ | settled by rules for decision cycles |
| - | - | - | -: | -: | -: | - |"""
SHOWN = 3
"""Differing boards that are printed for each row."""
_PIECE = 500
"""The number of boards in memory at once."""
_GAMES = 100
"""The number of games in memory at once."""

Row = tuple[str, str, str, Tally]


def compared_in_pieces(batch: Batch, boards: Iterable[Board]) -> Tally:
    """Compare boards, a few hundred at a time."""
    found, left = Tally(), iter(boards)
    while piece := list(islice(left, _PIECE)):
        found.add(compare_boards(batch, piece))
    return found


def rows(parts: Sequence[str], given: argparse.Namespace) -> Iterator[Row]:
    """Each comparison: the part, the rules, the map, and what was counted."""
    first = given.seed * 10_000_000
    if "standard" in parts:
        batch = Batch("datc", "standard", native=True)
        boards = random_boards(batch, range(first, first + given.boards))
        yield "standard", "datc", "standard", compared_in_pieces(batch, boards)
    for name in shipped_names() if "rules" in parts or "cases" in parts else ():
        batch = Batch(name, native=True)
        if "rules" in parts:
            boards = random_boards(batch, range(first, first + given.each))
            yield "rules", name, batch.map.name, compared_in_pieces(batch, boards)
        if "cases" in parts:
            yield "cases", name, batch.map.name, compared_in_pieces(batch, case_boards(batch))
    for name in dipsat.map_names() if "maps" in parts or "games" in parts else ():
        batch = Batch("datc", name, native=True)
        if "maps" in parts:
            boards = random_boards(batch, range(first, first + given.each // 10), large=True)
            yield "maps", "datc", name, compared_in_pieces(batch, boards)
        if "games" in parts:
            count = given.games if name == "standard" else max(1, given.games // 20)
            yield "games", "datc", name, compared_games(batch, given.seed, count)
    if "recorded" in parts:
        batch = Batch("datc", "standard", native=True)
        yield "recorded", "datc", "standard", compared_in_pieces(batch, recorded_boards())


def compared_games(batch: Batch, seed: int, count: int) -> Tally:
    """Play games at random, and compare every phase."""
    found = Tally()
    for piece, first in enumerate(range(0, count, _GAMES)):
        games = batch.play(min(_GAMES, count - first), seed=1_000_003 * seed + piece, record=True)
        found.add(compare_games(batch, games))
    return found


PARTS = ("standard", "rules", "cases", "maps", "games", "recorded")


def shown(row: Row) -> str:
    """A row of the table, followed by boards that differ."""
    part, rules, map, found = row
    settled = ", ".join(
        f"{name}: {count}" for name, count in found.settled.most_common() if name != "unique"
    )
    counts = (f"{n:,}" for n in (found.boards, found.by_python, len(found.differing)))
    lines = [f"| {' | '.join((part, rules, map, *counts, settled))} |"]
    return "\n".join(lines + [f"DIFFER {text}" for text in found.differing[:SHOWN]])


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests agreement", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (all)")
    parser.add_argument("--boards", type=int, default=100_000, help="under datc (100000)")
    parser.add_argument(
        "--each", type=int, default=5_000, help="under each profile; a tenth on each map (5000)"
    )
    parser.add_argument(
        "--games", type=int, default=400, help="games on the standard map; a twentieth on others"
    )
    parser.add_argument("--seed", type=int, default=0, help="other seeds, other boards (0)")
    given = parser.parse_args(arguments)
    if unknown := set(given.parts) - {*PARTS}:
        named, known = ", ".join(sorted(unknown)), ", ".join(PARTS)
        parser.error(f"there is no part {named}; known: {known}")
    print(HEAD, flush=True)
    total, start = Tally(), time.monotonic()
    try:
        for row in rows(given.parts or PARTS, given):
            print(shown(row), flush=True)
            print(f"{time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
            total.add(row[3])
    except KernelError as error:
        parser.error(str(error))
    print(shown(("all", "", "", total)).splitlines()[0])
    sys.exit(1 if total.differing else 0)
