"""Read the borders of a map file, and check that they agree with each other."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

from dipsat.board.faults import Faults
from dipsat.board.province import Province, province_of
from dipsat.documents import Node
from dipsat.errors import MapError

Borders: TypeAlias = dict[str, frozenset[str]]
_KINDS = ("army", "fleet")


class BorderReader:
    """Reads the borders of all provinces; `nodes` holds them as written in the file `path`."""

    def __init__(
        self,
        path: str,
        provinces: Mapping[str, Province],
        nodes: Mapping[str, Node],
        faults: Faults,
    ) -> None:
        self.path = path
        self.provinces = provinces
        self.nodes = nodes
        self.faults = faults
        fleets = [p.locations for p in provinces.values() if p.kind != "land"]
        self.known: Mapping[str, Collection[str]] = {
            "army": set(provinces),
            "fleet": {location for locations in fleets for location in locations},
        }

    def read(self, one_way: Node | None) -> tuple[Borders, Borders]:
        """The borders of armies (province -> provinces) and of fleets (location -> locations).

        `one_way` lists the borders that may be crossed in one direction only.
        """
        army: Borders = {}
        fleet: Borders = {}
        before = len(self.faults.found)
        for code, node in self.nodes.items():
            fields = node.mapping()
            with self.faults.gather():
                if "army" in fields:
                    army[code] = self._borders(fields["army"], "army")
                if "fleet" in fields:
                    fleet |= self._fleet_borders(self.provinces[code], fields["fleet"])
        if any(not isinstance(fault, MapError) for fault in self.faults.found[before:]):
            return army, fleet  # borders that could not be read would seem one-sided
        directed = self._one_way(one_way)
        for kind, borders in zip(_KINDS, (army, fleet), strict=True):
            self._check_symmetric(kind, borders, directed.get(kind, {}))
        self._check_terrain(army, fleet)
        return army, fleet

    def _borders(self, node: Node, kind: str) -> frozenset[str]:
        items = node.sequence("borders")
        if not items:
            self.faults.add(node, "a list of borders is empty; leave it out or fill it")
        known = self.known[kind]
        for item in items:
            code = item.text("a border")
            if code not in known:
                there = province_of(code) in self.provinces
                why = f"no place for {'an army' if kind == 'army' else 'a fleet'}"
                problem = f"border to {code!r}, which is {why if there else 'no province'}"
                hint = self.faults.hint(code, known)
                self.faults.add(item, f"{problem}{hint}", province_of(code))
        return frozenset(item.raw for item in items if item.raw in known)

    def _fleet_borders(self, province: Province, node: Node) -> Borders:
        if province.coasts:
            return {
                f"{province.code}/{coast}": self._borders(borders, "fleet")
                for coast, borders in node.mapping().items()
            }
        return {province.code: self._borders(node, "fleet")}

    def _one_way(self, section: Node | None) -> dict[str, dict[tuple[str, str], Node]]:
        """Kind of unit -> (from, to) -> the entry of `one_way`."""
        if section is None:
            return {}
        found = {}
        for kind, node in section.mapping(_KINDS, "one_way").items():
            found[kind] = dict(pairs(node, self.known[kind], self.faults))
        return found

    def _check_symmetric(
        self, kind: str, borders: Borders, directed: Mapping[tuple[str, str], Node]
    ) -> None:
        for place, neighbours in borders.items():
            for neighbour in sorted(neighbours):
                node = self._own_node(place, neighbour)
                back = place in borders.get(neighbour, ())
                if neighbour == place:
                    self.faults.add(node, f"{place} borders itself")
                elif (place, neighbour) not in directed and not back:
                    problem = f"{kind} border {place} - {neighbour} is listed on one side only; "
                    problem += f"list {place} under {neighbour}, too"
                    self.faults.add(node, problem, province_of(place), province_of(neighbour))
        for (place, neighbour), node in directed.items():
            about = province_of(place), province_of(neighbour)
            if neighbour not in borders.get(place, ()):
                self.faults.add(node, f"{place} has no {kind} border to {neighbour}", *about)
            elif place in borders.get(neighbour, ()):
                problem = f"{kind} border {place} - {neighbour} is listed on both sides, not one"
                self.faults.add(node, problem, *about)

    def _own_node(self, *places: str) -> Node:
        """The first of the places' provinces that is written in the file itself, not in one that it
        extends: the fault can be fixed there."""
        nodes = [self.nodes[province_of(place)] for place in places]
        return next((node for node in nodes if node.path == self.path), nodes[0])

    def _check_terrain(self, army: Borders, fleet: Borders) -> None:
        for code, province in self.provinces.items():
            node = self.nodes[code]
            if province.kind == "sea" and code in army:
                self.faults.add(node, f"{code} is a sea but has army borders")
            if province.kind == "land" and code in fleet:
                self.faults.add(node, f"{code} is inland but has fleet borders")
            if not any(p in army or p in fleet for p in (code, *province.locations)):
                self.faults.add(node, f"{code} has no borders at all")


def pairs(node: Node, known: Collection[str], faults: Faults) -> list[tuple[tuple[str, str], Node]]:
    """The pairs of different places in a list `[[AAA, BBB], ...]`, with their nodes."""
    found = []
    for item in node.sequence("a list of pairs"):
        places = item.texts("a pair of places")
        wrong = [place for place in places if place not in known]
        for place in wrong:
            problem = f"{place!r} is not a place of this kind{faults.hint(place, known)}"
            faults.add(item, problem, province_of(place))
        if len(set(places)) != 2 or len(places) != 2:
            faults.add(item, f"a border is a pair of two places, not {list(places)}")
        elif not wrong:
            found.append(((places[0], places[1]), item))
    return found
