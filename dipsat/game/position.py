"""Positions: the units on a map, who owns which centres, and the phase."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.board.unit_kind import UnitKind, one_of
from dipsat.brief import brief
from dipsat.drawn import Drawn
from dipsat.errors import PositionError
from dipsat.errors.arguments import ArgumentError, checked
from dipsat.frozen import frozen
from dipsat.game.board_lines import lines_of_retreats, lines_of_units
from dipsat.game.owners import Listed, owners_stated, refuse_unknown
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.game.unit import Unit, completed, unit_of
from dipsat.game.unit_reader import place_unit, unit_reader
from dipsat.grouped import grouped
from dipsat.kept import own_fields
from dipsat.limits_of_input import UNITS
from dipsat.orders.reader import OrderReader, reader_for
from dipsat.orders.words import NO_WORDS, WithWords, Words
from dipsat.tables import html_of
from dipsat.titles import titled

__all__ = [
    "FIRST_PHASE",
    "Dislodged",
    "DislodgedUnit",
    "Position",
    "Unit",
    "add_unit",
    "by_location",
    "by_power",
    "place_unit",
    "possible_retreats",
    "provinces_to_order",
    "read_retreats",
    "unit_of",
    "unit_reader",
]


@brief()
@dataclass(frozen=True, slots=True)
class DislodgedUnit:
    """A unit that must retreat or disband."""

    unit: Unit
    """The unit, with the location from which it was dislodged."""
    retreats: tuple[str, ...]
    """The locations to which it may retreat, sorted."""


FIRST_PHASE = PhaseName("S", 1901, PhaseKind.MOVEMENT)
Dislodged: TypeAlias = Mapping[str, Iterable[str] | Mapping[str, Iterable[str]]]


@brief()
@dataclass(frozen=True)
class Position(Drawn):
    """A map, the units on it, and the phase.

    Make one with `from_units` or `start`. Both check that every unit can be where it is placed.
    """

    map: Map
    """The map."""
    units: tuple[Unit, ...]
    """The units, sorted by location, at most one in a province."""
    phase: PhaseName = FIRST_PHASE
    """The phase to be played."""
    centers: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Power -> the supply centres that it is known to own, sorted."""
    dislodged: tuple[DislodgedUnit, ...] = ()
    """In a retreat phase, the dislodged units, sorted by province."""
    words: Words = NO_WORDS
    """What the rules add to the notation of orders; every unit has the attributes that they
    declare."""
    unknown_centers: tuple[str, ...] = field(default=(), hash=False)
    """The supply centres whose owner is not known, sorted. Nobody owns those that are neither here
    nor in `centers`."""

    def __post_init__(self) -> None:  # positions share their centres
        object.__setattr__(self, "centers", frozen(self.centers))

    __getstate__ = own_fields

    @staticmethod
    @checked
    def from_units(
        units: Listed,
        map: str | Path | Map = "standard",
        phase: str | PhaseName | None = None,
        centers: Listed | None = None,
        dislodged: Dislodged | None = None,
        rules: WithWords = NO_WORDS,
        unknown_centers: Iterable[str] | None = None,
    ) -> Position:
        """Return the position with these units: power -> units, in any notation and case that the
        reader knows.

        `phase` is a name such as `S1901M` (default: the map's first). `centers` maps powers to the
        centres that they own; nobody owns the others, except the `unknown_centers`. Without both,
        the owners are the map's in its first phase, and unknown later. `dislodged` maps powers to
        dislodged units, or to dislodged units with their possible retreats (default: every empty
        neighbour). `rules` is the profile, if it gives attributes to units.

        Raises `PositionError` (two units in a province, an army at sea, a fleet inland, a missing
        coast or attribute, a centre that is not a supply centre), `UnknownNameError`,
        `AmbiguousNameError` or `OrderSyntaxError`.
        """
        if isinstance(rules, (str, Path)):  # much faster than a union
            wanted = f"the profile itself: dipsat.load_profile({str(rules)!r})"
            raise ArgumentError("dipsat.Position.from_units", "rules", rules, wanted)
        board = load_map(map)
        placed: dict[str, Unit] = {}
        words = rules.words
        read = unit_reader(board, words)
        for typed, texts in units.items():
            power = board.names.power(typed)
            known = read.known(power)
            for text in texts:
                unit = known.get(text) or read(power, text)
                if unit.province in placed or len(placed) >= UNITS.most:
                    add_unit(placed, unit, text)  # raises the error
                placed[unit.province] = unit
        if not isinstance(phase, PhaseName):
            phase = PhaseName.parse(phase or board.first_phase, words)
        if dislodged and any(dislodged.values()) and phase.kind is not PhaseKind.RETREAT:
            (text, *_) = next(texts for texts in dislodged.values() if texts)
            raise PositionError(text, f"{phase} has no dislodged units; only retreat phases do")
        by_province = {province: placed[province] for province in sorted(placed)}
        owned, unknown = owners_stated(board, phase, centers, unknown_centers)
        found = Position(
            board,
            tuple(by_province.values()),
            phase,
            owned,
            _read_dislodged(board, dislodged, placed, words) if dislodged else (),
            unknown_centers=unknown,
        )
        vars(found)["by_province"] = by_province  # most functions need it
        return found if words is NO_WORDS else found.with_words(words)

    @staticmethod
    @checked
    def from_dict(
        value: Mapping[str, Any],
        map: str | Path | Map = "standard",
        rules: WithWords = NO_WORDS,
    ) -> Position:
        """Return the position that `to_dict` wrote. The map and the rules, which it does not
        write, are as for `from_units`.

        Raises `PositionError` for a key that is missing or unknown, and the errors of `from_units`.
        """
        _check_keys(value)
        retreats = value.get("retreats") or value.get("dislodged")
        centers, unknown = value.get("centers"), value.get("unknown_centers")
        return Position.from_units(
            value["units"], map, value["phase"], centers, retreats, rules, unknown
        )

    @staticmethod
    @checked
    def start(map: str | Path | Map = "standard") -> Position:
        """Return the position in which a game on the map begins."""
        board = load_map(map)
        return Position.from_units(
            {power.name: power.start for power in board.powers.values()}, board
        )

    @property
    def reader(self) -> OrderReader:
        """The reader for the orders and units of this position."""
        return reader_for(self.map, self.words)

    @checked
    def with_words(self, words: Words) -> Position:
        """Return the position under rules with these words; attributes that are not given get their
        defaults.

        Raises `PositionError` for a unit of an unknown kind, without a required attribute, with an
        unknown attribute, or with an unknown value of one.
        """
        if words is self.words:
            return self
        known = words.attributes
        units = (*self.units, *(one.unit for one in self.dislodged))
        for unit in units:
            if unit.kind not in words.units:
                if str(unit.kind) in words.units:
                    problem = f"it is a {unit.kind.word} of other rules, where it plays differently"
                else:
                    problem = f"there is no {unit.kind.word} under these rules; units are "
                    problem += one_of(words.units)
                raise PositionError(str(unit), problem)
        count = len(known)
        if words == self.words and all(len(unit.attributes) == count for unit in units):
            return self
        return replace(
            self,
            units=tuple(completed(unit, known) for unit in self.units),
            dislodged=tuple(
                DislodgedUnit(completed(one.unit, known), one.retreats) for one in self.dislodged
            ),
            words=words,
        )

    def __str__(self) -> str:
        """Return the phase and the board as `dipsat play` shows them, in lines of at most 80
        columns."""
        lost = ((one.unit, one.retreats) for one in self.dislodged)
        return "\n".join(
            (
                f"{self.phase.title(self.words)} ({self.phase}; map {self.map.name})",
                *lines_of_units(self.units, self.centers, self.map, self.unknown_centers),
                *lines_of_retreats(lost),
            )
        )

    def _repr_html_(self) -> str:
        lost = grouped((one.unit.power, str(one.unit)) for one in self.dislodged)
        units = by_power(self.units)
        rows = [
            (titled(power), *(", ".join(one.get(power, ())) for one in (units, lost, self.centers)))
            for power in sorted({*units, *lost, *self.centers})
        ]
        head = ("Power", "Units", "Dislodged", "Centres")
        return html_of(head, rows, f"{self.phase}, {self.map.name}")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: phase, units, centers, and dislodged units with their retreats, by
        power, and `unknown_centers` if there are any or if nobody owns a centre. `from_dict` reads
        them."""
        retreats: dict[str, dict[str, list[str]]] = {}
        for lost in self.dislodged:
            retreats.setdefault(lost.unit.power, {})[str(lost.unit)] = list(lost.retreats)
        return {
            "phase": str(self.phase),
            "units": by_power(self.units),
            "dislodged": {power: list(lost) for power, lost in sorted(retreats.items())},
            "centers": {power: list(owned) for power, owned in sorted(self.centers.items())},
            **self._unknown(),
            "retreats": dict(sorted(retreats.items())),
        }

    def _unknown(self) -> dict[str, list[str]]:
        """The centres whose owner is unknown. Without owned centres, an empty list says that nobody
        owns one."""
        if self.centers and not self.unknown_centers:
            return {}
        return {"unknown_centers": list(self.unknown_centers)}

    @cached_property
    def by_province(self) -> Mapping[str, Unit]:
        """Province -> the unit in it."""
        return {unit.province: unit for unit in self.units}

    @checked
    def owner(self, province: str) -> str:
        """Return the power that owns a supply centre, "" if none does. Raises `PositionError` if
        the owner is unknown."""
        found = self._owners.get(province, "")
        if not found and province in self.unknown_centers:
            refuse_unknown((province,))
        return found

    @cached_property
    def _owners(self) -> Mapping[str, str]:
        return {center: power for power, owned in self.centers.items() for center in owned}

    @cached_property
    def fleets_at_sea(self) -> frozenset[str]:
        """The provinces with a fleet that could convoy."""
        return frozenset(
            unit.location
            for unit in self.units
            if unit.kind is UnitKind.FLEET and unit.location in self.map.seas
        )


_KEYS = ("phase", "units", "dislodged", "centers", "unknown_centers", "retreats")
_OTHERS = {
    "next": "this is an outcome; the position after it is under 'next'",
    "phases": "this is a game; `dipsat.Game.from_dict` reads it",
    "orders": "this is a phase with its orders; `dipsat.load_phase` reads it from a file",
}
"""A key of other documents -> what to do with such a one."""


def _check_keys(value: Mapping[str, Any]) -> None:
    """Raise `PositionError` unless the keys are those of a position."""
    hint = next((told for key, told in _OTHERS.items() if key in value), "")
    hint = hint or f"a position has {', '.join(_KEYS)}"
    for key in (*_KEYS[:2], *value):
        if key not in value or key not in _KEYS:
            problem = "is missing" if key not in value else "is unknown"
            raise PositionError(str(key), f"it {problem}; {hint}", "key")


def by_location(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """The units, sorted by where they stand."""
    return tuple(sorted(units, key=attrgetter("location")))


def by_power(units: Iterable[Unit]) -> dict[str, list[str]]:
    """Power -> the texts of its units in the order given, sorted by power."""
    return dict(sorted(grouped((unit.power, str(unit)) for unit in units).items()))


def add_unit(placed: dict[str, Unit], unit: Unit, text: str) -> None:
    """Add a unit to those in `placed` (province -> unit); `text` names it in errors.

    Raises `PositionError` if there is a unit in its province already, and `InputLimitError` for too
    many units.
    """
    if len(placed) >= UNITS.most:
        UNITS.check(len(placed) + 1)
    province = unit.province
    if province in placed:
        other = placed[province]
        raise PositionError(text, f"{other.power} {other} already stands in {province}")
    placed[province] = unit


def _read_dislodged(
    board: Map, dislodged: Dislodged, placed: Mapping[str, Unit], words: Words
) -> tuple[DislodgedUnit, ...]:
    found: dict[str, DislodgedUnit] = {}
    lost: dict[str, Unit] = {}
    for typed, texts in dislodged.items():
        power = board.names.power(typed)
        for text in texts:
            unit = unit_reader(board, words)(power, text)
            add_unit(lost, unit, text)
            there = placed.get(unit.province)
            if there is not None and there.power == power:
                raise PositionError(text, f"{power} {there} stands in {unit.province}")
            if not isinstance(texts, Mapping):
                found[unit.province] = DislodgedUnit(unit, possible_retreats(board, unit, placed))
                continue
            retreats = read_retreats(board, unit, texts[text])
            for place in retreats:
                if province_of(place) in placed:
                    there = placed[province_of(place)]
                    problem = f"it cannot retreat to {place}, where {there.power} {there} stands"
                    raise PositionError(text, problem)
            found[unit.province] = DislodgedUnit(unit, retreats)
    return tuple(found[province] for province in sorted(found))


def possible_retreats(board: Map, unit: Unit, occupied: Container[str]) -> tuple[str, ...]:
    """The locations to which a dislodged unit could retreat as far as one can tell without the
    orders: every neighbour whose province is not in `occupied`, sorted. A neutral power's unit can
    retreat nowhere."""
    reach = () if unit.power in board.neutrals else board.reach(unit.kind, unit.location)
    return tuple(sorted(place for place in reach if province_of(place) not in occupied))


def provinces_to_order(position: Position, power: str) -> frozenset[str]:
    """The provinces of the units that a power can order now: on the board, or dislodged."""
    units = position.units
    if position.phase.kind is PhaseKind.RETREAT:
        units = tuple(lost.unit for lost in position.dislodged)
    is_played = power not in position.map.neutrals
    return frozenset(unit.province for unit in units if is_played and unit.power == power)


def read_retreats(board: Map, unit: Unit, texts: Iterable[str]) -> tuple[str, ...]:
    """The locations that texts name as retreats of a unit, sorted.

    Raises `PositionError` for one that it cannot reach, and name errors.
    """
    reader = reader_for(board)
    retreats = {reader.read_unit(text).location for text in texts}
    for place in sorted(retreats - {*possible_retreats(board, unit, ())}):
        raise PositionError(str(unit), f"it cannot retreat to {place}")
    return tuple(sorted(retreats))
