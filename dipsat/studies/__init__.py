"""Other judges, and long work: comparisons of judges, records and rules on many boards."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
