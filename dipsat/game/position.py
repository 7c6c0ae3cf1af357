"""Who stands where: units and positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.board.province import UnitKind, coast_of, province_of
from dipsat.errors import PositionError
from dipsat.orders.order import UnitName
from dipsat.orders.reader import reader_for


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on the board: its power, kind and location (a coast where there are several).

    `province` is the province it stands in; the unit's text is like `F STP/SC`.
    """

    power: str
    kind: UnitKind
    location: str
    province: str = field(init=False, repr=False, compare=False)
    _text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:  # both are asked for many times in every phase
        object.__setattr__(self, "province", province_of(self.location))
        object.__setattr__(self, "_text", f"{self.kind.value} {self.location}")

    def __str__(self) -> str:
        return self._text


@dataclass(frozen=True)
class Position:
    """The units on a map, sorted by location; at most one in a province.

    Build one with `from_units` or `start`; both check that every unit can stand where it is.
    """

    map: Map
    units: tuple[Unit, ...]

    @staticmethod
    def from_units(
        units: Mapping[str, Iterable[str]], map: str | Path | Map = "standard"
    ) -> Position:
        """A position from power -> units, in any notation and case the reader knows.

        Raises `PositionError` (two units in a province, an army at sea, a fleet inland, a coast
        missing), `UnknownNameError`, `AmbiguousNameError` or `OrderSyntaxError`.
        """
        board = map if isinstance(map, Map) else load_map(map)
        placed: dict[str, Unit] = {}
        for typed, texts in units.items():
            power = typed if typed in board.powers else board.names.power(typed)
            for text in texts:
                unit = _read_unit(board, power, text)
                if unit.province in placed:
                    other = placed[unit.province]
                    raise PositionError(
                        text, f"{other.power} {other} already stands in {unit.province}"
                    )
                placed[unit.province] = unit
        return Position(board, tuple(placed[province] for province in sorted(placed)))

    @staticmethod
    def start(map: str | Path | Map = "standard") -> Position:
        """The position in which a game on the map begins."""
        board = map if isinstance(map, Map) else load_map(map)
        return Position.from_units({p.name: p.start for p in board.powers.values()}, board)

    @cached_property
    def by_province(self) -> Mapping[str, Unit]:
        """Province -> the unit that stands there."""
        return {unit.province: unit for unit in self.units}

    @cached_property
    def fleets_at_sea(self) -> frozenset[str]:
        """The provinces in which a fleet stands that could convoy."""
        return frozenset(
            unit.location
            for unit in self.units
            if unit.kind is UnitKind.FLEET and unit.location in self.map.seas
        )


@lru_cache(maxsize=20_000)  # the same few texts come in every position
def _read_unit(board: Map, power: str, text: str) -> Unit:
    return place_unit(board, power, reader_for(board).read_unit(text), text)


def place_unit(board: Map, power: str, named: UnitName, text: str) -> Unit:
    """The unit that `named` describes, if it can stand there. Raises `PositionError`.

    A missing A or F is filled in where only one is possible.
    """
    if named.power not in (None, power):
        raise PositionError(text, f"it is listed under {power}, not {named.power}")
    province = board.provinces[province_of(named.location)]
    kind = named.kind
    coast = coast_of(named.location)
    if kind is None and coast and province.kind == "coast":
        kind = UnitKind.FLEET
    if kind is None:
        kinds = {"land": UnitKind.ARMY, "sea": UnitKind.FLEET}
        if province.kind not in kinds:
            raise PositionError(text, "say whether it is an army (A) or a fleet (F)")
        kind = kinds[province.kind]
    if kind is UnitKind.ARMY:
        if province.kind == "sea":
            raise PositionError(text, f"an army cannot stand at sea ({province.name})")
        if coast:
            raise PositionError(text, f"an army stands on no coast; write A {province.code}")
        return Unit(power, kind, province.code)
    if province.kind == "land":
        raise PositionError(text, f"a fleet cannot stand inland ({province.name})")
    if named.location not in province.locations:
        known = " or ".join(f"F {location}" for location in province.locations)
        problem = "the coast is missing" if not coast else "there is no such coast"
        raise PositionError(text, f"{problem}; write {known}")
    return Unit(power, kind, named.location)
