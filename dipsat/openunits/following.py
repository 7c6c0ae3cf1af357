"""Units whose orders are given follow them wherever the other units make it possible."""

from __future__ import annotations

from collections.abc import Iterator

from dipsat.openunits.given import CONVOY, MOVE, SUPPORT, Given
from dipsat.openunits.slots import Slots
from dipsat.solving.dual_rail import FALSE


def follow_orders(slots: Slots) -> None:
    """Require that units follow the orders given to them wherever these can be followed, and hold
    elsewhere."""
    for at, slot in enumerate(slots.slots):
        if slot.given is not None:
            for literal, followed in _followed(slots, at, slot.given):
                slots.gates.require(-literal, followed)
                slots.gates.require(literal, -followed)


def _followed(slots: Slots, at: int, given: Given) -> Iterator[tuple[int, int]]:
    """Each thing that a unit can do by its order, with the literal that says when it does."""
    if given.act == MOVE and (given.via or slots.reaches(at, given.target) == FALSE):
        yield slots.moves(at), slots.could_go_by_convoy(at)
    elif given.act in (SUPPORT, CONVOY):
        can_follow = can_support if given.act == SUPPORT else can_convoy
        for other in slots.numbers:
            if other != at:
                yield slots.does(at, given.act, other), can_follow(slots, at, other, given)


def _matches(slots: Slots, other: int, given: Given) -> Iterator[int]:
    yield slots.stands_in(other, given.of)
    if given.target:
        yield slots.target[other].get(given.target, FALSE)
    else:
        yield -slots.moves(other)


def can_support(slots: Slots, at: int, other: int, given: Given) -> int:
    """The literal that says that another unit does what a unit is ordered to support."""
    found = list(_matches(slots, other, given))
    if given.target:
        without = slots.could_go_by_convoy(other, at)
        found.append(slots.gates.either(slots.by_land(other), without))
    return slots.gates.all_of(found)


def can_convoy(slots: Slots, at: int, other: int, given: Given) -> int:
    """The literal that says that another unit makes the move for which a fleet is to convoy it."""
    return slots.gates.all_of([*_matches(slots, other, given), slots.could_carry(at, other)])
