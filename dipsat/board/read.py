"""The map that a YAML document describes, and the problems of such documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from dipsat.base import POWERS, PROVINCES, Node, allowed_files, grouped
from dipsat.board.map import BUILD_RULES, Codes, Map, MapLine, OwnPicture, PowerSetup
from dipsat.board.province import STANDARD_KINDS, Province, UnitKind, province_of, words_of
from dipsat.errors import (
    LISTED_FAULTS,
    DipsatError,
    DocumentError,
    MapError,
    ProblemsError,
    did_you_mean,
    hint,
    nearest_names,
    shortened,
)

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
    """The map that a whole document describes (see `dipsat.board.map_files.extended`), with what it
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
        for key, read in (
            ("victory", self._victory), ("sources", self._sources), ("notes", self._notes),
            ("impassable", self._impassable), ("border_features", self._border_features),
            ("power_features", self._power_features), ("lines", self._lines),
        ):  # fmt: skip
            with faults.gather():
                found[key] = read()
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


# --- faults ---------------------------------------------------------------------------------------


Place: TypeAlias = tuple[str, int, int]
"""A path, a line and a column."""

_NAMED = ("provinces", "powers", "coasts")
"""The sections whose keys are the names that others in the map refer to."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The names that files change, the top ones first, and the whole map below them."""

    places: Mapping[str, Place] = field(default_factory=dict)
    """Name of a section, province, power or coast -> where it is changed."""
    removed: frozenset[str] = frozenset()
    """The names among these that are removed."""
    base: Node | None = None
    """The map that is extended, None if there is none."""
    hidden: Collection[str] = ()
    """The paths of files that errors must not mention, because the caller may not read them."""
    faults: tuple[MapError, ...] = ()
    """The changes of what is not there."""

    def of(self, path: str, names: Sequence[str]) -> str | None:
        """The first of these names that another file than that of `path` changes."""
        return next(
            (one for one in names if one in self.places and self.places[one][0] != path), None
        )

    @property
    def _shown(self) -> Node | None:
        """The map that is extended, if errors may mention it."""
        return None if self.base is None or self.base.path in self.hidden else self.base

    def is_new(self, section: str, name: str) -> bool:
        """Whether the map that is extended has no such entry."""
        return self._shown is not None and name not in _section(self._shown, section)

    def meant(self, section: str, name: str) -> str:
        """Which entry of the map that is extended a new name may mean, in words; "" for none."""
        base = self._shown
        if base is None:
            return ""
        known = {code: code for code in _section(base, section)} | dict(_names(base, section))
        close = nearest_names(name, known, 1)
        code = known[close[0]] if close else ""
        if code in _section(base, "impassable"):
            code += f", which is impassable on {_title(base)}"
        return did_you_mean(code) if code else ""


def changes_of(chain: Sequence[Node], hidden: Collection[str] = ()) -> Changes:
    """The changes that a chain of files makes. Earlier files take precedence over later ones, and
    the last extends nothing. Errors do not mention `hidden` files."""
    places: dict[str, Place] = {}
    removed = set[str]()
    for root in chain[:-1]:
        for holder, key, node in _changed(root):
            if key not in places and node.value is None:
                removed.add(key)
            places.setdefault(key, holder.place_of(key))
    return Changes(places, frozenset(removed), chain[-1] if len(chain) > 1 else None, hidden)


def _changed(root: Node) -> Iterator[tuple[Node, str, Node]]:
    """The named entries of a file, then its sections."""
    for section in _NAMED:
        for name, node in _section(root, section).items():
            yield root.value[section], name, node
    yield from ((root, key, node) for key, node in root.value.items())


def _section(root: Node, name: str) -> Mapping[str, Node]:
    node = root.value.get(name) if isinstance(root.value, dict) else None
    return node.value if node is not None and isinstance(node.value, dict) else {}


def _names(root: Node, section: str) -> Iterator[tuple[str, str]]:
    """(name, code) of every entry of a section, and of the lands that no unit enters."""
    for code, node in _section(root, section).items():
        fields = node.value if isinstance(node.value, dict) else {}
        listed = fields["aliases"].value if "aliases" in fields else ()
        for one in (fields.get("name"), *(listed if isinstance(listed, tuple) else ())):
            if one is not None and words_of(one.raw):
                yield one.raw, code
    if section == "provinces":
        yield from ((land.raw, code) for code, land in _section(root, "impassable").items())
        yield from ((code, code) for code in _section(root, "impassable"))


def _title(root: Node) -> str:
    node = root.value.get("name") if isinstance(root.value, dict) else None
    return f"the map {node.raw}" if node is not None else "the other map"


_SHOWN, _LINES = 3, 12  # problems that follow from one change, and the lines of each


