"""`python -m bench.published_judges`: published algorithms beside the profiles.

For each algorithm that has rules of its own, how many random boards and DATC cases it judges as
each profile does, with the cases that differ. `--smallest` also takes units off the boards that
differ from a profile for as long as they differ, and prints what is left.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

import dipsat
from dipsat.agreement.boards import random_board
from dipsat.algorithms.dip_eval import DipEval
from dipsat.algorithms.dpjudge import DPjudge, GameOptions
from dipsat.algorithms.engine import Engine, Verdicts
from dipsat.datc import load_cases
from dipsat.orders.order import MovementOrder
from dipsat.orders.reader import reader_for
from dipsat.profiles.load import load_profile
from dipsat.proof.movement import MovementOutcome

ENGINES: Mapping[str, Engine] = {
    "dpjudge": DPjudge(),
    "dpjudge, SAFE_CONVOYS": DPjudge(GameOptions(safe_convoys=True)),
    "dip_eval": DipEval(),
}
PROFILES = (
    "rulebooks/1971", "rulebooks/1982", "rulebooks/2000", "rulebooks/2023", "rulebooks/dptg",
    "rulebooks/datc-2.4", "rulebooks/datc-3",
)  # fmt: skip
ALL = tuple(field.name for field in fields(Verdicts))
Orders = Mapping[str, Sequence[str]]


def verdicts_of(outcome: MovementOutcome) -> Verdicts:
    """The verdicts of a profile, in the form of an algorithm's."""

    def values(family: str) -> tuple[bool, ...]:
        return tuple(bool(value) for value in outcome.solution.bounds.values(family))

    return Verdicts(
        values("move"), values("support"), values("convoy"), values("dislodge"),
        frozenset(outcome.contested),
    )  # fmt: skip


def difference(engine: Engine, position: dipsat.Position, orders: Orders, rules: str) -> set[str]:
    """In which verdicts (`moves`, `supports`, ...) an algorithm differs from a profile."""
    profile = load_profile(rules)
    outcome = dipsat.adjudicate(position, orders, profile)
    assert isinstance(outcome, MovementOutcome)
    mine, theirs = verdicts_of(outcome), engine.decide(outcome.facts, profile)
    return {what for what in ALL if getattr(mine, what) != getattr(theirs, what)}


def board_differences(engine: Engine, rules: str, seeds: range) -> dict[int, set[str]]:
    """Seed of a random board -> in which verdicts the algorithm differs from the profile."""
    found = {}
    for seed in seeds:
        board = random_board(seed, 27)
        position = dipsat.Position.from_units(board.units)
        found[seed] = difference(engine, position, board.orders, rules)
    return {seed: what for seed, what in found.items() if what}


def case_differences(engine: Engine, rules: str) -> dict[str, set[str]]:
    """Name of a DATC case -> in which verdicts the algorithm differs from the profile."""
    cases = [case for case in load_cases(older=True) if str(case.position.phase) == "S1901M"]
    found = {c.name: difference(engine, c.position, c.orders, rules) for c in cases}
    return {name: what for name, what in found.items() if what}


def smallest(engine: Engine, rules: str, orders: Orders, what: Sequence[str]) -> Orders:
    """A part of the orders that differs in one of the verdicts `what`, and of which no one unit
    and no two units can be left out; every unit is named by its order."""
    left = {power: list(texts) for power, texts in orders.items()}
    smaller: Orders | None = left
    while smaller is not None:
        left = {power: list(texts) for power, texts in smaller.items()}
        smaller = next((o for o in _parts(left) if _differs(engine, rules, o, what)), None)
    return left


def _parts(orders: Orders) -> Iterator[Orders]:
    """The orders without one or two of them."""
    names = [(power, text) for power in orders for text in orders[power]]
    pairs = [{one, other} for at, one in enumerate(names) for other in names[at:]]
    for gone in sorted(pairs, key=len):
        left = {p: [t for t in orders[p] if (p, t) not in gone] for p in orders}
        yield {power: texts for power, texts in left.items() if texts}


def _differs(engine: Engine, rules: str, orders: Orders, what: Sequence[str]) -> bool:
    return bool(difference(engine, _position(orders), orders, rules) & set(what))


def _position(orders: Orders) -> dipsat.Position:
    """The position of the units that the orders are for."""
    reader = reader_for(dipsat.load_map("standard"))
    units: dict[str, list[str]] = {}
    for power, texts in orders.items():
        for order in map(reader.read, texts):
            assert isinstance(order, MovementOrder)
            units.setdefault(power, []).append(f"{order.unit.kind} {order.unit.location}")
    return dipsat.Position.from_units(units)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description="published algorithms beside the profiles")
    parser.add_argument("--boards", type=int, default=500)
    parser.add_argument("--engine", choices=ENGINES, action="append")
    parser.add_argument("--rules", action="append")
    parser.add_argument("--what", choices=ALL, action="append")
    parser.add_argument("--smallest", type=int, default=0, help="for so many boards")
    asked = parser.parse_args()
    what = asked.what or list(ALL)
    for name in asked.engine or ENGINES:
        for rules in asked.rules or PROFILES:
            boards = board_differences(ENGINES[name], rules, range(asked.boards))
            boards = {
                seed: set(what) & found for seed, found in boards.items() if found & set(what)
            }
            cases = case_differences(ENGINES[name], rules)
            cases = {case: set(what) & found for case, found in cases.items() if found & set(what)}
            print(f"{name} and {rules}: {len(boards)} of {asked.boards} boards differ")
            for case, found in cases.items():
                print(f"  {case}: {', '.join(sorted(found))}")
            for seed in list(boards)[: asked.smallest]:
                print(f"  board {seed}: {', '.join(sorted(boards[seed]))}")
                orders = smallest(ENGINES[name], rules, random_board(seed, 27).orders, what)
                for power, texts in orders.items():
                    print(f"    {power}: {'; '.join(texts)}")


if __name__ == "__main__":
    main()
