"""Orders as dipsat and other programs write them (`A LON - BEL`, `F NTH C A LON - BEL`), read by
their words alone.

Programs hand in nothing else, and the reader of what people type takes ten times as long. It has
the last word: what is read here, it reads in the same way (a test compares them on all maps).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dipsat.board.map import Map
from dipsat.board.unit_kind import STANDARD_KINDS, UnitKind
from dipsat.grouped import grouped
from dipsat.kept import kept_on_first
from dipsat.orders.order import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
)
from dipsat.orders.verbs import ACTIONS, kind_words
from dipsat.orders.words import NO_WORDS, Words


@dataclass(frozen=True, slots=True)
class _Known:
    """The locations and units whose written form is nothing else on the map; units by the two words
    of their name. A location and an action are `unclear` if a longer name begins so: `RIO D` may be
    short for Rio de Janeiro. `locations` maps each to itself, so that equal texts in orders are one
    object, whose hash is known."""

    locations: Mapping[str, str]
    units: Mapping[tuple[str, str], UnitName]
    unclear: frozenset[tuple[str, str]]


def read_own(text: str, board: Map, words: Words) -> Order | None:
    """The order that a text states in this notation, None if it is not in it, or if the
    rules add words to the notation."""
    if words is not NO_WORDS and not _adds_nothing(words):
        return None
    known, parts = _known(board), text.split(" ")
    count = len(parts)
    if count < 3 or count > 7:
        return None
    unit, verb = known.units.get((parts[0], parts[1])), parts[2]
    if unit is None or (known.unclear and (parts[1], verb) in known.unclear):
        return None
    if count == 3:
        alone = _ALONE.get(verb)
        return None if alone is None else alone(unit)
    if verb == "-":
        target = known.locations.get(parts[3]) if count < 6 else None
        if target is None or (count == 5 and parts[4] != "VIA"):
            return None
        if count == 5 and (target, "VIA") in known.unclear:
            return None
        return Move(unit, target, count == 5)
    if verb == "R":
        target = known.locations.get(parts[3]) if count == 4 else None
        return None if target is None else Retreat(unit, target)
    if verb not in ("S", "C") or count not in (5, 7):
        return None
    other = known.units.get((parts[3], parts[4]))
    if other is None:
        return None
    if count == 5:
        return SupportHold(unit, other) if verb == "S" else None
    target = known.locations.get(parts[6]) if parts[5] == "-" else None
    if target is None:
        return None
    return (SupportMove if verb == "S" else Convoy)(unit, other, target)


_VERBS = ("H", "-", "S", "C", "R", "D", "B", "VIA")
_ALONE: Mapping[str, Callable[[UnitName], Order]] = {"H": Hold, "D": Disband, "B": Build}
"""The orders that name nothing but the unit."""


def _adds_nothing(words: Words) -> bool:
    """Whether the words are those of the standard rules, whatever options the rules have."""
    return not words.kinds and not words.attributes and not words.have_own_units


@kept_on_first()
def _known(board: Map) -> _Known:
    names, kinds = board.names, kind_words(STANDARD_KINDS)
    begun = {one[0] for one in names.powers} | ACTIONS | kinds.keys()
    plain = {
        code
        for code in board.provinces
        if code.isalnum()
        and code.casefold() not in begun
        and names.provinces.get((code.casefold(),)) == code
    }
    suffixes = {
        suffix
        for suffix in board.coast_names
        if suffix.isalnum() and names.coasts.get((suffix.casefold(),)) == suffix
    }
    locations = {
        place: place
        for place in board.locations
        if place.partition("/")[0] in plain and place.partition("/")[2] in {"", *suffixes}
    }
    army, fleet = UnitKind.ARMY, UnitKind.FLEET
    units = {(str(k), at): UnitName(at, k) for k in (army, fleet) for at in locations}
    longer = grouped((one[0], one[1]) for one in names.provinces if len(one) > 1)
    unclear = {
        (code, verb)
        for code in plain
        for second in longer.get(code.casefold(), ())
        for verb in _VERBS
        if second.startswith(verb.casefold())
    }
    return _Known(locations, units, frozenset(unclear))
