"""Questions about orders, units and places that are open: goals, lines, theorems, changes."""

from dipsat.base import extensions

__getattr__, __dir__, __all__ = extensions.public(__name__)
