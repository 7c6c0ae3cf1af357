"""Adjudication engines with one interface: the solver, and published algorithms to check it."""

from dipsat.base import extensions

__getattr__, __dir__, __all__ = extensions.public(__name__)
