"""Rules compiled to machine code: the equations of a profile as C, built and loaded."""

from dipsat.base import extensions

__getattr__, __dir__, __all__ = extensions.public(__name__)
