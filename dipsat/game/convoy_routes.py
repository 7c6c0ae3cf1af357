"""All convoys that given units could make from one place, by carrier and destination."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TypeAlias

from dipsat.board import ConvoyNet, bits_of, province_of
from dipsat.game.convoys import on_minimal_routes

_MAX_STAGES = 20_000  # of all routes; beyond this limit, targets are judged one by one
_MAX_PATHS = 20_000  # from one place, over the carriers; beyond this limit, none are listed

_Stage: TypeAlias = tuple[int, int]
"""How far a route has come: its last carrier, and the only carriers over which it can go on."""


class ConvoyRoutes:
    """The convoys that the units in some provinces could make: `carriers` has the bits of these
    provinces. A set of places is a number whose bits follow the order of `net.places`.

    A route has no carrier to spare: it is a path without shortcuts on which only the first carrier
    touches the origin and only the last the target (as in `on_minimal_routes`). How it can go on
    depends only on its stage, so all routes that reach a stage share one table, whatever their
    origin. A table is one number with a row of bits for every carrier: the places that routes reach
    if that carrier comes after the stage, except the places that the last carrier touches.
    """

    def __init__(self, net: ConvoyNet, carriers: int) -> None:
        self.net = net
        self.carriers = carriers
        self.rows = {bit: at * len(net.places) for at, bit in enumerate(bits_of(carriers))}
        self.tables: dict[_Stage, int] = {}
        self._known: dict[int, list[tuple[int, int]]] = {}
        self._own = [(bit, net.own_of(bit)) for bit in bits_of(carriers & net.on_shore)]
        # Cargo can stand where these carriers do. They are on no route to their own places.

    @cached_property
    def touched(self) -> Mapping[int, int]:
        """Carrier -> a table with the places that it touches in every row."""
        each = sum(1 << at for at in self.rows.values())
        return {bit: each * self.net.landings[bit.bit_length() - 1] for bit in self.rows}

    def places(self, origin: str, but: int = 0) -> int:
        """The places to which the carriers could convoy a unit from the location `origin`; `origin`
        may be among them. The carrier in the province with the bit `but` is left out."""
        carriers = self.carriers & ~but
        found = self._linked(origin, carriers)
        for bit, own in self._own:
            if found & own:
                found &= ~own | self._linked(origin, carriers & ~bit)
        return found

    def needs(self, carrier: int, origin: str, places: int) -> bool:
        """Whether convoys from `origin` to any of `places` may need the carrier with a bit."""
        starts = self.net.shore_masks[origin]
        for group, linked in self.groups(self.carriers & ~carrier):
            if group & starts:
                places &= ~linked
        return bool(places or self._own)

    def carrying(self, origin: str) -> Mapping[str, int]:
        """Province of a carrier -> the places to which it could take part in a convoy from
        `origin`. Carriers without such places are left out."""
        places = self.places(origin)
        if not places:
            return {}
        places &= ~self.net.own_of(self.net.bits[province_of(origin)])
        found = self._rows_of(origin, places, self.carriers)
        for bit, own in self._own:
            if places & own:
                found = {code: row & ~own for code, row in found.items()}
                for code, row in self._rows_of(origin, places & own, self.carriers & ~bit).items():
                    found[code] = found.get(code, 0) | row
        return found

    def paths(self, origin: str) -> Mapping[str, list[tuple[str, ...]]]:
        """Location -> the routes there, as lists of provinces. Empty if there are too many
        routes."""
        net, found, count = self.net, dict[str, list[tuple[str, ...]]](), 0
        starts = net.shore_of(origin) & self.carriers
        closed = net.own_of(net.bits[province_of(origin)])
        # For each start of a route: its provinces, those that can come next, those that may follow
        # later, and the places where the route cannot end.
        waiting = [(tuple[str, ...](), starts, self.carriers & ~starts, closed)]
        while waiting:
            path, ways, others, closed = waiting.pop()
            for bit in bits_of(ways):
                count += 1
                if count > _MAX_PATHS:
                    return {}
                at = bit.bit_length() - 1
                near, ends, longer = net.near[at], net.landings[at], (*path, net.codes[at])
                for target in net.places_of(ends & ~closed):
                    found.setdefault(target, []).append(longer)
                closed_then = closed | ends | net.own_of(bit)
                waiting.append((longer, near & others, others & ~near, closed_then))
        return found

    def _linked(self, origin: str, carriers: int) -> int:
        """The places that groups of linked carriers connect with `origin`."""
        starts, found = self.net.shore_of(origin) & carriers, 0
        if starts:
            for group, places in self.groups(carriers):
                if group & starts:
                    found |= places
        return found

    def _rows_of(self, origin: str, places: int, carriers: int) -> dict[str, int]:
        """Province of a carrier -> those of `places` that routes from `origin` reach over it."""
        table, codes = self._table(origin, carriers), self.net.codes
        rows = ((bit, (table >> at) & places) for bit, at in self.rows.items())
        return {codes[bit.bit_length() - 1]: row for bit, row in rows if row}

    def _table(self, origin: str, carriers: int) -> int:
        """The table of all routes from a place over some carriers."""
        near, tables = self.net.near, self.tables
        starts = self.net.shore_of(origin) & carriers
        table, first = self._onward(starts, carriers & ~starts)
        fresh: dict[_Stage, tuple[int, list[_Stage]]] = {}
        waiting = [stage for stage in first if stage not in tables]
        while waiting:
            stage = waiting.pop()
            if stage in fresh:
                continue
            if len(fresh) + len(tables) >= _MAX_STAGES:
                return self._judged(origin, carriers)
            last, others = stage
            ways = near[last.bit_length() - 1] & others
            fresh[stage] = onward = self._onward(ways, others & ~ways)
            waiting += [one for one in onward[1] if one not in tables]
        for stage in sorted(fresh, key=lambda stage: stage[1].bit_count()):  # last stages first
            tables[stage] = self._joined(*fresh[stage]) & ~self.touched[stage[0]]
        return self._joined(table, first)

    def _joined(self, table: int, stages: list[_Stage]) -> int:
        for stage in stages:
            table |= self.tables[stage]
        return table

    def _onward(self, ways: int, others: int) -> tuple[int, list[_Stage]]:
        """The rows of the carriers that can come next (`ways`), and the stages after each of them.
        Only `others` can follow."""
        near, landings, groups = self.net.near, self.net.landings, self.groups(others)
        table, stages = 0, []
        for bit in bits_of(ways):
            at = bit.bit_length() - 1
            ends = landings[at]
            for group, places in groups:
                if group & near[at]:
                    ends |= places
                    stages.append((bit, group))
            table |= ends << self.rows[bit]
        return table, stages

    def _judged(self, origin: str, among: int) -> int:
        """The same as `_table`, found by testing each target as the judge of orders does."""
        net, table = self.net, 0
        carriers = frozenset(net.names(among))
        for at, target in enumerate(net.places):
            for code in on_minimal_routes(net, origin, target, carriers):
                table |= 1 << (self.rows[net.bits[code]] + at)
        return table

    def groups(self, carriers: int) -> list[tuple[int, int]]:
        """The groups of linked `carriers`, each with the places to which it leads."""
        found = self._known.get(carriers)
        if found is not None:
            return found
        near, landings = self.net.near, self.net.landings
        found, left = [], carriers
        while left:
            fresh = left & -left
            group = places = 0
            while fresh:
                left ^= fresh
                group |= fresh
                beside = 0
                for bit in bits_of(fresh):
                    beside |= near[bit.bit_length() - 1]
                    places |= landings[bit.bit_length() - 1]
                fresh = beside & left
            found.append((group, places))
        self._known[carriers] = found
        return found
