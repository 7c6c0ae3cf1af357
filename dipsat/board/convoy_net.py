"""Where units of one kind convoy those of another: which carry which, and the routes on a map.

Sets of provinces are also represented as bit masks, so that large sets are joined at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dipsat.board.province import province_of
from dipsat.board.unit_kind import UnitKind

WAYS = ("water", "land", "any")
"""How two provinces can be neighbours: by shared water, by a land border, or by either."""


@dataclass(frozen=True, slots=True)
class Carriage:
    """States that units of the kind `carrier` convoy those of the kind `cargo`.

    Carriers that are neighbours by the way `over` form a route; the cargo boards the first and
    leaves the last by the way `aboard` (both of `WAYS`). A unit carries in provinces of the kinds
    in `terrain`. `verbs` are words for it in orders besides those for every convoy.
    """

    carrier: UnitKind
    cargo: UnitKind
    over: str = "water"
    aboard: str = "water"
    terrain: tuple[str, ...] = ("sea",)
    verbs: tuple[str, ...] = ()


ARMIES_BY_FLEETS = Carriage(UnitKind.FLEET, UnitKind.ARMY)
"""The convoys of the standard rules."""


class ConvoyNet:
    """The routes of one kind of convoy on a map.

    `links` maps a province to its possible neighbours on a route. `shores` maps each location where
    the cargo can stand to the provinces from which it goes ashore there, and in which it goes
    aboard. Provinces have bits in the order of their codes; the first has the lowest.
    """

    def __init__(
        self, links: Mapping[str, frozenset[str]], shores: Mapping[str, frozenset[str]]
    ) -> None:
        self.links = links
        self.shores = shores
        codes = {*links, *(province_of(place) for place in shores)}
        self.codes = tuple(sorted(codes.union(*shores.values())))
        self.bits = {code: 1 << at for at, code in enumerate(self.codes)}
        self.near = tuple(self.mask(links.get(code, ())) for code in self.codes)
        self.places = tuple(sorted(shores))
        self.shore_masks = {place: self.mask(near) for place, near in shores.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return ConvoyNet, (self.links, self.shores)

    @cached_property
    def landings(self) -> tuple[int, ...]:
        """For each province, in their order, the locations where cargo goes ashore from it, as bits
        in the order of `places`."""
        found = [0] * len(self.codes)
        for at, place in enumerate(self.places):
            for bit in bits_of(self.shore_masks[place]):
                found[bit.bit_length() - 1] |= 1 << at
        return tuple(found)

    @cached_property
    def own_places(self) -> tuple[int, ...]:
        """For each province, the locations in it, as bits in the order of `places`."""
        found = [0] * len(self.codes)
        for at, place in enumerate(self.places):
            found[self.bits[province_of(place)].bit_length() - 1] |= 1 << at
        return tuple(found)

    def mask(self, codes: Iterable[str]) -> int:
        """The bits of the provinces; those that no convoy passes have none."""
        bits, found = self.bits, 0
        for code in codes:
            found |= bits.get(code, 0)
        return found

    def names(self, mask: int) -> tuple[str, ...]:
        """The codes of the bits, sorted."""
        return tuple(self.codes[bit.bit_length() - 1] for bit in bits_of(mask))

    def ashore_from(self, code: str) -> tuple[str, ...]:
        """The locations at which cargo goes ashore from a province, sorted."""
        if code not in self.bits:
            return ()
        return self.places_of(self.landings[self.bits[code].bit_length() - 1])

    def places_of(self, mask: int) -> tuple[str, ...]:
        """The locations of bits in the order of `places`, sorted."""
        return tuple(self.places[bit.bit_length() - 1] for bit in bits_of(mask))

    def landing_places(self, target: str) -> tuple[str, ...]:
        """The locations that a target of the cargo may mean: itself or, if it names no coast, those
        in the province."""
        if target in self.shores:
            return (target,)
        bit = 0 if "/" in target else self.bits.get(target, 0)
        return self.places_of(self.own_places[bit.bit_length() - 1]) if bit else ()

    def shore_of(self, place: str) -> int:
        """The provinces from which cargo goes ashore at a location."""
        return self.shore_masks.get(place, 0)

    def beside(self, mask: int) -> int:
        """The provinces that are linked with any of those in `mask`."""
        found = 0
        while mask:
            low = mask & -mask
            mask ^= low
            found |= self.near[low.bit_length() - 1]
        return found

    def joins(self, starts: int, ends: int, allowed: int) -> bool:
        """Whether a chain of provinces in `allowed` leads from one in `starts` to one in `ends`."""
        reached = fresh = starts & allowed
        ends &= allowed
        while fresh and ends:
            if fresh & ends:
                return True
            fresh = self.beside(fresh) & allowed & ~reached
            reached |= fresh
        return False

    def way(self, start: int, goals: int, allowed: int) -> int:
        """A shortest chain of provinces from one in `start` to one in `goals`, both included, with
        all others in `allowed`; 0 if there is none."""
        layers = [start]
        seen = start
        while not layers[-1] & goals:
            fresh = self.beside(layers[-1]) & allowed & ~seen
            if not fresh:
                return 0
            seen |= fresh
            layers.append(fresh)
        reached = layers.pop() & goals
        found = step = reached & -reached
        for layer in reversed(layers):
            before = self.near[step.bit_length() - 1] & layer
            step = before & -before
            found |= step
        return found


def bits_of(mask: int) -> Iterator[int]:
    """The bits of a whole number, the lowest first."""
    while mask:
        low = mask & -mask
        mask ^= low
        yield low
