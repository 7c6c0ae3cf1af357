"""The map that a YAML document describes, and the problems of such documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeAlias

from dipsat.base import POWERS, PROVINCES, Node, allowed_files, grouped
from dipsat.board.map import BUILD_RULES, Codes, Map, MapLine, OwnPicture, PowerSetup
from dipsat.board.province import (
    BORDERS,
    STANDARD_KINDS,
    Province,
    UnitKind,
    province_of,
    words_of,
)
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

# --- read -----------------------------------------------------------------------------------------


Borders: TypeAlias = dict[str, frozenset[str]]
_TOP_KEYS = (
    "extends", "name", "title", "sources", "notes", "victory", "first_phase", "build", "coasts",
    "notations", "powers", "provinces", "impassable", "one_way", "border_features",
    "power_features", "lines", "picture",
)  # fmt: skip
_PROVINCE_KEYS = (
    "name", "aliases", "type", "supply", "army", "fleet", "default_coast", "features",
)  # fmt: skip
_POWER_KEYS = ("aliases", "home", "start", "centers", "neutral", "rebuilt")
_KINDS = ("land", "coast", "sea")
_CODE = re.compile(r"[^\s/]+")
_FEATURE = re.compile(r"[a-z][a-z0-9_]*")
_PHASE = re.compile(r"[A-Z]\d{1,5}[MA]")
_NOTATIONS = ("daide",)  # the notations with codes of their own
_NOTATION_CODE = re.compile(r"[^\W_]+")
_SHAPES = ("like", "file", "svg")
_PLACE_KEYS = ("unit", "dislodged", "name", "center")
_FARTHEST = 100_000  # in the units of a picture


def read_map(root: Node, changes: Changes | None = None) -> Map:
    """The map that a whole document describes (see `dipsat.board.map_files.extended`). `changes` is
    what it changes in the map that it extends.

    Raises `ProblemsError`, or `DocumentError` for a missing section or a lone wrong key or value.
    """
    return _MapReader(root, Faults(changes)).read()


class _MapReader:
    """Reads the sections of a map, and records what is wrong with them in `faults`."""

    def __init__(self, root: Node, faults: Faults) -> None:
        self.faults = faults
        self.changes = faults.changes
        self.top = root
        self.root = root.mapping(_TOP_KEYS, "a map")

    def read(self) -> Map:
        """The map. Facts are compared with each other only if all provinces can be read."""
        for key in ("name", "provinces", "powers"):
            if key in self.root:
                continue
            if key in self.changes.removed:
                problem = f"{key} are removed here, but a map needs them; name what differs"
                raise MapError(*self.changes.places[key], problem)
            self.top.fail(f"the map has no {key!r}")
        self.nodes = self._entries("provinces")
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
        """The fields of the map. What is wrong with them is recorded."""
        provinces, faults = self.provinces, self.faults
        faults.check_names(
            {code: (self.nodes[code], (p.name, *p.aliases)) for code, p in provinces.items()}
        )
        found: dict[str, Any] = {"provinces": provinces, "path": self.top.path}
        with faults.gather():
            found["army"], found["fleet"] = self._borders()
        texts = ("name", "title", "first_phase", "build")
        readers: dict[str, Callable[[], object]] = {
            "powers": self._powers,
            "coast_names": self._coasts,
            **{key: partial(self._text, key) for key in texts},
            "victory": self._victory,
            "sources": partial(self._texts, "sources"),
            "notes": partial(self._texts, "notes"),
            "impassable": self._impassable,
            "border_features": self._border_features,
            "power_features": self._power_features,
            "lines": self._lines,
            "picture": self._picture,
        }
        for key, read in readers.items():
            with faults.gather():
                found[key] = read()
        self._check_texts(found)
        things = {
            "provinces": provinces,
            "powers": found.get("powers", {}),
            "coasts": found.get("coast_names", {}),
        }
        if things["powers"]:
            with faults.gather():
                found["notations"] = self._notations(things)
        return found

    def _entries(self, key: str, known: tuple[str, ...] | None = None) -> Mapping[str, Node]:
        """The entries of a section; empty if it is missing."""
        return self.root[key].mapping(known, key) if key in self.root else {}

    def _text(self, key: str) -> str:
        node = self.root.get(key, self.root["name"] if key == "title" else None)
        return {"first_phase": "S1901M", "build": "home"}[key] if node is None else node.text(key)

    def _texts(self, key: str) -> tuple[str, ...]:
        return self.root[key].texts(key) if key in self.root else ()

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
            problem = f"victory takes 1 to {there} centres, the number on the map; not {needed}"
            self.faults.add(node, problem)
        return needed

    def _impassable(self) -> dict[str, str]:
        entries = self._entries("impassable")
        for code in entries:
            if code in self.provinces:
                problem = f"{code} is a province, so it cannot be impassable"
                if "extends" in self.root:
                    problem += f"; to open land of the other map, write `impassable: {{{code}: ~}}`"
                self.faults.add_at_key(self.root["impassable"], code, problem, code)
        return {code: item.text("the name of a land") for code, item in entries.items()}

    def _border_features(self) -> dict[str, frozenset[frozenset[str]]]:
        found = {}
        for name, listed in self._features("border_features"):
            borders = self._pairs(listed, self.provinces)
            found[name] = frozenset(frozenset(pair) for pair, _ in borders)
        return found

    def _power_features(self) -> dict[str, frozenset[str]]:
        found = {}
        for name, listed in self._features("power_features"):
            powers = self._entries("powers")
            for power in listed.sequence(name):
                if power.text("a power") not in powers:
                    problem = f"{power.raw!r} is not a power of the map"
                    self.faults.add(power, problem, power.raw)
            found[name] = frozenset(listed.texts())
        return found

    def _features(self, key: str) -> Iterator[tuple[str, Node]]:
        for name, listed in self._entries(key).items():
            if not _FEATURE.fullmatch(name):
                self.faults.add_at_key(self.root[key], name, _bad_feature(name))
            yield name, listed

    def _lines(self) -> dict[str, MapLine]:
        found = {}
        for name, entry in self._entries("lines").items():
            fields = entry.mapping(("power", "provinces"), "a line")
            if "provinces" not in fields:
                entry.fail(f"the line {name} has no 'provinces'")
            places = fields["provinces"]
            for place in places.sequence("provinces"):
                self._check_known(place, place.text("a province"), self.provinces, "a province")
            if len(set(places.texts())) < len(places.texts()) or len(places.texts()) < 2:
                self.faults.add(places, "a line leads through at least two provinces, each once")
            power = fields["power"].text("power") if "power" in fields else ""
            if power:
                self._check_known(fields["power"], power, self._entries("powers"), "a power")
            found[name] = MapLine(name, power, places.texts())
        return found

    def _check_known(self, node: Node, name: str, known: Collection[str], what: str) -> bool:
        """Whether a name is `known`. One that is not is recorded as a fault."""
        if name not in known:
            self.faults.add(node, f"{name!r} is not {what}{self.faults.hint(name, known)}", name)
        return name in known

    # Provinces and coasts.

    def _province(self, code: str, node: Node) -> Province:
        fields = node.mapping(_PROVINCE_KEYS, f"province {code}")
        for key in ("name", "type"):
            if key not in fields:
                node.fail(f"province {code} has no {key!r}{self._meant(code)}")
        if not _CODE.fullmatch(code):
            node.fail(f"the code {code!r} of a province has a space or a / in it")
        kind = fields["type"].text("type")
        if kind not in _KINDS:
            meant = hint(kind, _KINDS, quoted=False)
            fields["type"].fail(f"a province is land, coast or sea, not {kind!r}{meant}")
        fleet = fields.get("fleet")
        coasts = tuple(fleet.value) if fleet is not None and isinstance(fleet.value, dict) else ()
        return Province(
            code=code,
            name=fields["name"].text("name"),
            kind=kind,
            coasts=coasts,
            supply="supply" in fields and fields["supply"].flag("supply"),
            aliases=fields["aliases"].texts("aliases") if "aliases" in fields else (),
            default_coast=self._default_coast(code, coasts, fields.get("default_coast")),
            features=self._features_of(fields.get("features")),
        )

    def _meant(self, code: str) -> str:
        """The end of a message about a province not on the extended map: which one may be meant."""
        if not self.changes.is_new("provinces", code):
            return ""
        meant = self.changes.meant("provinces", code)
        return f", and is not a province of the map that this one extends; {meant}".rstrip("; ")

    def _features_of(self, node: Node | None) -> frozenset[str]:
        for item in () if node is None else node.sequence("features"):
            if not _FEATURE.fullmatch(item.text("a feature")):
                self.faults.add(item, _bad_feature(item.raw))
        return frozenset(() if node is None else node.texts("features"))

    def _default_coast(self, code: str, coasts: Collection[str], node: Node | None) -> str:
        coast = node.text("default_coast") if node is not None else ""
        if node is not None and coast not in coasts:
            known = ", ".join(coasts) or "none"
            self.faults.add(node, f"default_coast is a coast of {code} ({known}); not {coast!r}")
        return coast

    def _coasts(self) -> dict[str, tuple[str, ...]]:
        entries = self._entries("coasts")
        coasts = {coast: node.texts("coast names") for coast, node in entries.items()}
        self.faults.check_names({coast: (entries[coast], names) for coast, names in coasts.items()})
        for coast in coasts:
            if not _CODE.fullmatch(coast):
                problem = f"the code {coast!r} of a coast has a space or a / in it"
                self.faults.add_at_key(self.root["coasts"], coast, problem)
        for code, province in self.provinces.items():
            for coast in province.coasts:
                if coast not in coasts:
                    problem = f"the coast {coast} of {code} is not under `coasts`"
                    self.faults.add(self.nodes[code], problem, coast)
        return coasts

    # Borders, and whether they agree with each other.

    @cached_property
    def _places(self) -> Mapping[str, Collection[str]]:
        """The places that borders of armies (provinces) and of fleets (locations) can lead to."""
        fleets = [p.locations for p in self.provinces.values() if p.kind != "land"]
        return {
            "army": set(self.provinces),
            "fleet": {location for locations in fleets for location in locations},
        }

    def _borders(self) -> tuple[Borders, Borders]:
        """The borders of armies (province -> provinces) and of fleets (location -> locations)."""
        army: Borders = {}
        fleet: Borders = {}
        before = len(self.faults.found)
        for code, node in self.nodes.items():
            fields = node.mapping()
            with self.faults.gather():
                if "army" in fields:
                    army[code] = self._neighbours(fields["army"], "army")
                if "fleet" in fields:
                    listed = {code: fields["fleet"]}
                    if self.provinces[code].coasts:
                        of_coasts = fields["fleet"].mapping().items()
                        listed = {f"{code}/{coast}": one for coast, one in of_coasts}
                    fleet |= {at: self._neighbours(one, "fleet") for at, one in listed.items()}
        if any(not isinstance(fault, MapError) for fault in self.faults.found[before:]):
            return army, fleet  # borders that could not be read would seem one-sided
        directed = {
            kind: dict(self._pairs(node, self._places[kind]))
            for kind, node in self._entries("one_way", BORDERS).items()
        }
        for kind, borders in zip(BORDERS, (army, fleet), strict=True):
            self._check_symmetric(kind, borders, directed.get(kind, {}))
        self._check_terrain(army, fleet)
        return army, fleet

    def _neighbours(self, node: Node, kind: str) -> frozenset[str]:
        items = node.sequence("borders")
        if not items:
            self.faults.add(node, "a list of borders is empty; leave it out or fill it")
        known = self._places[kind]
        for item in items:
            code = item.text("a border")
            if code not in known:
                there = province_of(code) in self.provinces
                why = f"not a place for {'an army' if kind == 'army' else 'a fleet'}"
                problem = f"border to {code!r}, which is {why if there else 'not a province'}"
                hint = self.faults.hint(code, known)
                self.faults.add(item, f"{problem}{hint}", province_of(code))
        return frozenset(item.raw for item in items if item.raw in known)

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
        """The node of the first of the places' provinces that the file itself states, not one that
        it extends: that is where the fault can be fixed."""
        nodes = [self.nodes[province_of(place)] for place in places]
        return next((node for node in nodes if node.path == self.top.path), nodes[0])

    def _check_terrain(self, army: Borders, fleet: Borders) -> None:
        for code, province in self.provinces.items():
            node = self.nodes[code]
            if province.kind == "sea" and code in army:
                self.faults.add(node, f"{code} is a sea but has army borders")
            if province.kind == "land" and code in fleet:
                self.faults.add(node, f"{code} is inland but has fleet borders")
            if not any(p in army or p in fleet for p in (code, *province.locations)):
                self.faults.add(node, f"{code} has no borders at all")

    def _pairs(self, node: Node, known: Collection[str]) -> list[tuple[tuple[str, str], Node]]:
        """The pairs of different places in a list `[[AAA, BBB], ...]`, with their nodes."""
        found = []
        for item in node.sequence("a list of pairs"):
            places = item.texts("a pair of places")
            wrong = [place for place in places if place not in known]
            for place in wrong:
                problem = f"{place!r} is not a place of this kind{self.faults.hint(place, known)}"
                self.faults.add(item, problem, province_of(place))
            if len(set(places)) != 2 or len(places) != 2:
                self.faults.add(item, f"a border is a pair of two places, not {list(places)}")
            elif not wrong:
                found.append(((places[0], places[1]), item))
        return found

    # Powers: homes, centres, starting units.

    def _powers(self) -> dict[str, PowerSetup]:
        entries = self._entries("powers")
        POWERS.check(len(entries), self.root["powers"].place)
        powers = {}
        for name, node in entries.items():
            powers[name] = PowerSetup(name, (), (), (), ())  # even with a fault, others may name it
            with self.faults.gather():
                powers[name] = self._power(name, node)
        self.faults.check_names({name: (entries[name], p.aliases) for name, p in powers.items()})
        check_owners(powers, entries, self.faults)
        check_starts(powers, entries, self.faults)
        return powers

    def _power(self, name: str, node: Node) -> PowerSetup:
        fields = node.mapping(_POWER_KEYS, f"power {name}")
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
        if power.rebuilt and not power.neutral:
            problem = f"only the units of neutral powers are rebuilt, and {name} is played"
            self.faults.add(fields["rebuilt"], problem)
        for unit in start if power.rebuilt else ():
            place = province_of(unit.partition(" ")[2])
            if place not in power.centers:
                problem = f"{unit!r} cannot be rebuilt: {name} does not own {place} at the start"
                self.faults.add(fields["start"], problem, place)
        return power

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
        named = province_of(location)
        province = self.provinces.get(named)
        if province is None and location.strip() and kind in STANDARD_KINDS:
            meant = self.faults.hint(named, self.provinces)
            problem = f"starting unit {unit!r}: the map has no province {named!r}{meant}"
            self.faults.add(node, problem, named)
        elif province is None or kind not in STANDARD_KINDS:
            self.faults.add(node, f"starting unit {unit!r} should be like 'A PAR' or 'F STP/SC'")
        elif kind == UnitKind.ARMY and (province.kind == "sea" or "/" in location):
            self.faults.add(node, f"starting unit {unit!r}: no place for an army", named)
        elif kind == UnitKind.FLEET and (
            province.kind == "land" or location not in province.locations
        ):
            self.faults.add(node, f"starting unit {unit!r}: no place for a fleet", named)

    # Codes of notations, and the picture.

    def _notations(self, things: Mapping[str, Collection[str]]) -> dict[str, Codes]:
        """The codes by notation; `things` are the map's provinces, powers and coasts."""
        found = {}
        for name, node in self._entries("notations", _NOTATIONS).items():
            fields = node.mapping(tuple(things), f"notation {name}")
            codes = {
                what: self._codes(name, what, fields.get(what), known)
                for what, known in things.items()
            }
            found[name] = Codes(**codes)
        return found

    def _codes(
        self, notation: str, what: str, node: Node | None, things: Collection[str]
    ) -> dict[str, str]:
        """Each thing's code: the one given, or its own. Two things cannot share a code."""
        codes = {thing: thing for thing in things}
        if node is None:
            return codes
        given = node.mapping(None, f"{what} of notation {notation}")
        for thing, item in given.items():
            code = item.text(f"the {notation} code of {thing}")
            if not _NOTATION_CODE.fullmatch(code):
                problem = f"the {notation} code {code!r} of {thing} is not all letters and digits"
                self.faults.add(item, problem)
            if thing in codes:
                codes[thing] = code
            elif thing not in self.changes.removed:  # the code of a removed thing goes with it
                meant = self.faults.hint(thing, things)
                problem = f"{thing!r} is not under `{what}` of this map{meant}"
                self.faults.add_at_key(node, thing, problem)
        owner: dict[str, str] = {}
        for thing, code in codes.items():
            first = owner.setdefault(code.casefold(), thing)
            if first != thing:
                problem = f"the {notation} code {code!r} stands for {first} and {thing}"
                self.faults.add(given.get(thing) or given.get(first) or node, problem)
        return codes

    def _picture(self) -> OwnPicture:
        """What the key `picture` says. The files that it names are not read."""
        node = self.root.get("picture")
        if node is None:
            return OwnPicture()
        top = node.mapping((*_SHAPES, "places"), "picture")
        stated = [key for key in _SHAPES if key in top]
        if len(stated) > 1:
            problem = f"a picture has its shapes from {' or '.join(stated)}, not from both; "
            problem += f"`{stated[0]}: ~` removes what another map says"
            self.faults.add(top[stated[-1]], problem)
        lowest = -_FARTHEST if "svg" in top else 0
        places: dict[str, Mapping[str, tuple[float, float]]] = {}
        if "places" in top:
            listed = self.provinces.values()
            known = {place for one in listed for place in (one.code, *one.locations)}
            for location, entry in top["places"].mapping(None, "places").items():
                if location not in known:
                    problem = f"{location} is neither a province nor a coast of the map"
                    self.faults.add_at_key(top["places"], location, problem)
                    continue
                points = entry.mapping(_PLACE_KEYS, "a place")
                places[location] = {key: self._point(one, lowest) for key, one in points.items()}
        shown = top[stated[0]] if stated else node
        return OwnPicture(
            top["like"].text("like") if "like" in top else "",
            places,
            _path(top.get("file"), "file"),
            _path(top.get("svg"), "svg"),
            allowed_files(),
            (shown.path, shown.line, shown.column),
        )

    def _point(self, node: Node, lowest: float) -> tuple[float, float]:
        numbers = [one.value for one in node.sequence("a point")]
        match numbers:
            case [int() | float() as x, int() | float() as y] if all(
                not isinstance(one, bool) and lowest <= one <= _FARTHEST for one in (x, y)
            ):
                return float(x), float(y)
        problem = f"a point is [x, y], two numbers from {lowest:,} to {_FARTHEST:,}"
        self.faults.add(node, problem)
        return 0.0, 0.0


