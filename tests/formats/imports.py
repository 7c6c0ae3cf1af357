"""Importing what a test writes into a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import dipsat
from dipsat.errors import DipsatError
from dipsat.formats import ImportedMap, import_maps


def written(folder: Path, files: Mapping[str, str]) -> Path:
    """The folder, with these files in it."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def imported(path: Path) -> dipsat.Map:
    """The map of the only variant there. If it has an error, raise that."""
    (made,) = import_maps(path)
    if isinstance(made, DipsatError):
        raise made
    assert dipsat.parse_map(made.text, f"{made.map.name}.yaml") == made.map
    return made.map


def sources(path: Path) -> list[str]:
    """The names of the sources of all maps there, and the texts of errors."""
    return [
        Path(one.source).name if isinstance(one, ImportedMap) else str(one)
        for one in import_maps(path)
    ]


def noted(board: dipsat.Map, words: str) -> bool:
    """Whether a note of a map has these words."""
    return any(words in note for note in board.notes)
