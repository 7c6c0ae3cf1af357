"""Games of webDiplomacy, as its interface for programs states them (`game/status`).

    {"gameID", "variantID", "phases": [{"turn", "phase", "units", "centers", "orders"}]}

An older version of it has a single phase, with the orders of all phases. Powers and places are
numbers, which `rules/judges/webdiplomacy-variants.txt` lists for each variant. A turn is half a
year, and has the phases Diplomacy, Retreats and Builds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from dipsat.base import data_folder, read_text
from dipsat.board import Map, load_map, province_of
from dipsat.errors import FileError, shortened
from dipsat.formats.json_text import FilePlace, described
from dipsat.formats.records import (
    RecordedGame,
    RecordedPhase,
    Unread,
    in_short,
    leaving_out,
    with_results,
)
from dipsat.formats.saved_game import StateReader, each_once
from dipsat.game import PhaseKind, PhaseName

# --- variants -------------------------------------------------------------------------------------

_LIST = ("judges", "webdiplomacy-variants.txt")


@dataclass(frozen=True, slots=True)
class _Variant:
    """A variant: its map and rules here, and what its numbers mean, from 1."""

    map: str
    rules: str | None
    powers: tuple[str, ...] = ()
    places: tuple[str, ...] = ()


@cache
def _variants() -> Mapping[int, _Variant]:
    """The number of each variant -> the variant."""
    found: dict[int, _Variant] = {}
    number = 0
    for line in read_text(data_folder("rules").joinpath(*_LIST)).splitlines():
        word, *rest = line.split() or ("#",)
        if word == "variant":
            number = int(rest[0])
            found[number] = _Variant(rest[1], None if rest[2] == "-" else rest[2])
        elif word == "powers":
            found[number] = replace(found[number], powers=(*found[number].powers, *rest))
        elif word == "places":
            found[number] = replace(found[number], places=(*found[number].places, *rest))
        elif word == "as":
            now, other = found[number], found[int(rest[0])]
            powers = now.powers or other.powers
            found[number] = replace(now, powers=powers, places=now.places or other.places)
    return found


# --- games ----------------------------------------------------------------------------------------

_KINDS = {"Diplomacy": "M", "Retreats": "R", "Builds": "A"}
_END, _BEGINNING = "Finished", "Pre-game"
_UNITS = {"Army": "A", "Fleet": "F"}
_ORDERS = {
    "Hold": "{unit} H", "Move": "{unit} - {to}", "Support hold": "{unit} S {held}",
    "Support move": "{unit} S {moved} - {to}", "Convoy": "{unit} C {moved} - {to}",
    "Retreat": "{unit} R {to}", "Disband": "{unit} D", "Destroy": "{unit} D",
    "Build Army": "A {at} B", "Build Fleet": "F {at} B", "Wait": "WAIVE",
}  # fmt: skip
"""The type of an order -> the order as the package `diplomacy` writes it."""
_LEFT_OUT = ("messages", "publicVotesHistory")
_MAX_DIGITS = 6


def is_webdip_game(content: Any) -> bool:
    """Whether a content is the status of a game."""
    return (
        isinstance(content, dict)
        and "variantID" in content
        and not content.keys().isdisjoint(("phases", "units"))
    )


def read_webdip_game(
    value: Any, shown: str, map: Map | None = None, skip_faults: bool = False
) -> tuple[RecordedGame]:
    """The game that a status states; `shown` names its place in errors.

    `map` overrides the map of the variant; its places must have the same names. Raises `FileError`
    with the phase and the path to the fault; with `skip_faults`, faulty phases go to `unread`.
    """
    place = FilePlace(shown)
    game = place.mapping(value)
    number = _number(place.at("variantID"), game.get("variantID"))
    variant = _variants().get(number)
    if variant is None:
        known = ", ".join(f"{one} ({_variants()[one].map})" for one in sorted(_variants()))
        place.at("variantID").fail(f"variant {number} is unknown; known: {known}")
    entries = place.at("phases").sequence(game["phases"]) if "phases" in game else (game,)
    if not entries:
        place.fail("it has no phases")
    reader = _PhaseReader(variant, map or load_map(variant.map))
    entries, repeated = each_once(entries, [reader.name_of(place, one) for one in entries], place)
    unread, skipped = Unread() if skip_faults else None, [*repeated]
    phases = with_results(list(_phases(reader, place, entries, unread, skipped)))
    if any(entry.get(key) for entry in entries if isinstance(entry, dict) for key in _LEFT_OUT):
        skipped.append(f"{shown}: messages and votes are left out")
    if "phases" not in game and game.get("orders"):
        skipped.append(f"{shown}: orders of other phases are left out: it has no boards of them")
    name = shortened(str(game.get("gameID") or ""))
    return (
        RecordedGame(
            f"{shown}: {name}" if name else shown, reader.board, phases, variant.rules, name,
            None if map else variant.map,
            unread=tuple(unread.phases) if unread else (), remarks=tuple(skipped),
        ),
    )  # fmt: skip


def _phases(
    reader: _PhaseReader,
    place: FilePlace,
    entries: Sequence[Any],
    unread: Unread | None,
    skipped: list[str],
) -> Iterator[RecordedPhase | None]:
    """The phases without their results; None for one that cannot be read."""
    count = 0
    for number, entry in enumerate(entries, 1):
        read, here = None, place.at(f"phase {number}")
        with leaving_out(unread, count, ""):
            phase = reader.phase_of(here, here.mapping(entry))
            here = here if phase is None else place.at(phase)
            if _lists_only_retreats(entry, phase):
                problem = "it is left out, since it lists only units that retreat"
                skipped.append(f"{place.shown}: {phase}: {problem}")
                if number == len(entries):
                    return
            else:
                read = reader.read(here, entry, phase, unread is not None)
                count += 1
        yield read


def _lists_only_retreats(entry: Mapping[str, Any], phase: PhaseName | None) -> bool:
    """Whether a retreat phase lacks the other units, as the site states a game's last one."""
    units = entry.get("units")
    return (
        phase is not None
        and phase.kind is PhaseKind.RETREAT
        and isinstance(units, list)
        and all(isinstance(unit, dict) and unit.get("retreating") == "Yes" for unit in units)
    )


