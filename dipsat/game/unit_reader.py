"""Texts that name units of a power, such as `A PAR`, read as units that can stand there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dipsat.board.map import Map
from dipsat.board.province import Province, coast_of, province_of
from dipsat.board.unit_kind import STANDARD_KINDS, UnitKind, one_of
from dipsat.errors import PositionError
from dipsat.game.unit import Unit, unit_of
from dipsat.kept import kept_on_first
from dipsat.orders.order import UnitName
from dipsat.orders.reader import reader_for
from dipsat.orders.words import Words


class UnitReader:
    """Reads a text such as `A PAR` as a unit of a power under rules with these words, with the
    attributes that the text gives. It raises `PositionError` and name errors.

    It remembers the units, because the same few texts occur in every position, in a dict for each
    power: an `lru_cache` takes twice as long."""

    def __init__(self, board: Map, words: Words) -> None:
        self.board = board
        self.words = words
        self._known: dict[str, dict[str, Unit]] = {}

    def known(self, power: str) -> Mapping[str, Unit]:
        """The units of a power that have been read, by their texts."""
        return self._known.setdefault(power, {})

    def __call__(self, power: str, text: str) -> Unit:
        """Return the unit that the text names."""
        units = self._known.setdefault(power, {})
        found = units.get(text)
        if found is None:
            named = reader_for(self.board, self.words).read_unit(text)
            found = place_unit(self.board, power, named, text, self.words.units)
            if len(units) >= _REMEMBERED:
                units.clear()
            units[text] = found
        return found


_REMEMBERED = 20_000
"""Texts of units of a power that are remembered; a map has a few hundred."""


@kept_on_first(16)
def unit_reader(board: Map, words: Words) -> UnitReader:
    """The reader of the units of a map under rules with these words."""
    return UnitReader(board, words)


def place_unit(
    board: Map,
    power: str,
    named: UnitName,
    text: str,
    kinds: tuple[UnitKind, ...] = STANDARD_KINDS,
) -> Unit:
    """The unit that `named` describes, of one of these kinds. A missing A or F is filled in where
    only one is possible.

    Raises `PositionError` if no such unit can stand there.
    """
    if named.power not in (None, power):
        raise PositionError(text, f"it is listed under {power}, not {named.power}")
    province = board.provinces[province_of(named.location)]
    coast = coast_of(named.location)
    kind = named.kind or only_kind(kinds, province, coast)
    if kind is None:
        raise PositionError(text, f"say whether it is {one_of(kinds)}")
    if not kind.stands_in(province.kind):
        where = {"land": "inland", "sea": "at sea"}.get(province.kind, "on the coast")
        raise PositionError(text, f"{kind.with_article} cannot stand {where} ({province.name})")
    if not kind.has_coasts:
        if coast:
            problem = f"{kind.with_article} stands on no coast; write {kind} {province.code}"
            raise PositionError(text, problem)
        return unit_of(power, kind, province.code, named.attributes)
    if named.location not in province.locations:
        known = " or ".join(f"{kind} {location}" for location in province.locations)
        problem = "the coast is missing" if not coast else "there is no such coast"
        raise PositionError(text, f"{problem}; write {known}")
    return unit_of(power, kind, named.location, named.attributes)


def only_kind(kinds: Iterable[UnitKind], province: Province, coast: str) -> UnitKind | None:
    """The only kind of unit that can stand in a province, on a coast if one is named; None if
    there are several or none."""
    possible = [kind for kind in kinds if kind.stands_in(province.kind)]
    if coast and province.kind == "coast":
        possible = [kind for kind in possible if kind.has_coasts]
    return possible[0] if len(possible) == 1 else None
