"""`python -m tools.map_index` writes rules/maps/index.json, from which lists of maps are read."""

from __future__ import annotations

from pathlib import Path

from dipsat.board import maps_folder
from dipsat.game.listed_maps import INDEX, index_text


def main() -> None:
    """Write the file."""
    Path(maps_folder() / INDEX).write_text(index_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
