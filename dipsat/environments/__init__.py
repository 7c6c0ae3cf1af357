"""Learning environments: many games as arrays, with the interfaces of PettingZoo, Gymnasium and
DeepMind, and with the published numbers and texts of orders."""

from dipsat.base import extensions

__getattr__, __dir__, __all__ = extensions.public(__name__)
