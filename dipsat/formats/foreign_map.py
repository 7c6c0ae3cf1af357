"""A map as another program states it, and the map file made from it.

A source names places by its own keys, for example the full names of provinces and coasts. Anything
that a map file cannot say, or that contradicts itself in the source, is left out, and the notes of
the map file say so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, count
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from dipsat.base import ANYWHERE, MAX_BYTES, POWERS, PROVINCES, read_named
from dipsat.board import UnitKind, load_map, province_of, words_of
from dipsat.errors import FileError, shortened

Borders: TypeAlias = Mapping[str, Collection[str]]
"""Key of a place -> the keys of the places that a unit there can go to."""


@dataclass(frozen=True, slots=True)
class ForeignProvince:
    """A province. Its `kind` is "land", "coast", "sea", or "" if no unit can enter it; `code` is ""
    if the source has none. `coasts` are those that fleets distinguish: key -> name, such as "EC" or
    "East Coast"."""

    name: str
    kind: str
    supply: bool = False
    code: str = ""
    aliases: tuple[str, ...] = ()
    coasts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ForeignPower:
    """A power. `start` has the letter and the place of each unit. If `centers` is None, the power
    owns its `home`. `rebuilt` is for a neutral power whose units are rebuilt."""

    name: str
    aliases: Sequence[str] = ()
    home: Sequence[str] = ()
    centers: Sequence[str] | None = None
    start: Sequence[tuple[str, str]] = ()
    neutral: bool = False
    rebuilt: bool = False


@dataclass(frozen=True, slots=True)
class ForeignMap:
    """What a source states. Borders hold only in the direction in which they are listed. `notes`
    say what is left out."""

    name: str
    title: str
    source: str
    provinces: Mapping[str, ForeignProvince]
    powers: tuple[ForeignPower, ...]
    army: Borders
    fleet: Borders
    victory: int | None = None
    first_phase: str = ""
    build: str = "home"
    notes: tuple[str, ...] = ()


def map_text(found: ForeignMap, path: str) -> str:
    """The text of the map file; `path` names the source in errors. Raises `FileError` for a source
    without provinces or powers, and `InputLimitError` for more of them than a map can have."""
    places = len(found.provinces) + sum(len(one.coasts) for one in found.provinces.values())
    PROVINCES.check(places, path)
    POWERS.check(len(found.powers), path)
    document = _MapFile(found, path).document()
    missing = next((key for key in ("provinces", "powers") if key not in document), "")
    if missing:
        raise FileError(
            path, f"states no {missing}" + (" with borders" if missing == "provinces" else "")
        )
    about = {key: document.pop(key) for key in ("name", "title", "sources", "notes")}
    return _yaml({key: value for key, value in about.items() if value}, False) + _yaml(document)


def _yaml(document: Mapping[str, Any], flow: bool | None = None) -> str:
    return yaml.safe_dump(
        document, sort_keys=False, default_flow_style=flow, allow_unicode=True, width=96
    )


def file_name(title: str) -> str:
    """The name of a map and of its file: lower-case letters, digits and underscores."""
    return "_".join(re.findall(r"[a-z0-9]+", _ascii(title).lower()))[:_LONGEST] or "map"


def power_name(title: str) -> str:
    """The name of a power as maps write it: `NEW_YORK`."""
    return "_".join(words_of(title)).upper()[:_LONGEST] or "POWER"


def text_of(path: Path) -> str:
    """The approximate text of a file, to see what it is; "" for a folder or an unreadable file."""
    try:
        return (
            "" if path.is_dir() else read_named(ANYWHERE, path, MAX_BYTES).decode(errors="ignore")
        )
    except FileError:
        return ""


def some(names: Iterable[str]) -> str:
    """The first few names, as notes list them."""
    known = list(dict.fromkeys(names))
    more = len(known) - _SHOWN
    return ", ".join(map(shortened, known[:_SHOWN])) + (f" and {more} more" if more > 0 else "")


_LONGEST, _SHOWN = 60, 24
_COMPASS = {"NC": "north coast", "EC": "east coast", "SC": "south coast", "WC": "west coast"}


class _MapFile:
    """Makes the document. Each step notes what it leaves out."""

    def __init__(self, found: ForeignMap, path: str) -> None:
        self.found = found
        self.path = path
        self.notes = [*found.notes]
        self.owner = {key: key for key in found.provinces}  # place -> province
        for key, province in found.provinces.items():
            self.owner |= dict.fromkeys(province.coasts, key)
        self.army = self._borders("army", found.army, self._army_place)
        self.fleet = self._borders("fleet", found.fleet, self._fleet_place)
        self.provinces = self._entered()
        self.closed = {key: one for key, one in found.provinces.items() if not one.kind}
        self.names = {
            key: _line(one.name) or _line(key)
            for key, one in (*self.provinces.items(), *self.closed.items())
        }
        self.codes = self._distinct_codes()
        entered = self.provinces.values()
        self.coasts = _coast_codes(name for one in entered for name in one.coasts.values())

    def document(self) -> dict[str, Any]:
        """The document, in the order of the shipped maps."""
        found = self.found
        powers = self._powers()
        optional = {
            "victory": self._victory(),
            "first_phase": self._first_phase(powers),
            "build": found.build,
            "coasts": {code: _coast_names(code, name) for name, code in self.coasts.items()},
            "powers": powers,
            "provinces": self._provinces(),
            "impassable": self._impassable(),
            "one_way": self._one_way(),
            "picture": {"like": "standard"} if self._is_like_standard() else {},
        }
        return {
            "name": found.name,
            "title": _line(found.title) or found.name,
            "sources": [_line(found.source)],
            "notes": [_line(note) for note in self.notes],
            **{key: value for key, value in optional.items() if value},
        }

    def _note(self, lost: Collection[str], said: str) -> None:
        """Add a note on what is lost, if anything is."""
        if lost:
            self.notes.append(f"{said}: {some(lost)}.")

    # Where units go.

    def _borders(
        self, kind: str, borders: Borders, place: Callable[[str], str]
    ) -> dict[str, set[str]]:
        """The borders between the places that such a unit can be in."""
        made: dict[str, set[str]] = {}
        passed = set()
        for key, near in borders.items():
            for one in near:
                here, there = place(key), place(one)
                if here and there and self.owner[here] != self.owner[there]:
                    made.setdefault(here, set()).add(there)
                    passed.add((self.owner[here], self.owner[there]))
        lost = [
            f"{here} - {there}"
            for here, there in _pairs(borders)
            if here != there and (self.owner.get(here), self.owner.get(there)) not in passed
        ]
        self._note(lost, f"Left out: borders that no {kind} can cross here")
        return made

    def _army_place(self, key: str) -> str:
        """The province of a place, if an army can be there, else ""."""
        code = self.owner.get(key, "")
        return code if code and self.found.provinces[code].kind in ("land", "coast") else ""

    def _fleet_place(self, key: str) -> str:
        """The place, if a fleet can be there, else "". Where there are coasts, it is on one."""
        code = self.owner.get(key, "")
        if not code or not self.found.provinces[code].kind:
            return ""
        return "" if key == code and self.found.provinces[code].coasts else key

    def _one_way(self) -> dict[str, list[list[str]]]:
        """The borders that can be crossed in one direction only."""
        made = {}
        for kind, borders in (("army", self.army), ("fleet", self.fleet)):
            pairs = [
                [self._place(here), self._place(there)]
                for here, there in _pairs(borders)
                if here not in borders.get(there, ())
            ]
            if pairs:
                made[kind] = sorted(pairs)
                shown = [f"{here} - {there}" for here, there in made[kind]]
                self._note(shown, f"The source lists these {kind} borders on one side only")
        return made

    # Provinces.

    def _entered(self) -> dict[str, ForeignProvince]:
        """The provinces that units can be in, as a map states them."""
        made: dict[str, ForeignProvince] = {}
        wet, dry, lost = [], [], []
        for_fleets = {*self.fleet, *chain(*self.fleet.values())}
        bordering = {self.owner[place] for place in (*self.army, *chain(*self.army.values()))}
        bordering.update(self.owner[place] for place in for_fleets)
        for key, province in self.found.provinces.items():
            coasts = {one: name for one, name in province.coasts.items() if one in for_fleets}
            lost += [one for one in province.coasts if one not in coasts]
            kind, is_wet = province.kind, bool(coasts) or key in for_fleets
            if kind and key not in bordering:
                lost.append(province.name)
            elif kind:
                wet += [province.name] if kind == "land" and is_wet else []
                dry += [province.name] if kind == "coast" and not is_wet else []
                kind = "sea" if kind == "sea" else "coast" if is_wet else "land"
                made[key] = replace(province, kind=kind, coasts=coasts)
        self._note(wet, "Coasts here, since fleets go there; the source calls them land")
        self._note(dry, "Land here, since no fleet goes there; the source calls them coasts")
        self._note(lost, "Left out: places without borders")
        return made

    def _distinct_codes(self) -> dict[str, str]:
        """Key -> code of every province."""
        given = {key: self.found.provinces[key].code for key in self.names}
        codes = made_codes(self.names, given)
        changed = [
            f"{codes[key]} ({code})"
            for key, code in given.items()
            if code and codes[key] != code.upper()
        ]
        self._note(changed, "Codes changed, since they stand for other provinces")
        return codes

    def _provinces(self) -> dict[str, dict[str, Any]]:
        """The section `provinces`."""
        taken = {words_of(name): key for key, name in self.names.items()}
        taken |= {words_of(code): key for key, code in self.codes.items()}
        made, lost = {}, []
        for key, province in self.provinces.items():
            aliases = []
            for alias in map(_line, province.aliases):
                words = words_of(alias)
                if not words or taken.get(words, key) != key:
                    lost.append(f"{alias} ({self.codes[key]})")
                elif words not in taken:
                    taken[words] = key
                    aliases.append(alias)
            made[self.codes[key]] = self._stated(key, province, aliases)
        self._note(lost, "Left out: names that other provinces have, too")
        return made

    def _stated(self, key: str, province: ForeignProvince, aliases: list[str]) -> dict[str, Any]:
        """The entry of a province."""
        fleets = {
            coast: sorted(map(self._place, self.fleet.get(coast, ())))
            for coast in (province.coasts or (key,))
        }
        entry = {
            "name": self.names[key],
            "aliases": aliases,
            "type": province.kind,
            "supply": province.supply,
            "army": sorted(self.codes[near] for near in self.army.get(key, ())),
            "fleet": fleets[key]
            if key in fleets
            else {
                self.coasts[_folded(province.coasts[coast])]: near for coast, near in fleets.items()
            },
        }
        return {field: value for field, value in entry.items() if value}

    def _place(self, key: str) -> str:
        """The location of a place, such as `BUL/EC`."""
        code = self.codes[self.owner[key]]
        coast = self.found.provinces[self.owner[key]].coasts.get(key)
        return code if coast is None else f"{code}/{self.coasts[_folded(coast)]}"

    def _impassable(self) -> dict[str, str]:
        return {self.codes[key]: self.names[key] for key in self.closed}

    def _is_like_standard(self) -> bool:
        """Whether all provinces are on the standard map, by their names and their codes."""
        known = load_map("standard").names.provinces
        return all(
            known.get(words_of(self.names[key])) == self.codes[key] for key in self.provinces
        )

    # Powers.

    def _powers(self) -> dict[str, dict[str, Any]]:
        """The section `powers`."""
        lost: list[str] = []
        homes: dict[str, str] = {}
        owners: dict[str, str] = {}
        standing: dict[str, str] = {}
        made: dict[str, dict[str, Any]] = {}
        for power in self.found.powers:
            name = power_name(power.name)
            if name in made:
                raise FileError(self.path, f"has two powers with the name {name}")
            owned = power.home if power.centers is None else power.centers
            home = list(self._claimed(name, "home", power.home, homes, lost))
            centers = list(self._claimed(name, "centre", owned, owners, lost))
            start = list(self._units(name, power, standing, lost))
            entry = {
                "aliases": [
                    alias
                    for alias in dict.fromkeys(map(_line, power.aliases))
                    if words_of(alias) not in ((), words_of(name))
                ],
                "home": home,
                "start": start,
                "neutral": power.neutral,
                "rebuilt": power.rebuilt and {province_of(one[2:]) for one in start} <= {*centers},
            }
            own = {"centers": centers} if set(centers) != set(home) else {}
            made[name] = {key: value for key, value in entry.items() if value} | own
        self._note(lost, "Left out")
        return made

    def _claimed(
        self, power: str, what: str, keys: Iterable[str], taken: dict[str, str], lost: list[str]
    ) -> Iterator[str]:
        """The codes of those centres that no other power has claimed."""
        for key in dict.fromkeys(keys):
            province = self.provinces.get(key)
            if province is None or not province.supply:
                lost.append(f"the {what} {key} of {power}, which is not a supply centre")
            elif taken.setdefault(key, power) != power:
                lost.append(f"the {what} {key} of {power}, since {taken[key]} has it")
            else:
                yield self.codes[key]

    def _units(
        self, power: str, setup: ForeignPower, taken: dict[str, str], lost: list[str]
    ) -> Iterator[str]:
        """The units with which a power starts."""
        for letter, key in setup.start:
            shown = f"the unit {letter} {key} of {power}"
            owner = self.owner.get(key, "")
            places = self._standing_places(letter, owner)
            if key == owner and len(places) > 1:
                self.notes.append(f"The source does not say on which coast {shown[4:]} starts.")
            place = places[0] if key == owner and places else key
            if place not in places:
                lost.append(f"{shown}, which cannot be there")
            elif owner in taken:
                lost.append(f"{shown}, since {taken[owner]} is there")
            else:
                taken[owner] = shown
                yield f"{letter} {self._place(place)}"

    def _standing_places(self, letter: str, key: str) -> Sequence[str]:
        """Where a unit can be in a province."""
        province = self.provinces.get(key)
        if province is None or province.kind == ("sea" if letter == UnitKind.ARMY else "land"):
            return ()
        return (*province.coasts,) if letter == UnitKind.FLEET and province.coasts else (key,)

    def _victory(self) -> int | None:
        wins, there = self.found.victory, sum(one.supply for one in self.provinces.values())
        if wins is None or 1 <= wins <= there:
            return wins
        self.notes.append(f"{wins} centres are needed to win in the source, but there are {there}.")
        return None

    def _first_phase(self, powers: Mapping[str, Mapping[str, Any]]) -> str:
        """The phase in which games begin: with builds, if players have no units."""
        phase = self.found.first_phase or "S1901M"
        has_units = any("start" in one for one in powers.values() if "neutral" not in one)
        if phase.endswith("M") and not has_units:
            self.notes.append("Players have no units in the source, so games begin with builds.")
            phase = f"W{int(phase[1:-1]) - 1}A"
        return phase


# --- names ----------------------------------------------------------------------------------------


def made_codes(names: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Key -> a code for each of these names. No code is the name or code of another key, so a code
    that is `given` may be replaced. Provinces of the standard map keep their codes; other codes are
    three letters of the name."""
    owner = {words_of(name): key for key, name in names.items()}
    made: dict[str, str] = {}

    def take(key: str, code: str) -> bool:
        words = words_of(code)
        if key in made or not _CODE.fullmatch(code) or owner.get(words, key) != key:
            return False
        owner[words] = key
        made[key] = code
        return True

    standard = load_map("standard").names.provinces
    for key, code in given.items():
        take(key, code.upper())
    for key, name in names.items():
        take(key, standard.get(words_of(name), ""))
    numbers = count(10)
    for key, name in names.items():
        others = (f"{_letters(name)[0][0]}{at}" for at in numbers)
        if key not in made:
            next(code for code in chain(_codes_of(name), others) if take(key, code))
    return {key: made[key] for key in names}


