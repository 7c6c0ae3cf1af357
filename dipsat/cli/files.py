"""The files that commands name: a path, or `-` for standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from dipsat.profiles.load import DEFAULT_RULES, load_profile, settings_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dipsat.formats.phase_file import PhaseFile
    from dipsat.profiles.profile import Profile


_SHOWN = "standard input"


def phase_and_rules(
    file: str, map_name: str | None, rules: str | None, asking: bool = False
) -> tuple[PhaseFile, Profile | str]:
    """The phase in a file, and the rules to judge it by: those named, else those of the file.
    Settings alone (`+waive=illegal`) are laid over the latter."""
    if rules and rules.startswith("+"):
        settings = settings_in(DEFAULT_RULES + rules)[1]
        phase = phase_from(file, map_name, None, asking, settings)
        return phase, phase.rules or DEFAULT_RULES
    named = load_profile(rules) if rules else None
    phase = phase_from(file, map_name, named, asking)
    return phase, named or phase.rules or DEFAULT_RULES


def phase_from(
    file: str,
    map_name: str | None,
    rules: Profile | None = None,
    asking: bool = False,
    settings: Mapping[str, str] | None = None,
) -> PhaseFile:
    """The phase in a file, or on standard input; `rules`, or those of the file with the `settings`,
    tell how orders are read, `asking` whether they may be open."""
    from dipsat.formats.phase_file import read_phase, read_phase_bytes

    if file != "-":
        return read_phase(file, map_name, rules, asking, settings)
    return read_phase_bytes(_standard_input(), _SHOWN, map_name, rules, asking, settings)


def text_from(file: str) -> tuple[str, str]:
    """The text of a file, or of standard input, and what to call it. Raises `FileError`."""
    from dipsat.documents import decode, read_text

    return (read_text(file), file) if file != "-" else (decode(_standard_input(), _SHOWN), _SHOWN)


def _standard_input() -> bytes:
    """As much of it as may be read."""
    from dipsat.documents import MAX_BYTES

    return sys.stdin.buffer.read(MAX_BYTES + 1)
