"""The colours of pictures that show reasons rather than a board."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Inks:
    """Colours by what they say; no meaning rests on a colour alone."""

    paper: str
    text: str
    faint: str
    """What is not the point."""
    line: str
    box: str
    bad: str
    """What fails, hinders or turns values around."""
    true: str
    """The ground of a truth value that is true."""
    false: str
    number: str


_LIGHT = Inks(
    paper="#ffffff", text="#1c2430", faint="#67717f", line="#4a5563", box="#f7f8fa",
    bad="#b3261e", true="#cfe8d2", false="#f3d3cf", number="#dbe4f3",
)  # fmt: skip
_DARK = Inks(
    paper="#15191f", text="#e8ecf1", faint="#98a3b1", line="#a9b4c2", box="#222934",
    bad="#ff8a7d", true="#23512f", false="#5f2a27", number="#2b3c59",
)  # fmt: skip


def inks_of(dark: bool) -> Inks:
    """The colours for a light or a dark page."""
    return _DARK if dark else _LIGHT
