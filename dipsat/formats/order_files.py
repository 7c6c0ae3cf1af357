"""The public functions that read an order file: the file that `dipsat adjudicate` takes."""

from __future__ import annotations

from pathlib import Path

from dipsat.base import UNLIMITED, Limits, allowed_files, by_caller, read_text, running
from dipsat.board import Map
from dipsat.formats.phase_file import PhaseFile, parse_apart, shipped_start
from dipsat.game import PhaseName, Position
from dipsat.rules import Profile, load_profile


def load_phase(
    path: str | Path,
    map: str | Path | Map | None = None,
    rules: str | Path | Profile | None = None,
    *,
    phase: str | PhaseName | None = None,
    position: str | Path | Position | None = None,
    lenient: bool = False,
    limits: Limits = UNLIMITED,
) -> PhaseFile:
    """Return the phase in an order file, as `dipsat adjudicate FILE` reads it: YAML, JSON, or plain
    text with a heading for each power.

    `map` overrides the map that the file names. `rules` say how orders are read; without them it is
    the profile that the file names, else `datc`. `phase` is the phase, such as `F1901M`, if the
    file does not say it. `position` is the position that the orders are for, such as
    `outcome.next`, a file with it (a saved game, what `--next` or `--json` wrote, or YAML with
    `units`), or a map whose start it is, such as `standard`; the other file then has only orders.
    `limits.files` says which files `map`, `rules`, `position` and the names in the file may stand
    for.

    Raises `LimitError` if `limits.seconds` are not enough, `FileError`, `DocumentError`, the errors
    of `load_map`, `load_profile` and `Position.from_units`, `FileError` with the line and column of
    an order that cannot be read, or `ProblemsError` for several, unless the rules accept poorly
    written orders, and `FileError` if `phase` or `map` is not that of the `position`.

    If the reading is `lenient`, an order that cannot be read, or whose unit cannot be where it
    says, is no error: `PhaseFile.faults` has the fault, and `dipsat.adjudicate` with `lenient`
    judges the other orders. Without stated units, a unit that no order names readably is not on
    the board.
    """
    text = read_text(path)
    return parse_phase(
        text, str(path), map, rules, phase=phase, position=position, lenient=lenient, limits=limits
    )


def parse_phase(
    text: str,
    path: str,
    map: str | Path | Map | None = None,
    rules: str | Path | Profile | None = None,
    *,
    phase: str | PhaseName | None = None,
    position: str | Path | Position | None = None,
    lenient: bool = False,
    limits: Limits = UNLIMITED,
) -> PhaseFile:
    """Return the phase in a text, as `load_phase` reads a file. `path` names it in errors, and its
    ending says what it is: YAML or JSON (`.yaml`, `.json`), or plain text.

    Raises the errors of `load_phase`.
    """
    with running(limits):
        profile = None if rules is None else load_profile(rules)
        board = _board(position) if isinstance(position, str | Path) else position
        return parse_apart((text, path), board, phase, map, profile, True, lenient=lenient)


def _board(path: str | Path) -> tuple[str, str] | Position:
    """The text of the file of a position, and its name in errors, or the start of a shipped map."""
    start = shipped_start(path)
    if start is not None:
        return start
    allowed = by_caller(allowed_files()) if isinstance(path, Path) else allowed_files()
    return read_text(path, files=allowed), str(path)
