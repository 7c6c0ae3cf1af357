"""Positions in which the places and owners of some units are open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from dipsat.base import brief, checked, checked_fields, counted, frozen, titled
from dipsat.board import STANDARD_KINDS, Map, UnitKind, load_map, province_of
from dipsat.errors import DipsatError, PositionError, UnknownNameError
from dipsat.game.position import Position, add_unit, unit_reader
from dipsat.orders import NO_WORDS, Unit

MOST_UNITS = 8
"""The most units of an open position. Each further unit makes a search about ten times as long."""
ANY = "any"
"""Stands for the power of units that may belong to any power."""
_ANY = re.compile(
    r"any\s+(?P<number>\d{1,9})(?:\s+(?P<kind>units?|army|armies|fleets?))?"
    r"(?:\s+in\s+(?P<places>\S.*))?",
    re.IGNORECASE | re.DOTALL,
)
_KINDS = {"": "", "u": "", "a": "A", "f": "F"}


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class AnyUnits:
    """A number of units, wherever they stand."""

    number: int
    """How many."""
    kind: str = ""
    """`A` for armies, `F` for fleets, "" for either."""
    places: tuple[str, ...] = ()
    """The provinces where they may stand; empty for all."""

    def __post_init__(self) -> None:
        """Refuse a number out of range, and a kind that does not exist."""
        if not 1 <= self.number <= MOST_UNITS:
            raise PositionError(
                f"any {self.number}", f"an open position has 1 to {MOST_UNITS} units"
            )
        if self.kind not in _KINDS.values():
            raise UnknownNameError("kind of unit", self.kind, ["A", "F"], list_known=True)

    def __str__(self) -> str:
        armies, fleets = (" army", " fleet") if self.number == 1 else (" armies", " fleets")
        kind = {"": "", "A": armies, "F": fleets}[self.kind]
        places = f" in {', '.join(self.places)}" if self.places else ""
        return f"any {self.number}{kind}{places}"


@brief()
@dataclass(frozen=True)
class OpenPosition:
    """A position in which the places of some units are open. Made by `from_units`."""

    map: Map
    """The map."""
    units: Mapping[str, tuple[Unit | AnyUnits, ...]]
    """Power, or `any`, -> its units. Those of `any` may belong to any powers."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", frozen(self.units))

    @property
    def number(self) -> int:
        """How many units there are."""
        return sum(number_of(one) for units in self.units.values() for one in units)

    @property
    def known(self) -> Position:
        """The position of the units whose places are stated, without the others."""
        found = {
            power: [str(one) for one in units if isinstance(one, Unit)]
            for power, units in self.units.items()
            if power != ANY
        }
        return Position.from_units(found, self.map)

    def __str__(self) -> str:
        listed = self.units.items()
        parts = [f"{titled(power)} {one}" for power, units in listed for one in units]
        return ", ".join(part.removeprefix("Any ") for part in parts)

    @staticmethod
    @checked
    def from_units(
        units: str | AnyUnits | Mapping[str, str | AnyUnits | Sequence[str | AnyUnits]],
        map: str | Path | Map = "standard",
    ) -> OpenPosition:
        """Return the position with these units.

        `units` maps each power, or `any` for any powers, to units: `A PAR`, or a number of units
        with open places: `any 2`, `any 1 army`, `any 2 fleets in NTH ENG`. `any 4` alone means
        `{"any": "any 4"}`. Raises `PositionError` or `UnknownNameError`.
        """
        board = load_map(map)
        if isinstance(units, str | AnyUnits):
            units = {ANY: units}
        found: dict[str, tuple[Unit | AnyUnits, ...]] = {}
        placed: dict[str, Unit] = {}
        for typed, listed in units.items():
            power = power_or_any(typed, board)
            texts = (listed,) if isinstance(listed, str | AnyUnits) else tuple(listed)
            read = tuple(read_open_unit(one, power, board, placed) for one in texts)
            found[power] = (*found.get(power, ()), *read)
        return checked_position(board, found)


def number_of(one: Unit | AnyUnits) -> int:
    """How many units this stands for."""
    return one.number if isinstance(one, AnyUnits) else 1


