"""Questions about open orders, units and places: goals, lines, theorems, changes."""

from dipsat.base import extensions

__getattr__, __dir__, __all__ = extensions.public(__name__)
