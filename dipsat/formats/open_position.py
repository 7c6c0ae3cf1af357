"""Reading `units` that may stand anywhere: `any 4`, or by power, beside units whose places are
stated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dipsat.board.map import Map
from dipsat.documents import Node
from dipsat.formats.json_text import FilePlace
from dipsat.game.open_position import (
    ANY,
    AnyUnits,
    OpenPosition,
    checked_position,
    is_open_unit,
    power_or_any,
    read_open_unit,
)
from dipsat.game.position import Unit


def read_open_position(section: Node, board: Map) -> OpenPosition | None:
    """The position that `units` leave open; None if each says where it stands. Raises
    `DocumentError`, or what the reader raises for units."""
    if not leaves_open(section):
        return None
    placed: dict[str, Unit] = {}
    found: dict[str, tuple[Unit | AnyUnits, ...]] = {}
    for power, nodes in _powers(section, board):
        for node in nodes:
            with FilePlace(node.place):
                one = read_open_unit(node.text("units"), power, board, placed)
            found[power] = (*found.get(power, ()), one)
    with FilePlace(section.place):
        return checked_position(board, found)


def leaves_open(section: Node) -> bool:
    """Whether `units` say of some only in general where they stand."""
    return any(map(is_open_unit, _texts(section))) or _names_any(section)


def refuse_beside(top: Mapping[str, Node], asking: bool) -> None:
    """Raise `DocumentError` for what a file cannot have beside units that may stand anywhere."""
    if not asking:
        top["units"].fail("only `dipsat search` takes units that may stand anywhere")
    for key in ("phase", "centers", "dislodged"):
        if key in top:
            problem = "where units may stand anywhere, it is a movement phase without owned centres"
            top[key].fail(f"{problem}; leave out `{key}`")


def _texts(section: Node) -> Iterator[object]:
    value = section.value
    if isinstance(value, dict | tuple):
        for node in value.values() if isinstance(value, dict) else value:
            yield from _texts(node)
    else:
        yield value


def _names_any(section: Node) -> bool:
    return isinstance(section.value, dict) and any(
        key.strip().lower() == ANY for key in section.value
    )


def _powers(section: Node, board: Map) -> Iterator[tuple[str, tuple[Node, ...]]]:
    """Each power, or `any`, with what is said of its units."""
    if not isinstance(section.value, dict):
        yield ANY, _listed(section)
        return
    for name, node in section.mapping(None, "units").items():
        path, line, column = section.place_of(name)
        with FilePlace(f"{path}:{line}:{column}"):
            power = power_or_any(name, board)
        yield power, _listed(node)


def _listed(node: Node) -> tuple[Node, ...]:
    return node.sequence("units") if isinstance(node.value, tuple) else (node,)
