"""Convoy routes over given seas: chains of neighbouring waters from coast to coast."""

from __future__ import annotations

from collections.abc import Collection

from dipsat.board.map import Map

_MAX_STEPS = 20_000  # of the search for a minimal route; past it, lying between both ends will do


def route_exists(board: Map, origin: str, target: str, seas: Collection[str]) -> bool:
    """Whether fleets in `seas` could convoy an army from province `origin` to `target`."""
    if origin == target or origin not in board.coastal or target not in board.coastal:
        return False
    ends = board.water.get(target, frozenset())
    starts = board.water.get(origin, frozenset())
    return any(sea in starts and _reaches(board, sea, ends, seas) for sea in seas)


def on_minimal_route(
    board: Map, origin: str, target: str, seas: Collection[str], fleet: str
) -> bool:
    """Whether the fleet in province `fleet` is necessary for some route over `seas`.

    A route is minimal if none of its fleets can be left out; a fleet on no minimal route has no
    part in any convoy (DATC 3.0 6.F.12, 6.G.19). Such a route is a path without shortcuts of
    which only the first sea touches the origin and only the last the target. The search walks
    the paths without shortcuts from the fleet back to the origin and asks for each whether the
    rest of the way can be gone without touching it again. Its steps are bounded; past the bound
    it is enough that the fleet is connected with both ends.
    """
    if origin == target or origin not in board.coastal or target not in board.coastal:
        return False
    seas = frozenset(seas) | {fleet}
    starts, ends = board.water.get(origin, frozenset()), board.water.get(target, frozenset())
    if not (_reaches(board, fleet, starts, seas) and _reaches(board, fleet, ends, seas)):
        return False
    # Of each path: its last sea, all its seas, and the neighbours of all but the last.
    paths = [(fleet, frozenset({fleet}), frozenset[str]())]
    steps = 0
    while paths:
        steps += 1
        if steps > _MAX_STEPS:
            return True
        last, path, around = paths.pop()
        if last in starts:
            back = path - {fleet}
            beside = frozenset().union(*(board.water[sea] for sea in back))
            onward = seas - path - beside - starts
            if _reaches(board, fleet, ends, onward):
                return True
            continue
        beside = around | board.water[last]
        for sea in (board.water[last] & seas) - path - around - ends:
            paths.append((sea, path | {sea}, beside))
    return False


def _reaches(board: Map, start: str, goals: Collection[str], seas: Collection[str]) -> bool:
    """Whether from the sea `start`, itself included, a chain of `seas` leads into `goals`."""
    reached, seen = [start], {start}
    while reached:
        sea = reached.pop()
        if sea in goals:
            return True
        fresh = [other for other in board.water[sea] if other in seas and other not in seen]
        seen.update(fresh)
        reached.extend(fresh)
    return False
