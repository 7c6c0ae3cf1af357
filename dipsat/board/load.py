"""Reading maps from YAML and checking that their facts agree with each other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from dipsat.board.map import BUILD_RULES, Codes, Map, PowerSetup
from dipsat.board.names import words_of
from dipsat.board.province import Province, UnitKind, province_of
from dipsat.documents import Node, parse_yaml, read_text
from dipsat.errors import DipsatError, MapError, ProblemsError, UnknownNameError, nearest_names
from dipsat.resources import data_folder

_TOP_KEYS = (
    "name", "title", "victory", "first_phase", "build", "coasts", "notations", "powers",
    "provinces",
)  # fmt: skip
_PROVINCE_KEYS = ("name", "aliases", "type", "supply", "army", "fleet", "default_coast")
_POWER_KEYS = ("aliases", "home", "start", "centers")
_KINDS = ("land", "coast", "sea")
_NOTATIONS = ("daide",)  # the notations with codes of their own
_CODE_KEYS = ("provinces", "powers", "coasts")
_CODE = re.compile(r"[^\W_]+")


def map_names() -> tuple[str, ...]:
    """The names of the shipped maps."""
    return tuple(sorted(path.stem for path in (data_folder("rules") / "maps").glob("*.yaml")))


def load_map(name: str | Path) -> Map:
    """The map `name`: a shipped map's name, or the path of a map file.

    The same name gives the same object. Raises `UnknownNameError`, `FileError`,
    `DocumentError`, or `ProblemsError` with all contradictions of the file.
    """
    text = str(name)
    if isinstance(name, Path) or text.endswith((".yaml", ".yml")):
        return parse_map(read_text(text), text)
    return _shipped_map(text)


@lru_cache(maxsize=64)
def _shipped_map(name: str) -> Map:
    path = data_folder("rules") / "maps" / f"{name}.yaml"
    if name not in map_names():
        raise UnknownNameError("map", name, map_names())
    return parse_map(read_text(path), f"rules/maps/{path.name}")


def parse_map(text: str, path: str) -> Map:
    """The map that a YAML text describes; `path` names it in errors."""
    return _MapReader(parse_yaml(text, path)).read()


class _MapReader:
    def __init__(self, root: Node) -> None:
        self.root = root.mapping(_TOP_KEYS, "a map")
        self.top = root
        self.problems: list[DipsatError] = []

    def read(self) -> Map:
        for key in ("name", "provinces", "powers"):
            if key not in self.root:
                self.top.fail(f"the map has no {key!r}")
        nodes = self.root["provinces"].mapping(None, "provinces")
        provinces = {code: self._province(code, node) for code, node in nodes.items()}
        self.provinces = provinces
        self._check_names(
            {code: (nodes[code], (p.name, *p.aliases)) for code, p in provinces.items()}
        )
        fleet_locations = {
            loc for p in provinces.values() if p.kind != "land" for loc in p.locations
        }
        army: dict[str, frozenset[str]] = {}
        fleet: dict[str, frozenset[str]] = {}
        for code, node in nodes.items():
            fields = node.mapping()
            if "army" in fields:
                army[code] = self._borders(fields["army"], set(provinces))
            if "fleet" in fields:
                fleet |= self._fleet_borders(provinces[code], fields["fleet"], fleet_locations)
        self._check_symmetric("army", army, nodes)
        self._check_symmetric("fleet", fleet, nodes)
        self._check_terrain(army, fleet, nodes)
        powers = self._powers(self.root["powers"])
        coasts = self._coasts(provinces, nodes)
        notations = self._notations({"provinces": provinces, "powers": powers, "coasts": coasts})
        victory, build = self._victory(), self._build()
        if self.problems:
            raise ProblemsError(self.problems)
        return Map(
            name=self.root["name"].text("name"),
            title=self.root.get("title", self.root["name"]).text("title"),
            provinces=provinces,
            army=army,
            fleet=fleet,
            powers=powers,
            coast_names=coasts,
            victory=victory,
            first_phase=self._text("first_phase", "S1901M"),
            build=build,
            notations=notations,
            path=self.top.path,
        )

    def _text(self, key: str, default: str) -> str:
        return self.root[key].text(key) if key in self.root else default

    def _victory(self) -> int | None:
        node = self.root.get("victory")
        if node is None:
            return None
        needed = node.integer("victory")
        there = sum(province.supply for province in self.provinces.values())
        if not 1 <= needed <= there:
            problem = f"victory takes 1 to {there} centres, as many as the map has; not {needed}"
            self._problem(node, problem)
        return needed

    def _build(self) -> str:
        rule = self._text("build", "home")
        if rule not in BUILD_RULES:
            problem = f"build is {', '.join(BUILD_RULES[:-1])} or {BUILD_RULES[-1]}; not {rule!r}"
            self._problem(self.root["build"], problem)
        return rule

    def _problem(self, node: Node, problem: str) -> None:
        self.problems.append(MapError(node.path, node.line, node.column, problem))

    def _province(self, code: str, node: Node) -> Province:
        fields = node.mapping(_PROVINCE_KEYS, f"province {code}")
        for key in ("name", "type"):
            if key not in fields:
                node.fail(f"province {code} has no {key!r}")
        kind = fields["type"].text("type")
        if kind not in _KINDS:
            fields["type"].fail(f"a province is {', '.join(_KINDS)}; not {kind!r}")
        fleet = fields.get("fleet")
        coasts = tuple(fleet.value) if fleet is not None and isinstance(fleet.value, dict) else ()
        return Province(
            code=code,
            name=fields["name"].text("name"),
            kind=kind,
            coasts=coasts,
            supply=fields["supply"].flag("supply") if "supply" in fields else False,
            aliases=fields["aliases"].texts("aliases") if "aliases" in fields else (),
            default_coast=self._default_coast(code, coasts, fields.get("default_coast")),
        )

    def _default_coast(self, code: str, coasts: Collection[str], node: Node | None) -> str:
        coast = node.text("default_coast") if node is not None else ""
        if node is not None and coast not in coasts:
            known = ", ".join(coasts) or "none"
            self._problem(node, f"default_coast is a coast of {code} ({known}); not {coast!r}")
        return coast

    def _check_names(self, things: Mapping[str, tuple[Node, Iterable[str]]]) -> None:
        """No name may stand for two things, and each needs a word."""
        owner: dict[tuple[str, ...], str] = {}
        for thing, (node, names) in things.items():
            for name in (thing, *names):
                words = words_of(name)
                first = owner.setdefault(words, thing)
                if not words:
                    self._problem(node, f"the name {name!r} of {thing} has no word in it")
                elif first != thing:
                    self._problem(node, f"the name {name!r} stands for {first} and {thing}")

    def _borders(self, node: Node, known: set[str]) -> frozenset[str]:
        found = set()
        if not node.sequence("borders"):
            self._problem(node, "a list of borders is empty; leave it out or fill it")
        for item in node.sequence("borders"):
            code = item.text("a border")
            if code in known:
                found.add(code)
            else:
                close = nearest_names(code, known, 1)
                hint = f"; did you mean {close[0]}?" if close else ""
                self._problem(item, f"border to {code!r}, which is no place for this unit{hint}")
        return frozenset(found)

    def _fleet_borders(
        self, province: Province, node: Node, known: set[str]
    ) -> dict[str, frozenset[str]]:
        if province.coasts:
            return {
                f"{province.code}/{coast}": self._borders(borders, known)
                for coast, borders in node.mapping().items()
            }
        return {province.code: self._borders(node, known)}

    def _check_symmetric(
        self, what: str, borders: dict[str, frozenset[str]], nodes: dict[str, Node]
    ) -> None:
        for place, neighbours in borders.items():
            for neighbour in sorted(neighbours):
                if neighbour == place:
                    self._problem(nodes[province_of(place)], f"{place} borders itself")
                elif place not in borders.get(neighbour, frozenset()):
                    self._problem(
                        nodes[province_of(place)],
                        f"{what} border {place} - {neighbour} stands on one side only",
                    )

    def _check_terrain(
        self,
        army: dict[str, frozenset[str]],
        fleet: dict[str, frozenset[str]],
        nodes: dict[str, Node],
    ) -> None:
        for code, province in self.provinces.items():
            if province.kind == "sea" and code in army:
                self._problem(nodes[code], f"{code} is a sea but has army borders")
            if province.kind == "land" and code in fleet:
                self._problem(nodes[code], f"{code} is inland but has fleet borders")
            if not any(p in army or p in fleet for p in (code, *province.locations)):
                self._problem(nodes[code], f"{code} has no borders at all")

    def _coasts(
        self, provinces: Mapping[str, Province], nodes: Mapping[str, Node]
    ) -> dict[str, tuple[str, ...]]:
        section = self.root.get("coasts")
        entries = section.mapping(None, "coasts") if section is not None else {}
        coasts = {coast: node.texts("coast names") for coast, node in entries.items()}
        self._check_names({coast: (entries[coast], names) for coast, names in coasts.items()})
        for code, province in provinces.items():
            for coast in province.coasts:
                if coast not in coasts:
                    self._problem(nodes[code], f"the coast {coast} of {code} is not under `coasts`")
        return coasts

    def _notations(self, things: Mapping[str, Collection[str]]) -> dict[str, Codes]:
        section = self.root.get("notations")
        entries = section.mapping(_NOTATIONS, "notations") if section is not None else {}
        found = {}
        for name, node in entries.items():
            fields = node.mapping(_CODE_KEYS, f"notation {name}")
            found[name] = Codes(
                **{w: self._codes(name, w, fields.get(w), things[w]) for w in _CODE_KEYS}
            )
        return found

    def _codes(
        self, notation: str, what: str, node: Node | None, things: Collection[str]
    ) -> dict[str, str]:
        """Each thing's code: the one given, or its own. No code may stand for two things."""
        codes = {thing: thing for thing in things}
        if node is None:
            return codes
        given = node.mapping(None, f"{what} of notation {notation}")
        for thing, item in given.items():
            code = item.text(f"the {notation} code of {thing}")
            if not _CODE.fullmatch(code):
                problem = f"the {notation} code {code!r} of {thing} is not all letters and digits"
                self._problem(item, problem)
            if thing in codes:
                codes[thing] = code
            else:
                close = nearest_names(thing, things, 1)
                hint = f"; did you mean {close[0]}?" if close else ""
                problem = f"{thing!r} is not under `{what}` of this map{hint}"
                line, column = (node.keys or {}).get(thing, (node.line, node.column))
                self.problems.append(MapError(node.path, line, column, problem))
        owner: dict[str, str] = {}
        for thing, code in codes.items():
            first = owner.setdefault(code.casefold(), thing)
            if first != thing:
                problem = f"the {notation} code {code!r} stands for {first} and {thing}"
                self._problem(given.get(thing) or given.get(first) or node, problem)
        return codes

    def _powers(self, section: Node) -> dict[str, PowerSetup]:
        entries = section.mapping(None, "powers")
        powers = {name: self._power(name, node) for name, node in entries.items()}
        self._check_names({name: (entries[name], p.aliases) for name, p in powers.items()})
        homes: dict[str, str] = {}
        owners: dict[str, str] = {}
        standing: dict[str, str] = {}
        for name, power in powers.items():
            for home in power.home:
                if homes.setdefault(home, name) != name:
                    self._problem(entries[name], f"{home} is a home of {homes[home]} and {name}")
            for code in power.centers:
                told = code in power.home and homes[code] != name
                if owners.setdefault(code, name) != name and not told:
                    problem = f"{code} is owned by {owners[code]} and by {name} at the start"
                    self._problem(entries[name], problem)
            for unit in power.start:
                province = province_of(unit.partition(" ")[2])
                other = standing.setdefault(province, f"{name} {unit}")
                if other != f"{name} {unit}" or power.start.count(unit) > 1:
                    self._problem(entries[name], f"{unit!r} starts where {other} starts too")
        return powers

    def _power(self, name: str, node: Node) -> PowerSetup:
        fields = node.mapping(_POWER_KEYS, f"power {name}")
        home = self._owned_centers(fields, "home", "home", name)
        centers = self._owned_centers(fields, "centers", "centre", name)
        start = fields["start"].texts("start") if "start" in fields else ()
        for unit in start:
            self._check_start(fields["start"], unit)
        aliases = fields["aliases"].texts("aliases") if "aliases" in fields else ()
        return PowerSetup(name, aliases, home, start, centers if "centers" in fields else home)

    def _owned_centers(
        self, fields: Mapping[str, Node], key: str, what: str, power: str
    ) -> tuple[str, ...]:
        found = fields[key].texts(key) if key in fields else ()
        for code in found:
            province = self.provinces.get(code)
            if province is None or not province.supply:
                self._problem(fields[key], f"{what} {code!r} of {power} is no supply centre")
        return found

    def _check_start(self, node: Node, unit: str) -> None:
        kind, _, location = unit.partition(" ")
        province = self.provinces.get(province_of(location))
        if province is None or kind not in tuple(UnitKind):
            self._problem(node, f"starting unit {unit!r} is not like 'A PAR' or 'F STP/SC'")
        elif kind == UnitKind.ARMY and (province.kind == "sea" or "/" in location):
            self._problem(node, f"starting unit {unit!r}: no place for an army")
        elif kind == UnitKind.FLEET and (
            province.kind == "land" or location not in province.locations
        ):
            self._problem(node, f"starting unit {unit!r}: no place for a fleet")
