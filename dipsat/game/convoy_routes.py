"""All convoys that given fleets could make from one coast, by where they end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from dipsat.board.map import Map
from dipsat.game.convoys import fleets_on_minimal_routes

_MAX_PATHS = 20_000  # over the seas, from one coast; past it each target is judged by itself


@dataclass(frozen=True, slots=True)
class ConvoyRoute:
    """How an army gets from one coast to another: `fleets` could each be part of a convoy,
    without one of `needed` there is none, `paths` are those in which no fleet is to spare."""

    fleets: frozenset[str]
    needed: frozenset[str]
    paths: tuple[tuple[str, ...], ...]


class ConvoyRoutes:
    """The convoys that the fleets in `seas` could make, worked out once for each origin.

    Without `with_paths`, the paths of a `ConvoyRoute` are left out.
    """

    def __init__(self, board: Map, seas: frozenset[str], with_paths: bool = True) -> None:
        self.board = board
        self.seas = seas
        self.with_paths = with_paths
        self.known: dict[str, Mapping[str, ConvoyRoute]] = {}
        self.waters = board.waters
        self.sea_mask = self.waters.mask(seas)
        self.coast_mask = self.waters.mask(board.coastal)

    def ways(self, origin: str) -> Mapping[str, ConvoyRoute]:
        """Target -> the route there, by the target's code."""
        found = self.known.get(origin)
        if found is None:
            found = self._ways(origin) if origin in self.board.coastal else {}
            self.known[origin] = found
        return found

    def _ways(self, origin: str) -> Mapping[str, ConvoyRoute]:
        """Which fleets and paths lead where. All targets are found in one walk over the paths in
        which no fleet is to spare: those without shortcuts of which only the first sea touches
        the origin and only the last the target (as in `fleets_on_minimal_routes`)."""
        paths: dict[int, list[int]] = {}
        for count, (path, targets) in enumerate(self._walk(origin)):
            if count >= _MAX_PATHS:
                return self._judged(origin)
            if targets:
                paths.setdefault(targets, []).append(path)
        some: dict[str, int] = {}
        every: dict[str, int] = {}
        for targets, leading in paths.items():
            union, common = reduce(or_, leading), reduce(and_, leading)
            for target in self.waters.names(targets):
                some[target] = some.get(target, 0) | union
                every[target] = every.get(target, -1) & common
        listed = self._listed(origin, paths) if self.with_paths else {}
        return {
            target: ConvoyRoute(
                self._names(some[target]),
                self._names(every[target]),
                listed.get(target, ()),
            )
            for target in sorted(some)
        }

    def _walk(self, origin: str) -> Iterator[tuple[int, int]]:
        """Each path without shortcuts over the seas, and the coasts where it can end."""
        near, coast = self.waters.near, self.coast_mask
        starts = self.waters.near_of(origin) & self.sea_mask
        onward = self.sea_mask & ~starts
        # Of each path: its seas, the last, and what all but the last touch.
        walks = [
            (self.waters.bits[sea], self.waters.bits[sea], self.waters.mask((origin,)))
            for sea in self.waters.names(starts)
        ]
        while walks:
            path, last, touched = walks.pop()
            beside = near[last.bit_length() - 1]
            yield path, beside & coast & ~(touched | path)
            fresh = beside & onward & ~touched
            touched |= beside
            while fresh:
                sea = fresh & -fresh
                fresh ^= sea
                walks.append((path | sea, sea, touched))

    def _listed(
        self, origin: str, paths: Mapping[int, list[int]]
    ) -> dict[str, tuple[tuple[str, ...], ...]]:
        """Target -> the paths there, by their seas."""
        found: dict[str, list[tuple[str, ...]]] = {}
        for targets, leading in paths.items():
            ordered = [self._in_order(origin, path) for path in leading]
            for target in self.waters.names(targets):
                found.setdefault(target, []).extend(ordered)
        return {target: tuple(sorted(listed)) for target, listed in found.items()}

    def _in_order(self, origin: str, path: int) -> tuple[str, ...]:
        """The seas of a path; without shortcuts, each has one neighbour that is still to come."""
        found: list[str] = []
        here = origin
        while path:
            (here,) = self.waters.names(self.waters.near_of(here) & path)
            path &= ~self.waters.bits[here]
            found.append(here)
        return tuple(found)

    def _names(self, mask: int) -> frozenset[str]:
        return frozenset(self.waters.names(mask))

    def _judged(self, origin: str) -> Mapping[str, ConvoyRoute]:
        """The same without paths, by asking for each target what the judge of orders asks."""
        waters, found = self.waters, {}
        for target in sorted(self.board.coastal):
            fleets = fleets_on_minimal_routes(self.board, origin, target, self.seas)
            if not fleets:
                continue
            seas = self.sea_mask & ~waters.mask((origin, target))
            starts, ends = waters.near_of(origin) & seas, waters.near_of(target) & seas
            needed = frozenset(
                sea
                for sea in waters.names(waters.way(starts, ends, seas))
                if not waters.way(starts & ~(bit := waters.bits[sea]), ends & ~bit, seas & ~bit)
            )
            found[target] = ConvoyRoute(fleets, needed, ())
        return found
