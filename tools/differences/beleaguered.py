"""Every board with a fleet that convoys an army and may be beleaguered by two attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

from dipsat import kernel
from dipsat.board import province_of
from dipsat.kernel.numbers import CONVOY, MOVE, SUPPORT_MOVE
from tools.differences.trial import Ordered

ARMY, FLEET = 0, 1


def beleaguered(
    supports: int, seas: Sequence[str] = ()
) -> Callable[[kernel.Batch], Iterator[Ordered]]:
    """The boards with an army, a fleet that convoys it, two fleets that attack this fleet, and one
    or two fleets that each support an attack. With two, only boards on which the army moves to the
    province of one of these four. The convoying fleet is in one of the `seas` (default: any)."""

    def ordered(batch: kernel.Batch) -> Iterator[Ordered]:
        for sea in seas or _seas(batch):
            near = _neighbours(batch, sea)
            for others in permutations(near, 2 + supports):
                taken = [province_of(one) for one in others]
                if len(set(taken)) == len(taken) and (supports < 2 or others[0] < others[1]):
                    goals = taken if supports == 2 else map(province_of, near)
                    yield from _convoys(batch, sea, others, sorted(set(goals)))

    return ordered


def _seas(batch: kernel.Batch) -> list[str]:
    return [name for name, one in batch.map.provinces.items() if one.kind == "sea"]


def _neighbours(batch: kernel.Batch, sea: str) -> list[str]:
    """The places from which a fleet can move to a sea."""
    numbers = batch.numbers
    fleet = numbers.kinds[FLEET]
    places = (name for name in numbers.locations if numbers.stands(fleet, name))
    return [name for name in places if sea in numbers.next_to(fleet, name)]


def _convoys(
    batch: kernel.Batch, sea: str, others: tuple[str, ...], goals: list[str]
) -> Iterator[Ordered]:
    """The boards with these fleets around a sea, and an army that moves to one of the `goals`."""
    numbers = batch.numbers
    number_of, army = numbers.number_of, numbers.kinds[ARMY]
    taken = {province_of(one) for one in others}
    coasts = {
        province_of(one)
        for one in _neighbours(batch, sea)
        if numbers.stands(army, province_of(one))
    }
    attackers, helpers = others[:2], others[2:]
    place = number_of[sea]
    moves = [(MOVE, 0, 0, place) for _ in attackers]
    helps = [
        (SUPPORT_MOVE, 0, number_of[one], place) for one, _ in zip(attackers, helpers, strict=False)
    ]
    for origin in sorted(coasts - taken):
        stands = [(ARMY, number_of[origin]), *((FLEET, number_of[one]) for one in (sea, *others))]
        for goal in sorted(coasts.intersection(goals) - {origin}):
            route = number_of[origin], number_of[goal]
            for via in (0, 1) if goal in numbers.next_to(army, origin) else (0,):
                yield stands, [(MOVE, via, 0, route[1]), (CONVOY, 0, *route), *moves, *helps]