_CODE = re.compile(r"(?!(?:MOVES?|TO|VIA)$)[A-Z0-9]{2,12}")


def _codes_of(name: str) -> Iterator[str]:
    """Possible codes for a name, the likeliest first."""
    words = _letters(name)
    flat = "".join(words)[:12]
    if len(words) > 2:
        yield "".join(word[0] for word in words)[:3]
    yield flat[:3]
    if len(words) == 2:
        yield words[0][:1] + words[1][:2]
        yield words[0][:2] + words[1][:1]
    yield from (flat[0] + one + other for one, other in combinations(flat[1:], 2))


def _coast_codes(names: Iterable[str]) -> dict[str, str]:
    """Folded name of a coast -> its code: `EC` for `East Coast`."""
    made: dict[str, str] = {}
    others = (f"C{at}" for at in count(1))
    for name in dict.fromkeys(map(_folded, names)):
        words = re.findall(r"[a-z0-9]+", _ascii(name))
        code = "".join(word[0] for word in words[:4]) if len(words) > 1 else "".join(words)[:3]
        if made.setdefault(code.upper() or next(others), name) != name:
            made[next(others)] = name
    return {name: code for code, name in made.items()}


def _coast_names(code: str, name: str) -> list[str]:
    """The names that people type for a coast."""
    return list(dict.fromkeys((code.lower(), _COMPASS.get(name.upper(), name))))


def _letters(name: str) -> list[str]:
    """The words of a name in letters that codes may have; at least one word."""
    return re.findall(r"[A-Z]+", _ascii(name).upper()) or ["P"]


def _folded(name: str) -> str:
    return " ".join(words_of(name)) or name


def _ascii(text: str) -> str:
    """A text without accents and without letters that ASCII does not have."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def _line(text: str) -> str:
    """A text on one line, without characters that a document cannot have."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def _pairs(borders: Borders) -> Iterator[tuple[str, str]]:
    return ((here, there) for here, near in borders.items() for there in near)
