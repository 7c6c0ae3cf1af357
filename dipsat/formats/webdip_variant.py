"""Variants of webDiplomacy and vDiplomacy: folders of PHP, which is read as text and never run.

`install.php` has the territories and their borders, `variant.php` the powers and the number of
centres that wins. The folder `classes` has the starting units and changes of the rules. A variant
may extend another, whose folder is beside its own, and may use its classes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dipsat.base import allowed_files, grouped, read_text
from dipsat.errors import FileError
from dipsat.formats.foreign_map import ForeignMap, ForeignPower, ForeignProvince, file_name, some
from dipsat.formats.php_text import (
    PhpGroup,
    PhpStatement,
    PhpText,
    PhpToken,
    PhpValue,
    parse_php,
    rows_of,
    texts_in,
    value_of,
)

_START, _BUILDS = "adjudicatorPreGame", "userOrderBuilds"
_MOST_BASES = 10  # variants that extend one another
_KINDS = {"Land": "land", "Coast": "coast", "Sea": "sea"}
_COLUMNS = ("$name", "$type", "$supply", "$countryID")
_MOST_IN_BORDER = 4  # values; a territory also has coordinates
_COAST = re.compile(r"(.+) \(([^()]+ Coast)\)")
_EXTENDS = re.compile(r"\bextends\s+\w+Variant\b", re.IGNORECASE)
_CODE = re.compile(r"[({\[]([A-Z0-9]{2,4})[)}\]]")
_OF_ANY_POWER = re.compile(r"\bt\.countryID\s*(?:!=|<>|>)\s*0")
_PICTURES = re.compile(r"drawMap|Chatbox|Maps|OrderInterface|OrderArchiv|panel|userMember")
"""The beginnings of names of classes that only show games."""


def is_webdip_variant(folder: Path) -> bool:
    """Whether a folder is a variant; the folder above it has files of the same names. Raises
    `FileError` if its PHP is not text."""
    variant, install = folder / "variant.php", folder / "install.php"
    return variant.is_file() and install.is_file() and bool(_EXTENDS.search(read_text(variant)))


def read_webdip_variant(folder: Path) -> ForeignMap:
    """The map of the variant in a folder.

    Raises `FileError` for a file that is missing, or states no territories or powers,
    `DocumentError` for brackets or quotes that are not closed, and `InputLimitError`.
    """
    return _Variant(folder).map()


@dataclass(frozen=True, slots=True)
class _Territory:
    """A row of the table of territories. The owner is the name or the number of a power."""

    name: str
    type: str
    is_center: bool
    owner: str | float


class _Variant:
    """The folder of a variant, and those of the variants that it extends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self.parsed: dict[Path, tuple[PhpStatement, ...]] = {}
        self.bases = [folder]  # the nearest first
        while (base := _extended(self._read(self.bases[-1] / "variant.php"))).upper() != "WD":
            if len(self.bases) == _MOST_BASES:
                raise FileError(str(folder), "extends itself, or too many variants")
            self.bases.append(folder.parent / base)
        self.stated = [one for base in self.bases for one in self._read(base / "variant.php")]
        self.countries = self._countries()

    def map(self) -> ForeignMap:
        """The map."""
        install = self._install()
        territories = {one.name: one for one in _territories(install)}
        army: dict[str, set[str]] = {}
        fleet: dict[str, set[str]] = {}
        for one, other, *passes in _borders(install):
            for is_open, borders in zip(passes, (fleet, army), strict=True):
                if is_open == "Yes":  # webDiplomacy opens every border in both directions
                    borders.setdefault(one, set()).add(other)
                    borders.setdefault(other, set()).add(one)
        units = self._units()
        others = [name for name in units if name not in self.countries]
        if len(others) > 1:  # one may be nobody's country; several are for players to choose
            self.notes.append(f"Left out: units of countries that nobody plays: {some(others)}.")
            units = {name: there for name, there in units.items() if name in self.countries}
        powers = tuple(dict.fromkeys((*self.countries, *units)))
        owned = grouped(
            (_owner(one, powers), one.name) for one in territories.values() if one.is_center
        )
        author = self._text("$author")
        build = self._build()
        self._note_rules(install, build)
        return ForeignMap(
            name=file_name(self._text("$name") or self.folder.name),
            title=self._text("$fullName") or self._text("$name") or self.folder.name,
            source=f"a variant of webDiplomacy{f', by {author}' if author else ''}",
            provinces=self._provinces(territories),
            powers=tuple(
                ForeignPower(
                    name,
                    aliases=(name,),
                    home=owned.get(name, ()),
                    start=tuple(units.get(name, ())),
                    neutral=name not in self.countries,
                )
                for name in powers
            ),
            army=army,
            fleet=fleet,
            victory=self._victory(),
            first_phase=self._first_phase(),
            build=build,
            notes=tuple(self.notes),
        )

    # What the files say.

    def _read(self, path: Path) -> tuple[PhpStatement, ...]:
        """The statements of a file. One in another folder is read if names may refer to it."""
        if path not in self.parsed:
            is_own = self.folder in path.parents
            text = read_text(path) if is_own else read_text(path, files=allowed_files())
            self.parsed[path] = parse_php(text, str(path))
        return self.parsed[path]

    def _value(self, name: str) -> PhpValue:
        """The value of a property, such as `$name`."""
        values = (one.value for one in self.stated if one.head == (name,))
        return next((value for value in values if value is not None), None)

    def _text(self, name: str) -> str:
        value = self._value(name)
        return _plain(value) if isinstance(value, str) else ""

    def _countries(self) -> tuple[str, ...]:
        stated = self._value("$countries")
        named = [one for _, one in stated] if isinstance(stated, list) else []
        found = tuple(_plain(one) for one in named if isinstance(one, str))
        if not found:
            raise FileError(str(self.folder / "variant.php"), "has no $countries, so no powers")
        return found

    def _install(self) -> tuple[PhpStatement, ...]:
        """The statements with the territories, of this variant or of one that it extends."""
        for base in self.bases:
            statements = self._read(base / "install.php")
            if any(_territories(statements)):
                return statements
        raise FileError(str(self.folder / "install.php"), "has no territories")

    def _classes(self) -> dict[str, str]:
        """Each class that the variant replaces -> the variant that has the class."""
        found: dict[str, str] = {}
        for statement in self.stated:
            match statement.head:
                case ("$this", "->", "variantClasses", PhpGroup("[", ((PhpText(name),),))):
                    owner = statement.value if isinstance(statement.value, str) else ""
                    found.setdefault(name, owner if owner.isidentifier() else self.folder.name)
        return found

    def _class(self, name: str) -> tuple[PhpStatement, ...]:
        """The statements of a class, none if there is no such file."""
        owner = self._classes().get(name, "")
        folders = [self.folder.parent / owner, *self.bases] if owner else self.bases
        paths = [folder / "classes" / f"{name}.php" for folder in folders]
        return next((self._read(path) for path in paths if path.is_file()), ())

    # The map.

    def _provinces(self, territories: Mapping[str, _Territory]) -> dict[str, ForeignProvince]:
        parents: dict[str, dict[str, str]] = {}
        for name in territories:
            match = _COAST.fullmatch(name)
            if match is not None and match[1] in territories:
                parents.setdefault(match[1], {})[name] = match[2]
        coasts = {name for of_one in parents.values() for name in of_one}
        odd = [one.name for one in territories.values() if one.type not in _KINDS]
        if odd:
            self.notes.append(f"Coasts here; the source has another kind: {some(odd)}.")
        return {
            name: ForeignProvince(
                name=_CODE.sub("", name).strip() or name,
                kind=_KINDS.get(one.type, "coast"),
                supply=one.is_center,
                code=next(iter(_CODE.findall(name)), ""),
                coasts=parents.get(name, {}),
            )
            for name, one in territories.items()
            if name not in coasts
        }

    def _units(self) -> dict[str, list[tuple[str, str]]]:
        """Power -> the letter and the territory of each starting unit."""
        for statement in self._class(_START):
            if statement.head == ("$countryUnits",) and isinstance(statement.value, list):
                return {
                    _plain(power): [
                        (kind[:1], _plain(place))
                        for place, kind in units
                        if isinstance(place, str) and kind in ("Army", "Fleet")
                    ]
                    for power, units in statement.value
                    if isinstance(power, str) and isinstance(units, list)
                }
        return {}

    def _victory(self) -> int | None:
        for statement in self.stated:
            if statement.head == ("$this", "->", "supplyCenterTarget"):
                target = statement.value
                if isinstance(target, float):
                    return int(target)
        return None

    def _first_phase(self) -> str:
        """The year is what `turnAsDate` adds to half of the number of the turn."""
        for statement in self.stated:
            if "turnAsDate" in statement.tokens:
                for group in _groups(one for part in statement.walk() for one in part.tokens):
                    match group:
                        case ("floor", PhpGroup("(", (("$turn", "/", 2.0),)), "+", float(year)):
                            return f"S{int(year)}M"
        self.notes.append("The first year of the source is not read, so games begin in 1901.")
        return ""

    def _build(self) -> str:
        """Where powers build: the condition on first owners in the query for build sites."""
        if _BUILDS not in self._classes():
            return "home"
        asked = " ".join(t for one in self._class(_BUILDS) for t in texts_in(one.tokens))
        if _OF_ANY_POWER.search(asked):
            return "home-any"
        is_any = re.search(r"\bts\.countryID\b", asked) and not re.search(
            r"\bt\.countryID\b|tsa\.|Flags", asked
        )
        return "any" if is_any else "home"

    def _note_rules(self, install: Sequence[PhpStatement], build: str) -> None:
        """Add notes on what the source does in code."""
        known = {_START, _BUILDS, "processOrderBuilds"} if build != "home" else {_START}
        classes = [one for one in self._classes() if one not in known and not _PICTURES.match(one)]
        if classes:
            self.notes.append(f"Rules in PHP, which are not read: the classes {some(classes)}.")
        if any("sql_put" in statement.tokens for statement in install):
            self.notes.append("install.php changes the map by SQL, which is not read.")


