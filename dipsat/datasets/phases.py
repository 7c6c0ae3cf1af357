"""The name of a phase as columns, which rows of several kinds have."""

from __future__ import annotations

from typing import Any

from dipsat.errors import UnknownNameError
from dipsat.game.phase_name import SEASON_WORDS, PhaseName

_NO_PHASE = {"year": None, "season": None, "kind": None}


def phase_columns(name: str) -> dict[str, Any]:
    """The columns `phase`, `year`, `season` and `kind`; null where the name does not say it."""
    try:
        phase = PhaseName.parse(name)
    except UnknownNameError:
        return {"phase": name or None, **_NO_PHASE}
    return {
        "phase": name,
        "year": phase.year,
        "season": SEASON_WORDS[phase.season],
        "kind": phase.kind.name.lower(),
    }
