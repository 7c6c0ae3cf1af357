"""Rules compiled to machine code: the equations of a profile as C, built and loaded."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