def check_owners(
    powers: Mapping[str, PowerSetup], entries: Mapping[str, Node], faults: Faults
) -> None:
    """Record each centre that is the home of two powers, or owned by two at the start."""
    homes: dict[str, str] = {}
    owners: dict[str, str] = {}
    for name, power in powers.items():
        for home in power.home:
            if homes.setdefault(home, name) != name:
                problem = f"{home} is a home of {homes[home]} and {name}"
                faults.add(entries[name], problem, name, homes[home])
        for code in power.centers:
            is_reported = code in power.home and homes[code] != name
            if owners.setdefault(code, name) != name and not is_reported:
                problem = f"{code} is owned by {owners[code]} and by {name} at the start"
                faults.add(entries[name], problem, name, owners[code])


def check_starts(
    powers: Mapping[str, PowerSetup], entries: Mapping[str, Node], faults: Faults
) -> None:
    """Record each unit that starts where another does."""
    standing: dict[str, str] = {}
    changes = faults.changes
    for name, power in powers.items():
        for unit, count in Counter(power.start).items():
            province = province_of(unit.partition(" ")[2])
            other = standing.setdefault(province, f"{name} {unit}")
            if other != f"{name} {unit}" or count > 1:
                meant = changes.meant("powers", name) if changes.is_new("powers", name) else ""
                meant = f"; {meant}" if meant else ""
                problem = f"{unit!r} starts where {other} starts too{meant}"
                faults.add(entries[name], problem, name, other.partition(" ")[0])


