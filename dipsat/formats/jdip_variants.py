"""The variants that jDip's case files name: which map and which rules play them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from dipsat.board.load import load_map, map_names
from dipsat.board.map import Map
from dipsat.documents import read_text
from dipsat.errors import UnknownNameError
from dipsat.orders.verbs import NO_WORDS, Words
from dipsat.profiles.load import load_profile
from dipsat.resources import data_folder

_LIST = ("judges", "jdip-variants.txt")


@dataclass(frozen=True, slots=True)
class JdipVariant:
    """A variant as dipsat plays it. `rules` is None for one that is only a map; `words` are those
    of the rules."""

    board: Map
    rules: str | None = None
    words: Words = NO_WORDS


def jdip_variant(name: str, place: str) -> JdipVariant:
    """The variant called `name`, whatever its case. Raises `UnknownNameError` of kind "map", with
    the place, for a variant that dipsat has no map for."""
    listed = _listed().get(name.casefold())
    if listed is not None:
        board, rules = listed
        return JdipVariant(load_map(board), rules, load_profile(rules).words)
    names = {known.casefold(): known for known in map_names()}
    if name.casefold() not in names:
        raise UnknownNameError("map", name, map_names(), place)
    return JdipVariant(load_map(names[name.casefold()]))


@cache
def _listed() -> dict[str, tuple[str, str]]:
    """The folded name of each variant of the list -> its map and its rules."""
    lines = read_text(data_folder("rules").joinpath(*_LIST)).splitlines()
    rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return {name.casefold(): (board, rules) for name, board, rules in rows}
