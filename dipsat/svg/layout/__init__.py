"""Pictures of maps from their borders alone, and where things stand in any picture."""

from __future__ import annotations

from dipsat.svg.layout.compass import NO_HINTS, Hints
from dipsat.svg.layout.whole import layout

__all__ = ["NO_HINTS", "Hints", "layout"]
