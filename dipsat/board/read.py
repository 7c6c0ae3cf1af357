"""Read a map file: its facts, the codes of other notations, and whether they all agree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, TypeAlias

from dipsat.board.faults import Changes, Faults, read_own_picture
from dipsat.board.map import BUILD_RULES, Codes, Map, MapLine, PowerSetup
from dipsat.board.province import STANDARD_KINDS, Province, UnitKind, province_of
from dipsat.documents import Node
from dipsat.errors import MapError, hint
from dipsat.limits import POWERS, PROVINCES

# --- borders --------------------------------------------------------------------------------------

# Read the borders of a map file, and check that they agree with each other.


Borders: TypeAlias = dict[str, frozenset[str]]
_BORDER_KINDS = ("army", "fleet")


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
        for kind, borders in zip(_BORDER_KINDS, (army, fleet), strict=True):
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
        for kind, node in section.mapping(_BORDER_KINDS, "one_way").items():
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


# --- powers ---------------------------------------------------------------------------------------

# Read the powers of a map file: homes, centres, starting units.


_KEYS = ("aliases", "home", "start", "centers", "neutral", "rebuilt")


class PowerReader:
    """Reads the powers; `entries` are those of the file, by name."""

    def __init__(
        self, entries: Mapping[str, Node], provinces: Mapping[str, Province], faults: Faults
    ) -> None:
        self.entries = entries
        self.provinces = provinces
        self.faults = faults

    def read(self) -> dict[str, PowerSetup]:
        """Every power by its name."""
        powers = {}
        for name, node in self.entries.items():
            with self.faults.gather():
                powers[name] = self._power(name, node)
        self.faults.check_names(
            {name: (self.entries[name], p.aliases) for name, p in powers.items()}
        )
        self._check_owners(powers)
        self._check_places(powers)
        return powers

    def _check_owners(self, powers: Mapping[str, PowerSetup]) -> None:
        homes: dict[str, str] = {}
        owners: dict[str, str] = {}
        for name, power in powers.items():
            for home in power.home:
                if homes.setdefault(home, name) != name:
                    problem = f"{home} is a home of {homes[home]} and {name}"
                    self.faults.add(self.entries[name], problem, name, homes[home])
            for code in power.centers:
                is_reported = code in power.home and homes[code] != name
                if owners.setdefault(code, name) != name and not is_reported:
                    problem = f"{code} is owned by {owners[code]} and by {name} at the start"
                    self.faults.add(self.entries[name], problem, name, owners[code])

    def _check_places(self, powers: Mapping[str, PowerSetup]) -> None:
        standing: dict[str, str] = {}
        for name, power in powers.items():
            for unit, count in Counter(power.start).items():
                province = province_of(unit.partition(" ")[2])
                other = standing.setdefault(province, f"{name} {unit}")
                if other != f"{name} {unit}" or count > 1:
                    problem = f"{unit!r} starts where {other} starts too{self._meant(name)}"
                    self.faults.add(self.entries[name], problem, name, other.partition(" ")[0])

    def _meant(self, name: str) -> str:
        """Which power of the other map a new one may mean, as the end of a message."""
        changes = self.faults.changes
        meant = changes.meant("powers", name) if changes.is_new("powers", name) else ""
        return f"; {meant}" if meant else ""

    def _power(self, name: str, node: Node) -> PowerSetup:
        fields = node.mapping(_KEYS, f"power {name}")
        home = self._centers(fields, "home", "home", name)
        centers = self._centers(fields, "centers", "centre", name)
        start = fields["start"].texts("start") if "start" in fields else ()
        for unit in start:
            self._check_start(fields["start"], unit)
        power = PowerSetup(
            name,
            fields["aliases"].texts("aliases") if "aliases" in fields else (),
            home,
            start,
            centers if "centers" in fields else home,
            *(key in fields and fields[key].flag(key) for key in ("neutral", "rebuilt")),
        )
        if power.rebuilt:
            self._check_garrisons(power, fields)
        return power

    def _check_garrisons(self, power: PowerSetup, fields: Mapping[str, Node]) -> None:
        """Only a neutral power's units are rebuilt, each in a centre that the power owns."""
        if not power.neutral:
            problem = f"only the units of neutral powers are rebuilt, and {power.name} is played"
            self.faults.add(fields["rebuilt"], problem)
        for unit in power.start:
            place = province_of(unit.partition(" ")[2])
            if place not in power.centers:
                problem = f"{unit!r} cannot be rebuilt: {power.name} does not own {place}"
                self.faults.add(fields["start"], f"{problem} at the start", place)

    def _centers(
        self, fields: Mapping[str, Node], key: str, what: str, power: str
    ) -> tuple[str, ...]:
        found = fields[key].texts(key) if key in fields else ()
        for code in found:
            province = self.provinces.get(code)
            if province is None or not province.supply:
                problem = f"{what} {code!r} of {power} is not a supply centre"
                self.faults.add(fields[key], problem, code)
        return found

    def _check_start(self, node: Node, unit: str) -> None:
        kind, _, location = unit.partition(" ")
        province = self.provinces.get(province_of(location))
        if province is None and location.strip() and kind in STANDARD_KINDS:
            named = province_of(location)
            meant = self.faults.hint(named, self.provinces)
            problem = f"starting unit {unit!r}: the map has no province {named!r}{meant}"
            self.faults.add(node, problem, named)
        elif province is None or kind not in STANDARD_KINDS:
            self.faults.add(node, f"starting unit {unit!r} is not like 'A PAR' or 'F STP/SC'")
        elif kind == UnitKind.ARMY and (province.kind == "sea" or "/" in location):
            self.faults.add(node, f"starting unit {unit!r}: no place for an army", province.code)
        elif kind == UnitKind.FLEET and (
            province.kind == "land" or location not in province.locations
        ):
            self.faults.add(node, f"starting unit {unit!r}: no place for a fleet", province.code)


