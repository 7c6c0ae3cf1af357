"""Read the powers of a map file: homes, centres, starting units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from dipsat.board.faults import Faults
from dipsat.board.map import PowerSetup
from dipsat.board.province import Province, province_of
from dipsat.board.unit_kind import STANDARD_KINDS, UnitKind
from dipsat.documents import Node

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
