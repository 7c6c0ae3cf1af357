"""Convoy routes over given seas: chains of neighbouring waters from coast to coast."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from dipsat.board.map import Map
from dipsat.board.waters import Waters, bits_of

_MAX_STEPS = 1_000  # of the search for a minimal route; past it, lying between both ends will do
_PATIENCE = 25  # steps before it is looked whether the fleet is cut off


def route_exists(board: Map, origin: str, target: str, seas: Collection[str]) -> bool:
    """Whether fleets in `seas` could convoy an army from province `origin` to `target`. A fleet in
    either of these, on a coast where fleets convoy, has no part in it (DATC 2.4 9.A, 9.B)."""
    if origin == target or origin not in board.coastal or target not in board.coastal:
        return False
    ends = board.water.get(target, frozenset())
    starts = board.water.get(origin, frozenset())
    if origin in seas or target in seas:
        seas = frozenset(seas) - {origin, target}
    return any(sea in starts and _reaches(board, sea, ends, seas) for sea in seas)


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


def on_minimal_route(
    board: Map, origin: str, target: str, seas: Collection[str], fleet: str
) -> bool:
    """Whether the fleet in province `fleet` is necessary for some route over `seas`.

    A route is minimal if none of its fleets can be left out; a fleet on no minimal route has no
    part in any convoy (DATC 3.0 6.F.12, 6.G.19).
    """
    if fleet in (origin, target):
        return False
    return fleet in fleets_on_minimal_routes(board, origin, target, frozenset(seas) | {fleet})


@lru_cache(maxsize=1_000)  # every fleet that convoys the same army asks
def fleets_on_minimal_routes(
    board: Map, origin: str, target: str, seas: frozenset[str]
) -> frozenset[str]:
    """The fleets in `seas` of which each is necessary for some route from `origin` to `target`.

    A minimal route is a path without shortcuts of which only the first sea touches the origin and
    only the last the target. Each search finds one with a fleet that no route found before has.
    """
    if origin == target or origin not in board.coastal or target not in board.coastal:
        return frozenset()
    return frozenset(board.waters.names(_Routes(board, origin, target, seas).fleets()))


class _Routes:
    """The minimal routes from one coast to another: paths without shortcuts of which only the
    first sea touches the origin and only the last the target. Sets of seas are bits."""

    def __init__(self, board: Map, origin: str, target: str, seas: frozenset[str]) -> None:
        self.waters = board.waters
        self.seas = self.waters.mask(seas - {origin, target})
        self.starts = self.waters.near_of(origin) & self.seas
        self.ends = self.waters.near_of(target) & self.seas

    def fleets(self) -> int:
        """All seas of all routes. Each search finds a route with a sea that none before has."""
        left, found = self.seas, 0
        for fleet in bits_of(self.seas):
            if fleet & left:
                route = self._route(fleet)
                found |= route
                left &= ~(route | fleet)
        return found

    def _route(self, fleet: int) -> int:
        """A route with `fleet`, 0 if there is none."""
        if fleet & self.starts & self.ends:
            return fleet
        for start in bits_of(self.starts & ~self.ends):
            for end in bits_of(self.ends & ~self.starts):
                route = self._route_between(start, end, fleet)
                if route:
                    return route
        return 0

    def _route_between(self, start: int, end: int, fleet: int) -> int:
        """A route with `fleet` whose first sea is `start` and whose last is `end`."""
        waters, inner = self.waters, self.seas & ~(self.starts | self.ends)
        if waters.beside(start) & end:
            return start | end if fleet & (start | end) else 0
        if fleet & (start | end):
            return waters.way(start, end, inner | end)
        if not fleet & inner:
            return 0
        back = (inner & ~waters.beside(end)) | start
        onward = (inner & ~waters.beside(start)) | end
        return _two_ways(waters, fleet, (start, back), (end, onward))


def _two_ways(waters: Waters, fleet: int, back: tuple[int, int], onward: tuple[int, int]) -> int:
    """A path without shortcuts that leads from `fleet` to a sea on one side, to another on the
    other; `back` and `onward` hold that sea and the seas on the way there. 0 if there is none.

    The search walks the paths without shortcuts from the fleet to the first of the two seas, as
    long as that can be reached, and the second from the fleet without touching the path. Whether
    there are such paths is a hard question for graphs in general; the steps are bounded, and past
    the bound the fleet is taken for its own route.
    """
    (first, back_seas), (second, onward_seas) = back, onward
    # Of each path: its last sea, all its seas, what all but the last touch, and all but the fleet.
    paths = [(fleet, fleet, 0, 0)]
    for step in range(_MAX_STEPS):
        if not paths or (
            step == _PATIENCE
            and _is_cut_off(waters, fleet, first | second, back_seas | onward_seas)
        ):
            return 0
        last, path, around, beside = paths.pop()
        free = back_seas & ~(path | around)
        way = waters.way(last, first, free)
        if not way or not waters.way(fleet, second, onward_seas & ~(path | beside)):
            continue
        touched = beside | waters.beside(way & ~fleet)
        other = waters.way(fleet, second, onward_seas & ~(path | way | touched))
        if other:
            return path | way | other
        near = waters.beside(last)
        for choices in (near & free & ~way, near & way & ~path):  # the shortest way comes first
            paths += [
                (sea, path | sea, around | near, beside | waters.beside(sea))
                for sea in bits_of(choices)
            ]
    return fleet


def _is_cut_off(waters: Waters, fleet: int, goals: int, seas: int) -> bool:
    """Whether both ways from `fleet` to the two seas `goals` lead through one strait: a sea, or two
    or three that all touch each other. Two ways through it would have a shortcut."""
    for sea in bits_of(waters.way(fleet, goals, seas) & ~fleet):
        beside = waters.beside(sea) & seas & ~fleet
        for second in (0, *bits_of(beside)):
            for third in (0, *bits_of(beside & waters.beside(second))):
                strait = sea | second | third
                if not waters.way(fleet, goals & ~strait, seas & ~strait):
                    return True
    return False