# --- read -----------------------------------------------------------------------------------------


_TOP_KEYS = (
    "extends", "name", "title", "sources", "notes", "victory", "first_phase", "build", "coasts",
    "notations", "powers", "provinces", "impassable", "one_way", "border_features",
    "power_features", "lines", "picture",
)  # fmt: skip
_PROVINCE_KEYS = (
    "name", "aliases", "type", "supply", "army", "fleet", "default_coast", "features",
)  # fmt: skip
_KINDS = ("land", "coast", "sea")
_CODE = re.compile(r"[^\s/]+")
_FEATURE = re.compile(r"[a-z][a-z0-9_]*")
_PHASE = re.compile(r"[A-Z]\d{1,5}[MA]")
_NOTATIONS = ("daide",)  # the notations with codes of their own
_NOTATION_KEYS = ("provinces", "powers", "coasts")
_NOTATION_CODE = re.compile(r"[^\W_]+")


def read_map(root: Node, changes: Changes | None = None) -> Map:
    """The map that a whole document describes (see `dipsat.board.load.extended`), with what it
    changes in the map that it extends.

    Raises `DocumentError` or, for several faults, `ProblemsError`.
    """
    return _MapReader(root, changes).read()


class _MapReader:
    def __init__(self, root: Node, changes: Changes | None) -> None:
        self.faults = Faults(changes)
        self.changes = self.faults.changes
        self.top = root
        self.root = root.mapping(_TOP_KEYS, "a map")

    def read(self) -> Map:
        """The map. Facts are compared only if all of them can be read."""
        for key in ("name", "provinces", "powers"):
            if key in self.root:
                continue
            if key in self.changes.removed:
                problem = f"{key} are removed here, but a map needs them; name what differs"
                raise MapError(*self.changes.places[key], problem)
            self.top.fail(f"the map has no {key!r}")
        self.nodes = self.root["provinces"].mapping(None, "provinces")
        PROVINCES.check(len(self.nodes), self.root["provinces"].place)
        self.provinces: dict[str, Province] = {}
        for code, node in self.nodes.items():
            with self.faults.gather():
                self.provinces[code] = self._province(code, node)
        if len(self.provinces) < len(self.nodes):
            self.faults.stop_if_any()
        found = self._facts()
        self.faults.stop_if_any()
        return Map(**found)

    def _facts(self) -> dict[str, Any]:
        """The fields of the map; notes what is wrong."""
        provinces, faults = self.provinces, self.faults
        faults.check_names(
            {code: (self.nodes[code], (p.name, *p.aliases)) for code, p in provinces.items()}
        )
        found: dict[str, Any] = {"provinces": provinces, "path": self.top.path}
        with faults.gather():
            borders = BorderReader(self.top.path, provinces, self.nodes, faults)
            found["army"], found["fleet"] = borders.read(self.root.get("one_way"))
        with faults.gather():
            entries = self.root["powers"].mapping(None, "powers")
            POWERS.check(len(entries), self.root["powers"].place)
            found["powers"] = PowerReader(entries, provinces, faults).read()
        with faults.gather():
            found["coast_names"] = self._coasts()
        for key in ("name", "title", "first_phase", "build"):
            with faults.gather():
                found[key] = self._text(key)
        for field, read in (
            ("victory", self._victory), ("sources", self._sources), ("notes", self._notes),
            ("impassable", self._impassable), ("border_features", self._border_features),
            ("power_features", self._power_features), ("lines", self._lines),
        ):  # fmt: skip
            with faults.gather():
                found[field] = read()
        with faults.gather():
            found["picture"] = read_own_picture(self.root.get("picture"), provinces, faults)
        self._check_texts(found)
        things = {
            "provinces": provinces,
            "powers": found.get("powers", {}),
            "coasts": found.get("coast_names", {}),
        }
        if things["powers"]:
            with faults.gather():
                found["notations"] = read_codes(self.root.get("notations"), things, faults)
        return found

    def _text(self, key: str) -> str:
        default = {"title": "name"}.get(key, key)
        if key in self.root or default in self.root:
            return self.root.get(key, self.root.get(default, self.top)).text(key)
        return {"first_phase": "S1901M", "build": "home"}[key]

    def _check_texts(self, found: Mapping[str, Any]) -> None:
        rule = found.get("build", "home")
        if rule not in BUILD_RULES:
            problem = f"build is {', '.join(BUILD_RULES[:-1])} or {BUILD_RULES[-1]}; not {rule!r}"
            self.faults.add(self.root["build"], problem)
        phase = found.get("first_phase", "S1901M")
        if not _PHASE.fullmatch(phase):
            problem = f"first_phase is like S1901M, F1901M or W1900A; not {phase!r}"
            self.faults.add(self.root["first_phase"], problem)

    def _victory(self) -> int | None:
        node = self.root.get("victory")
        if node is None:
            return None
        needed = node.integer("victory")
        there = sum(province.supply for province in self.provinces.values())
        if not 1 <= needed <= there:
            problem = f"victory takes 1 to {there} centres, as many as the map has; not {needed}"
            self.faults.add(node, problem)
        return needed

    def _sources(self) -> tuple[str, ...]:
        return self.root["sources"].texts("sources") if "sources" in self.root else ()

    def _notes(self) -> tuple[str, ...]:
        return self.root["notes"].texts("notes") if "notes" in self.root else ()

    def _impassable(self) -> dict[str, str]:
        node = self.root.get("impassable")
        if node is None:
            return {}
        entries = node.mapping(None, "impassable")
        for code in entries:
            if code in self.provinces:
                problem = f"{code} is a province, so it cannot be impassable"
                if "extends" in self.root:
                    problem += f"; to open land of the other map, write `impassable: {{{code}: ~}}`"
                self.faults.add_at_key(node, code, problem, code)
        return {code: item.text("the name of a land") for code, item in entries.items()}

    def _border_features(self) -> dict[str, frozenset[frozenset[str]]]:
        node = self.root.get("border_features")
        if node is None:
            return {}
        found = {}
        for name, listed in node.mapping(None, "border_features").items():
            if not _FEATURE.fullmatch(name):
                self.faults.add_at_key(node, name, _bad_feature(name))
            borders = pairs(listed, self.provinces, self.faults)
            found[name] = frozenset(frozenset(pair) for pair, _ in borders)
        return found

    def _power_features(self) -> dict[str, frozenset[str]]:
        node = self.root.get("power_features")
        if node is None:
            return {}
        powers = self.root["powers"].mapping(None, "powers")
        found = {}
        for name, listed in node.mapping(None, "power_features").items():
            if not _FEATURE.fullmatch(name):
                self.faults.add_at_key(node, name, _bad_feature(name))
            for power in listed.sequence(name):
                if power.text("a power") not in powers:
                    problem = f"{power.raw!r} is not a power of the map"
                    self.faults.add(power, problem, power.raw)
            found[name] = frozenset(listed.texts())
        return found

    def _lines(self) -> dict[str, MapLine]:
        node = self.root.get("lines")
        found = {}
        for name, entry in node.mapping(None, "lines").items() if node is not None else ():
            fields = entry.mapping(("power", "provinces"), "a line")
            if "provinces" not in fields:
                entry.fail(f"the line {name} has no 'provinces'")
            places = fields["provinces"]
            for place in places.sequence("provinces"):
                if place.text("a province") not in self.provinces:
                    advice = self.faults.hint(place.raw, self.provinces)
                    problem = f"{place.raw!r} is not a province{advice}"
                    self.faults.add(place, problem, place.raw)
            if len(set(places.texts())) < len(places.texts()) or len(places.texts()) < 2:
                self.faults.add(places, "a line leads through at least two provinces, each once")
            power = fields["power"].text("power") if "power" in fields else ""
            known = self.root["powers"].mapping(None, "powers")
            if power and power not in known:
                problem = f"{power!r} is not a power{self.faults.hint(power, known)}"
                self.faults.add(fields["power"], problem, power)
            found[name] = MapLine(name, power, places.texts())
        return found

    def _province(self, code: str, node: Node) -> Province:
        fields = node.mapping(_PROVINCE_KEYS, f"province {code}")
        for key in ("name", "type"):
            if key not in fields:
                node.fail(f"province {code} has no {key!r}{self._meant(code)}")
        if not _CODE.fullmatch(code):
            node.fail(f"the code {code!r} of a province has a space or a / in it")
        kind = fields["type"].text("type")
        if kind not in _KINDS:
            problem = (
                f"a province is land, coast or sea, not {kind!r}{hint(kind, _KINDS, quoted=False)}"
            )
            fields["type"].fail(problem)
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
            features=self._features(fields.get("features")),
        )

    def _meant(self, code: str) -> str:
        """What a file may mean by a province that the map that it extends does not have."""
        if not self.changes.is_new("provinces", code):
            return ""
        meant = self.changes.meant("provinces", code)
        return f", and is no province of the map that this one extends; {meant}".rstrip("; ")

    def _features(self, node: Node | None) -> frozenset[str]:
        if node is None:
            return frozenset()
        for item in node.sequence("features"):
            if not _FEATURE.fullmatch(item.text("a feature")):
                self.faults.add(item, _bad_feature(item.raw))
        return frozenset(node.texts("features"))

    def _default_coast(self, code: str, coasts: Collection[str], node: Node | None) -> str:
        coast = node.text("default_coast") if node is not None else ""
        if node is not None and coast not in coasts:
            known = ", ".join(coasts) or "none"
            self.faults.add(node, f"default_coast is a coast of {code} ({known}); not {coast!r}")
        return coast

    def _coasts(self) -> dict[str, tuple[str, ...]]:
        section = self.root.get("coasts")
        entries = section.mapping(None, "coasts") if section is not None else {}
        coasts = {coast: node.texts("coast names") for coast, node in entries.items()}
        self.faults.check_names({coast: (entries[coast], names) for coast, names in coasts.items()})
        for coast in coasts:
            if not _CODE.fullmatch(coast):
                problem = f"the code {coast!r} of a coast has a space or a / in it"
                self.faults.add_at_key(section or self.top, coast, problem)
        for code, province in self.provinces.items():
            for coast in province.coasts:
                if coast not in coasts:
                    problem = f"the coast {coast} of {code} is not under `coasts`"
                    self.faults.add(self.nodes[code], problem, coast)
        return coasts


