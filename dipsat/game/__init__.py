"""Positions and phases: how orders are judged, and what comes next."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
