"""Every board with few units: their provinces, kinds and orders.

Orders are in full, and supports and convoys match given orders: others have the effect of a hold
(DATC 5.A).

Boards that fall apart are left out. Say that two units *meet* if there is a province that both can
reach or stand in. If the units fall into groups that do not meet, then no order of one group names
a unit or a province of another, no two groups attack the same province, and no unit can retreat to
a province where another group stands or bounces. So each group is judged as if it were alone, with
fewer units.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product

from dipsat import kernel
from dipsat.board import province_of
from dipsat.kernel import MapNumbers
from dipsat.kernel.numbers import HOLD, MOVE, SUPPORT_HOLD
from tools.differences.trial import Ordered, OrderRow, Standing

_AT_ONCE = 4000


def every_board(number: int) -> Callable[[kernel.Batch], Iterator[Ordered]]:
    """The boards with this number of units that do not fall apart."""

    def ordered(batch: kernel.Batch) -> Iterator[Ordered]:
        waiting = list[Sequence[Standing]]()
        for standings in _standing(batch.numbers, number):
            waiting.append(standings)
            if len(waiting) == _AT_ONCE:
                yield from _with_orders(batch, waiting)
                waiting = []
        yield from _with_orders(batch, waiting)

    return ordered


def _standing(numbers: MapNumbers, number: int) -> Iterator[Sequence[Standing]]:
    """The places where this number of units can stand."""
    places = [
        (kind, location)
        for kind, unit in enumerate(numbers.kinds)
        for location, name in enumerate(numbers.locations)
        if numbers.stands(unit, name)
    ]
    provinces = _provinces(numbers)
    for chosen in combinations(places, number):
        if len({provinces[location] for _, location in chosen}) == number:
            yield chosen


def _provinces(numbers: MapNumbers) -> list[int]:
    """The province of each location."""
    return [numbers.number_of[province_of(name)] for name in numbers.locations]


def _with_orders(batch: kernel.Batch, standings: Sequence[Sequence[Standing]]) -> Iterator[Ordered]:
    """The sets of units at these places that do not fall apart, with all their matching orders."""
    provinces = _provinces(batch.numbers)
    ends = array("I", [0])
    for own in standings:
        ends.append(ends[-1] + len(own))
    units = array("H", [code for own in standings for one in own for code in (0, *one, 0)])
    blank = bytes(2 * len(units))
    boards = kernel.BoardCodes(ends, units, array("H", blank), bytes(len(standings)))
    legal = batch.legal_orders(boards)
    for at, own in enumerate(standings):
        choices = [legal.of(unit) for unit in range(ends[at], ends[at + 1])]
        stands = [provinces[location] for _, location in own]
        if _hang_together(
            [
                {stand, *(provinces[target] for kind, _, _, target in rows if kind == MOVE)}
                for stand, rows in zip(stands, choices, strict=True)
            ]
        ):
            given = product(*choices)
            yield from ((own, rows) for rows in given if _match(rows, stands, provinces))


def _hang_together(reach: Sequence[set[int]]) -> bool:
    """Whether units that can reach these provinces are one group."""
    group, rest = reach[0], list(reach[1:])
    while rest:
        near = next((own for own in rest if own & group), None)
        if near is None:
            return False
        rest.remove(near)
        group = group | near
    return True


def _match(rows: Sequence[OrderRow], stands: Sequence[int], provinces: Sequence[int]) -> bool:
    """Whether each support and each convoy matches a given order."""
    for kind, _, other, target in rows:
        if kind in (HOLD, MOVE):
            continue
        theirs = rows[stands.index(provinces[other])]
        if (theirs[0] == MOVE) == (kind == SUPPORT_HOLD):
            return False
        if kind != SUPPORT_HOLD and theirs[3] != target:
            return False
    return True
