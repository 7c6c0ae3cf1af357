"""Variants of diplicity: JSON of the first version of its schema, with borders that armies, fleets
or both can cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dipsat.base import grouped, read_text
from dipsat.formats.foreign_map import (
    ForeignMap,
    ForeignPower,
    ForeignProvince,
    file_name,
    some,
    text_of,
)
from dipsat.formats.json_text import FilePlace, described, parse_json

_BUILD_ANYWHERE, _GARRISONS = "allow-builds-in-non-home-centers", "neutral-nations-auto-build"
_MAJORITY = "supply-center-majority"
_KINDS = {"land": "land", "coastal": "coast", "sea": "sea"}
_SEASONS = {"Spring": "S", "Fall": "F", "Winter": "W"}
_YEAR = [
    {
        "from": {"season": season, "type": kind},
        "to": {"season": later, "type": then, "yearDelta": years},
    }
    for season, kind, later, then, years in (
        ("Spring", "Movement", "Spring", "Retreat", 0),
        ("Spring", "Retreat", "Fall", "Movement", 0),
        ("Fall", "Movement", "Fall", "Retreat", 0),
        ("Fall", "Retreat", "Fall", "Adjustment", 0),
        ("Fall", "Adjustment", "Spring", "Movement", 1),
    )
]
"""Which phase follows which, and how many years later."""


def is_diplicity_variant(path: Path) -> bool:
    """Whether a file is such a variant."""
    text = text_of(path)
    return text.lstrip()[:1] == "{" and '"nations"' in text and '"provinces"' in text


def read_diplicity_variant(path: Path) -> ForeignMap:
    """The map that a file states.

    Raises `DocumentError` for malformed JSON, `FileError` for values that the schema does not
    allow, and `InputLimitError`.
    """
    place = FilePlace(str(path))
    top = place.mapping(parse_json(read_text(path), str(path)))
    if top.get("schemaVersion") != 1:
        version = top.get("schemaVersion")
        has = "no schemaVersion" if version is None else f"schemaVersion {described(version)}"
        place.fail(f"it has {has}; only version 1 is read")
    provinces = _entries(place, top, "provinces")
    coasts = _entries(place, top, "namedCoasts")
    state = place.at("initialState").mapping(top.get("initialState"))
    modifiers = place.at("adjudicationModifiers").texts(top.get("adjudicationModifiers"))
    notes: list[str] = []
    _note_rules(place, top, modifiers, notes)
    borders = [
        (one.text(entry.get("id")), one.text(edge.get("to")), edge.get("pass"))
        for one, entry in (*provinces, *coasts)
        for _, edge in _entries(one, entry, "adjacencies")
    ]
    return ForeignMap(
        name=file_name(place.at("id").text(top.get("id"))),
        title=place.at("name").text(top.get("name")),
        source=f"a variant of diplicity{_by(top.get('author'))}",
        provinces=_provinces(provinces, coasts),
        powers=tuple(_powers(place, top, state, provinces, modifiers, notes)),
        army=grouped((here, there) for here, there, passes in borders if passes != "fleet"),
        fleet=grouped((here, there) for here, there, passes in borders if passes != "army"),
        victory=_victory(place, top, notes),
        first_phase=_first_phase(place.at("initialState"), state, notes),
        build="any" if _BUILD_ANYWHERE in modifiers else "home",
        notes=tuple(notes),
    )


def _entries(
    place: FilePlace, of: Mapping[str, Any], key: str
) -> list[tuple[FilePlace, Mapping[str, Any]]]:
    """The objects of a list, with their places."""
    at = place.at(key)
    listed = enumerate(at.sequence(of.get(key)), 1)
    return [(at.at(number), at.at(number).mapping(entry)) for number, entry in listed]


def _by(author: object) -> str:
    return f", by {author}" if isinstance(author, str) and author else ""


def _provinces(
    provinces: Sequence[tuple[FilePlace, Mapping[str, Any]]],
    coasts: Sequence[tuple[FilePlace, Mapping[str, Any]]],
) -> dict[str, ForeignProvince]:
    named: dict[str, dict[str, str]] = {}
    for place, entry in coasts:
        key = place.text(entry.get("id"))
        parent = place.text(entry.get("parentProvince"))
        named.setdefault(parent, {})[key] = key.rpartition("/")[2].upper()
    found = {}
    for place, entry in provinces:
        key, kind = place.text(entry.get("id")), place.text(entry.get("type"))
        if kind not in _KINDS:
            place.at("type").fail(f"a province is land, coastal or sea, not {kind!r}")
        found[key] = ForeignProvince(
            name=place.text(entry.get("name")),
            kind="coast" if key in named else _KINDS[kind],
            supply=entry.get("supplyCenter") is True,
            code=key,
            coasts=named.get(key, {}),
        )
    return found


def _powers(
    place: FilePlace,
    top: Mapping[str, Any],
    state: Mapping[str, Any],
    provinces: Sequence[tuple[FilePlace, Mapping[str, Any]]],
    modifiers: Sequence[str],
    notes: list[str],
) -> list[ForeignPower]:
    start = place.at("initialState")
    home = grouped(
        (one.text(entry.get("homeNation")), one.text(entry.get("id")))
        for one, entry in provinces
        if entry.get("homeNation") is not None and entry.get("supplyCenter") is True
    )
    owned = grouped(
        (one.text(entry.get("nation")), one.text(entry.get("province")))
        for one, entry in _entries(start, state, "supplyCenters")
    )
    units = grouped(
        (
            one.text(entry.get("nation")),
            (one.text(entry.get("type"))[:1], one.text(entry.get("location"))),
        )
        for one, entry in _entries(start, state, "units")
    )
    found = []
    nations = _entries(place, top, "nations")
    keys = [one.text(nation.get("id")) for one, nation in nations]
    if unknown := [key for key in (*units, *owned, *home) if key not in keys]:
        notes.append(f"Left out: units and centres of unknown nations: {some(unknown)}.")
    for key, (one, nation) in zip(keys, nations, strict=True):
        name = one.text(nation.get("name"))
        neutral = nation.get("non_playable") is True
        found.append(
            ForeignPower(
                name,
                aliases=(name,),
                home=home.get(key, ()),
                centers=owned.get(key, ()),
                start=units.get(key, ()),
                neutral=neutral,
                rebuilt=neutral and _GARRISONS in modifiers,
            )
        )
    return found


def _victory(place: FilePlace, top: Mapping[str, Any], notes: list[str]) -> int | None:
    wins, others = None, []
    for one, condition in _entries(place, top, "victoryConditions"):
        if condition.get("type") == _MAJORITY:
            wins = condition.get("supplyCenters")
            if type(wins) is not int or wins < 1:
                problem = f"this should be a number of centres, from 1, not {described(wins)}"
                one.at("supplyCenters").fail(problem)
        else:
            others.append(one.text(condition.get("type")))
    if others:
        notes.append(f"Left out: other ways to win: {some(others)}.")
    return wins


def _first_phase(place: FilePlace, state: Mapping[str, Any], notes: list[str]) -> str:
    phase = place.at("phase").mapping(state.get("phase"))
    season, year, kind = (phase.get(key) for key in ("season", "year", "type"))
    letter = _SEASONS.get(str(season), "")
    if letter and kind in ("Movement", "Adjustment") and isinstance(year, int):
        return f"{letter if kind == 'Movement' else 'W'}{year}{str(kind)[0]}"
    notes.append(f"Games begin in {season} {year} {kind} in the source.")
    return f"S{year}M" if isinstance(year, int) else ""


def _note_rules(
    place: FilePlace, top: Mapping[str, Any], modifiers: Sequence[str], notes: list[str]
) -> None:
    """Note the rules that a map cannot have."""
    unknown = [one for one in modifiers if one not in (_BUILD_ANYWHERE, _GARRISONS)]
    if unknown:
        notes.append(f"Left out: rules: {some(unknown)}.")
    if top.get("dominanceRules"):
        notes.append("Left out: dominanceRules, which give centres to powers nearby.")
    progression = place.at("phaseProgression")
    steps = progression.mapping(top.get("phaseProgression")).get("transitions")
    if steps and steps != _YEAR:
        notes.append("Left out: the phases of a year, which are not the usual ones.")
