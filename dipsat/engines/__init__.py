"""Adjudication engines with one interface: the solver, and published algorithms to check it."""

from dipsat import extensions

__getattr__, __dir__, __all__ = extensions.public(__name__)
