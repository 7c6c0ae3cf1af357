"""Provinces, coasts, borders and maps, without orders and rules."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
