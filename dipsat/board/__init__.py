"""Provinces, coasts, borders and maps; no units' orders, no rules."""

from dipsat.board.map import Map, PowerSetup
from dipsat.board.province import Province, coast_of, province_of
from dipsat.board.unit_kind import UnitKind

__all__ = ["Map", "PowerSetup", "Province", "UnitKind", "coast_of", "province_of"]
