"""Adjudication engines with one interface: the solver, and published algorithms to check it."""

from dipsat import lazy

__getattr__, __dir__, __all__ = lazy.public(__name__)
