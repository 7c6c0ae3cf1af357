"""Convoy routes over given carriers: chains of neighbours from the cargo's origin to its target."""

from __future__ import annotations

from collections.abc import Collection

from dipsat.base import kept_on_first
from dipsat.board import ConvoyNet, bits_of, province_of

_MAX_STEPS = 1_000  # of the search for a minimal route; beyond, lying between its ends is enough
_PATIENCE = 25  # steps before testing whether the fleet is cut off


def route_exists(net: ConvoyNet, origin: str, target: str, carriers: Collection[str]) -> bool:
    """Whether units in the provinces `carriers` could convoy a unit from location `origin` to
    `target`. A carrier in the origin or the target (a coast where fleets convoy) takes no part
    (DATC 2.4 9.A, 9.B)."""
    return route_over(net, origin, target, net.mask(carriers))


def route_over(net: ConvoyNet, origin: str, target: str, carriers: int) -> bool:
    """The same as `route_exists`, with the provinces of the carriers as bits."""
    starts, ends = net.shore_of(origin) & carriers, net.shore_of(target) & carriers
    if not starts or not ends:
        return False
    here, there = province_of(origin), province_of(target)
    if here == there:
        return False
    return net.joins(starts, ends, carriers & ~(net.bits[here] | net.bits[there]))


def on_minimal_route(
    net: ConvoyNet, origin: str, target: str, carriers: Collection[str], carrier: str
) -> bool:
    """Whether the unit in province `carrier` is necessary for some route over `carriers`.

    A route is minimal if none of its units can be left out; a unit on no minimal route has no part
    in any convoy (DATC 3.0 6.F.12, 6.G.19).
    """
    here, there, bits = province_of(origin), province_of(target), net.bits
    fleet = bits.get(carrier, 0)
    if not fleet or carrier in (here, there) or here == there:
        return False
    starts, ends = net.shore_of(origin), net.shore_of(target)
    if fleet & starts & ends:
        return True
    seas = (net.mask(carriers) | fleet) & ~(bits.get(here, 0) | bits.get(there, 0))
    first, last = starts & ~ends & seas, ends & ~starts & seas
    if not first or not last:
        return False
    near = net.near[fleet.bit_length() - 1]
    if (fleet & first and near & last) or (fleet & last and near & first):
        return True
    return carrier in on_minimal_routes(net, origin, target, frozenset(carriers) | {carrier})


@kept_on_first(1_000)  # every unit that convoys the same cargo asks
def on_minimal_routes(
    net: ConvoyNet, origin: str, target: str, carriers: frozenset[str]
) -> frozenset[str]:
    """The `carriers` that are each necessary for some route from `origin` to `target`.

    A minimal route is a path without shortcuts on which the cargo can board only at the first
    province and land only from the last. Each search finds a route with a province that no earlier
    route has.
    """
    if province_of(origin) == province_of(target):
        return frozenset()
    return frozenset(net.names(_Routes(net, origin, target, carriers).carriers()))


class _Routes:
    """The minimal routes from one place to another: paths without shortcuts on which only the first
    province touches the origin and only the last the target. Carriers' provinces are called seas
    here, since most are; sets of them are bit masks."""

    def __init__(self, net: ConvoyNet, origin: str, target: str, carriers: frozenset[str]) -> None:
        self.waters = net
        self.seas = net.mask(carriers - {province_of(origin), province_of(target)})
        self.starts = net.shore_of(origin) & self.seas
        self.ends = net.shore_of(target) & self.seas

    def carriers(self) -> int:
        """All seas of all routes. Each search finds a route with a sea not on earlier routes."""
        left, found = self.seas, 0
        for fleet in bits_of(self.seas):
            if fleet & left:
                route = self._route(fleet)
                found |= route
                left &= ~(route | fleet)
        return found

    def _route(self, fleet: int) -> int:
        """A route with `fleet`, or 0 if there is none."""
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


def _two_ways(waters: ConvoyNet, fleet: int, back: tuple[int, int], onward: tuple[int, int]) -> int:
    """A path without shortcuts through `fleet`, from one sea to another, or 0 if there is none.
    `back` and `onward` each hold one of these seas and the seas that may lie on the way there.

    The search walks the paths without shortcuts from the fleet to the first sea, as long as the
    fleet can still reach both: the first along the path, the second without touching it. Whether
    there are such paths is a hard question for graphs in general, so the steps are bounded; beyond
    the bound, the fleet alone counts as the route.
    """
    (first, back_seas), (second, onward_seas) = back, onward
    # For each path: its last sea, all seas, what all but the last touch, what all but the fleet do.
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


def _is_cut_off(waters: ConvoyNet, fleet: int, goals: int, seas: int) -> bool:
    """Whether both ways from `fleet` to the two seas `goals` lead through one strait: one sea, or
    two or three that all touch each other. Two ways through it would have a shortcut."""
    for sea in bits_of(waters.way(fleet, goals, seas) & ~fleet):
        beside = waters.beside(sea) & seas & ~fleet
        for second in (0, *bits_of(beside)):
            for third in (0, *bits_of(beside & waters.beside(second))):
                strait = sea | second | third
                if not waters.way(fleet, goals & ~strait, seas & ~strait):
                    return True
    return False
