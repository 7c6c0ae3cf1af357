"""Words of domains that stand before units: orders are read by them, so each must be free."""

from __future__ import annotations

from collections.abc import Iterator

from dipsat.board.load import DEFAULT_MAP, load_map
from dipsat.board.map import Map
from dipsat.board.names import words_of
from dipsat.documents import Node
from dipsat.errors import DipsatError, ProfileError
from dipsat.orders.verbs import meaning_of
from dipsat.orders.words import Words
from dipsat.profiles.declared import Declared
from dipsat.profiles.layers import Layers
from dipsat.profiles.noting import Try


def check_member_words(layers: Layers, declared: Declared, map_name: str, attempt: Try) -> None:
    """Each value of an attribute must be a word that means nothing else in orders, and no name of a
    province or a power on the profile's map; faults go to `attempt`."""
    domains = {attribute.domain.name for attribute in declared.attributes.values()}
    if not domains:
        return
    board = _map_called(map_name or DEFAULT_MAP)
    for name, _, _, node in layers.section("domains"):
        if name in domains:
            for one in _members(node):
                attempt(_check, one, declared.words, board)


def _members(node: Node) -> Iterator[Node]:
    """The words of a domain, listed or beside the names that rule files use."""
    yield from node.value.values() if isinstance(node.value, dict) else node.sequence()


def _check(node: Node, words: Words, board: Map | None) -> None:
    parts = words_of(node.raw)
    meanings = ((part, meaning_of(part, words)) for part in parts)
    part, meaning = next(((part, found) for part, found in meanings if found), (node.raw, ""))
    if not meaning and board is not None:
        meaning = _name_on(board, parts)
    if meaning:
        shown = "it" if part in (node.raw, node.raw.casefold()) else repr(part)
        node.fail(
            f"{node.raw!r} cannot stand before a unit: {shown} already stands for {meaning} in "
            "orders; choose a word that has no other meaning there",
            ProfileError,
        )


def _name_on(board: Map, parts: tuple[str, ...]) -> str:
    """What has this name on the map, "" if nothing. Abbreviations of provinces do not count: before
    a unit nobody takes the color red for the Red Sea."""
    code = board.names.provinces.get(parts, "")
    if code and words_of(board.provinces[code].name) == parts:
        return f"the province {code} of the map {board.name!r}"
    power = board.names.powers.get(parts, "")
    return f"the power {power} of the map {board.name!r}" if power else ""


def _map_called(name: str) -> Map | None:
    """The map of this name; None if it has a fault, which dipsat reports when the map is used."""
    try:
        return load_map(name)
    except DipsatError:
        return None
