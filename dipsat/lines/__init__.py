"""Stalemate lines: units whose standing orders hold a region whatever the enemy does."""

from dipsat.lines.hold import hold_line
from dipsat.lines.hold_result import HoldResult, HoldWitness
from dipsat.lines.line import LineEnemy, StalemateLine
from dipsat.lines.line_file import parse_line, read_line

__all__ = [
    "HoldResult",
    "HoldWitness",
    "LineEnemy",
    "StalemateLine",
    "hold_line",
    "parse_line",
    "read_line",
]
