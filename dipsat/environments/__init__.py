"""Learning environments: many games as arrays, and the interfaces of PettingZoo, Gymnasium and
DeepMind, whose numbers and texts of orders they share."""

from dipsat.base import extensions

__getattr__, __dir__, __all__ = extensions.public(__name__)
