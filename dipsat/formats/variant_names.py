"""What other programs call their variants, and which maps and rules play them here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from dipsat.base import FrozenDict, data_folder, frozen, read_text
from dipsat.board import map_names

_LIST = ("judges", "variant-names.txt")


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of another program, as dipsat plays it."""

    name: str
    """What the program calls it."""
    map: str
    """The name of the map."""
    rules: str | None = None
    """The name of the rules, None for those that the user chooses."""
    powers: Mapping[str, str] = field(default_factory=FrozenDict)
    """Power -> its name in the program, if that differs."""


def variant_of(program: str, name: str) -> Variant:
    """The variant that a program calls `name`, in upper or lower case. If it is not listed, `name`
    is taken as the name of its map."""
    known = _listed()[program].get(name.casefold())
    if known is not None:
        return known
    maps = {map.casefold(): map for map in map_names()}
    return Variant(name, maps.get(name.casefold(), name))


def variant_on(program: str, map: str) -> Variant:
    """The variant that a program plays on a map of this name with the usual rules."""
    of_map = (one for one in _listed()[program].values() if (one.map, one.rules) == (map, None))
    return next(of_map, Variant(map, map))


@cache
def _listed() -> Mapping[str, Mapping[str, Variant]]:
    """Program -> the folded name of each variant listed -> the variant."""
    found: dict[str, dict[str, Variant]] = {}
    for line in read_text(data_folder("rules").joinpath(*_LIST)).splitlines():
        if line.strip() and not line.startswith("#"):
            program, name, board, rules, *powers = line.split()
            ours = {here: there for here, _, there in (one.partition("=") for one in powers)}
            variant = Variant(name, board, None if rules == "-" else rules, frozen(ours))
            found.setdefault(program, {})[name.casefold()] = variant
    return found
