"""Provinces, coasts, borders and maps; no units' orders, no rules."""

from dipsat.board.map import Map, PowerSetup
from dipsat.board.province import Province, UnitKind, coast_of, province_of

__all__ = ["Map", "PowerSetup", "Province", "UnitKind", "coast_of", "province_of"]