def _bad_feature(name: str) -> str:
    return f"the name of a feature has lower-case letters, digits and _, such as ice, not {name!r}"


def _path(node: Node | None, key: str) -> str:
    """The path of a file, which is stated relative to the map file; "" for none."""
    if node is None:
        return ""
    name = node.text(key)
    if not name.strip():
        node.fail(f"{key} should be the path of a file")
    return str(Path(node.path).parent / name)


# --- faults ---------------------------------------------------------------------------------------


Place: TypeAlias = tuple[str, int, int]
"""A path, a line and a column."""

_NAMED = ("provinces", "powers", "coasts")
"""The sections whose keys are the names that others in the map refer to."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The names that a chain of files changes in the map that they extend, and that map."""

    places: Mapping[str, Place] = field(default_factory=dict)
    """Name of a section, province, power or coast -> where it is changed."""
    removed: frozenset[str] = frozenset()
    """The names among these that are removed."""
    base: Node | None = None
    """The map that is extended, None if there is none."""
    hidden: Collection[str] = ()
    """The paths of files that errors must not mention, because the caller may not read them."""
    faults: tuple[MapError, ...] = ()
    """Faults in the changes: they remove keys that are not there."""

    def of(self, path: str, names: Sequence[str]) -> str | None:
        """The first of these names that a file other than the one at `path` changes."""
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
        """A hint at the entry of the extended map that a new name may mean; "" if there is none."""
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


