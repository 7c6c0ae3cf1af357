"""Equations about a phase: ground terms, the facts behind them, and the ways to read terms."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
