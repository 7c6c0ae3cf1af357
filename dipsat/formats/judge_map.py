"""The `.map` files of the package `diplomacy` and of DPjudge.

    BEGIN SPRING 1901 MOVEMENT
    FRANCE (FRENCH) BRE MAR PAR
    F BRE
    Brest = bre
    COAST BRE ABUTS ENG GAS MAO PIC par

A file may use others beside it, and a line may change what another one states. After `ABUTS`,
fleets cannot go to a place in lower case, and armies cannot go to one like `Bre`. A province with
coasts is itself in lower case, since no fleet can be there without a coast.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from dipsat.base import (
    ANYWHERE,
    FOREIGN_WORDS,
    MAX_BYTES,
    POWERS,
    PROVINCES,
    Files,
    Tally,
    allowed_files,
    check_time,
    decode,
    grouped,
    read_named,
)
from dipsat.errors import DocumentError, FileError, InputLimitError
from dipsat.formats.foreign_map import (
    ForeignMap,
    ForeignPower,
    ForeignProvince,
    file_name,
    some,
    text_of,
)

_TERRAIN = {"LAND": "land", "COAST": "coast", "PORT": "coast", "WATER": "sea", "SHUT": ""}
_SEASONS = {"SPRING": "S", "FALL": "F", "WINTER": "W"}
_BUILD_RULES = ("BUILD_ANY", "HOME_BUILDS", "REMOTE_BUILDS")
_MOST_FILES = 20  # Imperial uses five
_FILE = re.compile(r"\w[\w.-]*")
_PLACE = re.compile(r"\w+(?:/\w+)?")
_ABUT = re.compile(r"(?:(\w*):)?(\W*)(\w+(?:/\w+)?)((?:\W.*)?)")
_HOME = re.compile(r"([-&+*@~]*)(\w+)(\W.*)?")
_OF_TERRAIN = re.compile(r"^[ \t]*(?:COAST|LAND|WATER|PORT)[ \t]+\S+[ \t]+ABUTS\b", re.MULTILINE)
_OF_POWERS = re.compile(r"^[ \t]*(?:[AF][ \t]+\w{3}\b|UNOWNED\b)", re.MULTILINE)
_USING = re.compile(r"^[ \t]*(?:USES?|MAP)[ \t]+(\w[\w.-]*)", re.MULTILINE | re.IGNORECASE)


def is_judge_map(path: Path) -> bool:
    """Whether a file is such a map. A file with only a part of one is not."""
    text = text_of(path)
    if _OF_TERRAIN.search(text) and _OF_POWERS.search(text):
        return True
    return any((path.parent / _with_ending(name)).is_file() for name in _USING.findall(text))


def read_judge_map(path: Path) -> ForeignMap:
    """The map that a file states.

    Raises `FileError` if a file that it uses cannot be read, `DocumentError` for a line that does
    not belong in such a map, and `InputLimitError`.
    """
    reader = _Reader(path.parent)
    reader.read(path, ANYWHERE)
    return reader.map(path)


def _with_ending(name: str) -> str:
    return name if "." in name else f"{name}.map"


def _province(code: str) -> str:
    return code.partition("/")[0]


@dataclass(frozen=True, slots=True)
class _Abut:
    """An entry after `ABUTS`: a place, who can go there, and the signs that restrict that."""

    place: str
    by_armies: bool
    by_fleets: bool
    restriction: str


@dataclass(slots=True)
class _Place:
    """A line of terrain; `is_open` says whether fleets can be there. `abuts` has the entries by
    province and by place."""

    terrain: str
    is_open: bool
    abuts: dict[str, dict[str, _Abut]] = field(default_factory=dict)


@dataclass(slots=True)
class _Power:
    """A power as it is stated so far. `home` and `owned` are ordered sets of places."""

    names: tuple[str, ...]
    home: dict[str, None] = field(default_factory=dict)
    owned: dict[str, None] | None = None
    units: dict[str, tuple[str, str]] = field(default_factory=dict)  # province -> letter, place
    is_dummy: bool = False


class _Reader:
    """Reads the lines of a file, and of the files that it uses.

    A place keeps its first code as its key, even if it is renamed later.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.words = Tally(FOREIGN_WORDS)
        self.dropped = Tally(replace(PROVINCES, what="provinces that are dropped"))
        self.used: set[str] = set()
        self.keys: dict[str, str] = {}  # the code of a place that was renamed -> its key
        self.names: dict[str, tuple[str, str, tuple[str, ...]]] = {}  # key -> name, code, others
        self.places: dict[str, _Place] = {}
        self.powers: dict[str, _Power] = {}
        self.power = ""  # the power that the next lines are about
        self.standing: dict[str, str] = {}  # province -> the power with a unit there
        self.unowned: dict[str, None] = {}
        self.victory: Sequence[str] = ()
        self.begin: Sequence[str] = ("SPRING", "1901", "MOVEMENT")
        self.rules: dict[str, None] = {}
        self.skipped: dict[str, None] = {}
        self.lost: list[str] = []
        self.latin: list[str] = []  # files that are not UTF-8
        self.until = ""  # how the line begins that ends the skipped lines

    def read(self, path: Path, files: Files) -> None:
        """Read the lines of a file. Old files are in Latin-1."""
        self.used.add(path.name)
        data = read_named(files, path, MAX_BYTES)
        try:
            text = decode(data, str(path))
        except InputLimitError:
            raise
        except FileError:
            text = data.decode("latin-1")
            self.latin.append(path.name)
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            self.words.add(len(words))
            if words and not words[0].startswith("#"):
                check_time()
                try:
                    self._line(line, words)
                except ValueError as error:
                    raise DocumentError(str(path), number, 1, str(error)) from None

    def _line(self, line: str, words: Sequence[str]) -> None:
        first, second = (*(word.upper() for word in words[:2]), "")[:2]
        if self.until:
            self.until = "" if f"{first} {second}".startswith(self.until) else self.until
        elif first in ("IN", "FROM"):
            self.skipped[first] = None
            self.until = "" if ":" in line else "FROM START"
        elif second.startswith("DIRECTIVE") and first != "END":
            self.skipped[f"{first} DIRECTIVES"] = None
            self.until = "END DIRECTIVE"
        elif first in _UNKNOWN:
            self.skipped[first] = None
        elif "=" in line:
            self._name(line)
        elif first in _TERRAIN or first == "AMEND":
            self._terrain(first, words[1:])
        elif first in _READERS:
            _READERS[first](self, words)
        elif first not in _SILENT:
            self._declare(words)

    def _use(self, words: Sequence[str]) -> None:
        for name in map(_with_ending, words[1:]):
            if not _FILE.fullmatch(name):
                raise ValueError(f"{name!r} is not the name of a file beside this one")
            if len(self.used) >= _MOST_FILES:
                raise ValueError(f"a map uses at most {_MOST_FILES} files")
            if name not in self.used:
                path = self.folder / name
                self.read(path, allowed_files())

    # Places.

    def _key(self, word: str) -> str:
        """The key of a place."""
        province, slash, coast = word.upper().partition("/")
        return self.keys.get(province, province) + slash + coast

    def _name(self, line: str) -> None:
        name, _, rest = line.partition("=")
        old, arrow, new = name.partition("->")
        code, *aliases = rest.split() or [""]
        if not _PLACE.fullmatch(code):
            raise ValueError("no abbreviation follows the name; write it like `Brest = bre`")
        if arrow and "/" not in code:
            self.keys[code.upper()] = self._key(old.strip())
        known = (alias.replace("+", " ") for alias in aliases if not alias.endswith("?"))
        title = (new if arrow else name).replace("+", "").strip()
        self.names[self._key(code)] = title, code.upper(), tuple(known)

    def _terrain(self, terrain: str, words: Sequence[str]) -> None:
        if not words or not _PLACE.fullmatch(words[0]):
            raise ValueError("no place follows; write it like `LAND PAR ABUTS BRE BUR`")
        if len(words) > 1 and words[1].upper() != "ABUTS":
            raise ValueError(f"ABUTS should follow the place, not {words[1]!r}")
        key, is_open = self._key(words[0]), not words[0].islower()
        old = self.places.get(key)
        if old is None and terrain == "AMEND":
            raise ValueError(f"no line above describes {words[0]}, so it cannot be amended")
        if old is not None and is_open and not old.is_open:  # a province that had coasts
            self._forget_coasts(key)
        abuts = {} if old is None or (terrain != "AMEND" and len(words) > 1) else old.abuts
        kind = terrain if old is None or terrain != "AMEND" else old.terrain
        self.places[key] = _Place(kind, is_open, abuts)
        PROVINCES.check(len(self.places))
        for word in words[2:]:
            if word.startswith("-"):
                gone = self._key(word[1:])
                of_one = abuts.get(_province(gone), {})
                of_one.pop(gone, None)
                if "/" not in gone or not of_one:
                    abuts.pop(_province(gone), None)
            else:
                abut = self._abut(word)
                abuts.setdefault(_province(abut.place), {})[abut.place] = abut

    def _abut(self, word: str) -> _Abut:
        match = _ABUT.fullmatch(word)
        if match is None:
            raise ValueError(f"{word!r} is not an abbreviation of a place")
        who, before, place, after = match.groups()
        signs = f"{'' if who is None else f'{who}:'}{before}{after}"
        by_fleets = place[0].isupper()
        by_armies = not (by_fleets and place[1:].islower())
        return _Abut(self._key(place), by_armies, by_fleets, signs)

    def _forget_coasts(self, key: str) -> None:
        for coast in [one for one in self.places if one.startswith(f"{key}/")]:
            del self.places[coast]

    def _drop(self, words: Sequence[str]) -> None:
        for key in map(self._key, words[1:]):
            self.dropped.add()
            self.places.pop(key, None)
            self._forget_coasts(key)
            for place in self.places.values():
                place.abuts.pop(key, None)
            self.unowned.pop(key, None)
            for power in self.powers.values():
                power.home.pop(key, None)
                (power.owned or {}).pop(key, None)
            self._remove_unit(key)

    # Powers.

    def _remove_unit(self, province: str) -> None:
        power = self.powers.get(self.standing.pop(province, ""))
        if power is not None:
            power.units.pop(province, None)

    def _current(self) -> _Power:
        """The power that a line is about."""
        if self.power not in self.powers:
            raise ValueError("this line is about a power, and no power is named above it")
        return self.powers[self.power]

    def _declare(self, words: Sequence[str]) -> None:
        """A line that begins with a power."""
        name, rest = _power(words[0]), list(words[1:])
        if not name:
            raise ValueError(f"{words[0]!r} is not the name of a power")
        if rest[:1] == ["->"] and len(rest) > 1:
            new = _power(rest[1])
            if name in self.powers:
                self.powers = {new if one == name else one: p for one, p in self.powers.items()}
                self.standing |= dict.fromkeys(self.powers[new].units, new)
            name, rest = new, rest[2:]
        names = [words[0].replace("+", " ").replace("_", " ").strip()]
        if rest and rest[0].startswith("("):
            adjective = rest.pop(0).strip("()").partition(":")[0].replace("+", " ")
            names += [adjective.title()] if adjective else []
        power = self.powers.setdefault(name, _Power(()))
        POWERS.check(len(self.powers))
        power.names = tuple(dict.fromkeys((*power.names, *names)))
        self.power = name
        self._inhabit(power, rest)

    def _inhabit(self, power: _Power, words: Sequence[str]) -> None:
        """Add home centres, or remove those after a dash."""
        for word in words:
            match = _HOME.fullmatch(word)
            signs, code, more = match.groups() if match else (word, "", "")
            key = self._key(code)
            if not code or set(signs) & set("&+*@") or (more or ",") != ",":
                self.lost.append(f"{word} of {self.power}")
            if not code or set(signs) & set("&+*"):  # not a centre
                continue
            power.home.pop(key, None)
            self.unowned[key] = None
            if "-" not in signs:
                power.home[key] = None

    def _disown(self, words: Sequence[str]) -> None:
        """A line of centres that nobody owns."""
        self.power = ""
        for word in words[1:]:
            if word.startswith("-"):
                self.unowned.pop(self._key(word[1:]), None)
            else:
                self.unowned[self._key(word)] = None

    def _own(self, words: Sequence[str]) -> None:
        power = self._current()
        if power.owned is None:
            power.owned = {}
        for word in words[1:]:
            if _PLACE.fullmatch(word):
                power.owned[self._key(word)] = None
            else:
                self.lost.append(f"{word} of {self.power}")

    def _stand(self, words: Sequence[str]) -> None:
        if len(words) != 2:
            raise ValueError("a unit is a letter and a place, like `F BRE`")
        power, place = self._current(), self._key(words[1])
        self._remove_unit(_province(place))
        power.units[_province(place)] = words[0].upper(), place
        self.standing[_province(place)] = self.power

    def _clear_units(self, words: Sequence[str]) -> None:
        for province in list(self._current().units):
            self._remove_unit(province)

    def _chosen(self, words: Sequence[str]) -> list[str]:
        """The powers that a line is about: those named, all, all but some, or the current one."""
        named = [_power(word) for word in words[1:]]
        if not named:
            self._current()
            return [self.power]
        if named[0] == "ALL":
            return [name for name in self.powers if name not in named[2:]]
        return [name for name in named if name in self.powers]

    def _make_dummies(self, words: Sequence[str]) -> None:
        for name in self._chosen(words):
            self.powers[name].is_dummy = True

    def _remove_powers(self, words: Sequence[str]) -> None:
        for name in self._chosen(words):
            for province in self.powers.pop(name).units:
                self.standing.pop(province, None)
        self.power = ""

    def _begin(self, words: Sequence[str]) -> None:
        self.begin = [word.upper() for word in words[1:]]

    def _win(self, words: Sequence[str]) -> None:
        self.victory = words[1:]

    def _rule(self, words: Sequence[str]) -> None:
        for rule in (word.upper() for word in words[1:]):
            if rule.startswith("!"):
                self.rules.pop(rule[1:], None)
            else:
                self.rules[rule] = None

    # The map.

    def map(self, path: Path) -> ForeignMap:
        """The map that the lines state."""
        notes = []
        centers = {*self.unowned}
        coasts = grouped((_province(one), one) for one in self.places if "/" in one)
        for power in self.powers.values():
            centers |= {*power.home, *(power.owned or ())}
        army: dict[str, set[str]] = {}
        fleet: dict[str, set[str]] = {}
        restricted = []
        for key, place in self.places.items():
            for of_one in place.abuts.values():
                for at, abut in enumerate(of_one.values()):
                    if abut.restriction == ":":
                        continue
                    if abut.restriction:
                        restricted.append(f"{key} - {abut.place} ({abut.restriction})")
                    if at == 0 and abut.by_armies and self._is_land(key, abut):
                        army.setdefault(key, set()).add(_province(abut.place))
                    if abut.by_fleets and self._is_water(place, abut, coasts):
                        fleet.setdefault(key, set()).add(abut.place)
        ports = [key for key, one in self.places.items() if one.terrain == "PORT"]
        for said, lost in (
            ("Open to all here; the source restricts who may pass", restricted),
            ("Coasts here, where no fleet convoys; the source has ports", ports),
            (
                "Left out: rules of the judge",
                [one for one in self.rules if one not in _BUILD_RULES],
            ),
            ("Left out: what these lines state", [*self.skipped]),
            ("Left out: centres of special kinds", self.lost),
            ("Read as Latin-1, since they are not UTF-8", self.latin),
        ):
            if lost:
                notes.append(f"{said}: {some(lost)}.")
        return ForeignMap(
            name=file_name(path.stem),
            title=path.stem,
            source=f"{path.name}, a map of the package diplomacy or of DPjudge",
            provinces={
                key: self._stated(key, key in centers, coasts.get(key, ()))
                for key in self.places
                if "/" not in key
            },
            powers=tuple(self._setup(name, power) for name, power in self.powers.items()),
            army=army,
            fleet=fleet,
            victory=self._victory(notes),
            first_phase=self._first_phase(notes),
            build=self._build(),
            notes=tuple(notes),
        )

    def _is_land(self, key: str, abut: _Abut) -> bool:
        """Whether an army can be in both places of a border, as far as they are known."""
        places = self.places.get(key), self.places.get(_province(abut.place))
        return "/" not in key and not any(
            place is not None and place.terrain in ("WATER", "SHUT") for place in places
        )

    def _is_water(self, place: _Place, abut: _Abut, coasts: Collection[str]) -> bool:
        """Whether a fleet can be in both places of a border, perhaps on a coast."""
        other = self.places.get(abut.place, place)
        is_open = place.is_open and (other.is_open or abut.place in coasts)
        return is_open and not {place.terrain, other.terrain} & {"LAND", "SHUT"}

    def _stated(self, key: str, is_center: bool, coasts: Sequence[str]) -> ForeignProvince:
        place = self.places[key]
        name, code, aliases = self.names.get(key, (key, key, ()))
        return ForeignProvince(
            name=name,
            kind=_TERRAIN[place.terrain],
            supply=is_center,
            code=code,
            aliases=aliases,
            coasts={one: one.partition("/")[2] for one in coasts},
        )

    def _setup(self, name: str, power: _Power) -> ForeignPower:
        owned = None if power.owned is None else tuple(power.owned)
        units = tuple(power.units.values())
        return ForeignPower(name, power.names, tuple(power.home), owned, units, power.is_dummy)

    def _victory(self, notes: list[str]) -> int | None:
        numbers = [int(one) for one in self.victory if one.isdecimal() and len(one) < 5]
        if len(self.victory) > 1:
            notes.append(f"The number of centres that wins differs by year: {some(self.victory)}.")
        return numbers[-1] if numbers else None

    def _first_phase(self, notes: list[str]) -> str:
        match self.begin:
            case [season, year, "MOVEMENT" | "ADJUSTMENTS" as kind] if season in _SEASONS:
                return f"{_SEASONS[season]}{year}{kind[0]}"
        years = [one for one in self.begin if one.isdecimal() and len(one) < 5]
        notes.append(f"Games begin in {' '.join(self.begin)} in the source.")
        return f"S{years[0]}M" if years else ""

    def _build(self) -> str:
        if "HOME_BUILDS" in self.rules:
            return "home-any"
        if "REMOTE_BUILDS" in self.rules:
            return "any-if-home-owned"
        return "any" if "BUILD_ANY" in self.rules else "home"