def _bad_feature(name: str) -> str:
    return f"the name of a feature has lower-case letters, digits and _, such as ice, not {name!r}"


def read_codes(
    section: Node | None, things: Mapping[str, Collection[str]], faults: Faults
) -> dict[str, Codes]:
    """The codes by notation; `things` are the map's provinces, powers and coasts."""
    entries = section.mapping(_NOTATIONS, "notations") if section is not None else {}
    found = {}
    for name, node in entries.items():
        fields = node.mapping(_NOTATION_KEYS, f"notation {name}")
        found[name] = Codes(
            **{
                what: _codes(name, what, fields.get(what), things[what], faults)
                for what in _NOTATION_KEYS
            }
        )
    return found


def _codes(
    notation: str, what: str, node: Node | None, things: Collection[str], faults: Faults
) -> dict[str, str]:
    """Each thing's code: the one given, or its own. No code may stand for two things."""
    codes = {thing: thing for thing in things}
    if node is None:
        return codes
    given = node.mapping(None, f"{what} of notation {notation}")
    for thing, item in given.items():
        code = item.text(f"the {notation} code of {thing}")
        if not _NOTATION_CODE.fullmatch(code):
            problem = f"the {notation} code {code!r} of {thing} is not all letters and digits"
            faults.add(item, problem)
        if thing in codes:
            codes[thing] = code
        elif thing not in faults.changes.removed:  # else its code goes with it
            problem = f"{thing!r} is not under `{what}` of this map{faults.hint(thing, things)}"
            faults.add_at_key(node, thing, problem)
    owner: dict[str, str] = {}
    for thing, code in codes.items():
        first = owner.setdefault(code.casefold(), thing)
        if first != thing:
            problem = f"the {notation} code {code!r} stands for {first} and {thing}"
            faults.add(given.get(thing) or given.get(first) or node, problem)
    return codes
