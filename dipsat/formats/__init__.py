"""Games and phases in files of dipsat and of other programs, and playing a game."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
