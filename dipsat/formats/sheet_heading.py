"""The phase that may stand above an order sheet: `Fall 1901 Movement`, `Summer 1901 Exchange`."""

from __future__ import annotations

from dipsat.errors import FileError
from dipsat.formats.json_text import Place
from dipsat.formats.transcript import heading
from dipsat.game.phase_name import PhaseKind, PhaseName, phase_letters
from dipsat.orders.words import Words


def headed_sheet(text: str, shown: str, words: Words) -> tuple[PhaseName | None, str]:
    """The phase that stands above an order sheet, None if none does; and the sheet without it.

    Raises `FileError` for a phase that is none, that an order sheet cannot state, or that is not
    the only one.
    """
    phase = None
    lines = text.splitlines()
    for at, line in enumerate(lines):
        found = heading(line, words)
        if found is None:
            if phase is None and line.partition("#")[0].strip():
                _refuse_unknown_phase(line, f"{shown}:{at + 1}", words)
                break
            continue
        if phase is not None:
            problem = "is a second phase; a game of several phases is judged by `dipsat replay`"
            raise FileError(f"{shown}:{at + 1}", f"{line.strip()!r} {problem}")
        if found.kind not in (PhaseKind.MOVEMENT, PhaseKind.EXTRA):
            problem = f"an order sheet cannot say what {found} needs: state it in YAML, with "
            problem += "`centers`" if found.kind is PhaseKind.ADJUSTMENT else "`dislodged`"
            raise FileError(f"{shown}:{at + 1}", problem)
        phase, lines[at] = found, ""
    return phase, "\n".join(lines)


def _refuse_unknown_phase(line: str, place: str, words: Words) -> None:
    """Raise `FileError` if a line has season and year of a phase that there is not."""
    written = line.partition("#")[0].strip().rstrip(":")
    season, year, _ = phase_letters(written, words)
    if season and year:
        with Place(place):
            PhaseName.parse(written, words)
