"""The foundation of all rooms: values, documents, files, limits, checked arguments."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
