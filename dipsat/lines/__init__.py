"""Stalemate lines: units whose standing orders hold a region whatever the enemy does."""

from dipsat.lines.hold import (
    HoldResult as HoldResult,
    HoldWitness as HoldWitness,
    hold_line as hold_line,
)
from dipsat.lines.line import LineEnemy as LineEnemy, StalemateLine as StalemateLine
from dipsat.lines.line_file import parse_line as parse_line, read_line as read_line
