"""`python -m geometry.layouts [MAP...]` writes the pictures of maps drawn from their borders alone.

Maps that share their geography share a picture; `rules/pictures/index.json` says which map has
which. The standard board has its own source, `geometry.build`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Hashable, Sequence
from pathlib import Path

import dipsat
from dipsat.board.map import Map
from dipsat.svg.layout import layout
from dipsat.svg.layout.borders import borders_of
from dipsat.svg.picture import Picture

PICTURES = Path(__file__).resolve().parent.parent / "rules" / "pictures"
INDEX = PICTURES / "index.json"
STANDARD = "standard"


def geography(map: Map) -> Hashable:
    """What two maps share if one picture serves both."""
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


def main(names: Sequence[str]) -> None:
    """Draw the maps with the given names, or all of them."""
    index = pictures()
    for name in sorted({index[name] for name in names or index} - {STANDARD}):
        write(layout(dipsat.load_map(name)))
        print(name, flush=True)
    INDEX.write_text(json.dumps(index, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
