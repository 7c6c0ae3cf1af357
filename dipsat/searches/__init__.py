"""Questions about orders, units and places that are open: goals, lines, theorems, changes."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