def _extended(statements: Sequence[PhpStatement]) -> str:
    """The variant that the first class extends; "WD" is that of all variants."""
    for statement in statements:
        match statement.tokens:
            case (*_, "class", _, "extends", str(base)):
                return base.removesuffix("Variant")
    return "WD"


def _territories(statements: Sequence[PhpStatement]) -> Iterator[_Territory]:
    """The territories that the statements of an `install.php` list."""
    columns: Sequence[PhpToken] = _COLUMNS
    made = set()  # centres that are made after the table
    rows: list[list[PhpValue]] = []
    for statement in statements:
        rows += rows_of(statement.value)
        match statement.head or statement.tokens:
            case ("list", PhpGroup("(", items)) if ("$type",) in items:
                columns = [item[0] for item in items]
            case ("new", "InstallTerritory", PhpGroup("(", items)):
                rows.append([value_of(item) for item in items])
            case (*_, PhpGroup("[", ((PhpText(name),),)), "->", "supply"):
                made.add(name)
    for row in rows:
        found = dict(zip(columns, row, strict=False))
        owner = found.get("$country", found.get("$countryID"))
        match found.get("$name"), found.get("$type"):
            case str(name), str(kind) if len(row) > _MOST_IN_BORDER:
                is_center = found.get("$supply") == "Yes" or name in made
                of = owner if isinstance(owner, str | float) else 0.0
                yield _Territory(_plain(name), kind, is_center, of)