class _PhaseReader:
    """Reads the phases of a game of a variant."""

    def __init__(self, variant: _Variant, board: Map) -> None:
        self.board = board
        self._variant = variant
        self._states = StateReader(board)
        first = PhaseName.parse(board.first_phase)
        self._year = first.or_moves().year

    def phase_of(self, place: FilePlace, entry: Mapping[str, Any]) -> PhaseName | None:
        """The phase of an entry, None for the end of the game."""
        stated, turn = entry.get("phase"), _number(place.at("turn"), entry.get("turn"))
        if stated == _END:
            return None
        if stated == _BEGINNING:
            place.fail("the game has not begun, so it has no board yet")
        kind = _one_of(place.at("phase"), stated, _KINDS)
        year, is_fall = self._year + turn // 2, turn % 2 == 1
        if kind == "A":
            name = f"W{year if is_fall else year - 1}A"
        else:
            name = f"{'F' if is_fall else 'S'}{year}{kind}"
        with place:
            return PhaseName.parse(name)

    def name_of(self, place: FilePlace, entry: Any) -> str:
        """The name of the phase of an entry, "" if it cannot be read or is the end."""
        try:
            return str(self.phase_of(place, place.mapping(entry)) or "")
        except FileError:
            return ""

    def read(
        self, place: FilePlace, entry: Mapping[str, Any], phase: PhaseName | None, keeping: bool
    ) -> RecordedPhase:
        """The phase of an entry; `keeping` is as in `StateReader.orders`."""
        units, kinds = defaultdict[str, list[str]](list), dict[str, str]()
        section = place.at("units")
        for one in section.sequence(entry.get("units")):
            unit = section.mapping(one)
            kind = _one_of(section.at("unitType"), unit.get("unitType"), _UNITS)
            location = self._place(section, unit, "terrID")
            is_lost = unit.get("retreating") == "Yes"
            if not is_lost:
                kinds[province_of(location)] = kind
            units[self._power(section, unit)].append(f"{'*' * is_lost}{kind} {location}")
        centers = defaultdict[str, list[str]](list)
        section = place.at("centers")
        for one in section.sequence(entry.get("centers")):
            owned = section.mapping(one)
            code = self._place(section, owned, "terrID")
            # Places without a supply centre may be listed, too, and centres that nobody owns.
            if code in self.board.centers and _number(section, owned.get("countryID")):
                centers[self._power(section, owned)].append(code)
        state = self._states.read(place, phase, units, centers)
        if phase is None:
            return RecordedPhase(state, {}, None)
        stated, faults = self._orders(place.at("orders"), entry, kinds, keeping)
        orders, others = self._states.orders(place, stated, phase, keeping)
        faults += others
        return RecordedPhase(state, orders, None, bool(faults), fault=in_short(faults))

    def _orders(
        self, place: FilePlace, entry: Mapping[str, Any], kinds: Mapping[str, str], keeping: bool
    ) -> tuple[dict[str, list[str]], tuple[str, ...]]:
        """The orders of a phase by power, and the faults of those left out."""
        found, broken = defaultdict[str, list[str]](list), Unread()
        for number, one in enumerate(place.sequence(entry.get("orders")), 1):
            here = place.at(f"number {number}")
            with leaving_out(broken if keeping else None, 0, ""):
                order = here.mapping(one)
                if all(str(order.get(key, entry[key])) == str(entry[key]) for key in _WHEN):
                    found[self._power(here, order)].append(self._order(here, order, kinds))
        return found, tuple(one.fault for one in broken.phases)

    def _order(self, place: FilePlace, order: Mapping[str, Any], kinds: Mapping[str, str]) -> str:
        """An order as text; `kinds` has the kinds of the units by their provinces."""
        written = _one_of(place.at("type"), order.get("type"), _ORDERS)
        ids = {"at": "terrID", "to": "toTerrID", "moved": "fromTerrID", "held": "toTerrID"}
        ids["unit"] = "terrID"
        named = {}
        for word, key in ids.items():
            if f"{{{word}}}" in written:
                location = named[word] = self._place(place, order, key)
                if word not in ("at", "to"):
                    kind = kinds.get(province_of(location), "")
                    stated = _UNITS.get(str(order.get("unitType"))) if word == "unit" else None
                    named[word] = f"{stated or kind} {location}".strip()
        via = order.get("viaConvoy") == "Yes" and order.get("type") == "Move"
        return written.format_map(named) + " VIA" * via

    def _power(self, place: FilePlace, entry: Mapping[str, Any]) -> str:
        return _numbered(place.at("countryID"), entry.get("countryID"), self._variant.powers)

    def _place(self, place: FilePlace, entry: Mapping[str, Any], key: str) -> str:
        return _numbered(place.at(key), entry.get(key), self._variant.places)


_WHEN = ("turn", "phase")


def _numbered(place: FilePlace, value: Any, names: Sequence[str]) -> str:
    """The name with a number, from 1."""
    number = _number(place, value)
    if not 1 <= number <= len(names):
        place.fail(f"this should be a number from 1 to {len(names)}, not {number}")
    return names[number - 1]


def _number(place: FilePlace, value: Any) -> int:
    """A number, perhaps as text."""
    text = str(value)
    if isinstance(value, bool) or not (
        text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS
    ):
        place.fail(f"this should be a number, not {described(value)}")
    return int(text)


def _one_of(place: FilePlace, value: Any, known: Mapping[str, str]) -> str:
    """What a word stands for."""
    found = known.get(value) if isinstance(value, str) else None
    if found is None:
        place.fail(f"this should be {', '.join(known)}, not {described(value)}")
    return found
