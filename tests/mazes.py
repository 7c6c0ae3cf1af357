"""Convoy mazes: far more routes than can be listed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import dipsat
from dipsat.board import PowerSetup, Province
from dipsat.equations import Phase
from dipsat.outcomes import MovementOutcome

_COAST = "coast"


@dataclass(frozen=True, slots=True)
class Maze:
    """A map, and an order for every unit on it, by power."""

    map: dipsat.Map
    orders: Mapping[str, tuple[str, ...]]

    def position(self) -> dipsat.Position:
        """The position of the units that the orders name."""
        units = {
            power: [" ".join(text.split()[:2]) for text in texts]
            for power, texts in self.orders.items()
        }
        return dipsat.Position.from_units(units, self.map)


def all_seas() -> Maze:
    """All 19 seas of the standard map convoy one army from St Petersburg to Syria."""
    board = dipsat.load_map("standard")
    fleets = (f"F {sea} C A STP - SYR" for sea in sorted(board.seas))
    return Maze(board, {"RUSSIA": ("A STP - SYR VIA", *fleets)})


def seas_beside_each_other(count: int, contested: bool = True) -> Maze:
    """`count` seas (at least two), each next to every other, with a fleet in each that convoys one
    army from a coast beside the first half of them to a coast beside the others.

    If `contested`, a fleet attacks the last sea with support from the coast that the army goes to:
    whether the fleet there is dislodged depends on the army, and the army depends on the fleets.
    With twenty seas there are about 10^18 routes.
    """
    seas = [f"S{at:02}" for at in range(count)]
    borders = {sea: {other for other in seas if other != sea} for sea in seas}
    ends = {"BGN": seas[: count // 2], "END": seas[count // 2 :], "PRT": [seas[-1]]}
    for coast, beside in ends.items():
        borders[coast] = set(beside)
        for sea in beside:
            borders[sea].add(coast)
    provinces = {code: Province(code, code, "sea") for code in seas}
    provinces |= {code: Province(code, code, _COAST) for code in ends}
    water = {code: frozenset(near) for code, near in borders.items()}
    powers = {name: PowerSetup(name, (), (), (), ()) for name in ("CARRIER", "RAIDER")}
    board = dipsat.Map("maze", "Maze", provinces, {}, water, powers)
    fleets = (f"F {sea} C A BGN - END" for sea in seas)
    raiders = (f"F PRT - {seas[-1]}", f"F END S F PRT - {seas[-1]}")
    orders = {"CARRIER": ("A BGN - END", *fleets), "RAIDER": raiders if contested else ()}
    return Maze(board, orders)


def facts(maze: Maze) -> Phase:
    """The facts of the movement phase."""
    outcome = dipsat.adjudicate(maze.position(), maze.orders, "datc")
    assert isinstance(outcome, MovementOutcome)
    return outcome.facts
