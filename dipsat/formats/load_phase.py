"""The public function that reads an order file: the file that `dipsat adjudicate` takes."""

from __future__ import annotations

from pathlib import Path

from dipsat.board.map import Map
from dipsat.formats.phase_file import PhaseFile, parse_phase as read_text_of_phase, read_phase
from dipsat.limits import UNLIMITED, Limits, running
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile


def load_phase(
    path: str | Path,
    map: str | Path | Map | None = None,
    rules: str | Path | Profile | None = None,
    *,
    lenient: bool = False,
    limits: Limits = UNLIMITED,
) -> PhaseFile:
    """Return the phase in an order file, as `dipsat adjudicate FILE` reads it: YAML, JSON, or plain
    text with a heading for each power.

    `map` overrides the map that the file names. `rules` say how orders are read; without them it is
    the profile that the file names, else `datc`. `limits.files` says which files `map`, `rules` and
    the names in the file may stand for. Raises `LimitError` if `limits.seconds` are not enough,
    `FileError`, `DocumentError`, the errors of `load_map`, `load_profile` and
    `Position.from_units`, and `FileError` with the line and column of an order that cannot be read,
    or `ProblemsError` for several, unless the rules accept poorly written orders.

    If the reading is `lenient`, an order that cannot be read, or whose unit cannot be where it
    says, is no error: `PhaseFile.faults` has the fault, and `dipsat.adjudicate` with `lenient`
    judges the other orders. Without stated units, a unit that no order names readably is not on
    the board.
    """
    with running(limits) as now:
        profile = None if rules is None else load_profile(rules, limits=now)
        return read_phase(path, map, profile, now, asking=True, lenient=lenient)


def parse_phase(
    text: str,
    path: str,
    map: str | Path | Map | None = None,
    rules: str | Path | Profile | None = None,
    *,
    lenient: bool = False,
    limits: Limits = UNLIMITED,
) -> PhaseFile:
    """Return the phase in a text, as `load_phase` reads a file. `path` names it in errors, and its
    ending says what it is: YAML or JSON (`.yaml`, `.json`), or plain text.

    Raises the errors of `load_phase`.
    """
    with running(limits) as now:
        profile = None if rules is None else load_profile(rules, limits=now)
        return read_text_of_phase(text, path, map, profile, True, None, now, lenient)