_SHOWN, _LINES = 3, 12  # problems shown that follow from one change, and lines of each


class Faults:
    """The problems found so far. A map that extends another has nodes from several files; `changes`
    says what it changes in the other map."""

    def __init__(self, changes: Changes | None = None) -> None:
        self.changes = changes or Changes()
        self.found: list[DipsatError] = [*self.changes.faults]
        self._follows: dict[str, list[MapError]] = {}

    def add(self, node: Node, problem: str, *about: str) -> None:
        """Record a problem at a value. It is about these names, the likelier cause first. A problem
        in the other map that follows from a change to one of them is reported there."""
        self._note(MapError(node.path, node.line, node.column, problem), about)

    def add_at_key(self, node: Node, key: str, problem: str, *about: str) -> None:
        """Record a problem at a key of the mapping `node`."""
        self._note(MapError(*node.place_of(key), problem), about)

    def _note(self, fault: MapError, about: Sequence[str]) -> None:
        changed = self.changes.of(fault.path, about)
        if changed is None:
            self.found.append(fault)
        else:
            self._follows.setdefault(changed, []).append(fault)

    def _consequences(self) -> Iterator[MapError]:
        """One problem for each changed name that causes problems in the other map."""
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
        made the name unknown, or if the error is too long to list this problem."""
        if len(self.found) >= LISTED_FAULTS or province_of(name) in self.changes.places:
            return ""
        return hint(name, known, quoted=False)

    @contextmanager
    def gather(self) -> Iterator[None]:
        """Record an error about a value of the wrong kind or an unknown key, and go on."""
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
        """Record each name that stands for two things or has no word in it."""
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
    """The first few of many lines."""
    return ", ".join(lines[:_LINES]) + ("..." if len(lines) > _LINES else "")


def _place(error: DipsatError) -> tuple[str, int, int]:
    assert isinstance(error, DocumentError)
    return error.path, error.line, error.column