def checked_position(board: Map, units: Mapping[str, tuple[Unit | AnyUnits, ...]]) -> OpenPosition:
    """An open position. Raises `PositionError` for too many units or none, for a neutral power's
    units with open places, and for units that can stand nowhere, or not all at the same time."""
    found = OpenPosition(board, units)
    if not 1 <= found.number <= MOST_UNITS:
        shown = counted(found.number, "unit")
        raise PositionError(shown, f"an open position has 1 to {MOST_UNITS} units")
    for power, listed in units.items():
        for one in listed:
            if power in board.neutrals and isinstance(one, AnyUnits):
                raise PositionError(str(one), f"nobody plays {titled(power)}; say where it stands")
            reached = {province_of(location) for _, location in standings(one, board)}
            wanted = one.places if isinstance(one, AnyUnits) else (one.province,)
            missing = [place for place in wanted if place not in reached]
            if missing:
                raise PositionError(str(one), f"no such unit can stand in {', '.join(missing)}")
    if not _has_room(found):
        raise PositionError(str(found), "these units cannot stand in different provinces")
    return found


def _has_room(position: OpenPosition) -> bool:
    """Whether every unit can have a province of its own. By Hall's theorem it can if the units of
    every group may together stand in at least as many provinces."""
    places = [
        {province_of(location) for _, location in standings(one, position.map)}
        for units in position.units.values()
        for one in units
        for _ in range(number_of(one))
    ]
    return all(
        len(frozenset[str]().union(*some)) >= number
        for number in range(2, len(places) + 1)
        for some in combinations(places, number)
    )


def power_or_any(typed: str, board: Map) -> str:
    """The power that is meant, or `any`. Raises `UnknownNameError`."""
    return ANY if typed.strip().lower() == ANY else board.names.power(typed)


def read_open_unit(
    typed: str | AnyUnits, power: str, board: Map, placed: dict[str, Unit]
) -> Unit | AnyUnits:
    """Read a unit and add it to those `placed`, or read a number of units with open places. Raises
    `PositionError`, `UnknownNameError` and what the reader of units raises."""
    if isinstance(typed, AnyUnits):
        places = tuple(board.names.province(place) for place in typed.places)
        return AnyUnits(typed.number, typed.kind, places)
    match = _ANY.fullmatch(typed.strip())
    if match is not None:
        kind = _KINDS[(match["kind"] or "")[:1].lower()]
        return AnyUnits(int(match["number"]), kind, _places(match["places"] or "", board))
    if typed.strip().lower().startswith(f"{ANY} "):
        raise PositionError(
            typed, "is not understood; write `any 2`, `any 1 army` or `any 2 fleets in NTH ENG`"
        )
    if power == ANY:
        raise PositionError(
            typed, "has no power; write it under its power, and only `any 2` and so on under `any`"
        )
    unit = unit_reader(board, NO_WORDS)(power, typed)
    add_unit(placed, unit, typed)
    return unit


def _places(text: str, board: Map) -> tuple[str, ...]:
    """The provinces named, with commas or without."""
    found: dict[str, None] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        try:
            found[board.names.province(part)] = None
        except DipsatError:
            if len(words := part.split()) == 1:
                raise
            found |= dict.fromkeys(board.names.province(word) for word in words)
    return tuple(found)


def is_open_unit(text: object) -> bool:
    """Whether a text leaves open where a unit stands, as `any 2` does."""
    return isinstance(text, str) and text.strip().lower().startswith(f"{ANY} ")


def standings(one: Unit | AnyUnits, board: Map) -> Iterator[tuple[UnitKind, str]]:
    """The kind and the location of each unit that `one` may be."""
    if isinstance(one, Unit):
        yield one.kind, one.location
        return
    for kind in STANDARD_KINDS:
        if one.kind not in ("", kind):
            continue
        for code, province in sorted(board.provinces.items()):
            if kind.stands_in(province.kind) and (not one.places or code in one.places):
                for place in province.locations if kind.has_coasts else (code,):
                    yield kind, place