_READERS: Mapping[str, Callable[[_Reader, Sequence[str]], None]] = {
    **dict.fromkeys(("USE", "USES", "MAP"), _Reader._use),
    **dict.fromkeys(("RULE", "RULES"), _Reader._rule),
    **dict.fromkeys(("UNOWNED", "NEUTRAL"), _Reader._disown),
    **dict.fromkeys(("A", "F"), _Reader._stand),
    **dict.fromkeys(("DUMMY", "DUMMIES"), _Reader._make_dummies),
    "UNPLAYED": _Reader._remove_powers,
    "BEGIN": _Reader._begin,
    "VICTORY": _Reader._win,
    "OWNS": _Reader._own,
    "UNITS": _Reader._clear_units,
    "DROP": _Reader._drop,
}
_UNKNOWN = (
    "CENTERS", "CONTROL", "FLOW", "HOME", "HOMES", "INHABITS", "LEAGUE", "MILITIA", "NEWHOMES",
    "RESERVES", "ROTATE", "TEAM", "TEAMS",
)  # fmt: skip
"""Directives about things that a map of dipsat cannot state."""
_SILENT = ("DIRECTIVE", "DIRECTIVES", "END", "FLAG", "FLAGS", "NOTIFY", "TEXTONLY")
"""Words that only frame others, and directives about pictures and e-mails."""


def _power(word: str) -> str:
    """The name of a power without the signs for sorting and for spaces: `_St+Petersburg`."""
    return "".join(filter(str.isalnum, word.upper()))
