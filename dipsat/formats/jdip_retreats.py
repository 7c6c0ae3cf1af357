"""Where units may retreat, from the results of the moves before, as jDip's cases state them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from dipsat.board.map import Map
from dipsat.board.province import STANDARD_KINDS, province_of
from dipsat.game.convoys import route_exists
from dipsat.game.position import Unit
from dipsat.orders.order import Convoy, Move, Order

Result: TypeAlias = tuple[bool, Order]
"""Whether an order of the phase before succeeded, and the order."""


def retreats_after(
    board: Map, units: Mapping[str, Unit], lost: Mapping[str, Unit], results: Sequence[Result]
) -> dict[str, tuple[str, ...]]:
    """Unit -> where it may retreat: not to an occupied province, nor where its attacker came from
    by land, nor where there was a standoff (two or more moves failed, and no unit is there)."""
    sources: dict[str, set[str]] = {}  # province reached -> provinces it was reached from by land
    fleets: defaultdict[tuple[str, str], set[str]] = defaultdict(set)  # origin, target -> convoys
    for succeeded, order in results:
        if isinstance(order, Convoy) and province_of(order.unit.location) not in lost:
            ends = province_of(order.army.location), province_of(order.target)
            fleets[ends].add(province_of(order.unit.location))
        elif isinstance(order, Move) and succeeded:
            by_land = not (order.via or order.path)
            origin = {province_of(order.unit.location)} if by_land else set()
            sources.setdefault(province_of(order.target), set()).update(origin)
    contests = Counter(
        province_of(move.target)
        for succeeded, move in results
        if isinstance(move, Move) and not succeeded
        if province_of(move.target) not in sources.get(province_of(move.unit.location), ())
        if _reaches(board, move, fleets)
    )
    closed = {*units, *sources, *(code for code, moves in contests.items() if moves > 1)}
    found: dict[str, tuple[str, ...]] = {}
    for code, unit in sorted(lost.items()):
        if code in sources:
            near, shut = board.reach(unit.kind, unit.location), closed | sources[code]
            found[str(unit)] = tuple(sorted(at for at in near if province_of(at) not in shut))
    return found


def _reaches(board: Map, move: Move, fleets: Mapping[tuple[str, str], set[str]]) -> bool:
    """Whether a move that failed could have reached its target: a disrupted convoy contests
    nothing."""
    origin, target = province_of(move.unit.location), province_of(move.target)
    kinds = [move.unit.kind] if move.unit.kind else list(STANDARD_KINDS)
    near = {code for kind in kinds for code in board.reach_provinces(kind, move.unit.location)}
    if target in near and not (move.via or move.path):
        return True
    return route_exists(
        board.convoys, origin, target, fleets.get((origin, target), set()) & board.seas
    )
