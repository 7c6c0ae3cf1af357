"""`python -m bench.algorithms`: the engines against the solver on seeded random boards.

Prints per engine the boards on which a verdict, a dislodgement, a standoff or a retreat differs.
Exit status 1 if any does.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import dipsat
from dipsat.agreement.boards import Board, random_board
from dipsat.algorithms.engine import ENGINES, SOLVER
from dipsat.errors import DipsatError
from dipsat.profiles.profile import Profile


def result(board: Board, rules: Profile, engine: str) -> object:
    """What an engine makes of a board, as far as it can be compared; an error as its text."""
    position = dipsat.Position.from_units(board.units)
    try:
        outcome = dipsat.adjudicate(position, board.orders, rules, engine=engine)
        orders = [(order.verdict, order.fate) for order in outcome.orders]
        return orders, outcome.dislodged, outcome.contested, outcome.next.to_dict()
    except DipsatError as error:
        return str(error)


def differing(seeds: range, rules: Profile, engines: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """(seed, engine) of every board that an engine and the solver decide otherwise."""
    for seed in seeds:
        board = random_board(seed)
        expected = result(board, rules, SOLVER)
        for engine in engines:
            if result(board, rules, engine) != expected:
                yield seed, engine


def main() -> int:
    """Compare, print, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.algorithms", description=__doc__)
    parser.add_argument("first", type=int, nargs="?", default=0, help="the first seed (0)")
    parser.add_argument("last", type=int, nargs="?", default=1000, help="the seed to end before")
    parser.add_argument("--rules", default="datc", help="the rule profile (datc)")
    parser.add_argument("--engine", choices=ENGINES[1:], action="append", help="only this engine")
    chosen = parser.parse_args()
    seeds, engines = range(chosen.first, chosen.last), tuple(chosen.engine or ENGINES[1:])
    found: dict[str, list[int]] = {engine: [] for engine in engines}
    for seed, engine in differing(seeds, dipsat.load_profile(chosen.rules), engines):
        found[engine].append(seed)
    print(f"{len(seeds)} boards under {chosen.rules}")
    for engine, differ in found.items():
        shown = f": seeds {', '.join(map(str, differ))}" if differ else ""
        print(f"{engine}: {len(differ)} differ{shown}")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
