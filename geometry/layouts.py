"""`python -m geometry.layouts [MAP...]` writes the pictures of maps drawn from their borders alone.

Maps with the same geography share a picture; `rules/pictures/index.json` says which map has which
picture. Maps with real outlines are drawn by `geometry.build`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

import dipsat
from dipsat.board import Map
from dipsat.draw import Picture
from dipsat.draw.made_map import layout, with_links
from dipsat.draw.picture_choice import shipped_picture
from dipsat.draw.planar import borders_of, by_worth
from geometry.round_worlds import Hints, round_world
from geometry.source import source_names

PICTURES = Path(__file__).resolve().parent.parent / "rules" / "pictures"
HINTS = Path(__file__).with_name("layouts.yaml")
INDEX = PICTURES / "index.json"
STANDARD = "standard"
_FEW = 2
"""The most additional borders of a map that uses the picture of another map."""


@cache
def _all_hints() -> Mapping[str, Mapping[str, Any]]:
    return yaml.safe_load(HINTS.read_text("utf-8")) or {}


def hints_of(name: str) -> Hints:
    """The entry of a map in `layouts.yaml`."""
    entry = _all_hints().get(name, {})
    unseen = tuple(tuple(pair) for pair in entry.get("unseen", ()))
    at = {code: tuple(spot) for code, spot in entry.get("at", {}).items()}
    return Hints(tuple(entry.get("frame", ())), at, unseen)


def cut_of(name: str) -> Sequence[str]:
    """The provinces along which `layouts.yaml` cuts a round world, each bordering the next, from
    the top to the bottom. All but the first and the last then lie at both edges."""
    return tuple(_all_hints().get(name, {}).get("cut", ()))


def laid_out(map: Map) -> Picture:
    """The picture of a map from its borders and its entry in `layouts.yaml`."""
    hints, cut = hints_of(map.name), cut_of(map.name)
    return round_world(map, hints, cut) if cut else layout(map, hints.frame, hints.at, hints.unseen)


def geography(map: Map) -> Hashable:
    """The data that two maps share if they can use the same picture."""
    provinces = frozenset(
        (code, province.kind, province.coasts) for code, province in map.provinces.items()
    )
    borders = borders_of(map)
    return provinces, frozenset((code, frozenset(near)) for code, near in borders.items())


def pictures() -> dict[str, str]:
    """Map -> picture: the map's own name, or that of another map with the same geography."""
    found: dict[Hashable, str] = {geography(dipsat.load_map(STANDARD)): STANDARD}
    return {
        name: found.setdefault(geography(dipsat.load_map(name)), name)
        for name in sorted(dipsat.map_names())
    }


def write(picture: Picture) -> Path:
    """Write the file of a picture."""
    PICTURES.mkdir(exist_ok=True)
    path = PICTURES / f"{picture.name}.json"
    text = json.dumps(picture.to_dict(), separators=(",", ":"), ensure_ascii=False)
    path.write_text(text + "\n", "utf-8")
    return path


def like(base: Picture, map: Map) -> Picture | None:
    """The picture of another map with a link for each additional border of this map; None if this
    map has other provinces, lacks a border, or has more than a few additional borders."""
    borders = borders_of(map)
    pairs = {frozenset((one, other)) for one, near in borders.items() for other in near}
    linked = {frozenset(link[:2]) for link in base.links}
    more = pairs - base.touching - linked
    if base.shapes.keys() != map.provinces.keys() or not base.touching <= pairs:
        return None
    if not linked <= pairs or len(more) > _FEW:
        return None
    if any(base.shapes[code].coasts.keys() != {*p.coasts} for code, p in map.provinces.items()):
        return None
    return with_links(replace(base, name=map.name, links=()), by_worth(borders))


def main(names: Sequence[str]) -> None:
    """Draw the maps with the given names, or all of them."""
    index = pictures()
    drawn = source_names()
    done = {name: shipped_picture(name) for name in drawn}
    for name in sorted({index[name] for name in names or index} - {*drawn}):
        map = dipsat.load_map(name)
        found = next(filter(None, (like(base, map) for base in done.values())), None)
        done[name] = found or laid_out(map)
        write(done[name])
        print(name, flush=True)
    INDEX.write_text(json.dumps(index, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
