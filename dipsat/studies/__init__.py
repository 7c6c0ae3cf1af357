"""Other judges, and long work: comparisons of judges, records and rules on many boards."""

from dipsat.base import extensions

__getattr__, __dir__, __all__ = extensions.public(__name__)
