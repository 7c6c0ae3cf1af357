"""The actions of DeepMind's environment: every order of a unit as a number, by our own rule.

The lowest eight bits of an action are the kind of order. Three places of eight bits each follow:
the unit's place, the target, and the place of the unit that is convoyed or supported to move. A
place has a flag for the second coast and seven bits for the province. Actions are sorted by these
32 bits; bits 48 to 63 hold their index.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from functools import cache

from dipsat.board import province_of
from dipsat.environments.published_places import Places, published_places

INDEX_BITS = 48
"""The lowest bit of the index."""
PROVINCE = 0x7F << 9
"""The bits for the province of the unit, or of the build or disband."""


class ActionKind(IntEnum):
    """The kinds of orders."""

    CONVOYED = 1
    CONVOY = 2
    HOLD = 3
    MOVE = 4
    SUPPORT_HOLD = 5
    SUPPORT_MOVE = 6
    DISBAND = 8
    RETREAT = 9
    BUILD_ARMY = 10
    BUILD_FLEET = 11
    REMOVE = 12
    WAIVE = 13


@cache
def deepmind_actions() -> tuple[int, ...]:
    """Return the 18,584 actions of DeepMind's environment by their index, each with the index in
    bits 48 to 63."""
    bits = sorted({*_packed(published_places())})
    return tuple(at << INDEX_BITS | one for at, one in enumerate(bits))


def _packed(places: Places) -> Iterator[int]:
    """The lower bits of every action."""
    for kind, *listed in _orders(places):
        found = int(kind)
        for at, place in enumerate(listed):
            number, flag = places.numbers[place]
            found |= (number << 1 | flag) << 8 * (at + 1)
        yield found


def _orders(places: Places) -> Iterator[tuple[ActionKind, *tuple[str, ...]]]:
    """Every action as its kind and places. Units are named by province. The target of a move
    includes the coast, the target of a support does not."""
    board, near = places.board, places.steps_of_provinces
    yield (ActionKind.WAIVE,)
    for code in places.provinces:
        for kind in (ActionKind.HOLD, ActionKind.DISBAND, ActionKind.REMOVE):
            yield kind, code
    for power in board.powers.values():
        for home in power.home:
            yield ActionKind.BUILD_ARMY, home
            if board.provinces[home].kind == "coast":
                for place in board.provinces[home].locations:
                    yield ActionKind.BUILD_FLEET, place
    for unit in places.units:
        for target in places.steps(unit):
            yield ActionKind.MOVE, province_of(unit[2:]), target
            yield ActionKind.RETREAT, province_of(unit[2:]), target
    for supporter, reached in near.items():
        for target in reached:
            yield ActionKind.SUPPORT_HOLD, supporter, target
            yield from (
                (ActionKind.SUPPORT_MOVE, supporter, target, start)
                for start, others in near.items()
                if target in others and start != supporter
            )
    for (start, end), ways in places.routes.items():
        yield ActionKind.CONVOYED, start, end
        yield from ((ActionKind.CONVOY, sea, end, start) for sea in frozenset().union(*ways))
        needed = frozenset.intersection(*ways)  # convoying fleets cannot support
        yield from (
            (ActionKind.SUPPORT_MOVE, supporter, end, start)
            for supporter, reached in near.items()
            if end in reached and supporter != start and supporter not in needed
        )
