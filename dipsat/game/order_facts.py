"""The facts of a single order, as conditions of the rules see them before other orders are looked
at. The attributes are words of `dipsat.language.vocabulary` (`KNOWN_EARLY`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dipsat.game.phase_name import SEASON_WORDS
from dipsat.game.position import Position, Unit


class PositionFacts:
    """A position as conditions see it: all its provinces and units, the season, the features of
    its map."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.places: dict[str, Place] = {}

    @property
    def season(self) -> str:
        """The season: "spring", "summer", "fall" or "winter"."""
        return SEASON_WORDS[self.position.phase.season]

    @cached_property
    def units(self) -> tuple[Piece, ...]:
        """The units on the board."""
        return tuple(Piece(unit, self) for unit in self.position.units)

    def place(self, code: str) -> Place:
        """A province."""
        found = self.places.get(code)
        if found is None:
            found = self.places[code] = Place(code, self)
        return found

    def domain(self, kind: str) -> tuple[Place | Piece, ...]:
        """All provinces ("Province") or all units on the board ("Unit")."""
        return self.units if kind == "Unit" else tuple(map(self.place, self.position.map.provinces))

    def has_power_feature(self, name: str, power: str) -> bool:
        """Whether a power is marked with a feature."""
        return self.position.map.has_power_feature(name, power)

    def has_feature(self, name: str, *codes: str) -> bool:
        """Whether a province, or the border between two, is marked with a feature."""
        return self.position.map.has_feature(name, *codes)


class Place:
    """A province, one object for each."""

    def __init__(self, code: str, around: PositionFacts) -> None:
        province = around.position.map.provinces[code]
        self._around = around
        self.code = code
        self.kind = province.kind
        self.supply = province.supply

    @property
    def owner(self) -> str:
        """The power that owns it, "" for none."""
        return self._around.position.owner(self.code)

    @property
    def homes(self) -> tuple[str, ...]:
        """The powers whose home centre it is."""
        return self._around.position.map.homes.get(self.code, ())

    @property
    def units(self) -> tuple[Piece, ...]:
        """The units that stand there."""
        return tuple(piece for piece in self._around.units if piece.province is self)


class Piece:
    """A unit; equal to another that stands for the same."""

    def __init__(self, unit: Unit, around: PositionFacts) -> None:
        self.unit = unit
        self.power = unit.power
        self.kind = unit.kind.word
        self.province = around.place(unit.province)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Piece) and other.unit == self.unit

    def __hash__(self) -> int:
        return hash(self.unit)

    def attribute(self, name: str) -> str:
        """An attribute that the rules declare."""
        return dict(self.unit.attributes)[name]


@dataclass(frozen=True, slots=True)
class _OfUnit:
    unit: Piece

    @property
    def power(self) -> str:
        """The power that owns the unit."""
        return self.unit.power

    @property
    def province(self) -> Place:
        """Where the unit stands."""
        return self.unit.province


@dataclass(frozen=True, slots=True)
class MoveOrder(_OfUnit):
    """A move."""

    target: Place
    via: bool
    by_land: bool

    @property
    def origin(self) -> Place:
        """Where it starts."""
        return self.unit.province


@dataclass(frozen=True, slots=True)
class SupportOrder(_OfUnit):
    """A support; without a move of the supported unit, the target is where that stands."""

    supported: Piece
    target: Place

    @property
    def origin(self) -> Place:
        """Where the supported unit stands."""
        return self.supported.province


@dataclass(frozen=True, slots=True)
class ConvoyOrder(_OfUnit):
    """A convoy."""

    army: Piece
    target: Place

    @property
    def origin(self) -> Place:
        """Where the army starts."""
        return self.army.province


@dataclass(frozen=True, slots=True)
class RetreatOrder(_OfUnit):
    """A retreat."""

    target: Place

    @property
    def origin(self) -> Place:
        """Where the unit was dislodged."""
        return self.unit.province


@dataclass(frozen=True, slots=True)
class BuildOrder:
    """A build; `kind` is the word for what is built, such as "army"."""

    power: str
    kind: str
    province: Place
