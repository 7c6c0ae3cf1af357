"""Rows for lists of the shipped maps, and maps as plain values.

Reading all maps takes one second, and five in a browser. So the rows are kept in a file beside the
maps, which `python -m tools.map_index` writes, with a digest of the maps. If the maps have changed
since, they are read instead.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from dipsat.base import Plain, own_fields, plain, read_text, titled
from dipsat.board import Map, load_map, map_names, maps_folder
from dipsat.errors import FileError
from dipsat.game.next_phase import centers_to_win
from dipsat.game.position import Position
from dipsat.rules import Settings


@dataclass(frozen=True, slots=True)
class ListedMap(Plain):
    """A shipped map: its names, its numbers of provinces, supply centres and powers, and the number
    of centres that win."""

    name: str
    title: str
    provinces: int
    centers: int
    powers: int
    victory: int | None


INDEX = "index.json"
"""The name of the file with the rows, beside the maps."""


def listed() -> list[ListedMap]:
    """The shipped maps, the standard one first."""
    try:
        found = json.loads(read_text(maps_folder() / INDEX))
        if found["digest"] == _digest():
            return [ListedMap(**row) for row in found["maps"]]
    except (FileError, ValueError, LookupError, TypeError):
        pass  # the maps themselves have all of this
    return _read()


def index_text() -> str:
    """What the file with the rows should contain."""
    found = {"digest": _digest(), "maps": [row.to_dict() for row in _read()]}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _read() -> list[ListedMap]:
    names = sorted(map_names(), key=lambda name: (name != "standard", name))
    return [row_of(load_map(name)) for name in names]


def _digest() -> str:
    """One digest for all maps, since maps extend one another."""
    texts = (f"{name}\0{read_text(maps_folder() / f'{name}.yaml')}" for name in map_names())
    return sha256("\0".join(texts).encode()).hexdigest()


def row_of(board: Map) -> ListedMap:
    """The row of a map in lists."""
    return ListedMap(
        board.name,
        board.title,
        len(board.provinces),
        len(board.centers),
        len(board.players),
        centers_to_win(board, Settings()),
    )


def map_to_dict(board: Map) -> dict[str, Any]:
    """A map as plain values, including borders and the names that people type."""
    found = {
        **row_of(board).to_dict(),
        "first_phase": board.first_phase,
        "start": Position.start(board).to_dict(),
        "build": board.build,
        "sources": list(board.sources),
        "notes": list(board.notes),
        "powers": {
            name: {**asdict(power), "title": titled(name)} for name, power in board.powers.items()
        },
        "provinces": {
            code: {
                **asdict(province),
                "features": sorted(province.features),
                "army": sorted(board.army.get(code, ())),
                "fleet": {
                    place: sorted(board.fleet[place])
                    for place in province.locations
                    if place in board.fleet
                },
            }
            for code, province in board.provinces.items()
        },
        "coasts": {coast: list(names) for coast, names in board.coast_names.items()},
        "impassable": dict(board.impassable),
        "lines": {name: asdict(line) for name, line in board.lines.items()},
        "border_features": {
            name: sorted(sorted(border) for border in borders)
            for name, borders in board.border_features.items()
        },
    }
    spoken = own_fields(board.language)
    if any(spoken.values()):
        words = {" ".join(words): english for words, english in board.language.words.items()}
        found["language"] = {**spoken, "words": words}
    return {key: plain(value) for key, value in found.items()}
