"""`python -m tools.atlas_borders` writes docs/atlas/borders/: the borders of the maps of the atlas,
for docs/atlas/check_lines.py."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dipsat
from dipsat.searches import borders_of

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "atlas" / "borders"
MAPS = (
    "standard", "1900", "ancient_mediterranean", "asia", "britain", "canton", "coldwar",
    "colonial", "crowded", "gatewaywest", "hundred", "milan", "modern", "northseawars", "pure",
    "renaissance", "sailho", "sengoku", "threekingdoms", "unconstitutional", "vietnamwar",
    "world", "year1908", "youngstown", "youngstown_redux",
)  # fmt: skip
"""The maps of the atlas."""


def text_of(name: str) -> str:
    """The file for a map: a line for each place."""
    borders = borders_of(dipsat.load_map(name))
    members = [f"{json.dumps(key)}: {_lines(value)}" for key, value in borders.items()]
    return "{" + ",\n".join(members) + "}\n"


def _lines(value: Any) -> str:
    if not isinstance(value, Mapping):
        return json.dumps(value)
    return "{" + ",\n ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()) + "}"


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in MAPS:
        (FOLDER / f"{name}.json").write_text(text_of(name), encoding="utf-8")


if __name__ == "__main__":
    main()