class Faults:
    """The problems found so far. A map that changes another has nodes of several files, and
    `changes` says what of the other map it changes."""

    def __init__(self, changes: Changes | None = None) -> None:
        self.changes = changes or Changes()
        self.found: list[DipsatError] = [*self.changes.faults]
        self._follows: dict[str, list[MapError]] = {}

    def add(self, node: Node, problem: str, *about: str) -> None:
        """Note a problem at a value: one that is about these names, the likelier cause first. What
        follows in the other map from a change of one of them is a problem of that change."""
        self._note(MapError(node.path, node.line, node.column, problem), about)

    def add_at_key(self, node: Node, key: str, problem: str, *about: str) -> None:
        """Note a problem at a key of the mapping `node`."""
        self._note(MapError(*node.place_of(key), problem), about)

    def _note(self, fault: MapError, about: Sequence[str]) -> None:
        changed = self.changes.of(fault.path, about)
        if changed is None:
            self.found.append(fault)
        else:
            self._follows.setdefault(changed, []).append(fault)

    def _consequences(self) -> Iterator[MapError]:
        """One problem for each change of a name from which problems in the other map follow."""
        for name, faults in self._follows.items():
            what = "removed" if name in self.changes.removed else "changed"
            problem = f"{name} is {what} here, which does not fit the map that this one extends"
            told = grouped(
                ((one.path, one.problem), str(one.line))
                for one in sorted(faults, key=_place)
                if one.path not in self.changes.hidden
            )
            shown = [f"{said} ({path}:{_some(lines)})" for (path, said), lines in told.items()]
            more = f"; and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
            problem += f": {'; '.join(shown[:_SHOWN])}{more}" if shown else ""
            yield MapError(*self.changes.places[name], problem)

    def hint(self, name: str, known: Iterable[str]) -> str:
        """The end of a message about an unknown name: the nearest known one. It is "" if a change
        made the name unknown, and for a problem that the error no longer lists."""
        if len(self.found) >= LISTED_FAULTS or province_of(name) in self.changes.places:
            return ""
        return hint(name, known, quoted=False)

    @contextmanager
    def gather(self) -> Iterator[None]:
        """Note the error of a value of the wrong kind or of an unknown key, and go on."""
        try:
            yield
        except DocumentError as error:
            self.found.append(error)

    def stop_if_any(self) -> None:
        """Raise the problems, in file order, as a `ProblemsError`; a lone wrong key or value is
        raised as it is."""
        problems = sorted([*self.found, *self._consequences()], key=_place)
        if len(problems) == 1 and not isinstance(problems[0], MapError):
            raise problems[0]
        if problems:
            raise ProblemsError(problems)

    def check_names(self, things: Mapping[str, tuple[Node, Iterable[str]]]) -> None:
        """Note each name that stands for two things, or has no word in it."""
        owner: dict[tuple[str, ...], str] = {}
        for thing, (node, names) in things.items():
            for name in (thing, *names):
                words = words_of(name)
                first = owner.setdefault(words, thing)
                if not words:
                    self.add(node, f"the name {shortened(name)!r} of {thing} has no word in it")
                elif first != thing:
                    problem = f"the name {shortened(name)!r} stands for {first} and {thing}"
                    self.add(node, problem, thing, first)


def _some(lines: Sequence[str]) -> str:
    """The first of many lines."""
    return ", ".join(lines[:_LINES]) + ("..." if len(lines) > _LINES else "")


def _place(error: DipsatError) -> tuple[str, int, int]:
    assert isinstance(error, DocumentError)
    return error.path, error.line, error.column


_SHAPES = ("like", "file", "svg")

_PICTURE_KEYS = (*_SHAPES, "places")

_PLACE_KEYS = ("unit", "dislodged", "name", "center")

_FARTHEST = 100_000  # units of a picture


def read_own_picture(
    node: Node | None, provinces: Mapping[str, Province], faults: Faults
) -> OwnPicture:
    """What the key `picture` of a map says; notes what is wrong. The files that it names are not
    read. Raises `DocumentError`."""
    if node is None:
        return OwnPicture()
    top = node.mapping(_PICTURE_KEYS, "picture")
    stated = [key for key in _SHAPES if key in top]
    if len(stated) > 1:
        problem = f"a picture has its shapes from {' or '.join(stated)}, not from both"
        faults.add(top[stated[-1]], f"{problem}; `{stated[0]}: ~` removes what another map says")
    lowest = -_FARTHEST if "svg" in top else 0
    places: dict[str, Mapping[str, tuple[float, float]]] = {}
    if "places" in top:
        known = {place for one in provinces.values() for place in (one.code, *one.locations)}
        for location, entry in top["places"].mapping(None, "places").items():
            if location not in known:
                problem = f"{location} is no province and no coast of the map"
                faults.add_at_key(top["places"], location, problem)
                continue
            points = entry.mapping(_PLACE_KEYS, "a place")
            places[location] = {key: _point(one, lowest, faults) for key, one in points.items()}
    shown = top[stated[0]] if stated else node
    return OwnPicture(
        top["like"].text("like") if "like" in top else "",
        places,
        _path(top.get("file"), "file"),
        _path(top.get("svg"), "svg"),
        allowed_files(),
        (shown.path, shown.line, shown.column),
    )


def _path(node: Node | None, key: str) -> str:
    """The path of a file that is named in relation to the map file; "" for none."""
    if node is None:
        return ""
    name = node.text(key)
    if not name.strip():
        node.fail(f"{key} should be the path of a file")
    return str(Path(node.path).parent / name)


def _point(node: Node, lowest: float, faults: Faults) -> tuple[float, float]:
    numbers = [one.value for one in node.sequence("a point")]
    match numbers:
        case [int() | float() as x, int() | float() as y] if all(
            not isinstance(one, bool) and lowest <= one <= _FARTHEST for one in (x, y)
        ):
            return float(x), float(y)
    faults.add(node, f"a point is [x, y], two numbers from {lowest:,} to {_FARTHEST:,}")
    return 0.0, 0.0
