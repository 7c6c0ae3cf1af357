"""All convoys that given units could make from one place, by destination."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from dipsat.board import ConvoyNet, bits_of, province_of
from dipsat.game.convoys import on_minimal_routes

_MAX_PATHS = 20_000  # over the carriers, from one place; beyond it, targets are judged one by one


@dataclass(frozen=True, slots=True)
class ConvoyRoute:
    """How a unit gets from one place to another, in provinces. Each of `carriers` could be part of
    a convoy, every convoy needs all of `needed`, and `paths` are those with no carrier to spare."""

    carriers: frozenset[str]
    needed: frozenset[str]
    paths: tuple[tuple[str, ...], ...]

    def or_by(self, other: ConvoyRoute) -> ConvoyRoute:
        """This route or another one, with carriers of another kind."""
        return ConvoyRoute(
            self.carriers | other.carriers, self.needed & other.needed, self.paths + other.paths
        )


class ConvoyRoutes:
    """The convoys that the units in the provinces `carriers` could make, found once per origin.

    Without `with_paths`, each `ConvoyRoute` has no paths.
    """

    def __init__(self, net: ConvoyNet, carriers: frozenset[str], with_paths: bool = True) -> None:
        self.net = net
        self.carriers = carriers
        self.with_paths = with_paths
        self.known: dict[str, Mapping[str, ConvoyRoute]] = {}
        self.carrier_mask = net.mask(carriers)

    def ways(self, origin: str) -> Mapping[str, ConvoyRoute]:
        """Location -> the route there from the location `origin`, sorted by target."""
        found = self.known.get(origin)
        if found is None:
            found = self._ways(origin) if origin in self.net.shores else {}
            self.known[origin] = found
        return found

    def _ways(self, origin: str) -> Mapping[str, ConvoyRoute]:
        """Which carriers and paths lead where. One walk finds all targets. It follows the paths
        with no carrier to spare: those without shortcuts in which only the first carrier touches
        the origin and only the last the target (as in `on_minimal_routes`)."""
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
            for target in self.net.places_of(targets):
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
        """Each path over the carriers without shortcuts, and the places where it can end."""
        net, here = self.net, province_of(origin)
        near, landings, own = net.near, net.landings, net.own_places
        starts = net.shore_of(origin) & self.carrier_mask & ~net.bits[here]
        onward = self.carrier_mask & ~starts & ~net.bits[here]
        closed = own[net.bits[here].bit_length() - 1]
        # For each path: its provinces, the last one, what all but the last touch, and the places
        # where it cannot end: those on the path, and those that any but the last touch.
        walks = [(bit, bit, 0, closed) for bit in bits_of(starts)]
        while walks:
            path, last, touched, closed = walks.pop()
            at = last.bit_length() - 1
            yield path, landings[at] & ~closed
            fresh = near[at] & onward & ~touched
            touched |= near[at]
            closed |= landings[at] | own[at]
            while fresh:
                one = fresh & -fresh
                fresh ^= one
                walks.append((path | one, one, touched, closed))

    def _listed(
        self, origin: str, paths: Mapping[int, list[int]]
    ) -> dict[str, tuple[tuple[str, ...], ...]]:
        """Target -> the paths there, by their provinces."""
        found: dict[str, list[tuple[str, ...]]] = {}
        for targets, leading in paths.items():
            ordered = [self._in_order(origin, path) for path in leading]
            for target in self.net.places_of(targets):
                found.setdefault(target, []).extend(ordered)
        return {target: tuple(sorted(listed)) for target, listed in found.items()}

    def _in_order(self, origin: str, path: int) -> tuple[str, ...]:
        """The provinces of a path in order; without shortcuts, each has one next neighbour."""
        found: list[str] = []
        near = self.net.shore_of(origin)
        while path:
            (here,) = self.net.names(near & path)
            bit = self.net.bits[here]
            path &= ~bit
            near = self.net.beside(bit)
            found.append(here)
        return tuple(found)

    def _names(self, mask: int) -> frozenset[str]:
        return frozenset(self.net.names(mask))

    def _judged(self, origin: str) -> Mapping[str, ConvoyRoute]:
        """The same without paths, from the test that the judge of orders makes for each target."""
        net, found = self.net, {}
        for target in net.places:
            carriers = on_minimal_routes(net, origin, target, self.carriers)
            if not carriers:
                continue
            ends = net.mask((province_of(origin), province_of(target)))
            allowed = self.carrier_mask & ~ends
            starts, goals = net.shore_of(origin) & allowed, net.shore_of(target) & allowed
            needed = frozenset(
                one
                for one in net.names(net.way(starts, goals, allowed))
                if not net.way(starts & ~(bit := net.bits[one]), goals & ~bit, allowed & ~bit)
            )
            found[target] = ConvoyRoute(carriers, needed, ())
        return found
