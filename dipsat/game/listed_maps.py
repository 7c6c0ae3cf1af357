"""The shipped maps as lists show them, and maps as plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from dipsat.board.load import load_map, map_names
from dipsat.board.map import Map
from dipsat.game.settings import Settings
from dipsat.game.victory import centers_to_win
from dipsat.plain import Plain, plain
from dipsat.titles import titled


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


def listed() -> list[ListedMap]:
    """The shipped maps, the standard one first."""
    names = sorted(map_names(), key=lambda name: (name != "standard", name))
    return [row_of(load_map(name)) for name in names]


def row_of(board: Map) -> ListedMap:
    """A map as lists show it."""
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
    return {key: plain(value) for key, value in found.items()}
