"""Order types and the notations people write them in."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
