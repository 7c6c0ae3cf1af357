"""Files of games as they are typed: a folder stands for the files in it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

_ONLY_GAMES = (".json", ".jsonl", ".gz", ".zst", ".parquet")
_GAMES = (*_ONLY_GAMES, ".yaml", ".yml")


def game_files(typed: Iterable[str]) -> tuple[str, ...]:
    """The files, and those of each folder by their names."""
    return tuple(file for one in typed for file in (_inside(one) or [one]))


def _inside(typed: str) -> list[str]:
    """The files of games in a folder; none if it is no folder, or none is there."""
    folder = Path(typed)
    try:
        names = sorted(one.name for one in folder.iterdir() if one.is_file())
    except OSError:  # no folder; whoever reads it says what it is
        return []
    shown = (name for name in names if name.lower().endswith(_GAMES) and name[0] != ".")
    return [str(folder / name) for name in shown]


def check_no_games(rules: Iterable[str]) -> None:
    """Refuse files of games among rules: a shell makes several words of `--games games/*`. Raises
    `UsageError`."""
    for one in rules:
        if one.lower().endswith(_ONLY_GAMES):
            folder = Path(one).parent
            raise click.UsageError(
                f"{one!r} is no file of rules; write --games before each file of games, or name "
                f"their folder: --games {folder}"
            )
