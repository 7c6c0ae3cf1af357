"""Parts of a large board, in which a search looks first: most of what can happen on a board can
happen among a few units beside each other while all others hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dipsat.board.province import province_of
from dipsat.openorders.encoding import Choices
from dipsat.orders.order import Convoy, Move, Order, SupportHold, SupportMove
from dipsat.searches.problem import SearchProblem

FEW = 12
"""Order sets tried in a region before the search goes on: finding nothing there proves nothing."""
_UNITS = 10  # open in a region; a paradox of the handbooks has four to eight
_WORTHWHILE = 2  # times as many must be open
_SHARE = 2, 3
"""The share of the open units that all regions together may have, if there are several: looking in
more of them takes longer on average than looking at the whole board."""


def regions(asked: SearchProblem) -> Iterator[Choices]:
    """The choices of a question in which only the units of a region are open; none for a question
    about few units. Regions are around the units that may convoy most, or else have most orders."""
    open_units = {unit.location for unit in asked.open_units}
    if len(open_units) < _WORTHWHILE * _UNITS:
        return
    choices, idle = asked.choices, asked.idle()
    near = _neighbours(asked, open_units)
    left = sorted(near, key=lambda at: _weight(choices[at]), reverse=True)
    for _ in range(_most_regions(len(open_units))):
        if not left:
            return
        region = _around(left[0], near)
        left = [at for at in left if at not in region]
        yield {
            at: orders if at in region or at not in idle else (idle[at],)
            for at, orders in choices.items()
        }


def _most_regions(open_units: int) -> int:
    part, whole = _SHARE
    return max(1, part * open_units // (whole * _UNITS))


def _weight(orders: tuple[Order, ...]) -> tuple[int, int]:
    return sum(isinstance(order, Convoy) for order in orders), len(orders)


def _around(center: str, near: Mapping[str, dict[str, None]]) -> set[str]:
    """The units that are reached first from a unit."""
    found = [center]
    for at in found:
        found += [other for other in near[at] if other not in found]
        if len(found) >= _UNITS:
            break
    return set(found[:_UNITS])


def _neighbours(asked: SearchProblem, open_units: set[str]) -> Mapping[str, dict[str, None]]:
    """Location -> the open units that an order there is about, or whose orders are about it."""
    standing = {province_of(at): at for at in open_units}
    near: dict[str, dict[str, None]] = {unit.location: {} for unit in asked.open_units}
    for at in near:
        for order in asked.choices[at]:
            for place in _named(order):
                other = standing.get(province_of(place))
                if other is not None and other != at:
                    near[at][other] = near[other][at] = None
    return near


def _named(order: Order) -> tuple[str, ...]:
    match order:
        case Move(target=target):
            return (target,)
        case SupportHold(supported=other) | SupportMove(supported=other) | Convoy(army=other):
            return (other.location,)
    return ()
