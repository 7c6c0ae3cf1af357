"""One answer of several that are equal: which unit has which number, and which power comes first.

Units that may stand in the same places are the same until they are placed, and so are powers that
nobody names. Without an order among them, a proof would be made once for each order.
"""

from __future__ import annotations

from itertools import pairwise

from dipsat.openunits.given import CONVOY, HOLD, SUPPORT
from dipsat.openunits.slots import Slot, Slots
from dipsat.solving.dual_rail import FALSE


def put_in_order(slots: Slots, cast: int = 0) -> None:
    """Of units that differ in nothing but what is open, those come first that do what comes
    first in `_parts_played`, and of those, the one whose province comes first. Of powers that
    nobody names, the first comes first."""
    last: dict[Slot, int] = {}
    for at, slot in list(enumerate(slots.slots))[cast:]:
        before = last.get(slot)
        if before is not None:
            _put_one_first(slots, before, at)
        last[slot] = at
    free = [power for power in slots.powers if power not in slots.apart]
    for earlier_power, power in pairwise(free):
        for at in slots.numbers:
            if power in slots.power[at]:
                earlier = [slots.power[one].get(earlier_power, FALSE) for one in range(at)]
                slots.gates.require(-slots.power[at][power], *earlier)


def _parts_played(slots: Slots, at: int) -> list[int]:
    """What a unit can do, as literals; exactly one holds. None depends on the numbers of units, so
    that units can be sorted by them."""
    gates, others = slots.gates, [one for one in slots.numbers if one != at]
    land, both = slots.by_land(at), gates.both
    chasing = gates.any_of(both(slots.goes_to(at, one), slots.moves(one)) for one in others)
    attacking = gates.any_of(both(slots.goes_to(at, one), -slots.moves(one)) for one in others)
    moves, supports, convoys = slots.moves(at), list[int](), list[int]()
    for (act, _), literal in slots.act[at].items():
        if act == SUPPORT:
            supports.append(literal)
        elif act == CONVOY:
            convoys.append(literal)
    found = [gates.all_of((moves, -land))]
    found += [
        gates.all_of((moves, land, *where))
        for where in ((chasing,), (attacking,), (-chasing, -attacking))
    ]
    helping = gates.any_of(both(slots.does(at, SUPPORT, one), slots.moves(one)) for one in others)
    support = gates.any_of(supports)
    found += [gates.any_of(convoys), both(support, helping), both(support, -helping)]
    return [*found, slots.does(at, HOLD, at)]


def _put_one_first(slots: Slots, one: int, other: int) -> None:
    """Require that the second of two units plays a later part, or the same in a later
    province."""
    require, either = slots.gates.require, slots.gates.either
    same, after = list[int](), FALSE
    mine, theirs = _parts_played(slots, one), _parts_played(slots, other)
    for own, their in zip(reversed(mine), reversed(theirs), strict=True):
        same.append(slots.gates.both(own, their))
        require(-own, their, after)
        after = either(after, their)
    are_same, after = slots.gates.any_of(same), FALSE
    for code in reversed(slots.codes):
        require(-are_same, -slots.stands_in(one, code), after)
        after = either(after, slots.stands_in(other, code))
