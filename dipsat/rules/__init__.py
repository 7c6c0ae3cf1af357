"""Rule profiles: the rule language, reading and checking `rules/*.yaml`, settings, comparing."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