def _plain(text: str) -> str:
    """A name without HTML, and without the backslashes that escape its quotes in SQL."""
    return html.unescape(text.replace("\\", ""))


def _owner(territory: _Territory, powers: Sequence[str]) -> str:
    """The power that owns a territory, "" for none."""
    if isinstance(territory.owner, str):
        return _plain(territory.owner)
    at = int(territory.owner) - 1
    return powers[at] if 0 <= at < len(powers) else ""


def _borders(statements: Sequence[PhpStatement]) -> Iterator[tuple[str, str, str, str]]:
    """Both territories of each border, and whether fleets and armies cross it: Yes or No."""
    for statement in statements:
        rows = list(rows_of(statement.value))
        match statement.tokens:
            case (
                *_, PhpGroup("[", (first,)), "->", "addBorder",
                PhpGroup("(", ((*_, PhpGroup("[", (second,))), *passes)),
            ):  # fmt: skip
                rows.append([value_of(first), value_of(second), *map(value_of, passes)])
        for row in rows:
            match row:
                case [str(one), str(other), "Yes" | "No" as fleets, "Yes" | "No" as armies]:
                    yield _plain(one), _plain(other), fleets, armies


def _groups(tokens: Iterator[PhpToken]) -> Iterator[tuple[PhpToken, ...]]:
    """The items of all brackets."""
    for token in tokens:
        if isinstance(token, PhpGroup):
            yield from token.items
            yield from _groups(one for item in token.items for one in item)
